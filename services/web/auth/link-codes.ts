import { createHmac } from 'node:crypto';
import { linkCode } from '@maw/contracts/http/link-code.ts';

export type LinkCodes = ReturnType<typeof linkCodes>;

/**
 * Codes and their digests. A code is computed from the id of its token and a secret, so that the same request has the same code again although
 * it is stored nowhere. Digests are keyed too: 50 bits alone could be found by trying.
 * @param secrets the first makes new codes; those of the others stay known
 */
export function linkCodes(secrets: readonly Uint8Array[]) {
  const keyed = (secret: Uint8Array, use: string, text: string): Buffer => createHmac('sha256', secret).update(`${use} ${text}`).digest();
  const codeBy = (secret: Uint8Array, id: string): string => linkCode(keyed(secret, 'code', id));
  const digestBy = (secret: Uint8Array, code: string): string => keyed(secret, 'digest', code).toString('hex');
  return {
    /** The digest to store with a new token. */
    digestOf: (id: string): string => digestBy(secrets[0]!, codeBy(secrets[0]!, id)),
    /** The code of a token with this digest; undefined when its secret is gone. */
    codeOf(id: string, digest: string | undefined): string | undefined {
      const secret = secrets.find((each) => digestBy(each, codeBy(each, id)) === digest);
      return secret && codeBy(secret, id);
    },
    /** What a code may have been stored as. */
    digestsOf: (code: string): readonly string[] => secrets.map((secret) => digestBy(secret, code)),
  };
}

import type { z } from 'zod';
import { type issuedToken, MAX_TOKEN_MS } from '@maw/contracts/http/tokens.ts';
import { retryAfter } from '@maw/http/problem.ts';
import type { Revocation, RevocationTarget, StoredToken, Tokens } from '@maw/store/ports/tokens.ts';
import type { WebOptions } from '../defaults.ts';
import { Problem } from '../problem.ts';
import type { Bearer, Pass } from './roles.ts';
import type { LinkCodes } from './link-codes.ts';
import type { Revocations } from './revocations.ts';
import { badToken, type TokenSigner } from './token.ts';

interface IssuerDeps extends Pick<WebOptions, 'adminTokenMs' | 'tokenMs'> {
  readonly tokens: Tokens;
  readonly signer: Pick<TokenSigner, 'sign'>;
  readonly codes: LinkCodes;
  readonly revocations: Pick<Revocations, 'add'>;
  readonly now: () => number;
}

type IssuedToken = Readonly<z.output<typeof issuedToken>> & { readonly code?: string };

interface IssueOptions {
  readonly id: string;
  readonly name: string;
  /** Who issues it. */
  readonly by: string;
  /** How long it is valid; the default depends on the role. */
  readonly ttlMs?: number | undefined;
  /** Whether a code stands for it. */
  readonly isLink?: boolean | undefined;
}

export type TokenIssuer = ReturnType<typeof tokenIssuer>;

/**
 * Issues, renews and revokes tokens. A token is stored before it is signed, so that every token can be listed and revoked.
 * Everything throws Problem unavailable while the database does not answer.
 */
export function tokenIssuer({ tokens, signer, codes, revocations, now, adminTokenMs, tokenMs }: IssuerDeps) {
  const signed = async (pass: Pass, { id, name, n, issued, until }: StoredToken): Promise<IssuedToken> => ({
    id,
    name,
    token: await signer.sign(pass, { id, name, n }, issued, until),
    until,
  });
  // A link to watch is for later evenings too.
  const lifeOf = ({ role }: Pass, isLink: boolean): number =>
    role === 'admin' ? adminTokenMs : isLink && role === 'spectator' ? MAX_TOKEN_MS : tokenMs;

  return {
    /** Issues a token; the same id gives the same token again, and the same code. @throws Problem unknown-token for a link that is gone */
    async issue(pass: Pass, { id, name, by, isLink = false, ttlMs = lifeOf(pass, isLink) }: IssueOptions): Promise<IssuedToken> {
      const issued = now();
      const until = expiryOf(issued, Math.min(ttlMs, MAX_TOKEN_MS));
      const { view, seat, ...place } = { view: undefined, seat: undefined, ...pass };
      const about = { ...place, ...(view === undefined ? {} : { view }), ...(seat === undefined ? {} : { seat }) };
      const digest = isLink ? { digest: codes.digestOf(id) } : {};
      const stored = await orUnavailable(tokens.issue({ id, ...about, ...digest, name, by, issued, until }));
      if (!isLink) return signed(pass, stored);
      const code = codes.codeOf(id, stored.digest);
      if (code === undefined || stored.isRevoked || stored.until <= issued)
        throw new Problem('unknown-token', 'the link that this request made is gone: make another, with another Idempotency-Key');
      return { ...(await signed(pass, stored)), code };
    },

    sign: signed,
    findByCode: (code: string) => orUnavailable(tokens.findByDigest(codes.digestsOf(code))),

    /** Gives a seat its token with a later expiry. @throws Problem bad-token for one that was revoked, or never issued here */
    async renew({ id, pass }: Bearer): Promise<IssuedToken> {
      if (pass.role !== 'seat') throw new Problem('forbidden', 'only the token of a seat can be renewed');
      const stored = await orUnavailable(tokens.renew(id, expiryOf(now(), tokenMs), now()));
      if (!stored) throw badToken('the token was revoked, or was not issued here: ask an administrator for a new one');
      return signed(pass, stored);
    },

    /** Takes effect here at once, and at other replicas when they poll. @param by whose tokens alone; absent: all @throws Problem unknown-token */
    async revoke(target: RevocationTarget, by?: string): Promise<Revocation> {
      if ('id' in target) {
        const stored = await orUnavailable(tokens.find(target.id));
        if (!stored || stored.until <= now() || (by !== undefined && by !== stored.by))
          throw new Problem(
            'unknown-token',
            'no valid token has that id: GET /tokens lists them; otherwise revoke a table, or change the secret',
          );
      }
      const revocation = await orUnavailable(tokens.revoke(target, now() + MAX_TOKEN_MS));
      revocations.add(revocation);
      return revocation;
    },

    list: (page: Omit<Parameters<Tokens['list']>[0], 'at'>): Promise<readonly StoredToken[]> =>
      orUnavailable(tokens.list({ at: now(), ...page })),
  };
}

/** When a token expires that is issued now, milliseconds since the epoch: a whole second, at least one from now. */
export const expiryOf = (now: number, ttlMs: number): number => (Math.floor(now / 1000) + Math.max(1, Math.floor(ttlMs / 1000))) * 1000;

/** @throws Problem unavailable when the database fails; a write may have happened all the same */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const detail = 'the database does not answer, and the request may have been carried out: retry with the same Idempotency-Key';
    const problem = new Problem('unavailable', detail, { headers: retryAfter(5_000) });
    problem.cause = error;
    throw problem;
  }
}

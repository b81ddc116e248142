import type { StoredToken, Tokens, Revocation, RevocationTarget } from '@maw/store/ports/tokens.ts';
import type { Bearer } from './authenticate.ts';
import { badToken, expiryOf, MAX_TOKEN_MS, type Pass, type tokenSigner as TokensOf } from './token.ts';
import { Problem } from '../problem.ts';
import type { Revocations } from './revocations.ts';

interface Parts {
  readonly permits: Tokens;
  readonly tokens: Pick<ReturnType<typeof TokensOf>, 'sign'>;
  readonly revocations: Pick<Revocations, 'learn'>;
  readonly now: () => number;
  /** How long tokens are good for when nobody says, those of administrators and the others, in milliseconds. */
  readonly adminTokenMs: number;
  readonly tokenMs: number;
}

/** A token, to be given to whom it is for. */
export interface IssuedToken {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly until: number;
}

export type TokenIssuer = ReturnType<typeof tokenIssuer>;

/**
 * Gives tokens out, renews and revokes them. A token is signed only once it is written down that there is one, so that every one of them
 * can be found and revoked. Everything throws Problem unavailable while that cannot be written.
 */
export function tokenIssuer({ permits, tokens, revocations, now, adminTokenMs, tokenMs }: Parts) {
  const usualMs = ({ role }: Pass): number => (role === 'admin' ? adminTokenMs : tokenMs);

  async function signed(of: Pass, { id, name, n, issued, until }: StoredToken): Promise<IssuedToken> {
    return { id, name, token: await tokens.sign(of, { id, name, n }, issued, until), until };
  }

  return {
    /** The same id gives the same token again. @param ttlMs how long it is good for, if not as usual */
    async issue(
      of: Pass,
      about: { readonly id: string; readonly name: string; readonly by: string; readonly ttlMs?: number | undefined },
    ): Promise<IssuedToken> {
      const { id, name, by, ttlMs = usualMs(of) } = about;
      const issued = now();
      const { role, ...where } = of;
      const { table, seat, view } = where as { readonly table?: string; readonly seat?: number; readonly view?: string };
      const kept = await orUnavailable(
        permits.issue({
          id,
          role,
          ...(table === undefined ? {} : { table }),
          ...(seat === undefined ? {} : { seat }),
          ...(view === undefined ? {} : { view }),
          name,
          by,
          issued,
          until: expiryOf(issued, Math.min(ttlMs, MAX_TOKEN_MS)),
        }),
      );
      return signed(of, kept);
    },

    /** The token of a seat once more, with the same id and a later end. @throws Problem bad-token when it was revoked meanwhile, or never given out here */
    async renew({ id, pass }: Bearer): Promise<IssuedToken> {
      if (pass.role !== 'seat') throw new Problem('forbidden', 'only a seat renews its token');
      const kept = await orUnavailable(permits.renew(id, expiryOf(now(), tokenMs), now()));
      if (!kept) throw badToken('the token was revoked, or not given out here: ask an administrator for another');
      return signed(pass, kept);
    },

    /** Holds here at once, and at the other replicas when they look. */
    async revoke(what: RevocationTarget): Promise<Revocation> {
      if ('id' in what) {
        const known = await orUnavailable(permits.find(what.id));
        if (!known || known.until <= now())
          throw new Problem(
            'unknown-token',
            'no token of that id is good: GET /tokens lists those that are; revoke a table, or change the secret',
          );
      }
      const made = await orUnavailable(permits.revoke(what, now() + MAX_TOKEN_MS));
      revocations.learn(made);
      return made;
    },

    list: (about: { readonly limit: number; readonly before?: number; readonly table?: string }): Promise<readonly StoredToken[]> =>
      orUnavailable(permits.list({ at: now(), ...about })),
  };
}

/** @throws Problem unavailable: what was to be written may be, for the answer is lost as easily as the question */
export async function orUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const problem = new Problem(
      'unavailable',
      'the database does not answer, and may have done what was asked all the same: try again, with the same Idempotency-Key',
      { headers: { 'Retry-After': '5' } },
    );
    problem.cause = error;
    throw problem;
  }
}

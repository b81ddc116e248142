import type { z } from 'zod';
import type { passSchema } from '@maw/contracts/http/tokens.ts';

/** What a token permits. */
export type Pass = Readonly<z.output<typeof passSchema>>;

/** Who sends a request: the bearer of a pass, nobody (no token), or anybody (no token, and the service is open). */
export interface Bearer {
  readonly pass: Pass | { readonly role: 'nobody' | 'anybody' };
  /** Who it is, the same for every token of one pass: a retry with another token is the same request. */
  readonly subject: string;
  /** Id of the token, the same after it was renewed. */
  readonly id: string;
  /** Who the token was issued to. */
  readonly name: string;
  /** Number under which the token was issued; 0 for one that never was. */
  readonly n: number;
  /** When the token expires, milliseconds since the epoch; undefined: never. */
  readonly until: number | undefined;
}

/** Where a pass is valid: `admin`, `agent`, `t1/seat:3`, `t1/join`, `t1/join:3`. */
export const subjectOf = (pass: Pass): string =>
  !('table' in pass) ? pass.role : `${pass.table}/${pass.role}${'seat' in pass && pass.seat !== undefined ? `:${pass.seat}` : ''}`;

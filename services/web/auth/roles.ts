import type { z } from 'zod';
import type { passSchema } from '@maw/contracts/http/tokens.ts';

/** What a token permits. */
export type Pass = Readonly<z.output<typeof passSchema>>;

/** Where a pass is valid: `admin`, `agent`, `t1/seat:3`, `t1/join`, `t1/join:3`. */
export const subjectOf = (pass: Pass): string =>
  !('table' in pass) ? pass.role : `${pass.table}/${pass.role}${'seat' in pass && pass.seat !== undefined ? `:${pass.seat}` : ''}`;

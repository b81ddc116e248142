import { z } from 'zod';
import { seat, tableId } from '@maw/contracts/messages/schemas.ts';

/** What a token permits. The view of a spectator is `audience` unless it is given; an invitation without a seat is for any. */
export const passSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('admin') }),
  z.object({ role: z.literal('seat'), table: tableId, seat }),
  z.object({ role: z.literal('spectator'), table: tableId, view: z.enum(['audience', 'narrator']).optional() }),
  z.object({ role: z.literal('join'), table: tableId, seat: seat.optional() }),
]);
export type Pass = Readonly<z.output<typeof passSchema>>;

/** Where a pass is valid: `admin`, `t1/seat:3`, `t1/join`, `t1/join:3`. */
export const subjectOf = (pass: Pass): string =>
  pass.role === 'admin' ? 'admin' : `${pass.table}/${pass.role}${'seat' in pass && pass.seat !== undefined ? `:${pass.seat}` : ''}`;

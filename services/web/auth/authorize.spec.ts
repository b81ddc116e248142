import { describe, expect, it } from '@jest/globals';
import { eyeFor, type ViewName } from './authorize.ts';
import type { Bearer } from './authenticate.ts';

const PASSES = {
  'seat 0': { role: 'seat', table: 't1', seat: 0 },
  'another table’s seat': { role: 'seat', table: 't9', seat: 0 },
  'spectator': { role: 'spectator', table: 't1' },
  'narrator of an open table': { role: 'spectator', table: 't2', view: 'narrator' },
  'narrator of a closed table': { role: 'spectator', table: 't1', view: 'narrator' },
  'spectator of an open table': { role: 'spectator', table: 't2' },
  'invited': { role: 'join', table: 't1' },
  'administrator': { role: 'admin' },
  'anybody': { role: 'anybody' },
  'nobody': { role: 'nobody' },
} as const satisfies { readonly [who: string]: Bearer['pass'] };

const SPECTATORS: { readonly [table: string]: 'audience' | 'narrator' } = { t1: 'audience', t2: 'narrator' };

/** Who, at which table, as what, sees: the eye, or the reason of the refusal. */
const RIGHTS = [
  ['seat 0', 't1', '', 0],
  ['seat 0', 't1', 'seat', 0],
  ['seat 0', 't1', 'seat:0', 0],
  ['seat 0', 't1', 'seat:1', 'forbidden'],
  ['seat 0', 't1', 'audience', 'forbidden'],
  ['seat 0', 't1', 'narrator', 'forbidden'],
  ['seat 0', 't2', '', 'forbidden'],
  ['another table’s seat', 't1', '', 'forbidden'],
  ['spectator', 't1', '', 'audience'],
  ['spectator', 't1', 'audience', 'audience'],
  ['spectator', 't1', 'narrator', 'forbidden'],
  ['spectator', 't1', 'seat:1', 'forbidden'],
  ['spectator', 't1', 'seat', 'forbidden'],
  ['spectator', 't2', '', 'forbidden'],
  ['narrator of an open table', 't2', 'narrator', 'narrator'],
  ['narrator of an open table', 't2', '', 'narrator'],
  ['narrator of an open table', 't2', 'audience', 'audience'],
  ['narrator of an open table', 't2', 'seat:0', 'forbidden'],
  ['narrator of an open table', 't1', '', 'forbidden'],
  ['narrator of a closed table', 't1', '', 'forbidden'],
  ['narrator of a closed table', 't1', 'narrator', 'forbidden'],
  ['narrator of a closed table', 't1', 'audience', 'audience'],
  ['spectator of an open table', 't2', 'narrator', 'forbidden'],
  ['spectator of an open table', 't2', '', 'audience'],
  ['spectator of an open table', 't2', 'seat:0', 'forbidden'],
  ['spectator of an open table', 't1', 'narrator', 'forbidden'],
  ['invited', 't1', '', 'forbidden'],
  ['invited', 't1', 'audience', 'forbidden'],
  ['administrator', 't1', '', 'narrator'],
  ['administrator', 't1', 'seat:1', 1],
  ['administrator', 't1', 'audience', 'audience'],
  ['administrator', 't1', 'seat', 'unreadable'],
  ['administrator', 't1', 'narrator', 'narrator'],
  ['anybody', 't1', '', 'audience'],
  ['anybody', 't1', 'narrator', 'no-token'],
  ['anybody', 't1', 'seat:0', 'no-token'],
  ['nobody', 't1', '', 'no-token'],
  ['nobody', 't2', 'audience', 'no-token'],
] as const satisfies readonly (readonly [who: keyof typeof PASSES, table: string, as: string, eye: unknown])[];

describe('eyeFor', () => {
  it.each(RIGHTS)('maps %s at %s as "%s" to %s', async (who, table, as, expected) => {
    const bearer = { pass: PASSES[who], subject: who, id: who, name: who, n: 0, until: undefined };
    const eye = await eyeFor(bearer, table, (as || undefined) as ViewName | undefined, () => Promise.resolve(SPECTATORS[table]!)).catch(
      ({ reason }: { readonly reason: string }) => reason,
    );
    expect(eye).toBe(expected);
  });
});

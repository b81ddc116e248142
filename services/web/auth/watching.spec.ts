import { describe, expect, it } from '@jest/globals';
import type { ViewName } from '@maw/contracts/http/route.ts';
import { accessFor, requireInsight } from './watching.ts';
import type { Bearer } from './roles.ts';

const PASSES = {
  'seat 0': { role: 'seat', table: 't1', seat: 0 },
  'seat of an open table': { role: 'seat', table: 't2', seat: 0 },
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

const RUNNING = { stage: 'round', afterwards: 'seats', insight: 'after' } as const;
const TERMS = {
  t1: { ...RUNNING, spectators: 'audience' },
  t2: { ...RUNNING, spectators: 'narrator' },
} as const;
type Terms = Awaited<ReturnType<Parameters<typeof accessFor>[3]>>;

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
] as const satisfies readonly (readonly [who: keyof typeof PASSES, table: keyof typeof TERMS, as: string, eye: unknown])[];

const bearerOf = (who: keyof typeof PASSES): Bearer => ({ pass: PASSES[who], subject: who, id: who, name: who, n: 0, until: undefined });
const reasonOf = ({ reason }: { readonly reason: string }) => reason;
const eyeOf = (who: keyof typeof PASSES, table: string, as: string, terms: Terms) =>
  accessFor(bearerOf(who), table, (as || undefined) as ViewName | undefined, () => Promise.resolve(terms)).then(({ eye }) => eye, reasonOf);

describe('accessFor', () => {
  it.each(RIGHTS)('maps %s at %s as "%s" to %s', async (who, table, as, expected) => {
    expect(await eyeOf(who, table, as, TERMS[table])).toBe(expected);
  });

  it('opens every eye of a table that is over to those for whom it opens, and to nobody else', async () => {
    const who = ['seat 0', 'spectator', 'anybody', 'another table’s seat', 'invited', 'administrator'] as const;
    const views = ['narrator', 'seat:1', 'audience'] as const;
    const open = async (afterwards: Terms['afterwards']) => {
      const terms = { ...TERMS.t1, stage: 'over', afterwards } as const;
      const rows = await Promise.all(who.map((each) => Promise.all(views.map((as) => eyeOf(each, 't1', as, terms)))));
      return Object.fromEntries(who.map((each, i) => [each, rows[i]!.filter((eye) => eye !== 'forbidden' && eye !== 'no-token')]));
    };
    const all = ['narrator', 1, 'audience'];
    const closed = { 'another table’s seat': [], 'invited': [], 'administrator': all };
    expect(await open('nobody')).toEqual({ ...closed, 'seat 0': [], 'spectator': ['audience'], 'anybody': ['audience'] });
    expect(await open('seats')).toEqual({ ...closed, 'seat 0': all, 'spectator': ['audience'], 'anybody': ['audience'] });
    expect(await open('everybody')).toEqual({ ...closed, 'seat 0': all, 'spectator': all, 'anybody': all });
  });

  it('says when a view opens later', async () => {
    const refusal = (terms: Terms) => accessFor(bearerOf('seat 0'), 't1', 'narrator', () => Promise.resolve(terms));
    await expect(refusal(TERMS.t1)).rejects.toThrow('this token does not permit watching t1 as narrator before it is over');
    await expect(refusal({ ...TERMS.t1, afterwards: 'nobody' })).rejects.toThrow(/as narrator$/);
  });
});

describe('requireInsight', () => {
  /** Who may read the thoughts of `t2`, whose spectators may see it as the narrator. */
  const readers = async (about: Partial<Terms>) => {
    const terms = { ...TERMS.t2, ...about };
    const who = ['administrator', 'narrator of an open table', 'spectator of an open table', 'seat of an open table', 'anybody'] as const;
    const may = (each: (typeof who)[number]) =>
      requireInsight(bearerOf(each), 't2', () => Promise.resolve(terms)).then(
        () => true,
        () => false,
      );
    const answers = await Promise.all(who.map(may));
    return who.filter((_, i) => answers[i]);
  };
  const over = { stage: 'over' } as const;

  it.each([
    [{ insight: 'never' }, []],
    [{ insight: 'never', ...over, afterwards: 'everybody' }, []],
    [{ insight: 'after' }, []],
    [{ insight: 'after', ...over, afterwards: 'nobody' }, ['narrator of an open table']],
    [{ insight: 'after', ...over }, ['narrator of an open table', 'seat of an open table']],
    [{ insight: 'live' }, ['narrator of an open table']],
    [{ insight: 'live', ...over }, ['narrator of an open table', 'seat of an open table']],
    [
      { insight: 'after', ...over, afterwards: 'everybody' },
      ['narrator of an open table', 'spectator of an open table', 'seat of an open table', 'anybody'],
    ],
  ] as const)('permits at a table with %j besides administrators %j', async (about, others) => {
    expect(await readers(about)).toEqual(['administrator', ...others]);
  });

  it('is not given by another table', async () => {
    const open = { ...TERMS.t1, ...over, afterwards: 'everybody', insight: 'live' } as const;
    for (const who of ['another table’s seat', 'narrator of an open table', 'invited'] as const)
      await expect(requireInsight(bearerOf(who), 't1', () => Promise.resolve(open))).rejects.toMatchObject({ reason: 'forbidden' });
  });
});

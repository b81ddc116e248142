import { describe, expect, it } from '@jest/globals';
import { aiwolf } from './aiwolf.ts';
import { type Happening, type Table, tableOf, WITH_FOX } from './aiwolf.suite.ts';
import { brief, tell } from './narration.ts';
import { of } from './phases.suite.ts';
import { roleCountsFor } from './role-counts.ts';
import type { Role } from './state.ts';

const names = ['V0', 'V1', 'V2', 'Seer', 'Medium', 'Guard', 'Fox', 'Imma', 'Wolf', 'Wulf'];
const [SEER, MEDIUM, FOX, IMMORALIST, WOLF] = [3, 4, 6, 7, 8] as const;
type Options = Parameters<typeof tableOf>[1];

const day1 = (roles: readonly Role[] = WITH_FOX, options: Options = {}): Table => {
  const table = tableOf(roles, options);
  table.until();
  return table;
};
/** The night of day 0, in which the seer divines a seat. */
const night0 = (divine: number, roles: readonly Role[] = WITH_FOX, options: Options = {}): Table => {
  const table = tableOf(roles, options);
  table.night({ divine });
  return table;
};
const dead = (tape: readonly Happening[]) => of(tape, 'killed').map(({ seat }) => seat);
/** What a seat sees of the mornings. */
const morningSeenBy = (table: Table, eye: number) =>
  (table.view(eye) as unknown as Happening[]).filter(({ type }) => ['killed', 'unharmed', 'attacked', 'divined', 'died'].includes(type));

describe('the cast', () => {
  it.each([
    [{ villager: 3, immoralist: 1, werewolf: 1 }, 'roles: there is an immoralist without a fox'],
    [{ fox: 2, werewolf: 2, immoralist: 1 }, undefined],
    [{ fox: 4, werewolf: 1 }, undefined],
  ])('%j is refused, or not: %s', (roles, why) => {
    const open = () => aiwolf.rules(5, { roles });
    if (why) expect(open).toThrow(why);
    else expect(open).not.toThrow();
  });

  it('by the number of players has neither', () => {
    for (let players = 3; players <= 18; players++) expect(roleCountsFor(players, {})).toMatchObject({ fox: 0, immoralist: 0 });
  });
});

describe('the deal', () => {
  const roles: readonly Role[] = ['villager', 'seer', 'fox', 'fox', 'immoralist', 'immoralist', 'werewolf', 'werewolf'];
  it.each([
    [0, 'only itself', [0]],
    [1, 'only itself', [1]],
    [2, 'the other fox', [2, 3]],
    [4, 'the foxes, and no other immoralist', [2, 3, 4]],
    [6, 'the other wolf', [6, 7]],
  ])('shows seat %i %s', (eye, _, known) => {
    const [dealt] = tableOf(roles).view(eye) as unknown as readonly [{ readonly roles: readonly string[] }];
    expect(dealt.roles).toEqual(roles.map((role, seat) => (known.includes(seat) ? role : 'hidden')));
  });

  it.each([
    [2, 'Your role: Fox. You win with the Foxes. The other Foxes: V3.'],
    [4, 'Your role: Immoralist. You win with the Foxes. You know that V2 is a Fox. You know that V3 is a Fox.'],
    [6, 'Your role: Werewolf. You win with the Werewolves. The other Werewolves: V7.'],
  ])('is told to seat %i: %s', (seat, told) => {
    const table = tableOf(roles);
    const { game } = table.game.fold(table.view(seat) as never[]);
    expect(brief(game, seat, roles.map((_, i) => `V${i}`))).toContain(told); // prettier-ignore
  });

  it('tells a single fox that it is the only one', () => {
    expect(brief(tableOf(WITH_FOX).state, FOX, names)).toContain('You win with the Foxes. You are the only Fox.');
  });

  it('gives neither a place at the whispering', () => {
    const table = tableOf(WITH_FOX);
    expect(table.question('whisper').of.toSorted((a, b) => a - b)).toEqual([WOLF, 9]);
  });
});

describe('the night of a fox', () => {
  it('is its last if the seer divines it, on day 0 too', () => {
    const table = night0(FOX);
    expect(dead(table.tape)).toEqual([FOX, IMMORALIST]);
    expect(table.state).toMatchObject({ day: 1, dead: [FOX, IMMORALIST] });
  });

  it.each([
    ['also if it is guarded', { divine: FOX, guard: FOX, attack: 1 }, [1, FOX]],
    ['also if the seer is killed in it', { divine: FOX, attack: SEER }, [SEER, FOX]],
    ['once, if it is attacked too', { divine: FOX, attack: FOX }, [FOX]],
    ['not if it is only attacked', { attack: FOX }, []],
    ['not if somebody else is divined', { divine: 1, attack: 2 }, [2]],
  ])('%s', (_, choices, who) => {
    const table = day1();
    table.day({ execute: IMMORALIST, ...choices });
    expect(dead(table.tape)).toEqual(who);
  });

  it('is not ended by a seer who was executed', () => {
    const table = day1();
    table.hush();
    table.vote(SEER);
    expect(table.question('divine').of).toEqual([]);
    table.night({ attack: FOX });
    expect(of(table.tape, 'unharmed')).toHaveLength(1);
    expect(table.state.living).toContain(FOX);
  });

  it('tells the seer that it is human, whether it lives or not', () => {
    const table = day1();
    table.day({ execute: 0, divine: FOX, attack: SEER });
    expect(of(table.view(SEER) as unknown as Happening[], 'divined')).toEqual([{ type: 'divined', by: SEER, seat: FOX, found: 'human' }]);
  });

  it('looks after a vain attack like that of a guarded player, to the wolves too', () => {
    const seen = ([FOX, 1] as const).map((attack) => {
      const table = day1();
      table.day({ execute: 0, guard: 1, attack });
      return [0, SEER, WOLF].map((eye) => morningSeenBy(table, eye).map(({ type }) => type));
    });
    expect(seen[0]).toEqual([['unharmed'], ['unharmed'], ['attacked', 'unharmed']]);
    expect(seen[1]).toEqual(seen[0]);
  });

  it('ends with the names of all dead in the order of seats, without a cause', () => {
    const table = day1();
    table.day({ execute: 0, divine: FOX, attack: 2 });
    expect(morningSeenBy(table, 1)).toEqual([2, FOX, IMMORALIST].map((seat) => ({ type: 'killed', seat })));
    expect(tell({ type: 'killed', seat: FOX }, { names })).toBe('Fox was killed in the night.');
    const last = day1(['fox', 'seer', 'villager', 'villager', 'villager', 'werewolf']);
    last.day({ execute: 4, divine: 0, attack: 3 });
    expect(dead(last.tape)).toEqual([0, 3]);
  });
});

describe('an execution', () => {
  it('of a fox tells the medium that it was human', () => {
    const table = day1();
    table.day({ execute: FOX, attack: 0 });
    expect(of(table.tape, 'identified')).toEqual([{ type: 'identified', by: MEDIUM, seat: FOX, found: 'human' }]);
  });

  it('of the last fox kills the immoralists at once, by name, before the night', () => {
    const table = day1();
    table.hush();
    const events = table.vote(FOX);
    const types = events.map(({ type }) => type);
    expect(types.slice(types.indexOf('executed'))).toEqual(['executed', 'died', 'asked']);
    expect(events.find(({ type }) => type === 'died')).toEqual({ type: 'died', seat: IMMORALIST });
    expect(table.state.dead).toEqual([FOX, IMMORALIST]);
    expect(table.question('divine').options).not.toContain(`seat:${IMMORALIST}`);
    expect(tell({ type: 'died', seat: IMMORALIST }, { names })).toBe('Imma dies too.');
    for (const eye of [0, WOLF]) expect(of(table.view(eye) as unknown as Happening[], 'died')).toHaveLength(1);
  });

  it('of a fox that is not the last kills it alone', () => {
    const table = day1(['villager', 'villager', 'villager', 'seer', 'fox', 'fox', 'immoralist', 'werewolf']);
    table.day({ execute: 4, divine: 0, attack: 0 });
    expect(of(table.tape, 'died')).toEqual([]);
    table.hush();
    expect(of(table.vote(5), 'died')).toEqual([{ type: 'died', seat: 6 }]);
  });

  it('of an immoralist, and its death by night, are like any other', () => {
    const table = day1();
    table.day({ execute: IMMORALIST, divine: 0, attack: 1 });
    expect(table.state.dead).toEqual([IMMORALIST, 1]);
    const night = day1();
    night.day({ execute: 0, divine: IMMORALIST, attack: IMMORALIST });
    expect(of(night.tape, 'divined').at(-1)).toMatchObject({ seat: IMMORALIST, found: 'human' });
    expect(night.state.dead).toEqual([0, IMMORALIST]);
  });

  it('of a fox that is the last does nothing to immoralists who are dead', () => {
    const table = day1();
    table.day({ execute: IMMORALIST, attack: 0 });
    table.hush();
    expect(of(table.vote(FOX), 'died')).toEqual([]);
  });
});

describe('the end', () => {
  const small: readonly Role[] = ['villager', 'fox', 'immoralist', 'villager', 'werewolf'];

  it.each([
    ['no werewolf lives', small, {}, { execute: 4 }, { winner: 'fox', because: 'no-werewolves' }],
    ['the others are not more', small, {}, { execute: 0, attack: 3 }, undefined],
    ['the others are not more and a fox is not counted', small, { foxCounts: 'nobody' }, { execute: 0, attack: 3 }, { winner: 'fox', because: 'parity' }],
    ['no fox lives', small, {}, { execute: 1, attack: 0 }, { winner: 'werewolves', because: 'parity' }],
    ['no fox and no werewolf lives', ['villager', 'fox', 'seer', 'villager', 'werewolf'] as const, {}, { execute: 4, divine: 1 }, { winner: 'village', because: 'no-werewolves' }],
  ] as const)('comes where %s', (_, roles, options, choices, ended) => {
    const table = day1(roles, options);
    table.day(choices);
    expect(table.state.ended).toEqual(ended);
  }); // prettier-ignore

  it.each([
    ['human', undefined],
    ['nobody', { winner: 'fox', because: 'parity' }],
  ] as const)('is due or not with one wolf, one fox and one villager: a fox counts as %s', (foxCounts, ended) => {
    const table = day1(['villager', 'villager', 'fox', 'villager', 'werewolf'], { foxCounts });
    table.day({ execute: 0, attack: 1 });
    expect(table.state.living).toEqual([2, 3, 4]);
    expect(table.state.ended).toEqual(ended);
    if (!ended) table.day({ execute: 3 });
    expect(table.state.ended).toMatchObject({ winner: 'fox' });
  });

  it('counts immoralists as human either way', () => {
    const table = day1(['villager', 'villager', 'fox', 'immoralist', 'immoralist', 'werewolf'], { foxCounts: 'nobody' });
    table.day({ execute: 0, attack: 1 });
    expect([table.state.living, table.state.ended]).toEqual([[2, 3, 4, 5], undefined]);
  });

  it('gives a point to all foxes and immoralists, dead ones too, and to nobody else', () => {
    const roles: readonly Role[] = ['villager', 'fox', 'fox', 'immoralist', 'villager', 'werewolf'];
    const table = day1(roles);
    table.day({ execute: 1, attack: 3 });
    table.day({ execute: 5 });
    expect(table.outcome).toEqual({ winner: 'fox', winners: [1, 2, 3], roles, points: [0, 1, 1, 1, 0, 0] });
  });

  it.each([
    ['no-werewolves', 'Every Werewolf is dead. A Fox lives: the Foxes win.'],
    ['parity', 'The others are not more than the Werewolves. A Fox lives: the Foxes win.'],
  ] as const)('because of %s is told: %s', (because, told) => {
    expect(tell({ type: 'ended', winner: 'fox', because }, { names })).toBe(told);
  });

  it('is a draw after the last day, whoever lives', () => {
    const table = day1(WITH_FOX, { maxDays: 1 });
    table.day({ execute: 0, attack: FOX });
    expect(table.state.ended).toEqual({ winner: 'draw', because: 'too-long' });
  });

  it('is looked for after all deaths of an execution, with endCheck at-once', () => {
    const table = day1(['villager', 'fox', 'immoralist', 'immoralist', 'villager', 'werewolf', 'werewolf'], { endCheck: 'at-once' });
    table.hush();
    expect(table.vote(1).map(({ type }) => type).slice(-4)).toEqual(['executed', 'died', 'died', 'ended']); // prettier-ignore
    expect(table.state.ended).toEqual({ winner: 'werewolves', because: 'parity' });
  });
});

describe('the rules that players read', () => {
  const text = (roles: { readonly [role: string]: number }, options: Options = {}) =>
    aiwolf.text(Object.values(roles).reduce((a, b) => a + b), { roles, ...options }); // prettier-ignore
  const all = { villager: 3, seer: 1, medium: 1, bodyguard: 1, possessed: 1, fox: 2, immoralist: 1, werewolf: 2 };
  const alone = { villager: 3, fox: 1, werewolf: 1 };

  it.each<readonly [string, { readonly [role: string]: number }, Options]>([
    ['2 Foxes, 1 Immoralist and 2 Werewolves.', all, {}],
    ['Foxes and Immoralists win together; Foxes know each other, and Immoralists know the Foxes, who do not know them. All others are the village.', all, {}],
    ['Foxes win together, and know each other. All others are the village.', alone, {}],
    ['An attack on a Fox kills nobody.', alone, {}],
    ['A Fox that the Seer chooses dies in that night, guarded or not, also if the Seer dies in it.', all, {}],
    ['With the last Fox all living Immoralists die: by day at once, by night in that night.', all, {}],
    ['All who died in a night are named in the morning, not of what.', alone, {}],
    ['To the Seer and the Medium the Possessed, Foxes and Immoralists are human.', all, {}],
    ['To the Seer Foxes are human.', { villager: 2, seer: 1, fox: 1, werewolf: 1 }, {}],
    ['The Werewolves win when the living others, the Possessed, Foxes and Immoralists among them, are not more than they. If a Fox lives then, Foxes and Immoralists win instead, and nobody else.', all, {}],
    ['the living others, the Possessed and Immoralists among them, are not more than they. A living Fox is not counted. If a Fox lives then,', all, { foxCounts: 'nobody' }],
    ['the living others, Foxes among them, are not more than they. If a Fox lives then, the Foxes win instead, and nobody else.', alone, {}],
    ['when the living others are not more than they. A living Fox is not counted.', alone, { foxCounts: 'nobody' }],
  ])('say: %s', (sentence, roles, options) => expect(text(roles, options)).toContain(sentence)); // prettier-ignore

  it('leave out what the cast does not have', () => {
    for (const absent of ['Seer', 'Immoralist']) expect(text(alone)).not.toContain(absent);
    expect(aiwolf.text(15, {})).not.toMatch(/fox|immoralist/i);
  });
});

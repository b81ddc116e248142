import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { deckOf } from '@maw/games/onuw/deck.ts';
import { onuw } from '@maw/games/onuw/onuw.ts';
import { onuwOptions } from '@maw/games/onuw/options.ts';
import type { Card, Onuw, OnuwEvent } from '@maw/games/onuw/state.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Rules } from '@maw/games/kernel/rules.ts';
import { day, isTold, pairOf, type Setting, setting, SHORT, stateOf, stream, type World } from './onuw-worlds.ts';
import { tableOf } from '../fakes/table.ts';

const PACKS = { doppelganger: 1, werewolf: 2, mason: 2, minion: 1, drunk: 1, insomniac: 1 };

describe('the projection law of ONUW', () => {
  const two = { werewolf: 2, seer: 2, robber: 2, troublemaker: 1, insomniac: 1 };
  const tables: readonly (readonly [string, Setting])[] = [
    ['five players', setting()],
    ['a Werewolf who may peek', setting({ loneWolf: 'peek' })],
    ['a Seer for whom the centre is rolled', setting({ seerCentre: 'random' })],
    ['free talk', setting({ talk: 'free', verdict: 'program' })],
    ['two of several cards', setting({ deck: two })],
    ['three players', setting({}, 3)],
    ['other cards', setting({ cards: 'all' })],
    ['a Doppelgänger that may wake with others', setting({ deck: PACKS })],
    [
      'a Doppelgänger that may act at once',
      setting({ deck: { doppelganger: 1, werewolf: 1, seer: 1, robber: 1, drunk: 1, hunter: 1, tanner: 1, troublemaker: 1 } }),
    ],
  ];

  it.each(tables)('shows an eye the same in worlds that differ in hidden facts: %s', (_, table) => {
    const roles: string[] = [];
    for (let number = 0; number < 48; number++) {
      const pair = pairOf(table, number);
      expect(stream(pair.worlds[0], pair.eye)).toEqual(stream(pair.worlds[1], pair.eye));
      expect(stream(pair.worlds[0], 'narrator')).not.toEqual(stream(pair.worlds[1], 'narrator')); // so the law proves something
      roles.push(typeof pair.eye === 'number' ? stateOf(pair.worlds[0]).roles[pair.eye]! : pair.eye);
    }
    expect(new Set(roles)).toEqual(new Set([...deckOf(table.players, readOptions(onuwOptions, table.options)), 'audience']));
  });

  const pairs = Array.from({ length: 36 }, (_, number) => pairOf(setting(), number));

  it('hides what a Doppelgänger has copied, which may lie in the centre', () => {
    const copies = Array.from({ length: 36 }, (_, number) => pairOf(setting({ deck: PACKS }), number)).filter(
      ({ worlds: [a, b] }) => stateOf(a).copied?.card !== stateOf(b).copied?.card,
    );
    expect(copies.length).toBeGreaterThan(5);
    expect(copies.filter(({ worlds }) => worlds.some((world) => stateOf(world).copied === undefined)).length).toBeGreaterThan(2);
    expect(copies.filter(isTold)).toEqual([]);
  });

  it('hides whether a card that wakes lies in the centre', () => {
    const isAway = (world: World, card: Card) => stateOf(world).centre.includes(card);
    for (const card of ['seer', 'robber', 'troublemaker', 'insomniac'] as const) {
      const told = pairs.filter(({ worlds: [a, b] }) => isAway(a, card) !== isAway(b, card));
      expect(told.length).toBeGreaterThan(3);
      expect(told.filter(isTold)).toEqual([]);
    }
  });

  it('hides whether another seat has moved one’s card', () => {
    const isMoved = (world: World, eye: number) => stateOf(world).swaps.some(({ by, seats }) => by !== eye && seats.includes(eye));
    const moved = pairs.filter(({ eye, worlds: [a, b] }) => typeof eye === 'number' && isMoved(a, eye) !== isMoved(b, eye));
    expect(moved.length).toBeGreaterThan(5);
    expect(moved.filter(isTold)).toEqual([]);
  });

  it('hides the Robber’s action in the analysis game', () => {
    for (const eye of [0, 1, 'audience'] as const) {
      const streams = [['pass'], ['seat:0'], ['seat:1'], []].map((says) => {
        const table = tableOf(onuw, { players: 3, seed: 's', options: { setup: 'analysis', ...SHORT } });
        const at = table.tape.map(() => table.now);
        const stamp = () => void at.push(...table.tape.slice(at.length).map(() => table.now));
        table.wait();
        if (says.length) table.act(2, 'robber', ...says);
        stamp();
        table.wait();
        stamp();
        day({ table, at }, diceOf('day', ''));
        return stream({ table, at }, eye);
      });
      for (const one of streams) expect(one).toEqual(streams[0]);
    }
  });
});

describe('a planted leak', () => {
  type Spoilt = Rules<Onuw, OnuwEvent>;
  const spoilt = (how: (rules: Spoilt) => Partial<Spoilt>): RuleSet => ({
    ...onuw,
    rules: (players, options) => {
      const rules = onuw.rules(players, options) as Spoilt;
      return { ...rules, ...how(rules) };
    },
  });
  const noticed = (set: RuleSet, options: object = {}): number =>
    Array.from({ length: 25 }, (_, number) => pairOf(setting(options, 5, set), number)).filter(isTold).length;

  it('is not found without a plant', () => {
    expect(noticed(spoilt(() => ({})))).toBe(0);
  });

  it.each<readonly [string, RuleSet]>([
    [
      'the robbed are told',
      spoilt(({ see }) => ({ see: (e, eye, s) => (e.type === 'swapped' && e.seats.some((seat) => seat === eye) ? e : see(e, eye, s)) })),
    ],
    [
      'everybody sees the centre',
      spoilt(({ see }) => ({
        see: (e, eye, s) => (e.type === 'dealt' ? { ...(see(e, eye, s) as typeof e), centre: e.centre } : see(e, eye, s)),
      })),
    ],
    ['the Werewolves are told to all', spoilt(({ see }) => ({ see: (e, eye, s) => (e.type === 'met' ? e : see(e, eye, s)) }))],
    [
      'it is known who is asked',
      spoilt(({ follow }) => ({
        follow: Object.fromEntries(
          Object.entries(follow).map(([step, then]) => [
            step,
            (s, q, moment) =>
              then(s, q, moment).map((e) => (e.type === 'asked' ? { ...e, question: { ...e.question, among: 'table' } } : e)),
          ]),
        ),
      })),
    ],
    [
      'a brief says what lies there now',
      spoilt(({ see }) => ({
        see: (e, eye, s) => (e.type === 'dawned' && typeof eye === 'number' ? ({ ...e, card: s.held[eye] } as OnuwEvent) : see(e, eye, s)),
      })),
    ],
  ])('is found: %s', (_, set) => {
    expect(noticed(set)).toBeGreaterThan(0);
  });

  it.each<readonly [string, (e: OnuwEvent, eye: unknown) => boolean]>([
    ['the copied are told', (e, eye) => e.type === 'copied' && e.of === eye],
    ['the Werewolves are told who is a Minion', (e, eye) => e.type === 'saw' && e.of.some((seat) => seat === eye)],
    ['everybody is told of an exchange with the centre', (e) => e.type === 'exchanged'],
    ['the Masons are told to all', (e) => e.type === 'met' && e.card === 'mason'],
  ])('is found among other cards: %s', (_, isPlanted) => {
    const set = spoilt(({ see }) => ({ see: (e, eye, s) => (isPlanted(e, eye) ? e : see(e, eye, s)) }));
    expect(noticed(set, { deck: PACKS })).toBeGreaterThan(0);
  });

  it('is found in a night whose steps end with their answers', () => {
    expect(noticed(onuw, { hurry: true })).toBeGreaterThan(5);
  });
});

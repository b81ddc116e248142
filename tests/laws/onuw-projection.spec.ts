import { describe, expect, it } from '@jest/globals';
import { randomAnswer } from '@maw/games/chance.ts';
import { type Dice, diceOf } from '@maw/games/dice.ts';
import { deckOf } from '@maw/games/onuw/deck.ts';
import { onuw } from '@maw/games/onuw/onuw.ts';
import { onuwOptions } from '@maw/games/onuw/options.ts';
import { type Card, holders, type Onuw, type OnuwEvent } from '@maw/games/onuw/state.ts';
import { readOptions } from '@maw/games/options.ts';
import type { Eye, Open } from '@maw/games/question.ts';
import type { RuleSet } from '@maw/games/rule-set.ts';
import type { Rules } from '@maw/games/rules.ts';
import type { Recorded } from '@maw/store/store.ts';
import { newLedger, write } from '../../services/gamemaster/ledger.ts';
import { briefOf } from '../../services/gamemaster/outbox.ts';
import { type Played, tableOf } from './table.ts';

/**
 * Non-interference in One Night Ultimate Werewolf: two games that differ only in what an eye may not know (the cards of others, the centre,
 * what others look at and swap, whether a card is at the table at all) give it the same stream, event for event, option list for option
 * list, sentence for sentence, room line for room line, at the same times.
 */

/** A game with the time of each of its events. */
interface World {
  readonly table: Played;
  readonly at: number[];
}
interface Setting {
  readonly set: RuleSet;
  readonly players: number;
  readonly options: { readonly [name: string]: unknown };
}

const stateOf = ({ table }: World): Onuw => table.state as Onuw;

/** What the eye may know when the day begins, said in words of the rules and not of what is shown. */
function knowledge(world: World, eye: Eye): string {
  if (typeof eye !== 'number') return '';
  const s = stateOf(world);
  const role = s.roles[eye] as Card;
  return JSON.stringify([
    role,
    role === 'villager' ? [] : holders(s, role), // who wakes together sees each other
    s.looks.filter(({ by }) => by === eye),
    s.swaps.filter(({ by }) => by === eye),
  ]);
}

/** A table whose night has passed: the eye does what it does in every world of this number, the others what the secret dice say, when they say it. */
function night({ set, players, options }: Setting, seed: string, eye: Eye, number: number): World {
  const secret = diceOf(seed, 'secret');
  const table = tableOf(set, { players, seed, options });
  const at = table.tape.map(() => table.now);
  const stamp = () => void at.push(...table.tape.slice(at.length).map(() => table.now));
  const isNight = (q: Open) => q.id.startsWith('round-1/night/');
  for (let q = table.standing.open.find(isNight); q; q = table.standing.open.find(isNight)) {
    const { id, of, until } = q;
    const from = table.now;
    const acts = of.flatMap((seat) => {
      const own = diceOf(`eye ${number}`, id);
      const dice = seat === eye ? own : secret;
      const says = dice.below(4) ? randomAnswer(q!, seat, dice) : undefined;
      return says ? [{ seat, says, when: from + dice.below(until - from) }] : [];
    });
    for (const { seat, says, when } of acts.toSorted((a, b) => a.when - b.when)) {
      table.pass(Math.max(0, when - table.now));
      table.act(seat, id.slice(id.lastIndexOf('/') + 1), ...says);
      stamp();
    }
    if (table.standing.open.some((open) => open.id === id)) table.wait();
    stamp();
  }
  return { table, at };
}

/** Talk and votes, the same in every world. */
function day({ table, at }: World, dice: Dice): void {
  const stamp = () => void at.push(...table.tape.slice(at.length).map(() => table.now));
  while (table.standing.game.stage === 'round') {
    const [q] = table.standing.open as readonly [Open];
    const seat = q.of[dice.below(q.of.length)]!;
    const who = q.inTurn ? q.of.find((one) => table.game.asked(table.standing, one).length)! : seat;
    const says = q.verb === 'say' ? [`line ${dice.below(1000)}`] : randomAnswer(q, who, dice)!;
    const ms = dice.below(40);
    const speaks = dice.below(4) > 0 && table.game.asked(table.standing, who).length > 0;
    if (speaks && table.now + ms < table.game.wake(table.standing)!) {
      table.pass(ms);
      table.act(who, q.id.slice(q.id.lastIndexOf('/') + 1), ...says);
    } else table.wait();
    stamp();
  }
}

/** What the eye receives until the cards are turned up: its numbered events with their times, sentences and lines, and its brief by night and by day. */
function stream({ table, at }: World, eye: Eye): unknown {
  const ledger = newLedger('t', table.rules, table.game, table.standing.game.names.length);
  const briefs: string[] = [];
  for (const [i, event] of table.tape.entries()) {
    if (event.type === 'revealed') break;
    const recorded = { table: 't', sequence: i + 1, at: at[i]!, cause: `c${i}`, event } as Recorded;
    write(ledger, [recorded]);
    if (typeof eye === 'number' && ledger.standing.game.stage === 'round') briefs.push(briefOf(ledger, eye));
  }
  const seen = ledger.sights.get(eye)!.seen.map(({ line, ...rest }) => ({ ...rest, room: line?.room, number: line?.line }));
  return JSON.parse(JSON.stringify({ seen, briefs: briefs.filter((brief, i) => brief !== briefs[i - 1]) }));
}

interface Pair {
  readonly eye: Eye;
  readonly worlds: readonly [World, World];
}

/** Two worlds that an eye cannot tell apart, and that are not the same. */
function pairOf(setting: Setting, number: number): Pair {
  const eye: Eye = number % (setting.players + 1) === setting.players ? 'audience' : number % (setting.players + 1);
  const first = night(setting, `world ${number}`, eye, number);
  const known = knowledge(first, eye);
  const secrets = (world: World) =>
    JSON.stringify([stateOf(world).roles, stateOf(world).held, stateOf(world).centre, stateOf(world).looks]);
  for (let k = 0; k < 5000; k++) {
    const second = night(setting, `world ${number}/${k}`, eye, number);
    if (knowledge(second, eye) === known && secrets(second) !== secrets(first)) {
      for (const world of [first, second]) day(world, diceOf(`day ${number}`, ''));
      return { eye, worlds: [first, second] };
    }
  }
  throw new Error(`no world is like ${number}`);
}

const isTold = ({ eye, worlds }: Pair): boolean => JSON.stringify(stream(worlds[0], eye)) !== JSON.stringify(stream(worlds[1], eye));

const SHORT = { stepMs: 1000, turnMs: 300, talkMs: 400, voteMs: 500 };
const setting = (options: object = {}, players = 5, set: RuleSet = onuw): Setting => ({ set, players, options: { ...SHORT, ...options } });

describe('the projection law of ONUW', () => {
  const two = { werewolf: 2, seer: 2, robber: 2, troublemaker: 1, insomniac: 1 };
  const tables: readonly (readonly [string, Setting])[] = [
    ['five players', setting()],
    ['a Werewolf who may peek', setting({ loneWolf: 'peek' })],
    ['a Seer for whom the centre is rolled', setting({ seerCentre: 'random' })],
    ['free talk', setting({ talk: 'free', verdict: 'program' })],
    ['two of several cards', setting({ deck: two })],
    ['three players', setting({}, 3)],
  ];

  it.each(tables)('an eye receives the same in worlds that differ in what it may not know: %s', (_, table) => {
    const roles: string[] = [];
    for (let number = 0; number < 90; number++) {
      const pair = pairOf(table, number);
      expect(stream(pair.worlds[0], pair.eye)).toEqual(stream(pair.worlds[1], pair.eye));
      expect(stream(pair.worlds[0], 'narrator')).not.toEqual(stream(pair.worlds[1], 'narrator')); // so the law says something
      roles.push(typeof pair.eye === 'number' ? stateOf(pair.worlds[0]).roles[pair.eye]! : pair.eye);
    }
    expect(new Set(roles)).toEqual(new Set([...deckOf(table.players, readOptions(onuwOptions, table.options)), 'audience']));
  });

  it('an eye does not learn whether a card that wakes is at the table or in the centre', () => {
    const isAway = (world: World, card: Card) => stateOf(world).centre.includes(card);
    const pairs = Array.from({ length: 90 }, (_, number) => pairOf(setting(), number));
    for (const card of ['seer', 'robber', 'troublemaker', 'insomniac'] as const) {
      const told = pairs.filter(({ worlds: [a, b] }) => isAway(a, card) !== isAway(b, card));
      expect(told.length).toBeGreaterThan(5);
      expect(told.filter(isTold)).toEqual([]);
    }
  });

  it('nobody learns whether somebody else has taken or moved the own card', () => {
    const isMoved = (world: World, eye: number) => stateOf(world).swaps.some(({ by, seats }) => by !== eye && seats.includes(eye));
    const pairs = Array.from({ length: 120 }, (_, number) => pairOf(setting(), number));
    const moved = pairs.filter(({ eye, worlds: [a, b] }) => typeof eye === 'number' && isMoved(a, eye) !== isMoved(b, eye));
    expect(moved.length).toBeGreaterThan(10);
    expect(moved.filter(isTold)).toEqual([]);
  });

  it('nobody learns what the Robber of the analysis game does, be it nothing', () => {
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

describe('a rule that told too much would be noticed', () => {
  type Spoilt = Rules<Onuw, OnuwEvent>;
  const spoilt = (how: (rules: Spoilt) => Partial<Spoilt>): RuleSet => ({
    ...onuw,
    rules: (players, options) => {
      const rules = onuw.rules(players, options) as Spoilt;
      return { ...rules, ...how(rules) };
    },
  });
  const noticed = (set: RuleSet, options: object = {}): number =>
    Array.from({ length: 40 }, (_, number) => pairOf(setting(options, 5, set), number)).filter(isTold).length;

  it('and a rule that does not is not', () => {
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
  ])('%s', (_, set) => {
    expect(noticed(set)).toBeGreaterThan(0);
  });

  it('and so is a night whose steps end with their answers', () => {
    expect(noticed(onuw, { hurry: true })).toBeGreaterThan(10);
  });
});

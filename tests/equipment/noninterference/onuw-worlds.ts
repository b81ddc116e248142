import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { onuw } from '@maw/games/onuw/onuw.ts';
import { type Card, holders, type Onuw } from '@maw/games/onuw/state.ts';
import type { Eye, Open } from '@maw/games/kernel/question.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { newTableState, applyEvents } from '@maw/gamemaster/state/table-state.ts';
import { briefOf } from '@maw/gamemaster/messages/derive-messages.ts';
import type { PlayedWorld, WorldPair } from './world-pair.ts';
import { type Played, tableOf } from '../fakes/table.ts';

/**
 * Noninterference in One Night Ultimate Werewolf: two games that differ only in what an eye may not know (others' cards, the centre,
 * others' views and swaps, whether a card is held at all) give it the same stream, with equal events, options, sentences, room lines and
 * times.
 */

/** A game with the time of each of its events. */
export interface World extends PlayedWorld {
  readonly table: Played;
  readonly at: number[];
}
export interface Setting {
  readonly set: RuleSet;
  readonly players: number;
  readonly options: { readonly [name: string]: unknown };
}

export const stateOf = ({ table }: World): Onuw => table.state as Onuw;

/** What the eye may know when the day begins, derived from the rules rather than from what is shown. */
function knowledge(world: World, eye: Eye): string {
  if (typeof eye !== 'number') return '';
  const s = stateOf(world);
  const role = s.roles[eye] as Card;
  const copied = s.copied?.by === eye ? s.copied : undefined;
  const wakesAs = copied?.card ?? role;
  const woke = (card: Card) =>
    s.roles.flatMap((each, seat) => (each === card || (s.copied?.by === seat && s.copied.card === card) ? [seat] : []));
  return JSON.stringify([
    role,
    // who wakes together sees each other
    PACKS.has(wakesAs) ? woke(wakesAs) : UNCALLED.has(role) ? [] : holders(s, role),
    wakesAs === 'minion' ? woke('werewolf') : [],
    copied,
    s.looks.filter(({ by }) => by === eye),
    s.swaps.filter(({ by }) => by === eye),
    s.exchanges.filter(({ by }) => by === eye),
  ]);
}

const UNCALLED: ReadonlySet<Card> = new Set(['villager', 'hunter', 'tanner']);
/** One who has copied such a card wakes with those who were dealt it. */
const PACKS: ReadonlySet<Card> = new Set(['werewolf', 'mason']);

/** A table after its night: the eye acts the same in every world of this number, the others by secret dice, at random times. */
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
  return { set, tape: table.tape, table, at };
}

/** Talk and votes, the same in every world. */
export function day({ table, at }: Pick<World, 'table' | 'at'>, dice: Dice): void {
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

/** What the eye receives until the cards are revealed: its numbered events with times, sentences and lines, and its briefs by night and day. */
export function stream({ table, at }: Pick<World, 'table' | 'at'>, eye: Eye): unknown {
  const ledger = newTableState('t', table.rules, table.game, table.standing.game.names.length);
  const briefs: string[] = [];
  for (const [i, event] of table.tape.entries()) {
    if (event.type === 'revealed') break;
    const recorded = { table: 't', sequence: i + 1, at: at[i]!, cause: `c${i}`, event } as RecordedEvent;
    applyEvents(ledger, [recorded]);
    if (typeof eye === 'number' && ledger.standing.game.stage === 'round') briefs.push(briefOf(ledger, eye));
  }
  const seen = ledger.views.get(eye)!.seen.map(({ line, ...rest }) => ({ ...rest, room: line?.room, number: line?.line }));
  return JSON.parse(JSON.stringify({ seen, briefs: briefs.filter((brief, i) => brief !== briefs[i - 1]) }));
}

export interface Known extends WorldPair {
  readonly worlds: readonly [World, World];
}

/** Two different worlds that an eye cannot tell apart. */
export function pairOf(setting: Setting, number: number): Known {
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

export const isTold = ({ eye, worlds }: Known): boolean =>
  JSON.stringify(stream(worlds[0], eye)) !== JSON.stringify(stream(worlds[1], eye));

export const SHORT = { stepMs: 1000, turnMs: 300, talkMs: 400, voteMs: 500 };
export const setting = (options: object = {}, players = 5, set: RuleSet = onuw): Setting => ({
  set,
  players,
  options: { ...SHORT, ...options },
});

import type { Roll } from '@maw/games/kernel/dice.ts';
import { RecordError } from '@maw/games/records/mistake.ts';
import { type Transition, play } from '@maw/games/kernel/play.ts';
import { type Open, type Seat, stepOf, waiting } from '@maw/games/kernel/question.ts';
import type { GameRecord, RecordedAct, RecordedDraw } from '@maw/games/records/record.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { roundOf } from '@maw/games/aiwolf/steps.ts';
import { timedOut } from './infer-options.ts';
import type { Ballot, LoggedGame, Turn } from './logged-game.ts';
import type { Aiwolf, Place } from '@maw/games/aiwolf/state.ts';
import { SKIP } from '@maw/games/aiwolf/turns.ts';

interface ReenactedGame {
  readonly acts: readonly RecordedAct[];
  readonly draws: readonly RecordedDraw[];
  readonly events: readonly { readonly type: string }[];
  readonly end: Aiwolf;
}

/**
 * Plays the game as logged and collects its acts and draws.
 * @throws RecordError where the log violates the rules
 */
export function reenact(logged: LoggedGame, options: GameRecord['options']): ReenactedGame {
  const acts: RecordedAct[] = [];
  const draws: RecordedDraw[] = [];
  const events: { readonly type: string }[] = [];
  const script: Script = { logged, taken: { talk: 0, whisper: 0 }, begun: { talk: 0, whisper: 0 }, last: new Set(timedOut(logged)) };
  const roll = rollOf(script, draws);
  const game = play(rulesOf(logged.names.length, options), roll);
  let now = 0;
  const dealt = game.deal(logged.names.length, now, '');
  events.push(...dealt);
  let position = game.fold(dealt);
  const take = (moved: Transition<unknown, { readonly type: string }>): void => {
    events.push(...moved.events);
    position = moved.position;
  };
  const wait = (): void => take(game.ticked(position, (now = game.wake(position)!), ''));
  const find = (id: string) => position.open.find((q) => q.id === id);

  function act(id: string, { seat, says, line }: LoggedAnswer, at?: number): void {
    try {
      take(game.acted(position, id, { by: seat, says: [says] }, now, ''));
      acts.push({ step: id, seat, says: [says], ...(at === undefined ? {} : { at }) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw lineError(line, `the rules do not allow it: ${inPlayers(error.message)}`, 'a log of these rules has what they allow');
    }
  }

  /** Where Over is final, a Skip is what silence is stored as, and others may have been silent before. */
  function actNlp(id: string, answer: LoggedAnswer): void {
    let q = find(id);
    for (; q?.inTurn && waiting(q)[0] !== answer.seat; q = find(id)) wait();
    if (!q) throw lineError(answer.line, `player ${answer.seat + 1} speaks out of order`, 'one order holds for all turns of a talk');
    if (q.inTurn && answer.says === SKIP) wait();
    else act(id, answer);
  }

  /** In the last turn that fits the time, everybody answers as late as possible, or stays silent where that is equivalent. */
  function actLate(id: string, answer: LoggedAnswer): void {
    const q = find(id)!;
    const [silence] = game.rules.defaults!(position.game, { ...q, passed: [answer.seat] }, { now, dice: roll('', id), open: [] });
    if (silence?.says[0] === answer.says) return wait();
    now = q.until - 1;
    act(id, answer, now);
  }

  while (!game.isOver(position)) {
    const { id } = position.open[0]!;
    const answer = logged.isNlp ? actNlp : isLast(script, id) ? actLate : act;
    for (const each of answersOf(script, position.open[0]!)) answer(id, each);
    while (find(id)) wait();
  }
  return { acts, draws, events, end: position.game as Aiwolf };
}

function rulesOf(players: number, options: GameRecord['options']) {
  try {
    return aiwolf.rules(players, options);
  } catch (error) {
    if (error instanceof Refusal) throw lineError(1, `such a game cannot be played: ${error.detail}`, 'see the options of the rule set');
    throw error;
  }
}

interface LoggedAnswer {
  readonly seat: Seat;
  readonly says: string;
  readonly line: number;
}

/** How far the log has been replayed. */
interface Script {
  readonly logged: LoggedGame;
  /** The number of turns whose order has been drawn, and the first turn of the latest talk or whispering. */
  readonly taken: { [place in Place]: number };
  readonly begun: { [place in Place]: number };
  /** The turns after which no time is left for another. */
  readonly last: ReadonlySet<Turn>;
}

const option = (seat: Seat) => `seat:${seat}`;
const onDay = <T extends { readonly day: number }>(id: string, all: readonly T[]): T[] => all.filter(({ day }) => day === dayOf(id));
const isLast = (script: Script, id: string): boolean => stepOf(id) === 'whisper' && script.last.has(turnAt(script, id)!);

/** The logged turn that a question of talk or whispering is. */
function turnAt({ logged, begun }: Script, id: string): Turn | undefined {
  if (stepOf(id) === 'talk' && logged.isAnytime) return onDay(id, logged.turns.talk)[0];
  const place = stepOf(id) as Place;
  const number = Number(/turn-(\d+)/.exec(id)![1]);
  const turn = logged.turns[place][begun[place] + number];
  return turn?.turn === number ? turn : undefined;
}

/** Draws what the log says, and notes the draw; anything where the log has broken off before. */
function rollOf(script: Script, draws: RecordedDraw[]): Roll {
  const draw = (step: string, name: string, items: readonly (string | number)[]): RecordedDraw['is'] | undefined => {
    try {
      const is = drawOf(script, step, name, items);
      draws.push({ step, name, is });
      return is;
    } catch (error) {
      if (script.logged.result || !(error instanceof RecordError)) throw error;
      return undefined;
    }
  };
  return (_, step) => ({
    pick: <T extends string | number>(name: string, items: readonly [T, ...T[]]) => (draw(step, name, items) as T | undefined) ?? items[0],
    shuffle: <T extends string | number>(name: string, items: readonly T[]) => [
      ...((draw(step, name, items) as readonly T[] | undefined) ?? items),
    ],
  });
}

/** @param items what the rules offer: seats for orders, options for ties, roles for the deal */
function drawOf(script: Script, step: string, name: string, items: readonly (string | number)[]): RecordedDraw['is'] {
  const { logged } = script;
  if (name === 'roles') return logged.roles;
  if (name === 'order') return orderOf(script, step, 'talk', items as readonly Seat[]);
  if (name === 'whisper order') return orderOf(script, step, 'whisper', items as readonly Seat[]);
  if (name === 'executed' || name === 'attacked') return tieOf(logged, step, name, items as readonly string[]);
  throw lineError(
    onDay(step, logged.votes).at(-1)?.line ?? 1,
    `a vote is missing: ${inPlayers(name)}`,
    'everybody alive has one in the log',
  );
}

function orderOf(script: Script, step: string, place: Place, items: readonly Seat[]): readonly Seat[] {
  const { logged, taken, begun } = script;
  const turns = logged.turns[place];
  const before = turns[taken[place] - 1];
  // One order holds for all turns of a talk there.
  while (logged.isNlp && taken[place] > begun[place] && turns[taken[place]]?.turn) taken[place]++;
  const turn = turns[taken[place]];
  if (!turn?.turn) begun[place] = taken[place];
  taken[place]++;
  if (!turn && logged.isNlp && logged.result) return items;
  if (!turn) throw lineError(before?.line ?? 1, `after it a turn of ${place} is missing`, `by the rules another follows ${step}`);
  const said = turn.said.map(({ seat }) => seat);
  const isBrokenOff = !logged.result && turn === turns.at(-1);
  const order = [...said, ...items.filter((seat) => (isBrokenOff || logged.lost.has(seat)) && !said.includes(seat))];
  if (order.toSorted((a, b) => a - b).join() !== items.join())
    throw lineError(turn.line, `in this turn of ${place} the players ${list(order)} speak`, `the players ${list(items)} do by the rules`);
  return order;
}

function tieOf(logged: LoggedGame, step: string, name: 'executed' | 'attacked', items: readonly string[]): string {
  const target = name === 'executed' ? onDay(step, logged.executions)[0] : onDay(step, logged.attacks)[0];
  const seat = target && (target.type === 'execute' ? target.seat : target.target);
  if (target && seat !== undefined && items.includes(option(seat))) return option(seat);
  const tied = list(items.map((item) => Number(item.slice('seat:'.length))));
  const votes = name === 'executed' ? logged.votes : logged.attackVotes;
  const line = target?.line ?? votes.findLast(({ day }) => day === dayOf(step))?.line ?? 1;
  throw lineError(line, `who is ${name} is not one of those in the tie`, `it is one of the players ${tied}`);
}

function answersOf(script: Script, { id, of }: Open): readonly LoggedAnswer[] {
  const { logged } = script;
  const chosen = (by: readonly { readonly seat: Seat; readonly target: Seat; readonly line: number }[] = []): LoggedAnswer[] =>
    by.map(({ seat, target, line }) => ({ seat, says: option(target), line }));
  switch (stepOf(id)) {
    case 'talk':
    case 'whisper':
      return (turnAt(script, id)?.said ?? []).flatMap(({ seat, text, line }) => (of.includes(seat) ? [{ seat, says: text, line }] : []));
    case 'vote':
      return chosen(onDay(id, logged.votes)[roundOf(id) - 1]?.votes);
    case 'divine':
      return chosen(onDay(id, logged.divinations));
    case 'guard':
      return chosen(onDay(id, logged.guards));
    case 'attack':
      return chosen(attackVotesOf(logged, id)?.votes);
    default:
      return [];
  }
}

/** All wolves may abstain. With whispering before each round, that tells which round a ballot belongs to. */
function attackVotesOf({ turns, attackVotes }: LoggedGame, id: string): Ballot | undefined {
  const begins = onDay(id, turns.whisper).filter((each) => each.turn === 0);
  const ballots = onDay(id, attackVotes);
  const roundAt = ({ line }: Ballot) => begins.filter((each) => each.line < line).length;
  return begins.length > 1 ? ballots.find((ballot) => roundAt(ballot) === roundOf(id)) : ballots[roundOf(id) - 1];
}

export const lineError = (line: number, wrong: string, right: string): RecordError =>
  new RecordError([{ where: `line ${line}`, wrong, right }]);

const dayOf = (id: string): number => Number(/-(\d+)\//.exec(id)![1]);
/** A sentence about seats in the log’s own numbers, which count players from 1. */
const inPlayers = (said: string): string => said.replaceAll(/\bseat[ :](\d+)/g, (_, seat: string) => `player ${Number(seat) + 1}`);
const list = (seats: readonly Seat[]): string => seats.map((seat) => seat + 1).join(', ');

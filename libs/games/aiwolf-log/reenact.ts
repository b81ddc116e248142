import type { Roll } from '../kernel/dice.ts';
import { RecordError } from '../records/mistake.ts';
import { type Transition, play } from '../kernel/play.ts';
import { type Open, type Seat, stepOf } from '../kernel/question.ts';
import type { GameRecord, RecordedAct, RecordedDraw } from '../records/record.ts';
import { Refusal } from '../kernel/refusal.ts';
import { aiwolf } from '../aiwolf/aiwolf.ts';
import { roundOf } from '../aiwolf/phases.ts';
import { timedOut } from './infer-options.ts';
import type { Ballot, LoggedGame, Turn } from './logged-game.ts';
import type { Aiwolf, Place } from '../aiwolf/state.ts';

/** A game as it was played through. */
export interface Enacted {
  readonly acts: readonly RecordedAct[];
  readonly draws: readonly RecordedDraw[];
  readonly events: readonly { readonly type: string }[];
  readonly end: Aiwolf;
}

/**
 * Plays the game as the log has it; notes what is done and drawn.
 * @throws RecordError where the log goes ways that the rules do not
 */
export function enact(story: LoggedGame, options: GameRecord['options']): Enacted {
  const acts: RecordedAct[] = [];
  const draws: RecordedDraw[] = [];
  const events: { readonly type: string }[] = [];
  const script = scripted(story, draws);
  const players = story.names.length;
  const game = play(rulesOf(players, options), script.roll);
  let now = 0;
  const dealt = game.deal(players, now, '');
  events.push(...dealt);
  let position = game.fold(dealt);
  const take = (moved: Transition<unknown, { readonly type: string }>): void => {
    events.push(...moved.events);
    position = moved.position;
  };
  const wait = (): void => take(game.ticked(position, (now = game.wake(position)!), ''));
  const find = (id: string) => position.open.find((q) => q.id === id);

  function act(id: string, { seat, says, line }: Scripted, at?: number): void {
    try {
      take(game.acted(position, id, { by: seat, says: [says] }, now, ''));
      acts.push({ step: id, seat, says: [says], ...(at === undefined ? {} : { at }) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw wrongAt(line, `the rules do not allow it: ${error.message}`, 'a log of these rules has what they allow');
    }
  }

  /** In the last turn for which there is time, all take as long as they can, and who may be silent is. */
  function dawdle(id: string, answer: Scripted): void {
    const q = find(id)!;
    const [silence] = game.rules.defaults!(position.game, { ...q, passed: [answer.seat] }, { now, dice: script.roll('', id), open: [] });
    if (silence?.says[0] === answer.says) return wait();
    now = q.until - 1;
    act(id, answer, now);
  }

  while (!game.isOver(position)) {
    const { id } = position.open[0]!;
    const answer = script.isLast(id) ? dawdle : act;
    for (const each of script.answers(position.open[0]!)) answer(id, each);
    if (find(id)) wait();
  }
  return { acts, draws, events, end: position.game as Aiwolf };
}

function rulesOf(players: number, options: GameRecord['options']) {
  try {
    return aiwolf.rules(players, options);
  } catch (error) {
    if (error instanceof Refusal) throw wrongAt(1, `such a game cannot be played: ${error.detail}`, 'see the options of the rule set');
    throw error;
  }
}

interface Scripted {
  readonly seat: Seat;
  readonly says: string;
  readonly line: number;
}

/** What the log says of each draw, and of each question. */
function scripted(story: LoggedGame, draws: RecordedDraw[]) {
  const taken: { [place in Place]: number } = { talk: 0, whisper: 0 };
  let turn: Turn | undefined;
  const option = (seat: Seat) => `seat:${seat}`;
  const onDay = <T extends { readonly day: number }>(id: string, all: readonly T[]): T[] => all.filter(({ day }) => day === dayOf(id));

  function orderOf(step: string, place: Place, items: readonly Seat[]): readonly Seat[] {
    const before = story.turns[place][taken[place] - 1];
    turn = story.turns[place][taken[place]++];
    if (!turn) throw wrongAt(before?.line ?? 1, `after it a turn of ${place} is missing`, `it goes on after ${step} by the rules`);
    const order = turn.said.map(({ seat }) => seat);
    if (order.toSorted((a, b) => a - b).join() !== items.join())
      throw wrongAt(turn.line, `in this turn of ${place} the players ${list(order)} speak`, `the players ${list(items)} do by the rules`);
    return order;
  }

  function tieOf(step: string, name: string, items: readonly string[]): string {
    const target = name === 'executed' ? onDay(step, story.executions)[0] : onDay(step, story.attacks)[0];
    const seat = target && (target.type === 'execute' ? target.seat : target.target);
    if (target && seat !== undefined && items.includes(option(seat))) return option(seat);
    const tied = list(items.map((item) => Number(item.slice('seat:'.length))));
    const line =
      target?.line ?? (name === 'executed' ? story.votes : story.attackVotes).findLast(({ day }) => day === dayOf(step))?.line ?? 1;
    throw wrongAt(line, `who is ${name} is not one of those in the tie`, `it is one of the players ${tied}`);
  }

  const note = <T extends RecordedDraw['is']>(step: string, name: string, is: T): T => {
    draws.push({ step, name, is });
    return is;
  };
  /** The items of a draw are what the rules give it: seats for orders, options for ties, roles for the deal. */
  const drawn = (step: string, name: string, items: readonly (string | number)[]): RecordedDraw['is'] => {
    if (name === 'roles') return story.roles;
    if (name === 'order') return orderOf(step, 'talk', items as readonly Seat[]);
    if (name === 'whisper order') return orderOf(step, 'whisper', items as readonly Seat[]);
    if (name === 'executed' || name === 'attacked') return tieOf(step, name, items as readonly string[]);
    throw wrongAt(onDay(step, story.votes).at(-1)?.line ?? 1, `a vote is missing: ${name}`, 'everybody alive has one in the log');
  };
  const roll: Roll = (_, step) => ({
    pick: (name, items) => note(step, name, drawn(step, name, items) as (typeof items)[number]),
    shuffle: (name, items) => [...note(step, name, drawn(step, name, items) as typeof items)],
  });

  const chosen = (of: readonly { readonly seat: Seat; readonly target: Seat; readonly line: number }[]): Scripted[] =>
    of.map(({ seat, target, line }) => ({ seat, says: option(target), line }));
  const votes = (id: string): Ballot | undefined => onDay(id, story.votes)[roundOf(id) - 1];
  /** Wolves may not vote at all: where they whisper before each round, that tells which round a vote belongs to. */
  function attackVotes(id: string): Ballot | undefined {
    const begins = onDay(id, story.turns.whisper).filter((each) => each.turn === 0);
    const ballots = onDay(id, story.attackVotes);
    const roundAt = ({ line }: Ballot) => begins.filter((each) => each.line < line).length;
    return begins.length > 1 ? ballots.find((ballot) => roundAt(ballot) === roundOf(id)) : ballots[roundOf(id) - 1];
  }

  function answers({ id, of }: Open): readonly Scripted[] {
    switch (stepOf(id)) {
      case 'talk':
      case 'whisper':
        return turn!.said.flatMap(({ seat, text, line }) => (of.includes(seat) ? [{ seat, says: text, line }] : []));
      case 'vote':
        return chosen(votes(id)?.votes ?? []);
      case 'divine':
        return chosen(onDay(id, story.divinations));
      case 'guard':
        return chosen(onDay(id, story.guards));
      case 'attack':
        return chosen(attackVotes(id)?.votes ?? []);
      default:
        return [];
    }
  }

  const last = new Set(timedOut(story));
  /** Whether a question is that of a turn after which there is no time for another. */
  const isLast = (id: string): boolean => stepOf(id) === 'whisper' && last.has(turn!);

  return { roll, answers, isLast };
}

export const wrongAt = (line: number, wrong: string, right: string): RecordError =>
  new RecordError([{ where: `line ${line}`, wrong, right }]);

const dayOf = (id: string): number => Number(/-(\d+)\//.exec(id)![1]);
const list = (seats: readonly Seat[]): string => seats.map((seat) => seat + 1).join(', ');

import type { Seat } from '@maw/games/kernel/question.ts';
import { isPrintable } from '@maw/text/clean.ts';
import { isNamed, isNlpLog, type LogLine } from './log.ts';
import { isNlp as isNlpPreset, type Preset } from '@maw/games/aiwolf/presets.ts';
import type { Place, Role } from '@maw/games/aiwolf/state.ts';
import { OVER } from '@maw/games/aiwolf/turns.ts';

type Line<T extends LogLine['type']> = Extract<LogLine, { readonly type: T }>;
/** A log entry and its line number, from 1. */
type At<T> = T & { readonly line: number };

/** One turn of talk or whispering. `line` is the number of its first utterance. */
export type Turn = At<{
  readonly day: number;
  readonly turn: number;
  readonly said: readonly At<{ readonly seat: Seat; readonly text: string }>[];
}>;
export type Ballot = At<{ readonly day: number; readonly votes: readonly At<{ readonly seat: Seat; readonly target: Seat }>[] }>;

/** A log, parsed into its phases. */
export interface LoggedGame {
  /** The contest, if it is known. */
  readonly preset: Preset | undefined;
  /** Statuses have the name in the game. */
  readonly isNamed: boolean;
  /** Of the natural-language division. */
  readonly isNlp: boolean;
  /** The names of the connections, and those in the game. */
  readonly names: readonly string[];
  readonly players: readonly string[];
  /** The seats whose agents the server has lost. */
  readonly lost: ReadonlySet<Seat>;
  /** Talk was at any time: each day has one turn. */
  readonly isAnytime: boolean;
  readonly roles: readonly Role[];
  readonly turns: { readonly [place in Place]: readonly Turn[] };
  readonly votes: readonly Ballot[];
  readonly attackVotes: readonly Ballot[];
  readonly executions: readonly At<Line<'execute'>>[];
  readonly divinations: readonly At<Line<'divine'>>[];
  readonly guards: readonly At<Line<'guard'>>[];
  readonly attacks: readonly At<Line<'attack'>>[];
  /** Undefined: the log breaks off. */
  readonly result: At<Line<'result'>> | undefined;
}

/** @param preset the contest, if it is known; otherwise it is found by how the log looks */
export function readLoggedGame(lines: readonly LogLine[], preset?: Preset): LoggedGame {
  const of = <T extends LogLine['type']>(type: T) =>
    lines.flatMap((line, i) => {
      if (line.type !== type) return [];
      return [{ ...(line as Line<T>), ...('text' in line ? { text: spoken(line.text) } : {}), line: i + 1 } as At<Line<T>>];
    });
  const first = lines.flatMap((line) => (line.type === 'status' && line.day === 0 ? [line] : []));
  /** Groups consecutive lines of one type, split where `isNew`. */
  const blocks = <L extends At<{ readonly day: number }>>(all: readonly L[], isNew: (block: readonly [L, ...L[]], line: L) => boolean) => {
    const out: [L, ...L[]][] = [];
    for (const line of all) {
      const block = out.at(-1);
      const isNext = block?.at(-1)!.line === line.line - 1 && block[0].day === line.day && !isNew(block, line);
      if (isNext) block.push(line);
      else out.push([line]);
    }
    return out;
  };
  // Each player speaks once per turn. Two whisperings of one night may be adjacent.
  const turns = (place: Place): Turn[] =>
    blocks(
      of<'talk' | 'whisper'>(place),
      ([one, ...more], line) => one.turn !== line.turn || [one, ...more].some(({ seat }) => seat === line.seat),
    ).map((said) => ({ ...said[0], said }));
  const isNlp = preset ? isNlpPreset(preset) : isNlpLog(lines);
  const talk = turns('talk');
  const lost = new Set(lines.flatMap((line) => (line.type === 'status' && line.alive === undefined ? [line.seat] : [])));
  const living = (day: number) =>
    lines.flatMap((line) => (line.type === 'status' && line.day === day && line.alive && !lost.has(line.seat) ? [line.seat] : []));
  const isAnytime = preset
    ? preset === 'nlp-anytime'
    : lines.some((line) => 'time' in line) && !isInTurns([...Map.groupBy(talk, ({ day }) => day).values()], living);
  const heard = (all: readonly Turn[]) => (isNlp ? phasesOf(all).flatMap(withOpenOvers) : all);
  const talks = blocks(of<'talk' | 'whisper'>('talk'), () => false).map((said) => ({ ...said[0], said }));
  // Voters are in ascending order.
  const ballots = (type: 'vote' | 'attackVote'): Ballot[] =>
    blocks(of<'vote' | 'attackVote'>(type), (block, line) => line.seat <= block.at(-1)!.seat).map((votes) => ({ ...votes[0], votes }));
  return {
    preset,
    isNamed: isNamed(lines),
    isNlp,
    names: first.map(({ name }) => name),
    players: first.map(({ name, player }) => player ?? name),
    lost,
    isAnytime,
    roles: first.map(({ role }) => role),
    turns: { talk: isAnytime ? talks : heard(talk), whisper: heard(turns('whisper')) },
    votes: ballots('vote'),
    attackVotes: ballots('attackVote'),
    executions: of('execute'),
    divinations: of('divine'),
    guards: of('guard'),
    attacks: of('attack'),
    result: of('result').at(-1),
  };
}

/** The talks or whisperings of a game. Each starts again at turn 0. */
export function phasesOf(turns: readonly Turn[]): Turn[][] {
  const out: Turn[][] = [];
  for (const turn of turns) {
    if (turn.turn === 0 || !out.length) out.push([]);
    out.at(-1)!.push(turn);
  }
  return out;
}

/** A text without the characters that are not speech. Servers pass them on. */
export const spoken = (text: string): string => (isPrintable(text) ? text : [...text].filter(isPrintable).join(''));

/** A text that is written down as `Over`, and ends nobody's talk: with the blank that the log lacks. */
export const OPEN_OVER = `${OVER} `;

/** An `Over` after which its player is asked again was a text: servers of 2026 write down an empty one so. */
function withOpenOvers(phase: readonly Turn[]): readonly Turn[] {
  const last = new Map(phase.flatMap(({ said }) => said.map(({ seat, line }) => [seat, line] as const)));
  return phase.map((turn) => ({
    ...turn,
    said: turn.said.map((each) => (each.text === OVER && last.get(each.seat) !== each.line ? { ...each, text: OPEN_OVER } : each)),
  }));
}

/** Whether talks can be in turns: everybody is asked in one order, and again until it says Over or has used up what all may say. */
function isInTurns(talks: readonly (readonly Turn[])[], living: (day: number) => readonly Seat[]): boolean {
  const used = new Set<number>();
  for (const turns of talks) {
    const there = living(turns[0]!.day);
    const order = turns[0]!.said.map(({ seat }) => seat);
    if (there.some((seat) => !order.includes(seat)) || !turns.every((turn, number) => turn.turn === number && isWithin(order, turn)))
      return false;
    for (const seat of there) {
      const said = turns.flatMap((turn) => turn.said.filter((each) => each.seat === seat));
      if (said.at(-1)!.text !== OVER) used.add(said.length);
    }
  }
  return used.size < 2;
}

/** Whether the speakers of a turn come in this order. */
const isWithin = (order: readonly Seat[], { said }: Turn): boolean =>
  said.every(({ seat }, i) => order.indexOf(seat) > (i ? order.indexOf(said[i - 1]!.seat) : -1));

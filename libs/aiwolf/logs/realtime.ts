/** The lines that the viewer of the natural-language division reads while a game is played. Agents count from 1 there, seats from 0 here. */
import type { Seat } from '@maw/games/kernel/question.ts';
import { type LogLine, winnerName } from './log.ts';

/** What a log does not tell of a game. */
export interface RealtimeGame {
  readonly id: string;
  /** By seat. */
  readonly teams: readonly string[];
  /** By seat. */
  readonly profiles?: readonly { readonly profile?: string; readonly avatar?: string }[];
}

/** One line, with the names that the viewer expects, in their order. */
export interface RealtimeLine {
  readonly id: string;
  /** From 1. */
  readonly idx: number;
  readonly day: number;
  readonly is_day: boolean;
  readonly agents: readonly {
    readonly idx: number;
    readonly team: string;
    readonly name: string;
    readonly profile?: string;
    readonly avatar?: string;
    readonly role: string;
    readonly is_alive: boolean;
  }[];
  readonly event: string;
  readonly message?: string;
  readonly from_idx?: number;
  readonly to_idx?: number;
  readonly bubble_idx?: number;
}

/** What a line says besides when and of whom. */
type What = Pick<RealtimeLine, 'event' | 'message' | 'from_idx' | 'to_idx' | 'bubble_idx'>;

/**
 * The realtime lines of a log. The log of a game that goes on has the first of them, so that more of the log only adds lines.
 * @param log of either division, from its first day
 */
export function realtimeOfLog(log: readonly LogLine[], game: RealtimeGame): RealtimeLine[] {
  const lines: RealtimeLine[] = [];
  const statuses = new Map<Seat, LogLine & { type: 'status' }>();
  const dead = new Set<Seat>();
  /** The last day on which somebody was executed, or nobody. */
  let executedOn = 0;
  const add = (day: number, is_day: boolean, what: What): void =>
    void lines.push({ id: game.id, idx: lines.length + 1, day, is_day, agents: agentsOf([...statuses.values()], dead, game), ...what });
  for (const line of log) {
    if (line.type === 'status' && line.day === 0) {
      statuses.set(line.seat, line);
      continue;
    }
    if (!lines.length) add(0, true, { event: '開始', message: 'ゲームが開始されました' });
    const ofDay = line.type === 'status' || line.type === 'result' ? line.day - 1 : AFTER_EXECUTION.has(line.type) ? line.day : 0;
    // A log has no line where nobody is executed.
    if (ofDay > executedOn) add((executedOn = ofDay), false, { event: '追放' });
    if (line.type === 'execute') executedOn = line.day;
    if (line.type === 'execute' || (line.type === 'status' && line.alive === false)) dead.add(line.seat);
    if (line.type === 'attack' && line.died && line.target !== undefined) dead.add(line.target);
    const what = whatOf(line);
    if (what) add(line.day, line.type === 'talk', what);
  }
  return lines;
}

/** What happens at night, after the execution. */
const AFTER_EXECUTION: ReadonlySet<LogLine['type']> = new Set(['divine', 'whisper', 'guard', 'attackVote', 'attack']);

const agentsOf = (
  statuses: readonly (LogLine & { type: 'status' })[],
  dead: ReadonlySet<Seat>,
  { teams, profiles }: RealtimeGame,
): RealtimeLine['agents'] =>
  statuses.map(({ seat, name, player, role }) => ({
    idx: seat + 1,
    team: teams[seat]!,
    name: player ?? name,
    ...profiles?.[seat],
    role: role.toUpperCase(),
    is_alive: !dead.has(seat),
  }));

function whatOf(line: LogLine): What | undefined {
  switch (line.type) {
    case 'talk':
      return { event: 'トーク', message: line.text, bubble_idx: line.seat + 1 };
    case 'whisper':
      return { event: '囁き', message: line.text, bubble_idx: line.seat + 1 };
    case 'vote':
      return { event: '投票', from_idx: line.seat + 1, to_idx: line.target + 1 };
    case 'attackVote':
      return { event: '襲撃投票', from_idx: line.seat + 1, to_idx: line.target + 1 };
    case 'divine':
      return { event: '占い', from_idx: line.seat + 1, to_idx: line.target + 1 };
    case 'guard':
      return { event: '護衛', from_idx: line.seat + 1, to_idx: line.target + 1 };
    case 'execute':
      return { event: '追放', to_idx: line.seat + 1 };
    case 'attack':
      return { event: '襲撃', ...(line.target === undefined ? {} : { ...(line.died ? {} : { from_idx: -1 }), to_idx: line.target + 1 }) };
    case 'result':
      return { event: '終了', message: winnerName(line.winner) };
    case 'cursed':
    case 'suicide':
    case 'status':
      return undefined;
  }
}

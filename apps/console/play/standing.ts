import { waiting } from '@maw/games/kernel/question.ts';
import type { TableState } from '../scene/session.ts';

/** Why a seat has nothing to answer. */
export interface Idle {
  readonly why: 'mind' | 'dead' | 'lobby' | 'pause' | 'turn' | 'night' | 'nothing' | 'won' | 'lost' | 'draw';
  /** Whose turn it is. */
  readonly of?: number;
}

/** Undefined while something is asked of the seat. */
export function idleOf({ tape, asked, isOver }: Pick<TableState, 'tape' | 'asked' | 'isOver'>, seat: number): Idle | undefined {
  const last = tape.moments.at(-1);
  if (!last) return undefined;
  const { game: match, open } = last.after;
  if (isOver || match.closed) {
    const { winners = [] } = match.closed ?? {};
    return { why: winners.includes(seat) ? 'won' : winners.length ? 'lost' : 'draw' };
  }
  if (asked?.holder === 'mind') return { why: 'mind' };
  if (match.stage === 'lobby' || match.stage === 'pause') return { why: match.stage };
  if (asked?.life === 'Dead') return { why: 'dead' };
  if (asked?.asked.length) return undefined;
  const [next] = open.filter(({ inTurn }) => inTurn).flatMap((q) => waiting(q));
  if (next !== undefined) return { why: 'turn', of: next };
  return { why: last.phase.kind === 'night' ? 'night' : 'nothing' };
}

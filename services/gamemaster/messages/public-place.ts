import type { Open, Seat } from '@maw/games/kernel/question.ts';
import { phaseOf } from '@maw/games/kernel/question.ts';
import type { Standing } from '../state/game.ts';

/** Where a table stands, as far as everybody at it knows. */
export interface PublicPlace {
  /** The public phase; the stage of the table while no question is public, as by night. */
  readonly phase: string;
  /** Who is to answer what: `2, 5: choose`, or `the clock: say` for talk, which ends by the clock. Undefined by night: whoever is awake has a role. */
  readonly awaited?: string;
}

export const isPublic = (q: Open): boolean => q.among === 'table';
/** Whether not everybody knows that somebody answers, or when. */
export const isSecretQuestion = (q: Open): boolean => !isPublic(q) || q.heard === 'never';

export const publicPhase = ({ open }: Standing): string => [...new Set(open.filter(isPublic).map((q) => phaseOf(q.id)))].join(' ');

export function publicPlaceOf(standing: Standing): PublicPlace {
  const awaited = standing.open.filter((q) => !isSecretQuestion(q)).map((q) => `${whoOf(q)}: ${q.verb}`);
  return { phase: publicPhase(standing) || standing.game.stage, ...(awaited.length ? { awaited: awaited.join('; ') } : {}) };
}

function whoOf(q: Open): string {
  if (q.settles === 'by-the-clock') return 'the clock';
  // While answers are hidden, so is who has given one.
  const done: ReadonlySet<Seat> = new Set(q.heard === 'at-once' ? [...q.answers.map(({ by }) => by), ...q.passed] : []);
  const left = q.of.filter((seat) => !done.has(seat));
  return (q.inTurn ? left.slice(0, 1) : left).join(', ') || 'nobody';
}

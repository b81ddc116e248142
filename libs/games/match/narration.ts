import type { MatchEvent } from './state.ts';
import { approximateDuration } from '../kernel/format-text.ts';
import { namesOf } from '../kernel/narration.ts';
import type { Telling, TimeEvent } from '../kernel/rules.ts';

/** Who has won, as part of a sentence: `the wolves win`, `good wins`, `nobody wins`. Names of sides with several members are plural. */
export const winnerPhrase = (winner: string): string => WINS[winner] ?? (winner.endsWith('s') ? `the ${winner} win` : `${winner} wins`);
const WINS: { readonly [winner: string]: string } = {
  draw: 'nobody wins',
  aborted: 'the table was aborted',
  village: 'the village wins',
  tanner: 'the Tanner wins',
  fox: 'the foxes win',
};

export function tellMatch(e: MatchEvent, { names }: Telling): string | undefined {
  const name = namesOf(names);
  switch (e.type) {
    case 'opened':
      return `The table is open: ${e.opening.rules}, ${e.opening.seats.length} seats, ${e.opening.rounds} ${e.opening.rounds === 1 ? 'round' : 'rounds'}.`;
    case 'joined':
      return `${e.name} joins.`;
    case 'handed':
      return e.to === 'mind' ? `A mind plays for ${name(e.seat)}.` : `${name(e.seat)} is back.`;
    case 'began':
      return `Round ${e.round} begins.`;
    case 'scored': {
      const board = e.totals.map((total, seat) => ({ total, seat })).toSorted((a, b) => b.total - a.total);
      const roles = e.outcome.roles.map((role, seat) => `${name(seat)}: ${role}`).join(', ');
      return `Round ${e.round}: ${winnerPhrase(e.outcome.winner)}. Roles: ${roles}. Points: ${board.map(({ seat, total }) => `${name(seat)} ${total}`).join(', ')}.`;
    }
    case 'assigned':
      return `Another mind plays for ${name(e.seat)}${e.recipe === undefined ? '' : `: ${e.recipe}`}${e.model === undefined ? '' : ` with ${e.model}`}.`;
    case 'aborted':
      return `The table was aborted and does not count${e.why === undefined ? '' : `: ${e.why.replace(/[.!?]$/, '')}`}.`;
    case 'closed':
      return e.winners.length ? `The winners: ${e.winners.map(name).join(', ')}.` : 'Nobody wins.';
  }
}

/** One sentence about extended deadlines, the same for everybody. */
export function tellTime(e: TimeEvent): string {
  switch (e.type) {
    case 'delayed':
      return `The game stood still for ${approximateDuration(e.ms)}. Everybody has that much more time.`;
    case 'paused':
      return 'The game is paused.';
    case 'resumed':
      return `The game goes on after a pause of ${approximateDuration(e.ms)}. Everybody has as much time left as before.`;
  }
}

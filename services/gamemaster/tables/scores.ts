import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { isMatchEvent, type SeatPlan } from '@maw/games/match/state.ts';
import { sideOf } from '@maw/games/roles.ts';
import type { Score } from '@maw/store/ports/tapes.ts';

/**
 * What the finished games of a table count in the leaderboard, each game for the side of the seat's last role in it. Nothing of a table that was
 * aborted, or that nobody may see afterwards. A seat that was handed over or got another mind during a game counts for nobody in that game.
 * @param tape the events of a table that is over
 */
export function scoresOf(tape: readonly { readonly type: string }[]): readonly Score[] {
  const events = tape.filter(isMatchEvent);
  const [opened] = events;
  if (opened?.type !== 'opened' || (opened.opening.afterwards ?? 'nobody') === 'nobody') return [];
  if (events.some(({ type }) => type === 'aborted')) return [];
  const { rules } = opened.opening;
  const plans = [...opened.opening.seats];
  const changed = new Set<number>();
  const scores = new Map<string, Score>();
  for (const event of events) {
    if (event.type === 'began') changed.clear();
    if (event.type === 'handed' || event.type === 'assigned') changed.add(event.seat);
    if (event.type === 'handed') plans[event.seat] = { ...plans[event.seat], kind: event.to };
    if (event.type === 'assigned') plans[event.seat] = { ...event, kind: plans[event.seat]!.kind };
    if (event.type !== 'scored') continue;
    for (const [seat, role] of event.outcome.roles.entries()) {
      if (changed.has(seat)) continue;
      const player = { rules, side: sideOf(role, rules), ...playerOf(plans[seat]!) };
      const key = JSON.stringify(player);
      const { games, wins } = scores.get(key) ?? { games: 0, wins: 0 };
      scores.set(key, { ...player, games: games + 1, wins: wins + Number(event.outcome.winners.includes(seat)) });
    }
  }
  return [...scores.values()];
}

/** Who plays a seat: all people are one, without names; programs go by the names of their keys. */
const playerOf = ({ kind, agent, recipe, model }: SeatPlan): Pick<Score, 'kind' | 'recipe' | 'model'> =>
  kind === 'person' && agent !== undefined
    ? { kind: 'agent', recipe: agent }
    : kind === 'mind'
      ? { kind, ...omitUndefined({ recipe, model }) }
      : { kind: 'person' };

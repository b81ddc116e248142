import type { Suspicion } from '../recording/recording.ts';
import type { Tape } from '../time/tape.ts';
import { type Belief, beliefsOf, roundOf } from './beliefs.ts';
import type { WholeDecision } from './thoughts.ts';

/** What minds believed in their decisions, in the order of time, as suspicion: of each seat, the probability of all roles that are against the village. */
export function suspicionsOf(decisions: readonly WholeDecision[], { rules, moments }: Tape): readonly Suspicion[] {
  const names = (moments.at(-1)?.after.game.names ?? []).map((name) => name ?? '');
  const [, ...others] = Object.values(rules?.set.sides ?? {});
  const evil = new Set(['wolf', 'werewolf', ...others.flat()]);
  const share = (row: Belief['rows'][number] = {}): number =>
    row['evil'] ?? Object.entries(row).reduce((sum, [role, p]) => (evil.has(role) ? sum + p : sum), 0);
  return [...Map.groupBy(decisions, ({ decision }) => decision.seat).values()]
    .flatMap((own) => beliefsOf(own, { names }))
    .map(({ seat, at, phase, rows }) => ({ seat, at, round: roundOf(phase), of: rows.map(share) }))
    .sort((a, b) => a.at - b.at);
}

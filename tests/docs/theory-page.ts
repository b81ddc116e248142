import { type CheckedStrategies, checkStrategies, formulae, type Strategies } from '@maw/games/onuw/theory.ts';
import {
  admissiblePoints,
  analysisTree,
  profileOf,
  withDiscussion,
  WITHOUT_DISCUSSION,
  withoutDiscussion,
} from '@maw/games/onuw/theory.ts';
import { cfrPlus } from '../equipment/theory/cfr-plus.ts';
import { CLAIMS, talkTree } from '../equipment/theory/talk-tree.ts';
import { uniform } from '@maw/games/tree/profile.ts';
import { evaluateProfile } from '@maw/games/tree/best-response.ts';

const EXAMPLE = { alpha: 0.4, beta: 0.25, gamma: 0.35 };

/** The page of what document 004 proves of One Night with three players, beside what the game tree of the engine gives. */
export function theoryPage(): string {
  const tree = analysisTree();
  const { size, sets } = tree;
  const first = checkStrategies(tree, withoutDiscussion(0.5), WITHOUT_DISCUSSION);
  const { q, p, utilities } = formulae(EXAMPLE);
  const second = checkStrategies(tree, withDiscussion(EXAMPLE), utilities);
  const even = evaluateProfile(tree, uniform);
  const points = admissiblePoints().map((beliefs) => checkStrategies(tree, withDiscussion(beliefs), formulae(beliefs).utilities));
  const of = (strategies: Strategies) => checkStrategies(tree, strategies, [0, 0, 0]);
  const voted = of({ ...withoutDiscussion(0.5), one: [0.5, 0.5], two: [0.5, 0.5] });
  const deceived = of({ ...withDiscussion(EXAMPLE), night: [1, 0, 0] });
  return `# One Night with three players: theory

Generated from \`libs/games/onuw/theory.ts\`; do not edit. Section 4 of document 004 analyses a game of two Werewolves and one Robber. This
page compares it with the game tree of the engine that enforces the rules: option \`setup: analysis\` of [onuw](onuw.md). To compute it with
other numbers: \`maw theory onuw-3 --alpha A --beta B --gamma C\`.

## The tree

Players 1 and 2 (seats 0 and 1) are the Werewolves, Player 3 (seat 2) the Robber. There is no centre and no talk, nobody may vote for itself,
and one vote for everybody is a draw. The Robber does nothing or swaps with 1 or 2, then all vote at once: ${size.end} ways to play, ${size.choice} choices,
${sets.length} information sets. An information set is all positions that look the same to the seat that chooses: the same events in its view, times aside.
\`libs/games/tree\` walks any game that is small enough.

NashConv is how much the players could gain in all, each by changing alone to its best response, found by backward induction over its
information sets. The three players have ${even.strategies.join(', ')} pure strategies; one of Player 3 is a night action and a vote for each night action.

| profile | E1 | E2 | E3 | NashConv |
| --- | --- | --- | --- | --- |
${row('everybody plays evenly', even)}
${row('theorem 4.2, p = 0.5', first)}
${row(`theorem 4.3, (${Object.values(EXAMPLE).join(', ')}): q = ${short(q)}, p = ${short(p)}`, second)}

## Theorem 4.2

Without discussion the Werewolves vote for each other and the Robber swaps with either of them. Utilities are (0, 0, 1) and NashConv is 0 for
any p, the vote of the Robber after a night in which it did nothing. Each of its night actions is worth ${short(first.night[0])} to it.

## Theorem 4.3

With discussion the Werewolves believe that the Robber did nothing, swapped with 1, swapped with 2, with likelihoods (α, β, γ). The theorem is
about the vote. Its expectations, equations 40 to 42, are those of the whole tree **when the Robber does in the night what the Werewolves
believe**, so they are computed that way here. A deviation in the night gains nothing either: each night action is worth the same to the Robber
(${second.night.map(short).join(', ')} at the example).

At ${points.length} points of the region of equation 9, its edges included, the tree gives equations 10 to 12 and NashConv 0 ${within(points)}.

${talkSection()}
## Where the tree disagrees

- Equations 23 to 25 would make every profile of equation 19 with s = 1/2 an equilibrium. They differentiate by one q that both Werewolves share, but
  each Werewolf chooses only its own. With s = 1/2 and q = p = 1/2 NashConv is ${short(voted.nashConv)}: each Werewolf gains ${short(voted.gains[0]!)} by voting for the other. Later the proof
  keeps only q = 0, by sequential rationality, so the theorem holds.
- Theorem 4.3 is an equilibrium of the vote under beliefs that both Werewolves hold. It is one of the whole game only where the beliefs are right. If
  they believe the example and the Robber did nothing, it still gets ${short(deceived.utilities[2]!)} and could not gain, but the Werewolves get ${short(deceived.utilities[0]!)} each and
  would gain ${short(deceived.gains[0]!)} and ${short(deceived.gains[1]!)} if they knew.
`;
}

function talkSection(): string {
  const tree = talkTree();
  const solved = ['1', '2', '3', '4', '5'].map((seed) => evaluateProfile(tree, cfrPlus(tree, 1_000, seed)));
  return `## The game with talk

Here each player speaks once before the vote, in seat order, and makes one of ${CLAIMS.length} claims: the Robber did nothing, swapped
with 1, or swapped with 2. Nothing binds it to the truth. The tree has ${tree.size.end} ends, ${tree.size.choice} choices and ${tree.sets.length} information sets.

| profile | E1 | E2 | E3 | NashConv |
| --- | --- | --- | --- | --- |
${row('everybody plays evenly', evaluateProfile(tree, uniform))}
${row('theorem 4.2, where all babble', evaluateProfile(tree, profileOf(withoutDiscussion(0.5))))}
${solved.map((each, i) => row(`CFR+, 1,000 iterations, seed ${i + 1}`, { ...each, utilities: each.utilities.map(rounded) }, small(each.nashConv))).join('\n')}

Where nobody listens to what is said, theorem 4.2 holds as before. There are many equilibria, some worth 1 to the Robber and some -1: at which of them CFR+ ends
depends on the seed of its first regrets. So a solution is judged by its NashConv or against fixed listeners, never by its value.
`;
}

const row = (what: string, { utilities, nashConv }: Pick<CheckedStrategies, 'utilities' | 'nashConv'>, conv = short(nashConv)): string =>
  `| ${[what, ...utilities.map(short), conv].join(' | ')} |`;

const rounded = (n: number): number => Number(n.toFixed(3));

/** A bound, since the digits of a small remainder mean nothing. */
function small(n: number): string {
  if (n > 1e-3) throw new Error(`CFR+ ends at a NashConv of ${n}`);
  return '< 0.001';
}

/** Says how near all of them are, and refuses to say so when they are not. */
function within(points: readonly CheckedStrategies[]): string {
  const most = Math.max(
    ...points.flatMap(({ off, nashConv, night }) => [off, Math.abs(nashConv), Math.max(...night) - Math.min(...night)]),
  );
  if (most > 1e-12) throw new Error(`theorem 4.3 is off by ${most}`);
  return 'to within 1e-12';
}

/** At most six digits, and no minus in front of nothing. */
const short = (n: number): string => String(Number(n.toFixed(6)) || 0);

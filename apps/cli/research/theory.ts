import {
  admissiblePoints,
  analysisTree,
  type Beliefs,
  violatedConditions,
  type CheckedStrategies,
  checkStrategies,
  formulae,
  withDiscussion,
  WITHOUT_DISCUSSION,
  withoutDiscussion,
} from '@maw/games/onuw/theory.ts';
import type { Tree } from '@maw/games/tree/tree.ts';
import { numberColumns, say } from '../output.ts';

interface TheoryOptions {
  readonly alpha?: string;
  readonly beta?: string;
  readonly gamma?: string;
  readonly p?: string;
  readonly json: boolean;
}

/** Games whose theory can be reproduced. */
const GAMES = ['onuw-3'];
const BELIEFS = ['alpha', 'beta', 'gamma'] as const;
const USUAL_P = [0, 0.5, 1];

/**
 * `maw theory onuw-3`: theorems 4.2 and 4.3 of document 004, by their formulae and by backward induction over the engine's own game tree.
 * @throws Error naming what is wrong with the options
 */
export function theory(game: string, options: TheoryOptions): void {
  if (!GAMES.includes(game)) throw new Error(`there is no theory of ${game}; there is one of ${GAMES.join(', ')}`);
  const p = options.p === undefined ? undefined : number('p', options.p);
  if (p !== undefined && !(p >= 0 && p <= 1)) throw new Error(`--p must be from 0 to 1, not ${p}`);
  const beliefs = beliefsOf(options);
  const tree = analysisTree();
  const first = (p === undefined ? USUAL_P : [p]).map((each) => ({
    p: each,
    ...checkStrategies(tree, withoutDiscussion(each), WITHOUT_DISCUSSION),
  }));
  const second = (beliefs ? [beliefs] : admissiblePoints()).map((each) => {
    const { q, p: vote, utilities } = formulae(each);
    return { ...each, q, p: vote, ...checkStrategies(tree, withDiscussion(each), utilities) };
  });
  if (options.json) {
    say(JSON.stringify({ game, tree: { ...tree.size, sets: tree.sets.length } }));
    for (const each of first) say(JSON.stringify({ theorem: '4.2', ...each }));
    for (const each of second) say(JSON.stringify({ theorem: '4.3', ...each }));
    return;
  }
  say(heading(tree, first[0]!.strategies));
  for (const each of first) say(`\nTheorem 4.2, without discussion, p = ${short(each.p)}\n${account(each)}`);
  if (beliefs)
    for (const each of second)
      say(
        `\nTheorem 4.3, with discussion: the Werewolves believe (${BELIEFS.map((name) => short(each[name])).join(', ')}), so q = ${short(each.q)}, p = ${short(each.p)}\n${account(each)}`,
      );
  else say(`\nTheorem 4.3, with discussion, at ${second.length} points of the admissible region\n${tableOf(second)}`);
}

/** All three, or none. @throws Error */
function beliefsOf(options: TheoryOptions): Beliefs | undefined {
  const missing = BELIEFS.filter((name) => options[name] === undefined);
  if (missing.length === BELIEFS.length) return undefined;
  if (missing.length) throw new Error(`--${missing.join(' and --')} missing: beliefs are alpha, beta and gamma, which add up to 1`);
  const [alpha, beta, gamma] = BELIEFS.map((name) => number(name, options[name]!)) as [number, number, number];
  const why = violatedConditions({ alpha, beta, gamma });
  if (why.length) throw new Error(`theorem 4.3 is not about these beliefs (equation 9):\n  ${why.join('\n  ')}`);
  return { alpha, beta, gamma };
}

/** A decimal, or a fraction such as 1/3. @throws Error */
function number(name: string, text: string): number {
  const [, above, below] = /^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(?:\/\s*(\d+))?\s*$/i.exec(text) ?? [];
  const value = Number(above) / Number(below ?? 1);
  if (above === undefined || !Number.isFinite(value)) throw new Error(`--${name}: ${JSON.stringify(text)} is no number; 0.25 and 1/4 are`);
  return value;
}

const heading = ({ size, sets }: Tree, strategies: readonly number[]): string =>
  [
    'One Night Ultimate Werewolf with three players: 1 and 2 Werewolves, 3 the Robber; no centre, no talk (document 004, section 4).',
    `The game tree of the engine has ${size.end} ends, ${size.choice} choices, ${size.chance} chances and ${sets.length} information sets.`,
    `NashConv is the sum of what each player would gain by the best of all its pure strategies: ${strategies.join(', ')} of them.`,
    'The Robber’s are its night action and a vote after each. In theorem 4.3 it does in the night what the Werewolves believe.',
  ].join('\n');

/** One theorem at one point: each player's figures in a row. */
function account({ formula, utilities, best, gains, nashConv, strategies, attained, night }: CheckedStrategies): string {
  const rows = utilities.map((n, i) => [
    `  Player ${i + 1}`,
    ...[formula[i]!, n, best[i]!].map(short),
    `${attained[i]} of ${strategies[i]}`,
    short(gains[i]!),
  ]);
  return [
    numberColumns([['', 'formula', 'tree', 'best response', 'attained by', 'gain'], ...rows]),
    `  NashConv ${short(nashConv)}`,
    `  The Robber’s night, at best: nothing ${short(night[0])}, swap with 1 ${short(night[1])}, swap with 2 ${short(night[2])}`,
  ].join('\n');
}

type Point = Beliefs & CheckedStrategies & { readonly q: number; readonly p: number };

const tableOf = (points: readonly Point[]): string =>
  numberColumns([
    ['  alpha', 'beta', 'gamma', 'q', 'p', 'E1', 'E2', 'E3', 'off by', 'NashConv'],
    ...points.map(({ alpha, beta, gamma, q, p, utilities, off, nashConv }) => [
      `  ${short(alpha)}`,
      ...[beta, gamma, q, p, ...utilities].map(short),
      tiny(off),
      tiny(nashConv),
    ]),
  ]);

/** At most six digits, and no minus in front of nothing. */
const short = (n: number): string => String(Number(n.toFixed(6)) || 0);
/** A difference that is only rounding is shown as one. */
const tiny = (n: number): string => (Math.abs(n) < 1e-12 ? '< 1e-12' : n.toExponential(1));

import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { joinList } from '@maw/games/kernel/format-text.ts';
import { pace, readOptions } from '@maw/games/kernel/options.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import { onuwOptions } from '@maw/games/onuw/options.ts';
import { evaluateProfile } from '@maw/games/tree/best-response.ts';
import type { InformationSet } from '@maw/games/tree/information.ts';
import { type Profile, uniform } from '@maw/games/tree/profile.ts';
import { buildTree, type Tree } from '@maw/games/tree/tree.ts';
import type { GameRecord } from './game-record.ts';
import type { Row } from './measured.ts';

/** The options on which the tree and its points depend. */
const TREE_OPTIONS = ['verdict', 'utility', 'selfVote', 'analysisTalk'] as const;
const PASS = 'pass';

/**
 * NashConv of what was played (document 004, section 6.2), where the tree of the game is small enough: `onuw` with `setup: analysis`. All recipes
 * are pooled, options are not. Games without somebody's vote are left out, as the tree has no such choice.
 */
export function equilibrium(games: readonly GameRecord[]): readonly Row[] {
  const small = games.filter(({ rules, options }) => rules === 'onuw' && options['setup'] === 'analysis');
  return [...Map.groupBy(small, treeOptions)].map(([options, all]): Row => {
    const { roles, rules, options: given } = all[0]!;
    const played = all.filter(({ choices }) => choices.every(({ question, says }) => says.length || stepOf(question) !== 'vote'));
    const recipes = [...new Set(played.flatMap((game) => game.roles.map((_, seat) => game.recipes[seat] ?? 'people')))].toSorted();
    const parts = [`setup analysis, ${options}`, `pooled: ${joinList(recipes) || 'no game'}`];
    if (played.length < all.length) parts.push(`${all.length - played.length} of ${all.length} games left out, in which a vote is missing`);
    const tree = buildTree(ruleSetNamed(rules).rules(roles.length, given), roles.length);
    const about = { measure: 'NashConv', source: 'document 004, section 6.2', about: parts.join('; '), cases: played.length };
    return { ...about, ...estimate(tree, played.map(answersOf)) };
  });
}

/** Resamples of the games for the interval. */
const RESAMPLES = 200;
/** Fewer games resampled are nearly always the same ones: their interval would be too narrow. */
const LEAST_GAMES = 5;

/**
 * NashConv of the frequencies, with its 95 % interval: basic bootstrap over games (Davison and Hinkley 1997, section 5.2), which takes the bias
 * off that comes of the best response being chosen after the fact. It is rough where several best responses tie, and
 * absent with fewer than five games.
 */
function estimate(tree: Tree, games: readonly Answers[]): Pick<Row, 'value' | 'low' | 'high'> {
  if (!games.length) return { value: undefined };
  const nashConvOf = (counts: Counts): number => evaluateProfile(tree, profileOf(counts)).nashConv;
  const value = nashConvOf(countAnswers(games));
  if (games.length < LEAST_GAMES) return { value };
  const dice = diceOf('NashConv', String(games.length));
  const resampled = Array.from({ length: RESAMPLES }, () => nashConvOf(countAnswers(games.map(() => games[dice.below(games.length)]!))));
  const sorted = resampled.toSorted((a, b) => a - b);
  const quantile = (p: number): number => sorted[Math.round(p * (RESAMPLES - 1))]!;
  return { value, low: Math.max(0, 2 * value - quantile(0.975)), high: Math.max(0, 2 * value - quantile(0.025)) };
}

function treeOptions({ options }: GameRecord): string {
  const read = readOptions({ ...onuwOptions, pace }, options);
  return TREE_OPTIONS.map((name) => `${name} ${read[name]}`).join(', ');
}

/** The answers of a game, each as the key of its information set with the answer. */
type Answers = readonly string[];
type Counts = ReadonlyMap<string, number>;

/** Silence at night is a pass. */
function answersOf({ choices }: GameRecord): Answers {
  const all = choices.map((choice) => (choice.says.length ? choice : { ...choice, says: [PASS] }));
  return all.map(({ question, by, says }, i) => {
    const before = all.slice(0, i).filter((choice) => choice.by === by).map((choice) => choice.says); // prettier-ignore
    return keyOf(by, question.replace(/^round-\d+\//, ''), before, says);
  });
}

function countAnswers(games: readonly Answers[]): Counts {
  const counts = new Map<string, number>();
  for (const answers of games) for (const key of answers) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** By information set the frequencies of the answers; where nobody ever answered, all are equally likely. */
function profileOf(counts: Counts): Profile {
  return (set) => {
    const times = set.answers.map((answer) => counts.get(keyOf(set.seat, set.question, ownAnswers(set), answer)) ?? 0);
    const all = times.reduce((sum, n) => sum + n, 0);
    return all ? times.map((n) => n / all) : uniform(set);
  };
}

/** The information sets of one seat and question are told apart by what it has answered before. */
const keyOf = (...parts: readonly unknown[]): string => JSON.stringify(parts);

function ownAnswers({ seen, seat }: InformationSet): readonly (readonly string[])[] {
  return seen.flatMap((event) => {
    const { answer } = event as { readonly answer?: { readonly by: number; readonly says: readonly string[] } };
    return event.type === 'answered' && answer?.by === seat ? [answer.says] : [];
  });
}

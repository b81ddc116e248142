import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { joinList } from '@maw/games/kernel/format-text.ts';
import { pace, readOptions } from '@maw/games/kernel/options.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import { onuwOptions } from '@maw/games/onuw/options.ts';
import { evaluateProfile } from '@maw/games/tree/best-response.ts';
import type { InformationSet } from '@maw/games/tree/information.ts';
import { type Profile, uniform } from '@maw/games/tree/profile.ts';
import { buildTree } from '@maw/games/tree/tree.ts';
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
    const value = played.length ? evaluateProfile(tree, playedProfile(played)).nashConv : undefined;
    return { measure: 'NashConv', source: 'document 004, section 6.2', about: parts.join('; '), value, cases: played.length };
  });
}

function treeOptions({ options }: GameRecord): string {
  const read = readOptions({ ...onuwOptions, pace }, options);
  return TREE_OPTIONS.map((name) => `${name} ${read[name]}`).join(', ');
}

/** By information set the frequencies of the answers, silence at night being a pass; where nobody ever answered, all are equally likely. */
function playedProfile(games: readonly GameRecord[]): Profile {
  const counts = new Map<string, number>();
  const add = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const game of games) {
    const choices = game.choices.map((choice) => (choice.says.length ? choice : { ...choice, says: [PASS] }));
    for (const [i, { question, by, says }] of choices.entries()) {
      const before = choices.slice(0, i).filter((choice) => choice.by === by).map((choice) => choice.says); // prettier-ignore
      add(keyOf(by, question.replace(/^round-\d+\//, ''), before, says));
    }
  }
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

import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { evaluateProfile } from '@maw/games/tree/best-response.ts';
import type { InformationSet } from '@maw/games/tree/information.ts';
import { type Profile, uniform } from '@maw/games/tree/profile.ts';
import { buildTree } from '@maw/games/tree/tree.ts';
import type { GameRecord } from './game-record.ts';
import type { Row } from './measured.ts';

/** NashConv of what was played (document 004, section 6.2), where the tree of the game is small enough: `onuw` with `setup: analysis`. */
export function equilibrium(games: readonly GameRecord[]): readonly Row[] {
  const small = games.filter(({ rules, options }) => rules === 'onuw' && options['setup'] === 'analysis');
  const [first] = small;
  if (!first) return [];
  const players = first.roles.length;
  const tree = buildTree(ruleSetNamed(first.rules).rules(players, first.options), players);
  const { nashConv } = evaluateProfile(tree, playedProfile(small));
  return [{ measure: 'NashConv', source: 'document 004, section 6.2', about: 'setup analysis', value: nashConv, cases: small.length }];
}

/** By information set the frequencies of the answers; where nobody ever answered, all are equally likely. Talk is not a part of it. */
export function playedProfile(games: readonly GameRecord[]): Profile {
  const counts = new Map<string, number>();
  const add = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { choices } of games)
    for (const [i, { question, by, says }] of choices.entries()) {
      const before = choices.slice(0, i).filter((choice) => choice.by === by).map((choice) => choice.says); // prettier-ignore
      add(keyOf(by, question.replace(/^round-\d+\//, ''), before, says));
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

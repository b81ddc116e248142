import type { Data, ReplyData } from '@maw/contracts/contracts.ts';
import { fitInPage } from '@maw/contracts/fit-in-page.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Score, Tapes } from '@maw/store/ports/tapes.ts';

type Row = ReplyData<'table.leaderboard'>['rows'][number];

/** How often each kind of player has won: people together, minds by recipe and model, programs by the name of their key. @throws Refusal unknown-rules */
export async function leaderboard(
  { rules }: Data<'table.leaderboard'>,
  tapes: Pick<Tapes, 'scores'>,
  sets: readonly RuleSet[],
): Promise<ReplyData<'table.leaderboard'>> {
  if (rules !== undefined) ruleSetNamed(rules, sets);
  const players = Map.groupBy(await tapes.scores(rules), ({ kind, recipe, model }) => JSON.stringify([kind, recipe, model]));
  const rows = [...players.values()].map(rowOf);
  return { rows: fitInPage(rows.toSorted((a, b) => b.share - a.share || b.games - a.games)) };
}

function rowOf(scores: readonly Score[]): Row {
  const { kind, recipe, model } = scores[0]!;
  const total = (of: 'games' | 'wins') => scores.reduce((sum, score) => sum + score[of], 0);
  return {
    kind,
    ...(kind === 'agent' ? omitUndefined({ agent: recipe }) : omitUndefined({ recipe, model })),
    ...shared({ games: total('games'), wins: total('wins') }),
    sides: scores.flatMap(({ rules, side, ...score }) => (side ? [{ rules, side, ...shared(score) }] : [])),
  };
}

const shared = ({ games, wins }: Pick<Score, 'games' | 'wins'>) => ({ games, wins, share: wins / games });

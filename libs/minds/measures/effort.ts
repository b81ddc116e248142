import type { GameRecord } from './game-record.ts';
import type { MeasuredThought, Row } from './measured.ts';
import { mean } from './shares.ts';

interface Call {
  readonly reply?: { readonly tokens: { readonly prompt: number; readonly completion: number }; readonly times?: Times };
}

interface Times {
  readonly queued: number;
  readonly total: number;
}

/** Tokens and seconds of the model for a seat in a game, by recipe. The time in a queue is none of the model's. */
export function effort(games: readonly GameRecord[], thoughts: readonly MeasuredThought[]): readonly Row[] {
  const asked = thoughts.filter(({ content }) => Array.isArray(content['calls']));
  const seats = [...Map.groupBy(asked, ({ table, round, seat }) => `${table} ${round} ${seat}`).values()].map((own) => {
    const { table, round, seat } = own[0]!;
    const recipe = games.find((game) => game.table === table && game.round === round)?.recipes[seat] ?? 'unknown';
    const replies = own.flatMap(({ content }) => (content['calls'] as readonly Call[]).flatMap(({ reply }) => (reply ? [reply] : [])));
    return {
      recipe,
      tokens: replies.reduce((sum, { tokens }) => sum + tokens.prompt + tokens.completion, 0),
      seconds: replies.reduce((sum, { times }) => sum + (times ? times.total - times.queued : 0), 0) / 1000,
    };
  });
  return [...Map.groupBy(seats, ({ recipe }) => recipe)].flatMap(([about, own]): readonly Row[] => [
    { measure: 'tokens', source: 'ours; a game and seat', about, value: mean(own.map(({ tokens }) => tokens)), cases: own.length },
    { measure: 'model seconds', source: 'ours; a game and seat', about, value: mean(own.map(({ seconds }) => seconds)), cases: own.length },
  ]);
}

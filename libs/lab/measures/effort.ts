import type { GameRecord } from './game-record.ts';
import type { MeasuredThought, Row } from './measured.ts';
import { mean } from './shares.ts';

interface Call {
  readonly reply?: { readonly tokens: { readonly prompt: number; readonly completion: number }; readonly times?: Times };
}

/** In milliseconds. */
interface Times {
  readonly queued: number;
  readonly load?: number;
  readonly total: number;
}

/**
 * Tokens and seconds of the model for a seat in a game, by recipe. Tokens are those that the servers count: some leave out what they have cached.
 * Model seconds are what a call took without the queue before its last attempt, with loading the model, which has a row of its own.
 */
export function effort(games: readonly GameRecord[], thoughts: readonly MeasuredThought[]): readonly Row[] {
  const asked = thoughts.filter(({ content }) => Array.isArray(content['calls']));
  const seats = [...Map.groupBy(asked, ({ table, round, seat }) => `${table} ${round} ${seat}`).values()].map((own) => {
    const { table, round, seat } = own[0]!;
    const recipe = games.find((game) => game.table === table && game.round === round)?.recipes[seat] ?? 'unknown';
    const replies = own.flatMap(({ content }) => (content['calls'] as readonly Call[]).flatMap(({ reply }) => (reply ? [reply] : [])));
    return {
      recipe,
      tokens: replies.reduce((sum, { tokens }) => sum + tokens.prompt + tokens.completion, 0),
      seconds: secondsOf(replies, ({ total, queued }) => total - queued),
      loading: secondsOf(replies, ({ load = 0 }) => load),
    };
  });
  return [...Map.groupBy(seats, ({ recipe }) => recipe)].flatMap(([about, own]): readonly Row[] => {
    const row = (name: string, note: string, all: readonly number[]): Row => ({ measure: name, source: `ours; a game and seat, ${note}`, about, value: mean(all), cases: all.length }); // prettier-ignore
    return [
      row('tokens', 'as servers count, which may leave out cached ones', own.map(({ tokens }) => tokens)), // prettier-ignore
      row('model seconds', 'without queues, with loading', own.map(({ seconds }) => seconds)), // prettier-ignore
      row('loading seconds', 'part of model seconds', own.map(({ loading }) => loading)), // prettier-ignore
    ];
  });
}

const secondsOf = (replies: readonly { readonly times?: Times }[], part: (times: Times) => number): number =>
  replies.reduce((sum, { times }) => sum + (times ? part(times) : 0), 0) / 1000;

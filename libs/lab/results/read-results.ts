import { type GameResult, type Kept, RANKED } from '../ratings/result.ts';
import { readCsv } from './csv-results.ts';
import type { AcceptGame } from './game-sink.ts';
import { readJsonLines } from './json-results.ts';

/** Results from a file. */
export interface Results extends Kept {
  readonly games: readonly GameResult[];
}

/**
 * Reads the results of games: CSV with a row per seat, or JSON lines with a `GameResult` each. Large files are read as a stream; only the games
 * are kept.
 * @throws Error naming the file, the line, what is wrong and what to do
 */
export async function readResults(file: string, signal: AbortSignal): Promise<Results> {
  const games: GameResult[] = [];
  const lines = new Map<string, number>();
  const accept: AcceptGame = (game, line) => {
    const before = lines.get(game.id);
    const wrong =
      before === undefined
        ? wrongIn(game)
        : `there is another game "${game.id}" at line ${before}: give each game an id of its own, and keep its rows together`;
    if (wrong !== undefined) throw new Error(`${file}:${line}: ${wrong}`);
    lines.set(game.id, line);
    games.push(game);
  };
  const read = readerOf(file);
  const kept = await read(file, accept, signal);
  const agents = new Set(games.flatMap(({ seats }) => seats.map(({ agent }) => agent)));
  if (!games.length) throw new Error(`${file} has no games: add at least one below the header`);
  if (agents.size < 2) throw new Error(`${file} has only one agent, "${[...agents].join('')}": there is nobody to compare it with`);
  return { games, ...kept };
}

function readerOf(file: string): typeof readCsv {
  if (/\.csv$/i.test(file)) return readCsv;
  if (/\.(jsonl|ndjson)$/i.test(file)) return readJsonLines;
  throw new Error(`${file}: the name must end with .csv (a row per seat) or .jsonl (a game per line); see docs/ratings.md`);
}

/** Why a game cannot be rated. */
function wrongIn({ id, winner, seats }: GameResult): string | undefined {
  const taken = new Set<number>();
  for (const { seat } of seats) {
    if (taken.has(seat))
      return `game "${id}" has seat ${seat} twice: number the seats of a game from 0, or give each game an id of its own`;
    taken.add(seat);
  }
  if (
    winner === 'draw' ||
    winner === RANKED ||
    seats.every(({ side, won }) => side !== winner && !won) ||
    seats.some(({ side }) => side === winner)
  )
    return undefined;
  const sides = [...new Set(seats.map(({ side }) => side))];
  return `game "${id}" was won by "${winner}", which is none of its sides (${sides.join(', ')}): name one of them, or "draw"`;
}

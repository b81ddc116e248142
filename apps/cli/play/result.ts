import { winnerPhrase } from '@maw/games/match/narration.ts';
import type { WebClient } from '../clients/web-client.ts';
import { say } from '../output.ts';
import type { Paint } from '../transcript.ts';

/** How a table ended. */
interface Result {
  readonly winner: string;
  readonly winners: readonly string[];
  readonly points: { readonly [name: string]: number };
  readonly table: string;
}

export async function readResult(web: WebClient, table: string): Promise<Result> {
  const { players, winners = [] } = await web.table(table);
  const names = players.map(({ name }, seat) => name ?? `Seat ${seat}`);
  let winner = 'draw';
  for await (const { event } of web.tape(table)) {
    if (event.type === 'scored') winner = (event['outcome'] as { winner: string }).winner;
    if (event.type === 'aborted') winner = 'aborted';
  }
  return {
    winner,
    winners: winners.map((seat) => names[seat]!),
    points: Object.fromEntries(players.map(({ points }, seat) => [names[seat]!, points])),
    table,
  };
}

/** Prints the winner and the points, highest first; or one JSON line. */
export function printResult(result: Result, isJson: boolean, paint: Paint): void {
  if (isJson) return say(JSON.stringify({ type: 'result', ...result }));
  const board = Object.entries(result.points).toSorted(([, a], [, b]) => b - a);
  say(`\n${paint('bold', `${winnerPhrase(result.winner).replace(/^./, (letter) => letter.toUpperCase())}.`)}`);
  for (const [name, points] of board)
    say(`  ${String(points).padStart(3)}  ${name}${result.winners.includes(name) ? paint('yellow', '  *') : ''}`);
}

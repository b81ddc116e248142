import { ApiProblem } from '@maw/api-client/problem.ts';
import type { SeenEvent } from '../clients/table-stream.ts';
import { AWAY_HOST } from './seats/invitations.ts';
import type { KeptSeat } from './seats/kept-seats.ts';
import type { Game } from './play-options.ts';
import { playSeat } from './play-seat.ts';
import type { Departure } from './session.ts';
import { createPrompt } from './terminal/line-editor.ts';

/** Lets a person play a seat in the terminal. @param onSeen receives every event that the seat sees */
export async function joinTable(
  game: Game,
  { table, token }: KeptSeat,
  name: string,
  onSeen: (seen: SeenEvent) => void,
): Promise<'over' | 'interrupted' | Departure> {
  const { web, isRemote, paint, notices, note, signal } = game;
  const own = web.as(token);
  await own.comeBack(table).catch((error: unknown) => {
    if (!(error instanceof ApiProblem)) throw error; // the person has not left it
  });
  const seat = (await own.table(table)).players.find((player) => player.name === name)?.seat ?? 0;
  const prompt = createPrompt(process.stdin, process.stdout, process.stdin.isTTY && process.stdout.isTTY);
  const interrupt = new AbortController();
  prompt.onInterrupt(() => interrupt.abort());
  try {
    notices.show = (text) => prompt.show(paint('dim', text));
    prompt.show('Type /help for what you can do.');
    const end = await playSeat({
      web: own,
      table,
      seat,
      prompt,
      paint,
      canLeave: isRemote,
      ...(game.options.join !== undefined && { away: AWAY_HOST }),
      onSeen,
      now: Date.now,
      signal: AbortSignal.any([signal, interrupt.signal]),
    });
    return interrupt.signal.aborted || (signal.aborted && end === 'over') ? 'interrupted' : end;
  } finally {
    notices.show = note;
    prompt.close();
  }
}

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ApiError } from '../clients/http-request.ts';
import { prepareFolder } from '../prepare-folder.ts';
import type { Game } from './play-options.ts';
import { createPrompt } from './line-editor.ts';
import { playSeat } from './play-seat.ts';

/** Lets a person play a seat in the terminal; a seat that was left before is taken back. */
export async function joinTable(game: Game, table: string, name: string): Promise<'over' | 'left' | 'interrupted'> {
  const { web, isRemote, paint, note, signal } = game;
  const { token, seat: joined } = await seatOf(game, table, name);
  const own = web.as(token);
  const seat = joined ?? (await own.table(table)).players.find((player) => player.name === name)?.seat ?? 0;
  await own.comeBack(table).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error; // the person has not left it
  });
  const prompt = createPrompt(process.stdin, process.stdout, process.stdin.isTTY && process.stdout.isTTY);
  const interrupt = new AbortController();
  prompt.onInterrupt(() => interrupt.abort());
  try {
    prompt.show('Type /help for what you can do.');
    const end = await playSeat({
      web: own,
      table,
      seat,
      prompt,
      paint,
      canLeave: isRemote,
      signal: AbortSignal.any([signal, interrupt.signal]),
    });
    if (end === 'left') note(`A mind plays your seat. Take it back with: ./maw play --at ${web.at} --table ${table} --human '${name}'`);
    return interrupt.signal.aborted ? 'interrupted' : end;
  } finally {
    prompt.close();
  }
}

/** The token of this person at this table: the saved one, or that of a seat that is joined now. Only tokens of running systems are saved. */
async function seatOf(
  { web, options, isRemote }: Game,
  table: string,
  name: string,
): Promise<{ readonly token: string; readonly seat?: number }> {
  const file = join(options.data, 'seats.json');
  const saved = z
    .record(z.string(), z.string())
    .catch({})
    .parse(await readFile(file, 'utf8').then(JSON.parse, () => ({})));
  const key = `${web.at} ${table} ${name}`;
  if (saved[key] !== undefined) return { token: saved[key] };
  const { token, seat } = await web.join(table, name);
  if (isRemote) {
    await prepareFolder(options.data, '--data');
    await writeFile(file, `${JSON.stringify({ ...saved, [key]: token }, undefined, 2)}\n`, { mode: 0o600 });
  }
  return { token, seat };
}

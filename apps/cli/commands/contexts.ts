import { writeFile } from 'node:fs/promises';
import { load, save } from '@maw/minds/context.ts';
import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import { say } from '../output.ts';
import { readContents } from '../records/record-files.ts';

interface SeatOptions extends ConnectOptions {
  readonly seat: number;
}

/** `maw context save`. */
export const saveTo = (table: string, file: string, options: SeatOptions, config: CliConfig): Promise<void> =>
  withWeb(options, config, async (web) => {
    const { seat } = options;
    const context = await web.api.get('/tables/:table/seats/:seat/context', { table, seat });
    const { phase } = context;
    const about = `What seat ${seat} of table ${table} has in mind: the log of its model (mind.context), what it has not thought about yet (mind.unread), and its notes.`;
    await writeFile(file, save(context, about), { flag: 'wx', mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
      const isThere = error.code === 'EEXIST';
      throw new Error(
        isThere
          ? `${file} is there already; name another file`
          : `${file} cannot be written (${error.code}); name a file in a folder that is there`,
      );
    });
    say(`What seat ${seat} has in mind${typeof phase === 'string' && phase ? ` after ${phase}` : ''} is in ${file}.`);
  });

/** `maw context load`. */
export async function loadFrom(table: string, file: string, options: SeatOptions, config: CliConfig): Promise<void> {
  const { seat } = options;
  const context = load(await readContents(file), file);
  return withWeb(options, config, async (web) => {
    await web.api.post('/tables/:table/seats/:seat/context', { table, seat }, { ...context });
    say(
      context.table === table
        ? `Seat ${seat} begins its next decision with ${file}, and reads again what happened since it was saved.`
        : `From its next decision on seat ${seat} remembers what is in ${file}, as of another game.`,
    );
  });
}

/** `maw context truncate`. */
export const truncate = (table: string, options: SeatOptions & { readonly tokens: number }, config: CliConfig): Promise<void> =>
  withWeb(options, config, async (web) => {
    const { seat, tokens } = options;
    await web.api.post('/tables/:table/seats/:seat/context/truncate', { table, seat }, { tokens });
    say(`The log of seat ${seat} is cut to ${tokens} tokens when its next decision begins.`);
  });

import type { CliConfig } from '../config.ts';
import { connectToWeb, type ConnectOptions } from '../connect.ts';
import { createPaint, transcript } from '../transcript.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

/** `maw tables` */
export async function listTables(where: ConnectOptions & { readonly json: boolean }, config: CliConfig): Promise<number> {
  const { web, close } = await connectToWeb(where, config);
  try {
    const tables = await web.tables();
    if (where.json) {
      for (const table of tables) say(JSON.stringify(table));
      return 0;
    }
    if (!tables.length) say('There is no table yet.');
    for (const { table, rules, stage, round, rounds, players, opened, free } of tables) {
      const who = players.map(({ name, points }) => `${name ?? '…'}${points ? ` ${points}` : ''}`).join(', ');
      say(
        `${table}  ${new Date(opened).toISOString().slice(0, 16).replace('T', ' ')}  ${rules}  ${stage}${rounds > 1 ? ` ${round}/${rounds}` : ''}  ${who}${free ? `  (${free} free)` : ''}`,
      );
    }
    return 0;
  } finally {
    await close();
  }
}

/** `maw watch TABLE` */
export async function watch(
  table: string,
  where: ConnectOptions & { readonly as?: string; readonly json: boolean },
  config: CliConfig,
  signal: AbortSignal,
): Promise<number> {
  const { web, close } = await connectToWeb(where, config);
  try {
    const scribe = transcript(createPaint(config.isColour && !where.json));
    for await (const news of web.follow(table, { ...(where.as === undefined ? {} : { as: where.as }), signal })) {
      if (news.kind !== 'seen') continue;
      const line = scribe.line(news.seen);
      if (where.json) say(JSON.stringify(news.seen));
      else if (line !== undefined) say(line);
    }
    return signal.aborted ? 130 : 0;
  } finally {
    await close();
  }
}

/** `maw tape TABLE` */
export async function tape(table: string, where: ConnectOptions & { readonly as?: string }, config: CliConfig): Promise<number> {
  const { web, close } = await connectToWeb(where, config);
  try {
    for await (const seen of web.tape(table, where.as ?? 'narrator')) say(JSON.stringify(seen));
    return 0;
  } finally {
    await close();
  }
}

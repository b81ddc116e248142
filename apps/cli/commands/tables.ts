import type { CliConfig } from '../config.ts';
import { type ConnectOptions, withWeb } from '../connect.ts';
import type { AnswerOf } from '@maw/contracts/http/routes.ts';
import { say, sayList } from '../output.ts';
import { createPaint, transcript } from '../transcript.ts';

/** `maw tables`. */
export function listTables(where: ConnectOptions & { readonly json: boolean; readonly stuck?: true }, config: CliConfig): Promise<void> {
  return withWeb(where, config, async (web) => {
    if (where.stuck) return listStuck((await web.api.get('/stuck', {})).stuck, where.json);
    const tables = await web.tables();
    if (!where.json && tables.length === 0) say('There is no table yet.');
    for (const each of tables) {
      const { table, rules, stage, round, rounds, players, opened, free } = each;
      const who = players.map(({ name, points }) => `${name ?? '…'}${points ? ` ${points}` : ''}`).join(', ');
      const when = new Date(opened).toISOString().slice(0, 16).replace('T', ' ');
      const state = each.isAborted ? ', aborted' : each.pausedSince === undefined ? '' : ', paused';
      const at = `${stage}${rounds > 1 ? ` ${round}/${rounds}` : ''}${state}`;
      say(where.json ? JSON.stringify(each) : `${table}  ${when}  ${rules}  ${at}  ${who}${free ? `  (${free} free)` : ''}`);
    }
  });
}

const listStuck = (stuck: AnswerOf<'GET /stuck'>['stuck'], isJson: boolean): void =>
  sayList(stuck, isJson, {
    none: 'No table is stuck.',
    header: ['table', 'since', 'phase', 'waits for'],
    row: ({ table, since, phase, awaited }) => [
      table,
      `${new Date(since).toISOString().slice(0, 19).replace('T', ' ')} UTC`,
      phase,
      awaited ?? '-',
    ],
  });

/** `maw watch TABLE`. Returns the exit code: 130 when it was stopped. */
export function watch(
  table: string,
  where: ConnectOptions & { readonly as?: string; readonly json: boolean },
  config: CliConfig,
  signal: AbortSignal,
): Promise<number> {
  return withWeb(where, config, async (web) => {
    const script = transcript(createPaint(config.isColour && !where.json));
    await web.rulesOf(table); // what is followed is tried again for ever: a wrong address is told before
    for await (const update of web.follow(table, { ...(where.as === undefined ? {} : { as: where.as }), signal })) {
      if (update.kind !== 'seen') continue;
      const line = script.line(update.seen);
      if (where.json) say(JSON.stringify(update.seen));
      else if (line !== undefined) say(line);
    }
    return signal.aborted ? 130 : 0;
  });
}

/** `maw tape TABLE`. */
export function tape(table: string, where: ConnectOptions & { readonly as?: string }, config: CliConfig): Promise<void> {
  return withWeb(where, config, async (web) => {
    for await (const seen of web.tape(table, where.as ?? 'narrator')) say(JSON.stringify(seen));
  });
}

/** `maw pause TABLE`. */
export function pause(table: string, where: ConnectOptions, config: CliConfig): Promise<void> {
  return withWeb(where, config, async (web) => {
    const { until } = await web.api.post('/tables/:table/pause', { table }, {});
    say(
      `${table} is paused. It goes on with: maw resume ${table}, or by itself at ${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    );
  });
}

/** `maw resume TABLE`. */
export function resume(table: string, where: ConnectOptions, config: CliConfig): Promise<void> {
  return withWeb(where, config, async (web) => {
    await web.api.post('/tables/:table/resume', { table }, {});
    say(`${table} goes on.`);
  });
}

/** `maw abort TABLE`. */
export function abort(table: string, where: ConnectOptions & { readonly why?: string }, config: CliConfig): Promise<void> {
  return withWeb(where, config, async (web) => {
    await web.abort(table, where.why);
    say(`${table} is over: aborted, without winners.`);
  });
}

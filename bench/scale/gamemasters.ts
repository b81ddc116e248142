import { benchmark, type BenchmarkContext } from '../benchmark.ts';
import { decimal, integer, UsageError, type Values } from '../options.ts';
import { type ServerUrls, withServers, withSystem } from '../system-under-test.ts';
import { type Cost, playLoad, serviceOf } from './load-level.ts';
import { limitProcessors, quotaObstacle } from './processor-quota.ts';

const options = {
  tables: integer('tables at once', { fallback: 40 }),
  games: integer('games in each run', { fallback: 120 }),
  quota: decimal('the share of a processor that each gamemaster gets; 0: all it wants', { fallback: 0.1, min: 0 }),
  minutes: decimal('end each run after so many minutes', { fallback: 10 }),
  runs: integer('runs with one and with two, in turn', { fallback: 1 }),
};

const STEP_MS = 300;
const WARM_GAMES = 20;

interface Run {
  readonly gamemasters: number;
  readonly cost: Cost;
}

export const gamemasters = benchmark({
  name: 'gamemasters',
  description: 'the games that one gamemaster plays, and two, each with a share of a processor',
  options,
  async measure(values, context) {
    const obstacle = values.quota > 0 ? await quotaObstacle() : undefined;
    if (obstacle !== undefined) throw new UsageError(obstacle);
    const runs: Run[] = [];
    await withServers(async (urls) => {
      for (let n = 0; n < values.runs; n++)
        for (const count of [1, 2]) {
          context.signal.throwIfAborted();
          const cost = await play(urls, count, values, context);
          runs.push({ gamemasters: count, cost });
          context.say(`${count}: ${cost.over} games in ${cost.seconds.toFixed(0)} s`);
        }
    });
    return { text: textOf(runs, values), json: runs.map(({ cost: { tables: _, ...cost }, ...run }) => ({ ...values, ...run, ...cost })) };
  },
});

function play(urls: ServerUrls, count: number, values: Values<typeof options>, { signal, say }: BenchmarkContext): Promise<Cost> {
  const env = {
    gamemaster: { OBEY_CAPACITY: 'no', OBEY_BACKLOG: 'no' },
    player: { PLAYER_CONCURRENCY: '2000' },
  };
  return withSystem(urls, { replicas: { gamemaster: count }, env }, signal, async (system) => {
    await playLoad(system, { atOnce: 10, games: WARM_GAMES, stepMs: STEP_MS, apartMs: 50 }, signal, { say });
    const isGamemaster = ({ name }: { readonly name: string }): boolean => serviceOf(name) === 'gamemaster';
    const pids = system.running.filter(isGamemaster).flatMap((each) => each.pid() ?? []);
    const quota = values.quota > 0 ? await limitProcessors(pids, values.quota) : undefined;
    try {
      const load = { atOnce: values.tables, games: values.games, stepMs: STEP_MS, apartMs: 20 };
      return await playLoad(system, load, signal, { say, limitMs: values.minutes * 60_000 });
    } finally {
      await quota?.lift();
    }
  });
}

function textOf(runs: readonly Run[], { quota, tables }: Values<typeof options>): string {
  const rows = runs.map(({ gamemasters: count, cost }) => {
    const parts = cost.parts.filter(({ name }) => serviceOf(name) === 'gamemaster');
    const cpu = parts.reduce((sum, part) => sum + part.cpu, 0);
    const cells = [
      count,
      cost.over,
      (cost.over / cost.seconds).toFixed(2),
      (cpu / cost.over).toFixed(3),
      (cost.cpu / cost.over).toFixed(3),
      parts.map(({ share }) => `${(100 * share).toFixed(0)} %`).join(', '),
      `${cost.conflicts} of ${cost.appends}`,
      (cost.acts.p99 * 1_000).toFixed(0),
      parts.map(({ mostMiB }) => mostMiB.toFixed(0)).join(', '),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const limit = quota > 0 ? `each gamemaster with ${quota} of a processor` : 'no limit';
  return [
    `${tables} tables of \`rules\` minds at once, ${limit}.`,
    '',
    '| gamemasters | games | games/s | their processor time a game, s | of all services, s | acts of each | appends in vain | act p99, ms | memory, MiB |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
}

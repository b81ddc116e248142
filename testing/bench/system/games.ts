import { readCliConfig } from '@maw/cli/config.ts';
import { createWebClient } from '@maw/cli/clients/web-client.ts';
import { startDevServers } from '@maw/cli/dev-servers/dev-servers.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';
import type { Figure } from '../figures.ts';
import type { BenchOptions } from '../main.ts';

const SERVICES = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web'];

/** Many games at once with minds that need no model: how fast they end, what they cost, and what each service holds. */
export async function games({ runs, games: count, signal, say }: BenchOptions): Promise<readonly Figure[]> {
  const lane = await startDevServers({});
  try {
    if (lane.amqpUrl === undefined || lane.databaseUrl === undefined) throw new Error(lane.missing.join('\n'));
    const system = await startSystem({
      amqpUrl: lane.amqpUrl,
      databaseUrl: lane.databaseUrl,
      port: 0,
      base: readCliConfig().all,
      env: { player: { PACE_MS: '100', PLAYER_CONCURRENCY: '2000' }, all: { LOG_LEVEL: 'error' } },
      graceMs: 5_000,
      say: () => {},
    });
    try {
      if (!(await system.isOpen(60_000, signal))) throw new Error('the services did not start');
      const rest = await memory(system);
      const rates: number[] = [];
      const cpu: number[] = [];
      const full: Record<string, number[]> = {};
      for (let run = 0; run < runs && !signal.aborted; run++) {
        const before = await seconds(system);
        const start = performance.now();
        const tables = await openAll(system, count, run);
        const busy = await memory(system);
        await Promise.all(tables.map((table) => ended(system, table, signal)));
        const took = (performance.now() - start) / 1000;
        rates.push(count / took);
        cpu.push(((await seconds(system)) - before) / count);
        for (const [name, mib] of busy) (full[name] ??= []).push(mib);
        say(`run ${run + 1}: ${count} games in ${took.toFixed(1)} s`);
      }
      return [
        { what: `games a second, ${count} at once, rules minds, phases of at most 2 s`, unit: 'games/s', runs: rates },
        { what: 'processor time of all services', unit: 's/game', runs: cpu },
        ...SERVICES.flatMap((name) => [
          { what: `memory of ${name} at rest`, unit: 'MiB', runs: [rest.get(name)!] },
          { what: `memory of ${name} with ${count} games`, unit: 'MiB', runs: full[name]! },
        ]),
      ];
    } finally {
      await system.close();
    }
  } finally {
    await lane.close();
  }
}

async function openAll({ url, adminToken }: System, count: number, run: number): Promise<readonly string[]> {
  const at = createWebClient(url, adminToken);
  const tables: string[] = [];
  for (let from = 0; from < count; from += 20) {
    const some = Array.from({ length: Math.min(20, count - from) }, (_, i) =>
      at.open({
        rules: 'maw',
        players: 6,
        seats: Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe: 'rules' })),
        rounds: 1,
        options: { dayMs: 2_000, nightMs: 2_000 },
        seed: `bench ${run} ${from + i}`,
      }),
    );
    tables.push(...(await Promise.all(some)).map(({ table }) => table));
  }
  return tables;
}

async function ended({ url, adminToken }: System, table: string, signal: AbortSignal): Promise<void> {
  const at = createWebClient(url, adminToken);
  while (!signal.aborted && (await at.table(table)).stage !== 'over') await new Promise((resolve) => setTimeout(resolve, 500));
}

async function metric(system: System, name: string, what: string): Promise<number> {
  const text = await (await fetch(`${system.ops.get(name)}/metrics`)).text();
  return Number(new RegExp(`^${what}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
}

const memory = async (system: System): Promise<ReadonlyMap<string, number>> =>
  new Map(
    await Promise.all(
      SERVICES.map(async (name) => [name, (await metric(system, name, 'process_resident_memory_bytes')) / 2 ** 20] as const),
    ),
  );

const seconds = async (system: System): Promise<number> =>
  (await Promise.all(SERVICES.map((name) => metric(system, name, 'process_cpu_seconds_total')))).reduce((sum, n) => sum + n, 0);

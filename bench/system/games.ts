import { createWebClient } from '@maw/cli/clients/web-client.ts';
import type { System } from '@maw/cli/up/system.ts';
import { figuresBenchmark } from '../benchmark.ts';
import { SERVICES, untilOver, withServers, withSystem } from '../system-under-test.ts';

const OPENED_TOGETHER = 20;
const env = { player: { PACE_MS: '100', PLAYER_CONCURRENCY: '2000' } };

/** Many games at once with minds that need no model. */
export const games = figuresBenchmark(
  'games',
  'games a second and memory of each service with many games at once, on RabbitMQ',
  ({ runs, games: count }, { signal, say }) =>
    withServers((urls) =>
      withSystem(urls, { env }, signal, async (system) => {
        const rest = await memory(system);
        const [rates, cpu]: [number[], number[]] = [[], []];
        const full: Record<string, number[]> = {};
        for (let run = 0; run < runs && !signal.aborted; run++) {
          const before = await seconds(system);
          const start = performance.now();
          const tables = await openAll(system, count, run);
          for (const [name, mib] of await memory(system)) (full[name] ??= []).push(mib);
          const client = createWebClient(system.url, system.adminToken);
          await Promise.all(tables.map((table) => untilOver(client, table, signal)));
          const took = (performance.now() - start) / 1000;
          rates.push(count / took);
          cpu.push(((await seconds(system)) - before) / count);
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
      }),
    ),
);

async function openAll({ url, adminToken }: System, count: number, run: number): Promise<readonly string[]> {
  const at = createWebClient(url, adminToken);
  const tables: string[] = [];
  for (let from = 0; from < count; from += OPENED_TOGETHER) {
    const some = Array.from({ length: Math.min(OPENED_TOGETHER, count - from) }, (_, i) =>
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

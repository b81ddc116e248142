/**
 * Plays the game that the page shows to those who have none yet: `npm run demo-game` writes apps/console/demo/game.json. Minds without a model play at a
 * real table; what they believed goes into the file, too.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startInProcessSystem } from '@maw/cli/in-process-system.ts';
import { suspicionsOf } from '@maw/console/inside/suspicions.ts';
import { readWhole } from '@maw/console/inside/thoughts.ts';
import type { Recording, Suspicion } from '@maw/console/recording/recording.ts';
import { createTape } from '@maw/console/time/tape.ts';
import { createClient } from '@maw/api-client/client.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import { root } from '../equipment/source/repository.ts';

const TERMS = { rules: 'werewolf-7', seed: process.argv[2] ?? 'demo', options: { pace: 'machines', hurry: true } };
const STEP_MS = 4_000;

const system = await startInProcessSystem({
  store: memoryStore(),
  port: 0,
  models: { servers: [], model: undefined, sim: { seed: 1 }, says: '' },
  maxWaitMs: 100,
  logLevel: 'error',
});
const { web, adminToken } = system;
const { table } = await web.open({
  ...TERMS,
  seats: Array.from({ length: 7 }, () => ({ kind: 'mind' as const, recipe: 'rules' })),
  spectators: 'narrator',
});
for await (const update of web.follow(table, { as: 'narrator' })) if (update.kind === 'over') break;
const client = createClient({ at: web.at, token: adminToken, retryMs: 1_000 });
const tape = createTape();
for await (const { n, at, event } of web.tape(table, 'narrator')) tape.append({ n, at, event });
const whole = await readWhole(client, table, {});
await system.close();

/** Minds think in milliseconds: here each line takes some seconds, and what is believed is believed after it. */
const times = tape.moments.map(({ seen }) => seen.at);
const shown = (at: number): number => STEP_MS * times.filter((time) => time <= at).length;
const suspicions = suspicionsOf(whole, tape).map((each): Suspicion => ({
  ...each,
  at: shown(each.at),
  of: each.of.map((share) => Math.round(share * 1_000) / 1_000),
}));
const seen = tape.moments.map(({ seen: { n, event } }, i) => ({ n, at: STEP_MS * (i + 1), event }));
const recording: Recording = { name: 'demo', eye: 'narrator', made: 0, seen, suspicions };
await writeFile(join(root, 'apps/console/demo/game.json'), `${JSON.stringify(recording)}\n`);

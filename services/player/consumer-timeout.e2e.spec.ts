import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Bus, Handler } from '@maw/bus/bus.ts';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import {
  dayFor,
  decideMessage,
  type PlayerFixture,
  playerFixture,
  tableMoved,
  talkId,
  until,
  voteId,
} from '@maw/tests/equipment/fakes/player-fixture.ts';
import { type RestartableServer, startBroker, whyNoServers } from '@maw/tests/equipment/servers/restartable-server.ts';

const log = logger('test', { level: 'silent' });

/**
 * After so long the broker of this test takes a message away; RabbitMQ after 30 minutes. The player keeps one for KEPT_MS and a thought, about a
 * second: the rest is how long a busy machine may stand still.
 */
const TIMEOUT_MS = 8_000;
const THOUGHT_MS = 500;
const KEPT_MS = 500;

const why = await whyNoServers();
const there = why ? it.skip : it;

let folder: string;
let broker: RestartableServer | undefined;
let here: PlayerFixture | undefined;
/** How often a decision was begun, and how often while it was going on already. */
let begun = 0;
let begunTwice = 0;
let running = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'maw-timeout-'));
  chmodSync(folder, 0o755); // the broker runs as another user
  mkdirSync(join(folder, 'rabbitmq'));
  const settings = `[{rabbit, [{consumer_timeout, ${TIMEOUT_MS}}, {channel_tick_interval, 500}]}].\n`;
  writeFileSync(join(folder, 'rabbitmq', 'advanced.config'), settings);
  broker = await startBroker(folder);
}, 600_000);
afterAll(async () => {
  await broker?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});
afterEach(() => here?.close());

/** The bus of a service; that of the player counts its decisions. */
const open = async (service: string): Promise<Bus> => {
  const bus = await rabbitBus({ url: broker!.url(), service, retryMs: [10, 10], graceMs: 2_000, log });
  if (service !== 'player') return bus;
  const consume: Bus['consume'] = (queue, types, options, handle) => {
    const counted: Handler<(typeof types)[number]> = async (message, delivery) => {
      begun++;
      if (++running > 1) begunTwice++;
      try {
        return await handle(message, delivery);
      } finally {
        running--;
      }
    };
    return bus.consume(queue, types, options, counted);
  };
  return { ...bus, consume };
};

/** Lets a mind think about one question for twice as long as the broker lets a message be kept. Returns its prompts. */
async function longDecision(keepMessageMs: number) {
  [begun, begunTwice] = [0, 0];
  const fixture = await playerFixture(open);
  here = fixture;
  fixture.script.model = () => sleep(THOUGHT_MS, '{"do":"listen"}');
  await fixture.player({ keepMessageMs, maxWaitMs: 100 });
  const day = dayFor(0);
  const questions = day.questions.map((question) => ({ ...question, until: Date.now() + 24 * 3_600_000 }));
  await fixture.master.publish(decideMessage({ ...day, questions }));
  await until('thoughts for long', () => fixture.heard['llm.complete'].length >= (2 * TIMEOUT_MS) / THOUGHT_MS);
  await fixture.master.publish(tableMoved([voteId, talkId]));
  await until('the end', async () => (await metrics.thinking.get()).values.every(({ value }) => value === 0));
  return fixture.heard['llm.complete'];
}

describe('a decision longer than the consumer timeout of RabbitMQ', () => {
  there(
    'is never taken away, and begins no thought twice',
    async () => {
      const prompts = await longDecision(KEPT_MS);
      expect(begunTwice).toBe(0);
      expect(begun).toBeGreaterThan(3);
      expect(new Set(prompts.map(({ data }) => data.seed)).size).toBe(prompts.length);
      expect(await here!.store.thoughts.recall('t1', 0)).toBeDefined();
    },
    600_000,
  );

  there(
    'would be taken away and begun twice if its message were kept',
    async () => {
      await longDecision(3_600_000);
      expect(begunTwice).toBeGreaterThan(0);
    },
    600_000,
  );
});

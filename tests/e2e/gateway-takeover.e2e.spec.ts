import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { metricValue } from '@maw/bus/suites/metric-value.suite.ts';
import { rabbitBus } from '@maw/bus/rabbitmq/rabbit-bus.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { manualClock } from '@maw/ollama-sim/engine/manual-clock.suite.ts';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { pollUntil } from '@maw/async/poll-until.ts';

const amqpUrl = process.env['AMQP_URL'];
const reason = amqpUrl ? '' : ' (skipped: AMQP_URL is not set)';
const minute = 60_000;
const root = resolve(import.meta.dirname, '../..');
const SLOTS = 4;
const WAITING = 200;

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).toReversed()) await one.close();
});
const keep = <T extends { close(): Promise<unknown> }>(one: T): T => {
  opened.push(one);
  return one;
};

/** A gateway in a process of its own. */
async function gateway(servers: string) {
  const [port] = await freePorts(1);
  const env = {
    ...process.env,
    AMQP_URL: amqpUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    GRACE_MS: '2000',
    LOG_LEVEL: 'warn',
    OLLAMA_URLS: servers,
    AGENT_RPM: '0',
    AGENT_CONCURRENCY: '0',
    CHECK_SLOTS: 'no',
  };
  const child: ChildProcess = spawn(process.execPath, ['--no-warnings', join(root, 'services/llm-gateway/main.ts')], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const exited = once(child, 'exit');
  const isOver = (): boolean => child.exitCode !== null || child.signalCode !== null;
  keep({
    async close() {
      if (!isOver()) child.kill('SIGKILL');
      await exited;
    },
  });
  const at = `http://127.0.0.1:${port}`;
  const isReady = () =>
    fetch(`${at}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await pollUntil('the gateway', () => {
    if (isOver()) throw new Error('the gateway has ended');
    return isReady();
  });
  return {
    /** The sum of a measure of its own over all labels. */
    async measure(name: string): Promise<number> {
      const text = await (await fetch(`${at}/metrics`)).text();
      const values = text.split('\n').filter((line) => line.startsWith(`${name}{`));
      return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
    },
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

(amqpUrl ? describe : describe.skip)(`the gateway that schedules, killed${reason}`, () => {
  it(
    'hands 200 waiting and 4 running requests to the standby; each is answered once',
    async () => {
      // Time stands still at the model until the test says otherwise: whoever has a slot keeps it.
      const clock = manualClock();
      const sim = keep(await startSimulator({ slots: SLOTS, decodeMsPerToken: 1, clock }));
      const servers = `${sim.url}=${SLOTS}`;
      const active = await gateway(servers);
      const standby = await gateway(servers);
      const log = logger('player', { level: 'silent' });
      const asker = keep(await rabbitBus({ url: amqpUrl!, service: 'player', graceMs: 50, resendMs: 10 * minute, log }));
      const heardTwice = () => metricValue(metrics.messagesTaken, { service: 'player', outcome: 'late' });
      const before = await heardTwice();

      const run = crypto.randomUUID();
      const said = (n: number): string => `the answer to ${n}`;
      const answers = Array.from({ length: SLOTS + WAITING }, (_, n) => {
        const table = `table ${n % 20}`;
        const messages = [{ role: 'user' as const, content: `Question ${n}.` }];
        const data = { agent: `${table}:${n % 5}`, messages, format: { const: said(n) }, maxTokens: 64 };
        const about = { id: `${run}/${n}`, source: 'player', subject: table, at: Date.now(), replyBy: Date.now() + 9 * minute };
        return asker.request(contracts.write('llm.complete', data, about));
      });
      let ended = 0;
      for (const one of answers) void one.then(() => ended++);
      await pollUntil('all of them to wait', async () => (await active.measure('maw_completions_waiting')) === WAITING);
      await pollUntil('the first at the model', () => sim.state().models[0]?.busy === SLOTS);
      expect([await standby.measure('maw_completions_waiting'), ended]).toEqual([0, 0]);

      await active.kill();
      await pollUntil('the model to see the connections close', () => sim.state().closes.streaming === SLOTS);
      await pollUntil('the other to have them', async () => (await standby.measure('maw_completions_waiting')) === WAITING);
      expect(ended).toBe(0);
      await pollUntil('all answers', () => {
        clock.advance(100);
        return ended === answers.length;
      });

      const replies = await Promise.all(answers);
      expect(replies.map(({ performative, data }) => [performative, data])).toEqual(
        answers.map((_, n) => ['agree', expect.objectContaining({ content: JSON.stringify(said(n)), attempts: 1, repaired: false })]),
      );
      expect((await heardTwice()) - before).toBe(0);
      // Nothing was asked of the model again but what ran when the gateway died. Each gateway may have loaded the model once.
      const asked = (sim.state().byPath['/api/chat'] ?? 0) - answers.length - SLOTS;
      expect([0, 1, 2]).toContain(asked);
      expect(sim.state().models).toMatchObject([{ busy: 0, waiting: 0 }]);
      expect([await standby.measure('maw_completions_waiting'), await standby.measure('maw_slots_busy')]).toEqual([0, 0]);
    },
    10 * minute,
  );
});

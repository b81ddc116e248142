import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'amqplib';
import { amqpUrl, databaseUrl, openSystem, type Running } from '../equipment/servers/running-system.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { attribute } from '@maw/telemetry/span-names.ts';
import { traceQueries } from '../observability/expressions.ts';
import { finds, readTraceQuery } from '../observability/trace-query.ts';
import { edges, signals, silent } from './expected-traces.ts';
import { type ReceivedSpan, type OtlpReceiver, startOtlpReceiver } from '../equipment/fakes/otlp-receiver.ts';

const MINUTE = 60_000;

/** What boards select of spans. Refusals and failures are left out: a good game may have none. */
const selections = traceQueries.flatMap(({ panel, expr }) => {
  const query = readTraceQuery(expr);
  const failures: readonly string[] = [attribute.reason, attribute.error];
  const selected = query.selected.filter((name) => !failures.includes(name));
  return query.conditions.some(({ field }) => field === 'status') ? [] : [{ panel, query, selected }];
});
const isPossible = amqpUrl !== undefined && databaseUrl !== undefined;

// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = isPossible ? describe : describe.skip;

here(
  `the traces of a game of separate processes, one of which is killed${isPossible ? '' : ' (skipped: AMQP_URL or DATABASE_URL is not set)'}`,
  () => {
    let running: Running;
    let receiver: OtlpReceiver;
    let spans: readonly ReceivedSpan[];
    /** When the player was killed, in nanoseconds since the epoch. */
    let killedAt: bigint;
    const measures = new Map<string, string>();

    beforeAll(async () => {
      receiver = await startOtlpReceiver();
      running = await openSystem({
        // Spans arrive soon, and the model is slow: the player is killed by day, since what is asked by night is not traced.
        'all': {
          OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
          OTEL_BSP_SCHEDULE_DELAY: '200',
          LOG_LEVEL: 'debug',
        },
        'ollama-sim': { SIM_DECODE_MS_PER_TOKEN: '20' },
      });
      const seats = Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe: 'algorithm-1' }));
      const options = { dayMs: 3_600_000 }; // what was seen ends the game, not its clock
      const { table } = await running.door.open({ rules: 'maw', players: 6, seats, rounds: 1, seed: 'trees', options });
      const thinks = async () =>
        /maw_decisions_running\{[^}]*\} [1-9]/.test(await (await fetch(`${running.system.ops.get('player')}/metrics`)).text());
      // An invitation that the killed player had not acknowledged would be taken again, and the sixth join publishes the first questions again.
      const hasJoined = () => receiver.spans().filter(({ name }) => name === 'process events:seat.invited:player').length === 6;
      await pollUntil('a thinking player whose seats have all joined', async () => (hasJoined() && (await thinks()) ? true : undefined), {
        timeoutMs: 600_000,
      });
      const killed = running.pid('player');
      killedAt = BigInt(Date.now()) * 1_000_000n;
      process.kill(killed, 'SIGKILL');
      await pollUntil(
        'another player',
        () => (running.pid('player') !== killed && running.pid('player') !== undefined ? true : undefined),
        { timeoutMs: 600_000 },
      );
      const isSeen = () => {
        const all = receiver.spans();
        return missingEdges(all).length === 0 && takenAgain(all).some(isDecided) && hasActed(all);
      };
      await pollUntil('every edge, and the other player to go on where the first was killed', isSeen, {
        timeoutMs: 600_000,
        lastSeen: () => [missingEdges(receiver.spans()), takenAgain(receiver.spans()).length],
      });
      await running.door.abort(table);
      await sendUnreadable();
      for (const [name, url] of running.system.ops) measures.set(name, await (await fetch(`${url}/metrics`)).text());
      await running.system.close(); // what is left is sent then
      spans = receiver.spans();
    }, 20 * MINUTE);
    afterAll(async () => {
      await running?.close();
      await receiver?.close();
    }, 10 * MINUTE);

    const asked = () =>
      [...Map.groupBy(spans, ({ traceId }) => traceId).values()].filter((trace) => trace.some(({ name }) => name === 'ask seat'));
    const decisionsOf = (trace: readonly ReceivedSpan[]) => new Set(trace.flatMap(({ attributes }) => attributes['maw.decision'] ?? []));

    it('are exactly one tree per decision, of one question', () => {
      const trees = asked();
      expect(trees.length).toBeGreaterThanOrEqual(6); // one for each seat by day; what is asked by night is not traced
      const decisions = trees.flatMap((trace) => {
        const roots = trace.filter(({ parentSpanId }) => parentSpanId === undefined);
        expect(roots.map(({ service, name }) => `${service}: ${name}`)).toEqual(['gamemaster: ask seat']);
        const mine = decisionsOf(trace);
        expect([...mine]).toHaveLength(1);
        return [...mine];
      });
      expect(new Set(decisions).size).toBe(decisions.length);
      for (const { name, traceId } of spans.filter((span) => span.name === 'decide'))
        expect([name, trees.some(([first]) => first!.traceId === traceId)]).toEqual([name, true]);
    });

    it('lose no parent but those that were in the process that was killed', () => {
      const known = new Set(spans.map(({ spanId }) => spanId));
      const orphans = asked().flatMap((trace) =>
        trace.filter(({ parentSpanId }) => parentSpanId !== undefined && !known.has(parentSpanId)),
      );
      const instance = ({ resource }: ReceivedSpan) => resource['service.instance.id'];
      const last = spans.filter(({ service }) => service === 'player').reduce((one, other) => (other.end > one.end ? other : one));
      expect(new Set(spans.filter(({ service }) => service === 'player').map(instance)).size).toBe(2);
      expect(instance(last)).toBeDefined();
      // The player that was killed sent nothing of what it had not ended: what it had ended within that stays, and so do its children elsewhere,
      // which are in traces that had begun by then.
      const early = new Set(spans.filter(({ name, start }) => name === 'ask seat' && start < killedAt).map(({ traceId }) => traceId));
      const strange = orphans.filter((span) =>
        span.service === 'player'
          ? instance(span) === instance(last)
          : !(/^process commands:(llm|table|room)\./.test(span.name) && early.has(span.traceId)),
      );
      expect(strange.map(({ service, name }) => `${service}: ${name}`)).toEqual([]);
    });

    it('continue messages of a killed process in the same tree', () => {
      const again = takenAgain(spans);
      expect(again.length).toBeGreaterThan(0);
      for (const one of again) {
        expect(one.tree.filter(({ name }) => name === 'ask seat')).toHaveLength(1);
        expect(isDecided(one)).toBe(true);
      }
      expect(hasActed(spans)).toBe(true);
    });

    it('have every documented edge between services', () => expect(missingEdges(spans)).toEqual([]));

    it('have the attributes that the boards select', () => {
      expect(selections.length).toBeGreaterThan(2);
      for (const { panel, query, selected } of selections) {
        const known = new Set(spans.flatMap((span) => (finds(query, span) ? Object.keys(span.attributes) : [])));
        expect([panel, [...known]]).toEqual([panel, expect.arrayContaining([...selected])]);
      }
    });

    it('tell no role and no prompt', () => {
      expect(JSON.stringify(spans.map(({ attributes, name }) => ({ attributes, name })))).not.toMatch(/villager|werewolf|"wolf"|You are /i);
    });

    it('are named by the log lines written within them', () => {
      const known = new Set(spans.map(({ traceId }) => traceId));
      expect(lines().length).toBeGreaterThan(0);
      expect(lines().filter(({ trace_id: trace }) => !known.has(trace))).toEqual([]);
      expect(lines().filter(({ span_id: span }) => !/^[\da-f]{16}$/.test(span))).toEqual([]);
    });

    it("continue the sender's trace, also in the log line of a dead letter", () => {
      const ours = new Set(silent.map((_, i) => traceOf(i)));
      const about = lines().filter(({ message, trace_id: trace }) => message === 'message dead-lettered' && ours.has(trace));
      expect(about.map(({ service, trace_id: trace }) => `${service} ${trace}`).toSorted()).toEqual(
        silent.map((service, i) => `${service} ${traceOf(i)}`).toSorted(),
      );
      for (const [i, service] of silent.entries()) {
        const [first, ...others] = spans.filter(({ traceId, parentSpanId }) => traceId === traceOf(i) && parentSpanId === SENDER);
        expect([first?.service, others]).toEqual([service, []]);
        expect(about.find((line) => line.service === service)!.span_id).toBe(first!.spanId);
      }
    });

    it('come with the expected metrics and log lines of each service', () => {
      const gives = { spans: new Set(spans.map(({ service }) => service)), lines: new Set(lines().map(({ service }) => service)) };
      const has = (service: string, signal: 'spans' | 'metrics' | 'lines'): boolean =>
        signal === 'metrics'
          ? new RegExp(`^maw_messages_taken_total\\{service="${service}",.*\\} [1-9]`, 'm').test(measures.get(service) ?? '')
          : gives[signal].has(service);
      expect(
        signals.flatMap(([service, ...wanted]) => wanted.flatMap((signal) => (has(service, signal) ? [] : [`${service}: no ${signal}`]))),
      ).toEqual([]);
      expect([...gives.spans].toSorted()).toEqual(signals.map(([service]) => service).toSorted());
    });

    /** The questions that were sent before the player was killed and taken after it, each with the spans of its trace. */
    function takenAgain(all: readonly ReceivedSpan[]): readonly TakenAgain[] {
      const by = new Map(all.map((span) => [span.spanId, span]));
      const again = all.filter(({ name, start, parentSpanId = '' }) => {
        const sent = name === 'process commands:seat.decide:player' ? by.get(parentSpanId) : undefined;
        return sent !== undefined && sent.end < killedAt && start > killedAt;
      });
      return again.map(({ spanId, traceId }) => ({ spanId, tree: all.filter((span) => span.traceId === traceId) }));
    }

    const isDecided = ({ spanId, tree }: TakenAgain): boolean =>
      tree.filter(({ name, parentSpanId }) => name === 'decide' && parentSpanId === spanId).length === 1;

    /** Whether something that a player sent since the kill has arrived. */
    function hasActed(all: readonly ReceivedSpan[]): boolean {
      const late = all.filter(
        ({ service, name, start }) => service === 'player' && /^publish commands:(table|room)\./.test(name) && start > killedAt,
      );
      const sent = new Set(late.map(({ spanId }) => spanId));
      return all.some(({ name, parentSpanId = '' }) => /^process commands:(table|room)\./.test(name) && sent.has(parentSpanId));
    }

    /** To each of the silent a message that it cannot read, in a trace; and once they have written of it, what they laid aside is taken away. */
    async function sendUnreadable(): Promise<void> {
      const connection = await connect(amqpUrl!);
      try {
        const channel = await connection.createConfirmChannel();
        for (const [i, queue] of silent.entries())
          channel.sendToQueue(queue, Buffer.from('no JSON'), {
            messageId: traceOf(i),
            headers: { traceparent: `00-${traceOf(i)}-${SENDER}-01` },
          });
        await channel.waitForConfirms();
        for (const [i, queue] of silent.entries())
          await pollUntil(
            `a dead letter of ${queue}`,
            async () => {
              const letter = await channel.get(`${queue}.dead`);
              if (!letter || letter.properties.messageId !== traceOf(i)) return undefined;
              channel.ack(letter);
              return true;
            },
            { timeoutMs: 5 * MINUTE },
          );
        await channel.close(); // whatever else was looked at goes back
        await pollUntil(
          'lines about them',
          () => silent.every((service) => lines().some((line) => line.service === service && line.message === 'message dead-lettered')),
          { timeoutMs: 5 * MINUTE },
        );
        // A process sends its spans in their order, and at its end has seconds for what is left: now nothing of the game is.
        await pollUntil(
          'their spans',
          () => silent.every((service, i) => receiver.spans().some((span) => span.service === service && span.traceId === traceOf(i))),
          { timeoutMs: 600_000 },
        );
      } finally {
        await connection.close();
      }
    }

    /** The lines that name a trace. */
    const lines = () =>
      running.log.flatMap((line) => {
        const json = line.slice(Math.max(0, line.indexOf('{')));
        if (!json.includes('"trace_id"')) return [];
        return [
          JSON.parse(json) as { readonly trace_id: string; readonly span_id: string; readonly service: string; readonly message: string },
        ];
      });
  },
);

interface TakenAgain {
  readonly spanId: string;
  readonly tree: readonly ReceivedSpan[];
}

const SENDER = 'ab'.repeat(8);
const traceOf = (i: number): string => `${i + 1}`.padStart(32, '0');

/** The documented edges that these spans do not show. */
function missingEdges(spans: readonly ReceivedSpan[]): readonly string[] {
  const by = new Map(spans.map((span) => [span.spanId, span]));
  const seen = new Set(
    spans.flatMap((span) => {
      const parent = span.parentSpanId === undefined ? undefined : by.get(span.parentSpanId);
      return parent ? [`${shown(parent)} > ${shown(span)}`] : [];
    }),
  );
  return edges.map(({ parent, child }) => `${parent} > ${child}`).filter((edge) => !seen.has(edge));
}

const shown = ({ service, name }: ReceivedSpan): string => `${service}: ${name.replace(/^(act|chat|look|note|remember) .+$/, '$1 *')}`;

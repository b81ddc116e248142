import { afterEach, describe, expect, it } from '@jest/globals';
import { startOtlpReceiver } from '@maw/tests/equipment/fakes/otlp-receiver.ts';
import { type LogOptions, logger } from './log.ts';
import { inSpan } from './spans.ts';
import { untraced } from './trace-context.ts';
import { startTelemetry } from './start.ts';

interface Written {
  readonly [field: string]: unknown;
}

function memoryLog(service: string, options: LogOptions = {}) {
  const lines: string[] = [];
  const log = logger(service, { ...options, destination: { write: (line) => void lines.push(line) } });
  return { log, text: () => lines.join(''), last: () => JSON.parse(lines.at(-1)!) as Written, count: () => lines.length };
}

describe('a log line', () => {
  it('is a JSON object with time, level, service, message and fields', () => {
    const { log, text, last } = memoryLog('player');
    log.info({ table: 't1', seat: 3 }, 'decided');
    expect(text().endsWith('}\n')).toBe(true);
    expect(last()).toEqual({ time: expect.any(String), level: 'info', service: 'player', table: 't1', seat: 3, message: 'decided' });
    expect(new Date(last()['time'] as string).toISOString()).toBe(last()['time']);
  });

  it('is written from its level on', () => {
    const { log, count, last } = memoryLog('player', { level: 'warn' });
    log.info('too quiet');
    expect(count()).toBe(0);
    log.warn('loud enough');
    expect(last()['message']).toBe('loud enough');
  });

  it('has the fields of the parent log', () => {
    const { log, last } = memoryLog('player');
    log.child({ table: 't1' }).child({ seat: 2 }).warn({ attempt: 1 }, 'slow');
    expect(last()).toMatchObject({ service: 'player', table: 't1', seat: 2, attempt: 1, level: 'warn' });
  });

  it('can have a message only', () => {
    const { log, last } = memoryLog('player');
    const { fatal } = log;
    fatal('gone');
    expect(last()).toMatchObject({ level: 'fatal', message: 'gone' });
  });
});

describe('redaction', () => {
  const names = ['role', 'roles', 'card', 'prompt', 'messages', 'text', 'token', 'authorization', 'password', 'key'];

  it.each(names)('removes a field named %s at any depth', (name) => {
    const { log, text, last } = memoryLog('player');
    log.info({ [name]: 'classified', kept: 1, deep: { list: [{ [name]: ['classified'] }] } }, 'here');
    log.child({ [name]: 'classified' }).info({ headers: { [name]: 'classified', [name.toUpperCase()]: 'classified' } }, 'there');
    expect(text()).not.toContain('classified');
    expect(last()['message']).toBe('there');
  });

  it('removes fields by the last word of their name, and no others', () => {
    const { log, last } = memoryLog('player');
    log.info(
      {
        roleCard: 'x',
        db_password: 'x',
        systemPrompt: 'x',
        inputTokens: 7,
        context: 'c',
        messageId: 'm',
        cardinal: 2,
        routingKey: 'r',
        API_KEY: 'x',
        keyFile: 'f',
      },
      'mixed',
    );
    const written = last();
    expect(written).toMatchObject({ inputTokens: 7, context: 'c', messageId: 'm', cardinal: 2, routingKey: 'r', keyFile: 'f' });
    for (const name of ['roleCard', 'db_password', 'systemPrompt', 'API_KEY']) expect(written).not.toHaveProperty(name);
  });

  it('removes credentials in URLs from fields and message', () => {
    const { log, text, last } = memoryLog('player');
    const url = 'amqp://guest:opensesame@broker:5672/maw';
    log.info({ url, brokerUrl: new URL(url), tried: [url], next: 'http://h/watch?id=1&token=opensesame' }, `no way to ${url}`);
    log.info({ odd: 'postgres://me:open@opensesame@db/maw' }, 'odd');
    expect(text()).not.toContain('opensesame');
    expect(text()).toContain('"url":"amqp://broker:5672/maw"');
    expect(last()['odd']).toBe('postgres://db/maw');
  });

  it('removes other fields of errors than name, message, code, stack and cause', () => {
    const { log, text, last } = memoryLog('player');
    const cause = new Error('connect amqp://u:opensesame@h failed');
    const err = Object.assign(new TypeError('cannot be stored', { cause }), {
      code: '23505',
      detail: 'seat 2 is the werewolf',
      query: 'x',
    });
    log.error({ err }, 'failed');
    expect(last()['err']).toMatchObject({ type: 'TypeError', message: 'cannot be stored', code: '23505', cause: { type: 'Error' } });
    expect(text()).not.toMatch(/opensesame|werewolf|"query"/);
    log.error(err);
    expect(last()).toMatchObject({ message: 'cannot be stored', err: { type: 'TypeError' } });
    expect(text()).not.toContain('werewolf');
  });

  it.each([
    ['EPIPE', 'EPIPE'],
    [403, 403],
    [{ seat: 2 }, undefined],
  ])('keeps the code %j of an error as %j', (code, kept) => {
    const { log, last } = memoryLog('player');
    log.error({ err: Object.assign(new Error('no'), { code }) }, 'failed');
    expect(last()).toHaveProperty('err.message', 'no');
    expect((last()['err'] as { code?: unknown }).code).toEqual(kept);
  });
});

describe('unserialisable fields', () => {
  it('do not break the log line', () => {
    const { log, last } = memoryLog('player');
    const round: Record<string, unknown> = { id: 1n, bytes: Buffer.from('abc'), when: new Date(Number.NaN), f: () => 1 };
    round['self'] = round;
    Object.defineProperty(round, 'trap', { enumerable: true, get: () => JSON.parse('{') as unknown });
    log.info({ round, long: 'x'.repeat(100_000) }, 'odd');
    expect(last()['round']).toMatchObject({ id: '1', bytes: '3 bytes', when: 'invalid date', trap: 'unreadable' });
    expect((last()['long'] as string).length).toBeLessThan(5_000);
  });
});

describe('trace ids', () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
  });

  it('are in lines inside a span, also after await, and not outside', async () => {
    const receiver = await startOtlpReceiver();
    opened.push(startTelemetry({ service: 'player', endpoint: receiver.url }), receiver);
    const { log, last } = memoryLog('player');
    await inSpan('player', 'decide', {}, async (span) => {
      const { traceId, spanId } = span.spanContext();
      await new Promise((resolve) => setImmediate(resolve));
      log.info({ seat: 1 }, 'inside');
      expect(traceId).toMatch(/^[0-9a-f]{32}$/);
      expect(last()).toMatchObject({ trace_id: traceId, span_id: spanId, seat: 1 });
      untraced(() => log.info({ seat: 1 }, 'untraced'));
      expect(last()).not.toHaveProperty('trace_id');
    });
    log.info({ seat: 1 }, 'outside');
    expect(last()).not.toHaveProperty('trace_id');
    expect(last()).not.toHaveProperty('span_id');
  });

  it('are missing when nothing is recorded', async () => {
    opened.push(startTelemetry({ service: 'player' }));
    const { log, last } = memoryLog('player');
    await inSpan('player', 'decide', {}, () => log.info('inside'));
    expect(last()).not.toHaveProperty('trace_id');
  });
});

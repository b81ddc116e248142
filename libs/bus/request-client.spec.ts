import { expect, it } from '@jest/globals';
import { memoryBus, memoryHub } from './memory/memory-bus.ts';
import { logger } from '@maw/telemetry/log.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { startTelemetry } from '@maw/telemetry/start.ts';
import { startOtlpReceiver } from '@maw/tests/equipment/fakes/otlp-receiver.ts';
import { requestClient } from './request-client.ts';

it('leaves no trace of an act, at any service', async () => {
  const receiver = await startOtlpReceiver();
  const telemetry = startTelemetry({ service: 'test', endpoint: receiver.url, protocol: 'http/json' });
  const hub = memoryHub();
  const [bus, gamemaster] = [memoryBus({ service: 'aiwolf', hub }), memoryBus({ service: 'gamemaster', hub })];
  await gamemaster.consume('gamemaster', ['table.act'], { concurrency: 1 }, () =>
    inSpan('gamemaster', 'act', {}, async () => ({ performative: 'agree', data: { at: 1 } })),
  );
  const log = logger('aiwolf', { level: 'silent' });
  const ask = requestClient({
    bus,
    service: 'aiwolf',
    now: Date.now,
    log,
    requestMs: 600_000,
    retryMs: 1,
    closing: new AbortController().signal,
  });
  expect(await ask('table.act', 't1', { seat: 1, question: 'round-1/night-1/divine', says: ['seat:2'] })).toEqual({ at: 1 });
  await Promise.all([bus.close(), gamemaster.close()]);
  await telemetry.close();
  expect(receiver.spans()).toEqual([]);
  await receiver.close();
});

it('rejects what breaks the contract instead of trying again', async () => {
  const bus = memoryBus({ service: 'aiwolf', hub: memoryHub() });
  const log = logger('aiwolf', { level: 'silent' });
  const ask = requestClient({
    bus,
    service: 'aiwolf',
    now: Date.now,
    log,
    requestMs: 600_000,
    retryMs: 1,
    closing: new AbortController().signal,
  });
  await expect(ask('table.act', 't1', { seat: 1, question: 'q', says: ['a'.repeat(8001)] })).rejects.toThrow('8000');
  await bus.close();
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KeptProcess } from '@maw/dev-servers/keep-running.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import type { Fault } from './faults.ts';
import type { RestartableServer } from '../servers/restartable-server.ts';
import type { SupervisedSystem } from './supervised-system.ts';
import { type FaultLog, createFaultLog } from './fault-log.ts';

let done: string[];
let starting: PromiseWithResolvers<void>;
let faultLog: FaultLog;

beforeEach(() => {
  done = [];
  starting = Promise.withResolvers();
  starting.promise.catch(() => undefined); // whoever starts the server hears of it
  const noted = (what: string) => () => void done.push(what);
  const proxy = { cut: noted('cut'), block: noted('block'), mend: noted('mend') };
  const server = (name: string): RestartableServer => ({
    url: () => '',
    end: async (how) => void done.push(`${name} ${how}`),
    start: () => starting.promise,
    close: async () => undefined,
  });
  const system = {
    processes: new Map([['web-1', { pid: () => undefined } as KeptProcess]]),
    proxies: new Map([['web to broker', proxy]]),
    retarget: noted('retargeted'),
    killModels: async () => void done.push('lost'),
    startModels: noted('found'),
  } as unknown as SupervisedSystem;
  faultLog = createFaultLog({ system, broker: server('broker'), database: server('database') }, () => undefined, 0);
});

const inject = (...faults: readonly Fault[]) => faultLog.inject(faults, new AbortController().signal);
const cut: Fault = { kind: 'cut', at: 0, ms: 0, proxy: 'web to broker', roll: 1 };

describe('the faultLog', () => {
  it('does each fault at its time, and ends it after its time, others meanwhile', async () => {
    await inject({ kind: 'models', at: 0, ms: 400 }, { ...cut, kind: 'cut-all', at: 50, ms: 100 });
    expect(done).toEqual(['lost', 'block', 'mend', 'found']);
    expect(faultLog.troubles.map(({ services }) => services)).toEqual([['llm-gateway'], ['web']]);
    for (const { from, to } of faultLog.troubles) expect(to).toBeGreaterThan(from);
    expect(faultLog.counts()).toEqual({ 'models': 1, 'cut-all': 1 });
  });

  it('injects no more faults while a server is away', async () => {
    const over = inject({ kind: 'broker', at: 0, ms: 0, how: 'killed' }, cut, { ...cut, at: 1 });
    await pollUntil('the broker to be killed', () => done.length === 1);
    expect(faultLog.troubles).toMatchObject([{ services: undefined, to: Number.POSITIVE_INFINITY }]);
    starting.resolve();
    await over;
    expect(done).toEqual(['broker killed', 'retargeted', 'cut', 'cut']);
    expect(faultLog.outages).toEqual([{ of: 'broker', from: expect.any(Number), to: faultLog.troubles[0]!.to }]);
  });

  it('fails at the end when a server did not return', async () => {
    const over = inject({ kind: 'database', at: 0, ms: 0, how: 'asked' }, cut);
    starting.reject(new Error('it is broken'));
    await expect(over).rejects.toThrow('it is broken');
    expect(done).toEqual(['database asked', 'cut']);
  });

  it('distinguishes the deaths it caused from others', async () => {
    const died = (name: string, how: string) =>
      faultLog.onLine(name, `{"service":"${name}","level":"warn","message":"died (${how}); started again in 100 ms"}`);
    died('web-1', 'exit 1');
    await inject({ kind: 'kill', at: 0, ms: 0, process: 'web-1' });
    died('web-1', 'SIGKILL');
    died('web-2', 'exit 1');
    faultLog.onLine('web-2', '{"service":"web","level":"warn","message":"broker connection lost"}');
    expect(faultLog.deaths).toEqual([
      { process: 'web-1', how: 'exit 1', wasExpected: false },
      { process: 'web-1', how: 'SIGKILL', wasExpected: true },
      { process: 'web-2', how: 'exit 1', wasExpected: false },
    ]);
  });
});

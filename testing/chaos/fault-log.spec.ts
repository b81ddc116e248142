import { beforeEach, describe, expect, it } from '@jest/globals';
import type { KeptProcess } from '@maw/cli/up/keep-running.ts';
import { eventually } from '../../tests/eventually.ts';
import type { Fault } from './fault-schedule.ts';
import type { RestartableServer } from '../servers/restartable-server.ts';
import type { SupervisedSystem } from './supervised-system.ts';
import { type FaultLog, faultLog } from './fault-log.ts';

let done: string[];
let starting: PromiseWithResolvers<void>;
let weather: FaultLog;

beforeEach(() => {
  done = [];
  starting = Promise.withResolvers();
  starting.promise.catch(() => undefined); // whoever starts the server hears of it
  const noted = (what: string) => () => void done.push(what);
  const way = { cut: noted('cut'), block: noted('block'), mend: noted('mend') };
  const server = (name: string): RestartableServer => ({
    url: () => '',
    end: async (how) => void done.push(`${name} ${how}`),
    start: () => starting.promise,
    close: async () => undefined,
  });
  const town = {
    processes: new Map([['web-1', { pid: () => undefined } as KeptProcess]]),
    ways: new Map([['web to broker', way]]),
    moved: noted('moved'),
    loseModels: async () => void done.push('lost'),
    findModels: noted('found'),
  } as unknown as SupervisedSystem;
  weather = faultLog({ town, broker: server('broker'), database: server('database') }, () => undefined, 0);
});

const blow = (...faults: readonly Fault[]) => weather.blow(faults, new AbortController().signal);
const cut: Fault = { kind: 'cut', at: 0, ms: 0, way: 'web to broker', roll: 1 };

describe('the weather', () => {
  it('does each fault at its time, and ends it after its time, others meanwhile', async () => {
    await blow({ kind: 'models', at: 0, ms: 400 }, { ...cut, kind: 'cut-all', at: 50, ms: 100 });
    expect(done).toEqual(['lost', 'block', 'mend', 'found']);
    expect(weather.troubles.map(({ services }) => services)).toEqual([['llm-gateway'], ['web']]);
    for (const { from, to } of weather.troubles) expect(to).toBeGreaterThan(from);
    expect(weather.counts()).toEqual({ 'models': 1, 'cut-all': 1 });
  });

  it('waits for a server that is away before more goes wrong', async () => {
    const over = blow({ kind: 'broker', at: 0, ms: 0, how: 'killed' }, cut, { ...cut, at: 1 });
    await eventually(() => done.length === 1, 'the broker to be killed');
    expect(weather.troubles).toMatchObject([{ services: undefined, to: Number.POSITIVE_INFINITY }]);
    starting.resolve();
    await over;
    expect(done).toEqual(['broker killed', 'moved', 'cut', 'cut']);
  });

  it('fails when a server does not come again, once the rest is done', async () => {
    const over = blow({ kind: 'database', at: 0, ms: 0, how: 'asked' }, cut);
    starting.reject(new Error('it is broken'));
    await expect(over).rejects.toThrow('it is broken');
    expect(done).toEqual(['database asked', 'cut']);
  });

  it('tells deaths that it brought from others', async () => {
    const died = (name: string, how: string) =>
      weather.heard(name, `{"service":"${name}","level":"warn","message":"died (${how}); started again in 100 ms"}`);
    died('web-1', 'exit 1');
    await blow({ kind: 'kill', at: 0, ms: 0, process: 'web-1' });
    died('web-1', 'SIGKILL');
    died('web-2', 'exit 1');
    weather.heard('web-2', '{"service":"web","level":"warn","message":"broker connection lost"}');
    expect(weather.deaths).toEqual([
      { process: 'web-1', how: 'exit 1', wasStruck: false },
      { process: 'web-1', how: 'SIGKILL', wasStruck: true },
      { process: 'web-2', how: 'exit 1', wasStruck: false },
    ]);
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { ask, linesOf, until } from '../http-client.suite.ts';
import { answered, clock, free, MODEL, model, say, sim, start, untilState } from './engine.suite.ts';

afterEach(() => sim.close());

describe('the scheduler', () => {
  it('shares one load among concurrent requests', async () => {
    await start({ loadMs: 1000, slots: 2 });
    const [one, two] = [say('one'), say('two')];
    await until('one loads and one waits', () => model()?.state === 'loading' && sim.state().queued === 1);
    clock.advance(1000);
    for (const sent of [one, two]) expect(linesOf((await sent.seen).text).at(-1)).toMatchObject({ load_duration: 1_000_000_000 });
    expect(sim.state().scheduler.loads).toBe(1);
  });

  it('loads one model at a time', async () => {
    await start({ loadMs: 1000 });
    const one = say('one');
    await until('the first loads', () => model()?.state === 'loading');
    const two = say('two', { model: 'simulated-b' });
    await until('the second waits', () => sim.state().queued === 1);
    expect(model('simulated-b:latest')).toBeUndefined();
    clock.advance(1000);
    await one.seen;
    await untilState('the second loads', (state) => state.state === 'loading', 'simulated-b:latest');
    clock.advance(1000);
    expect(linesOf((await two.seen).text).at(-1)).toMatchObject({ load_duration: 2_000_000_000 });
  });

  it('does not delay requests for a loaded model', async () => {
    await start({
      models: [
        { name: MODEL, loadMs: 0 },
        { name: 'simulated-b', loadMs: 1000 },
      ],
    });
    await say().seen;
    const slow = say('b', { model: 'simulated-b' });
    await untilState('the other loads', (state) => state.state === 'loading', 'simulated-b:latest');
    expect((await say().seen).status).toBe(200);
    slow.leave();
    await free();
  });

  it('aborts a load when its client leaves, and starts over for the next', async () => {
    await start({ loadMs: 1000 });
    const first = say('first');
    await until('it loads', () => model()?.state === 'loading');
    const second = say('second');
    await until('the second waits', () => sim.state().queued === 1);
    clock.advance(900);
    first.leave();
    await until('the load was aborted', () => sim.state().scheduler.loadsAborted === 1);
    await until('it loads again', () => model()?.state === 'loading' && sim.state().queued === 0);
    clock.advance(100);
    await ask(sim.url, '/api/version');
    expect(model()?.state).toBe('loading');
    clock.advance(900);
    expect((await second.seen).status).toBe(200);
    expect(sim.state()).toMatchObject({ closes: { loading: 1 }, scheduler: { loads: 1, loadsAborted: 1 } });
    await free();
  });

  it('removes clients that leave the queue', async () => {
    await start({ loadMs: 1000 });
    const first = say('first');
    await until('it loads', () => model()?.state === 'loading');
    const second = say('second');
    await until('the second waits', () => sim.state().queued === 1);
    second.leave();
    await until('it is gone', () => sim.state().queued === 0 && sim.state().closes.queued === 1);
    clock.advance(1000);
    expect((await first.seen).status).toBe(200);
    await free();
  });

  it('reloads when the context changes, but not for others', async () => {
    await start({ contextLength: 2048 });
    const after = async (options: object): Promise<number> => {
      await say('x', { options }).seen;
      return sim.state().scheduler.loads;
    };
    expect(await after({})).toBe(1);
    expect(await after({ temperature: 1, seed: 4, num_predict: 3 })).toBe(1);
    expect(await after({ num_ctx: 2048 })).toBe(1);
    expect(await after({ num_ctx: 1024 })).toBe(2);
    expect(await after({ num_ctx: 1_000_000 })).toBe(3);
    expect(await after({ num_ctx: 2_000_000 })).toBe(3);
    expect(sim.state().models).toHaveLength(1);
    expect(model()?.numCtx).toBe(32_768);
  });

  it('waits for running requests before it reloads a model', async () => {
    await start({ prefillMsPerToken: 10 });
    const running = say('running');
    await untilState('it runs', (one) => one.busy === 1);
    const other = say('other', { options: { num_ctx: 512 } });
    await until('the other waits', () => sim.state().byPath['/api/chat'] === 2);
    await ask(sim.url, '/api/version');
    expect(model()).toMatchObject({ numCtx: 4096, busy: 1 });
    clock.advance(100);
    await running.seen;
    await untilState('it is loaded anew', (one) => one.numCtx === 512);
    expect(await answered(other)).toMatchObject({ done: true });
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { ask, linesOf, until } from '../http-client.suite.ts';
import { answered, clock, model, say, sim, start, untilState } from './engine.suite.ts';

afterEach(() => sim.close());

describe('loaded models', () => {
  it('unloads after the keep-alive, which every request restarts', async () => {
    await start({ keepAliveMs: 1000 });
    await say().seen;
    clock.advance(900);
    await say().seen;
    clock.advance(900);
    expect(model()?.state).toBe('loaded');
    clock.advance(100);
    await until('it is gone', () => sim.state().models.length === 0);
    expect(sim.state().scheduler.unloads).toBe(1);
  });

  it('does not unload during a request, however long', async () => {
    await start({ keepAliveMs: 1000, decodeMsPerToken: 500 });
    await answered(say());
    const long = say('x', { options: { num_predict: 4 } });
    await untilState('it runs', (one) => one.busy === 1);
    for (let token = 0; token < 4; token++) {
      await until('it waits for a token', () => linesOf(long.body()).length === token && clock.sleepers() > 0);
      clock.advance(500);
    }
    expect(await answered(long)).toMatchObject({ eval_count: 4 });
    expect(sim.state().scheduler).toMatchObject({ loads: 1, unloads: 0 });
  });

  it('keeps a model for ever on request', async () => {
    await start({ keepAliveMs: 1000 });
    await say('x', { keep_alive: -1 }).seen;
    clock.advance(1e12);
    await ask(sim.url, '/api/version');
    expect(model()?.state).toBe('loaded');
  });

  it('blocks /api/ps while a model loads', async () => {
    await start({ loadMs: 1000 });
    const one = say();
    await until('it loads', () => model()?.state === 'loading');
    let isAnswered = false;
    const look = ask(sim.url, '/api/ps').then(() => (isAnswered = true));
    await until('ps has come', () => sim.state().byPath['/api/ps'] === 1);
    await ask(sim.url, '/api/version');
    expect(isAnswered).toBe(false);
    clock.advance(1000);
    await Promise.all([one.seen, look]);
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { ask, linesOf, until } from '../http-client.suite.ts';
import { answered, clock, MODEL, model, say, sim, start, untilState } from './engine.suite.ts';

afterEach(() => sim.close());

describe('loaded models', () => {
  it('evicts the idle model with the shortest keep-alive', async () => {
    await start({ maxLoaded: 2 });
    await say('a', { keep_alive: '10m' }).seen;
    await say('b', { model: 'simulated-b', keep_alive: '2m' }).seen;
    await say('c', { model: 'simulated-c' }).seen;
    expect(sim.state().models.map((one) => one.name)).toEqual([MODEL, 'simulated-c:latest']);
  });

  it('evicts a busy model only when none is idle, once it is done', async () => {
    await start({ maxLoaded: 2, prefillMsPerToken: 10 });
    const busy = [say('a', { keep_alive: '1m' }), say('b', { model: 'simulated-b' })];
    await untilState('a runs', (one) => one.busy === 1);
    await untilState('b runs', (one) => one.busy === 1, 'simulated-b:latest');
    const late = say('c', { model: 'simulated-c' });
    await until('c has come', () => sim.state().byPath['/api/chat'] === 3);
    await ask(sim.url, '/api/version');
    expect(sim.state().models.map((one) => one.name)).toEqual([MODEL, 'simulated-b:latest']);
    for (const sent of [...busy, late]) expect(await answered(sent)).toMatchObject({ done: true });
    expect(sim.state().models.map((one) => one.name)).toEqual(['simulated-b:latest', 'simulated-c:latest']);
  });

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

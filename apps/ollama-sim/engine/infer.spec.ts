import { afterEach, describe, expect, it } from '@jest/globals';
import { ask, probe, until } from '../http-client.suite.ts';
import { answered, clock, free, MODEL, model, NAMES, passUntil, say, sim, start, untilState } from './engine.suite.ts';

afterEach(() => sim.close());

describe('inference for a client that leaves', () => {
  it('leaves the queue for a slot', async () => {
    await start({ prefillMsPerToken: 10 });
    const first = say('first');
    await untilState('the first runs', (one) => one.busy === 1);
    const [second, third] = [say('second'), say('third')];
    await untilState('two wait', (one) => one.waiting === 2);
    second.leave();
    await untilState('one waits', (one) => one.waiting === 1);
    expect(sim.state().closes.waiting).toBe(1);
    expect(await answered(first)).toMatchObject({ done: true });
    expect(await answered(third)).toMatchObject({ done: true });
    await free();
  });

  it('releases its slot at once while its prompt is evaluated', async () => {
    await start({ prefillMsPerToken: 10 });
    const one = say('x'.repeat(400));
    await untilState('it runs', (state) => state.busy === 1);
    one.leave();
    await free();
    expect(sim.state().closes.prefill).toBe(1);
  });

  it('releases its slot at once while decoding, streamed or not', async () => {
    await start({ decodeMsPerToken: 10 });
    for (const stream of [true, false]) {
      const one = say('x', { stream });
      await until('it waits for a token', () => model()?.busy === 1 && clock.sleepers() > 0);
      clock.advance(10);
      if (stream) await one.response;
      one.leave();
      await free();
    }
    expect(sim.state().closes.streaming).toBe(2);
  });

  it('releases the slots of all inputs to embed', async () => {
    await start({ slots: 2, prefillMsPerToken: 10 });
    const one = probe(sim.url, '/api/embed', { model: MODEL, input: ['a', 'b', 'c', 'd'] });
    await untilState('two run and two wait', (state) => state.busy === 2 && state.waiting === 2);
    one.leave();
    await free();
  });

  it('never leaks a slot, whenever it leaves', async () => {
    await start({ slots: 2, loadMs: 20, prefillMsPerToken: 1, decodeMsPerToken: 3, keepAliveMs: 60 });
    for (let turn = 0; turn < 60; turn++) {
      const sent = Array.from({ length: 4 }, (_, at) => say(`${turn} ${at}`, { model: NAMES[(turn + at) % 4], stream: at % 2 === 0 }));
      for (let step = 0; step < turn % 7; step++) {
        clock.advance(7);
        await new Promise((resolve) => setImmediate(resolve));
      }
      for (const [at, one] of sent.entries()) if ((turn + at) % 3 > 0) one.leave();
      let left = sent.length;
      for (const one of sent)
        void one.seen.then(
          () => left--,
          () => left--,
        );
      await passUntil('all are gone or answered', 10, () => left === 0);
    }
    await free();
    expect(sim.state()).toMatchObject({ open: 0, queued: 0 });
  });
});

describe('closing the server', () => {
  it('cuts all connections and is idempotent', async () => {
    await start({ decodeMsPerToken: 10 });
    const one = say();
    await until('it waits for a token', () => clock.sleepers() > 0);
    clock.advance(10);
    await one.response;
    await Promise.all([sim.close(), sim.close()]);
    expect((await one.seen).complete).toBe(false);
    await expect(ask(sim.url, '/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

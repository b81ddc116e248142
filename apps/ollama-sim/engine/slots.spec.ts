import { afterEach, describe, expect, it } from '@jest/globals';
import { linesOf, probe, until, type Probe } from '../http-client.suite.ts';
import { answered, clock, free, MODEL, model, passUntil, say, sim, start, untilState } from './engine.suite.ts';

afterEach(() => sim.close());

describe('the slots of a loaded model', () => {
  it('limit the parallel requests', async () => {
    await start({ slots: 2, prefillMsPerToken: 10 });
    const order: string[] = [];
    const sent: Probe[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      sent.push(say(name, { stream: false }));
      void sent.at(-1)?.seen.then(() => order.push(name));
      await until('it has arrived', () => sim.state().byPath['/api/chat'] === sent.length && (model()?.uses ?? 0) === sent.length);
    }
    expect(model()).toMatchObject({ slots: 2, busy: 2, waiting: 2, uses: 4 });
    await passUntil('all are answered', 10, () => order.length === 4);
    expect(order.slice(0, 2).toSorted()).toEqual(['a', 'b']);
    expect(order.slice(2).toSorted()).toEqual(['c', 'd']);
    await free();
  });

  it('are granted in order of arrival', async () => {
    await start({ slots: 1, prefillMsPerToken: 10 });
    const order: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      const sent = say(name, { stream: false });
      void sent.seen.finally(() => order.push(name));
      await untilState('it has arrived', (one) => one.uses === order.length + 'abcd'.indexOf(name) + 1);
    }
    await passUntil('all are answered', 10, () => order.length === 4);
    expect(order).toEqual(['a', 'b', 'c', 'd']);
  });

  it('count the wait only in total_duration', async () => {
    await start({ slots: 1, prefillMsPerToken: 10 });
    const first = say('first');
    await untilState('the first runs', (one) => one.busy === 1);
    const second = say('second');
    await untilState('the second waits', (one) => one.waiting === 1);
    clock.advance(500);
    await first.seen;
    await untilState('the second runs', (one) => one.waiting === 0 && one.busy === 1);
    clock.advance(40);
    const end = linesOf((await second.seen).text).at(-1);
    expect(end).toMatchObject({ total_duration: 540_000_000, prompt_eval_duration: 40_000_000 });
    expect(end).not.toHaveProperty('load_duration');
  });

  it('decode more slowly the more slots are busy', async () => {
    await start({ slots: 2, decodeMsPerToken: [1, 4] });
    const options = { options: { num_predict: 2 } };
    const alone = await answered(say('alone', options));
    const [one, two] = [say('one', options), say('two', options)];
    await untilState('both run', (state) => state.busy === 2);
    await until('both wait for a token', () => clock.sleepers() >= 2);
    clock.advance(4);
    await until('both wait for another', () => linesOf(one.body()).length === 1 && linesOf(two.body()).length === 1);
    expect(Number(alone['eval_duration'])).toBeLessThanOrEqual(100_000_000);
    clock.advance(4);
    expect((await answered(one))['eval_duration']).toBe(8_000_000);
    await answered(two);
  });

  it('embed each input in its own slot', async () => {
    await start({ slots: 2, prefillMsPerToken: 10 });
    const sent = probe(sim.url, '/api/embed', { model: MODEL, input: ['a', 'b', 'c'] });
    await untilState('two run and one waits', (one) => one.busy === 2 && one.waiting === 1);
    await answered(sent);
    await free();
  });
});

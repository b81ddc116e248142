import { afterEach, describe, expect, it } from '@jest/globals';
import { ask, until } from '../http-client.suite.ts';
import { answered, clock, MODEL, say, sim, start, untilState } from './engine.suite.ts';

afterEach(() => sim.close());

describe('the prompt cache', () => {
  const common = 'x'.repeat(6400);

  it('speeds up a known prefix but counts all prompt tokens', async () => {
    await start({ prefillMsPerToken: 1 });
    const cold = await answered(say(`${common} a`));
    const sent = say(`${common} b`);
    await untilState('it runs', (one) => one.busy === 1);
    clock.advance(1);
    await until('it is still in the prompt', () => clock.sleepers() > 0);
    const warm = await answered(sent);
    expect(cold['prompt_eval_count']).toBe(warm['prompt_eval_count']);
    expect(Number(cold['prompt_eval_duration'])).toBeGreaterThanOrEqual(1_600_000_000);
    expect(Number(warm['prompt_eval_duration'])).toBeLessThan(100_000_000);
  });

  it('prefers the slot with the prefix, else the least recently used', async () => {
    await start({ slots: 2, prefillMsPerToken: 1, promptCacheBytes: 0 });
    const other = 'y'.repeat(6400);
    for (const text of [common, other]) await answered(say(text));
    const spent = async (text: string): Promise<number> => Number((await answered(say(text)))['prompt_eval_duration']);
    expect(await spent(`${other} again`)).toBeLessThan(200_000_000);
    expect(await spent(`${common} again`)).toBeLessThan(200_000_000);
    expect(await spent(`${other} now`)).toBeLessThan(200_000_000);
    expect(await spent('z'.repeat(6400))).toBeGreaterThan(1_000_000_000);
    expect(await spent(`${other} once more`)).toBeLessThan(200_000_000);
    expect(await spent(`${common} once more`)).toBeGreaterThan(1_000_000_000);
  });

  it('saves evicted states in host memory, up to its size', async () => {
    await start({ slots: 1, prefillMsPerToken: 1 });
    for (const text of [common, 'y'.repeat(6400)]) await answered(say(text));
    expect(Number((await answered(say(`${common} again`)))['prompt_eval_duration'])).toBeLessThan(200_000_000);
  });

  it('is lost when the model is unloaded', async () => {
    await start({ prefillMsPerToken: 1 });
    await answered(say(common));
    await ask(sim.url, '/api/chat', { model: MODEL, keep_alive: 0 });
    expect(Number((await answered(say(common)))['prompt_eval_duration'])).toBeGreaterThan(1_000_000_000);
  });
});

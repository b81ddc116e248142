import { describe, expect, it } from '@jest/globals';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import type { WebClient } from '../clients/web-client.ts';
import { openTable } from './open-table.ts';
import type { Game, PlayOptions } from './play-options.ts';

/** The options of the table that is opened, and how often the model was asked. */
async function opened(rules: string, seconds: number, given: Partial<PlayOptions> = {}) {
  const told: { options?: { readonly [name: string]: unknown } } = {};
  let asked = 0;
  const web = {
    rules: async () => ruleSetNamed(rules),
    open: async (terms: typeof told) => (Object.assign(told, terms), { table: 't1' }),
  } as unknown as WebClient;
  const options = { rules, minds: [], agents: [], rounds: 1, option: {}, human: 'Ann', ...given } as unknown as PlayOptions;
  const decisionMs = async () => (asked++, seconds * 1000);
  await openTable({ web, options, isRemote: false, note: () => undefined, decisionMs } as unknown as Game);
  return { options: told.options!, asked };
}

describe('the nights of a table with a person', () => {
  it.each([
    ['maw', { nightMs: 120_000 }],
    ['werewolf-7', { nightMs: 30_000 }],
    ['onuw', { stepMs: 30_000 }],
    ['aiwolf', { wholeNightMs: 90_000, whisperMs: 120_000 }],
  ])('are long enough for a model that needs twenty seconds a decision, in %s', async (rules, nights) => {
    expect((await opened(rules, 20)).options).toMatchObject(nights);
  });

  it('are as usual for a quick model', async () => {
    for (const rules of ['maw', 'werewolf-7', 'onuw', 'aiwolf'])
      expect(Object.keys((await opened(rules, 2)).options).filter((name) => name.endsWith('Ms'))).toEqual([]);
  });

  it('are as they are given, however slow the model is', async () => {
    const { options } = await opened('maw', 20, { option: { nightMs: '5000' } });
    expect(options['nightMs']).toBe('5000');
    expect((await opened('maw', 20, { seconds: 60 })).asked).toBe(0);
    expect((await opened('aiwolf', 20, { option: { nightMs: '5000' } })).options).not.toHaveProperty('wholeNightMs');
  });

  it('are not measured where no person sits', async () => {
    expect(await opened('maw', 20, { human: undefined } as never)).toMatchObject({ asked: 0, options: { pace: 'machines' } });
  });
});

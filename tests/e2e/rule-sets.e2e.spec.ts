import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { amqpUrl, databaseUrl, openSystem, type Running } from '../equipment/servers/running-system.ts';

const minute = 60_000;
const isPossible = amqpUrl !== undefined && databaseUrl !== undefined;

/** Options that make a game short: secret steps last their whole time, whoever has answered. */
const QUICK: { readonly [rules: string]: { readonly players: number; readonly options: { readonly [name: string]: number | string } } } = {
  'maw': { players: 6, options: { dayMs: 8_000, nightMs: 2_000, maxDays: 2 } },
  'werewolf-7': { players: 7, options: { nightMs: 2_000, voteMs: 5_000 } },
  'aiwolf': { players: 5, options: { nightMs: 2_000, whisperMs: 2_000 } },
  'avalon': { players: 5, options: { questMs: 2_000, assassinMs: 2_000 } },
  'onuw': { players: 5, options: { stepMs: 500 } },
};

(isPossible ? describe : describe.skip)('a game of each rule set through separate processes', () => {
  let running: Running;
  /** Played side by side: a game mostly waits. */
  const tables = new Map<string, string>();
  beforeAll(async () => {
    running = await openSystem();
    for (const [rules, { players, options }] of Object.entries(QUICK)) {
      const seats = Array.from({ length: players }, () => ({ kind: 'mind' as const, recipe: 'rules' }));
      tables.set(rules, await running.openWithRoom({ rules, players, seats, rounds: 1, options, seed: 'e2e' }));
    }
  }, 10 * minute);
  afterAll(async () => running?.close(), 10 * minute);

  it('covers the catalogue', () => {
    expect(Object.keys(QUICK).toSorted()).toEqual(catalogue.map(({ name }) => name).toSorted());
  });

  it.each(Object.entries(QUICK))(
    '%s is played to its end by players without a model',
    async (rules, { players }) => {
      const types: string[] = [];
      for await (const update of running.door.follow(tables.get(rules)!, { as: 'narrator' }))
        if (update.kind === 'seen') types.push(update.seen.event.type);
      expect(types.filter((type) => type === 'answered').length).toBeGreaterThanOrEqual(players);
      expect(types.filter((type) => type === 'scored')).toHaveLength(1);
      expect(types).not.toContain('aborted');
    },
    20 * minute,
  );
});

import { describe, expect, it } from '@jest/globals';
import { optionsAtOpening } from '@maw/games/kernel/options.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { maw } from '@maw/games/maw/maw.ts';
import { tableOf } from '../fakes/table.ts';
import { dealt } from '../noninterference/maw-worlds.ts';
import { openTables, tellingOf } from './night-lengths.ts';

const SEEDS = ['a', 'b', 'c'].flatMap((seed) => Array.from({ length: 8 }, () => seed));

describe('the length that a table draws for its nights', () => {
  it.each(['maw', 'aiwolf', 'werewolf-7', 'onuw'])('tells nothing of the deal, in %s', async (rules) => {
    expect(tellingOf(await openTables(rules, SEEDS))).toBeUndefined();
  });

  it('would tell it if it were drawn from the seed of the deal', () => {
    const drawn = (seed: string) => ({
      seed,
      options: optionsAtOpening(maw.options, { pace: 'people' }, (least, most) => least + diceOf(seed, 'night').below(most - least + 1)),
    });
    expect(tellingOf(SEEDS.map(drawn))).toBe('the options of 24 tables follow from their seeds');
  });
});

describe('a night of MAW in two worlds that differ in who are wolves and in what they do', () => {
  const times = (fullNights: boolean) => {
    const options = { nightMs: 37_000, fullNights };
    const worlds = [0, 400].map((from) => dealt((roles) => roles[0] === 'villager' && roles[from ? 5 : 1] === 'wolf', from, options));
    return worlds.map((table, world) => {
      table.wait();
      const from = table.now;
      const pack = (table.state.roles as string[]).flatMap((role, seat) => (role === 'wolf' ? [seat] : []));
      for (const wolf of pack) {
        table.pass(1_000 + 4_000 * world);
        if (table.state.night) table.act(wolf, 'hunt', 'seat:0');
      }
      if (table.state.night) table.wait();
      expect(table.state).toMatchObject({ night: false, dead: [0] });
      return table.now - from;
    });
  };

  it('takes the same time', () => {
    expect(times(true)).toEqual([37_000, 37_000]);
  });

  it('would take another if a vote of the wolves ended it', () => {
    const [one, other] = times(false);
    expect(one).not.toBe(other);
  });

  it('takes as long when the wolves do nothing at all', () => {
    const table = tableOf(maw, { options: { nightMs: 37_000, fullNights: true } });
    table.wait();
    const from = table.now;
    table.wait();
    expect(table.now - from).toBe(37_000);
  });
});

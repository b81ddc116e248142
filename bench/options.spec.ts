import { describe, expect, it } from '@jest/globals';
import { decimal, flag, integer, integers, names, optionsHelp, readOptions, text, UsageError } from './options.ts';

const options = {
  games: integer('games to play', { fallback: 100 }),
  disk: integer('ended tables', { fallback: undefined, min: 0, max: 9 }),
  step: decimal('seconds of a step', { fallback: 0.5, max: 60 }),
  wait: decimal('seconds to wait', { fallback: 1, min: 0 }),
  levels: integers('tables at once', [1, 10]),
  rules: names('rule sets', ['maw', 'onuw']),
  seed: text('the seed', 'bench'),
  once: flag('play once'),
};

describe('options', () => {
  it('have defaults', () => {
    expect(readOptions(options, [])).toEqual({
      games: 100,
      disk: undefined,
      step: 0.5,
      wait: 1,
      levels: [1, 10],
      rules: undefined,
      seed: 'bench',
      once: false,
    });
  });

  it('are read from the arguments', () => {
    const args = '--games 7 --disk=0 --step 60 --wait 0 --levels 3,2 --rules onuw,maw --seed s --once'.split(' ');
    expect(readOptions(options, args)).toEqual({
      games: 7,
      disk: 0,
      step: 60,
      wait: 0,
      levels: [3, 2],
      rules: ['onuw', 'maw'],
      seed: 's',
      once: true,
    });
  });

  it.each([
    ['--games=0', '--games must be a whole number from 1'],
    ['--games=1.5', '--games must be a whole number from 1'],
    ['--games=', '--games must be a whole number from 1'],
    ['--disk=-1', '--disk must be a whole number from 0 to 9'],
    ['--disk=10', '--disk must be a whole number from 0 to 9'],
    ['--step=0', '--step must be a number above 0 to 60'],
    ['--step=61', '--step must be a number above 0 to 60'],
    ['--step=long', '--step must be a number above 0 to 60'],
    ['--wait=-1', '--wait must be a number from 0'],
    ['--levels=1,,3', '--levels must be a whole number from 1'],
    ['--rules=maw,chess', '--rules: there is no "chess"; there are maw, onuw'],
    ['--rules=', '--rules: there is no ""'],
    ['--speed=9', "Unknown option '--speed'"],
  ])('reject %s', (arg, why) => {
    expect(() => readOptions(options, [arg])).toThrow(UsageError);
    expect(() => readOptions(options, [arg])).toThrow(why);
  });

  it('are described with their defaults', () => {
    expect(optionsHelp({ games: options.games, rules: options.rules, once: options.once })).toBe(
      [
        '  --games N            games to play (default: 100)\n',
        '  --rules NAME,...     rule sets: maw, onuw\n',
        '  --once               play once\n',
      ].join(''),
    );
  });
});

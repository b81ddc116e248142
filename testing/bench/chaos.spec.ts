import { describe, expect, it } from '@jest/globals';
import { readChaos, runChaos } from './chaos.ts';

describe('what a storm is asked', () => {
  it('is by itself half an hour of two hundred tables, with two of each service', () => {
    expect(readChaos([])).toEqual({
      seed: 'chaos',
      tables: 200,
      isOngoing: true,
      replicas: 2,
      ms: 1_800_000,
      everyMs: 3_000,
      brokers: 4,
      databases: 4,
      losses: 4,
      lossMs: 30_000,
      json: false,
      log: undefined,
    });
  });

  it('is what the arguments say', () => {
    const args =
      '--minutes 0.5 --tables 12 --once --replicas 3 --every 2 --brokers 1 --databases 0 --losses 2 --loss 5 --seed s --log f --json';
    expect(readChaos(args.split(' '))).toEqual({
      seed: 's',
      tables: 12,
      isOngoing: false,
      replicas: 3,
      ms: 30_000,
      everyMs: 2_000,
      brokers: 1,
      databases: 0,
      losses: 2,
      lossMs: 5_000,
      json: true,
      log: 'f',
    });
    expect(readChaos(['--minutes', '9'])).toMatchObject({ brokers: 1, databases: 1, losses: 1 });
  });

  it.each([
    ['--minutes', '0'],
    ['--minutes', 'long'],
    ['--tables', '0'],
    ['--tables', '1.5'],
    ['--replicas', '0'],
    ['--every', '0'],
    ['--loss', '-1'],
    ['--brokers', '-1'],
    ['--losses', '0.5'],
  ])('is refused when it cannot be: %s %s', async (option, value) => {
    expect(readChaos([`${option}=${value}`])).toMatch(new RegExp(`^${option}: a (whole )?number`));
    expect(await runChaos([`${option}=${value}`], new AbortController().signal)).toBe(2);
  });

  it('is refused when there is no such option', () => {
    expect(readChaos(['--storms', '3'])).toMatch(/--storms/);
  });
});

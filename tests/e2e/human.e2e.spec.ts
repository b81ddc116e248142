import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Terminal, terminal, withLongerPhases } from './terminal.ts';

const root = resolve(import.meta.dirname, '../..');
const minute = 60_000;

describe('a person at a table in one process', () => {
  let folder: string;
  let person: Terminal | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-human-'));
  });
  afterEach(async () => {
    person?.close();
    await person?.exited;
    await rm(folder, { recursive: true, force: true });
  });
  const play = (...more: readonly string[]) =>
    terminal([join(root, 'maw'), 'play', '--human', 'Ann', '--model', 'sim', '--data', folder, ...more], {}, folder);

  /** One day, and a night in which nothing happens. */
  const dayOf = (seconds: number) => ['--seconds', `${seconds}`, '--option', 'nightMs=500', '--option', 'maxDays=1'];

  it(
    'leaves the seat to a mind, takes it back, whispers, and sees the game end',
    () =>
      withLongerPhases(async (factor) => {
        person = play('--minds', 'rules', ...dayOf(12 * factor), '--option', 'whisper=true');
        await person.until(/You may speak in the Village/);
        person.type('\u0004');
        await person.until(/Shall a mind play your seat meanwhile/);
        person.type('y\r');
        await person.until(/A mind plays your seat now/);
        person.type('/back\r');
        await person.until(/You play again/);
        person.type('/who\r');
        await person.until(/Ann \(you\)/);
        const other = /Vote for whom to execute: 1 of ([^,\r\n]+)/.exec(person.shown())![1]!;
        person.type(`/whisper ${other} between you and me\r`);
        await person.until(new RegExp(`\\(whisper\\) Ann: .*between you and me`));
        person.type(`/vote ${other}\r`);
        await person.until(new RegExp(`Ann votes for ${other}`));
        person.type('/vote Nobody Here\r');
        await person.until(/Nobody cannot be chosen: whoever wants nobody chooses nothing/);
        expect(await person.exited).toBe(0);
        expect(person.shown()).toMatch(/(wolves|villagers) win|Nobody wins/);
      }),
    20 * minute,
  );

  it(
    'stops at Ctrl-C, and resumes the seat with the printed command',
    async () => {
      person = play('--minds', 'rules', '--seconds', '60', '--transcript', join(folder, 'first.txt'));
      await person.until(/You may speak in the Village/);
      const [, table] = await person.until(/Table (\S+)\./);
      person.type('\u0003');
      expect(await person.exited).toBe(130);
      expect(person.shown()).toMatch(/Your seat is kept\. Come back with: \.\/maw play --data \S+ --human Ann/);
      person = play('--minds', 'rules', '--transcript', join(folder, 'second.txt'));
      await person.until(new RegExp(`Your seat is kept at table ${table}`));
      await person.until(/You may speak in the Village/);
      person.type('I am here again\r');
      await person.until(/Ann: I am here again/);
      person.type('\u0003');
      expect(await person.exited).toBe(130);
      const [first, second] = await Promise.all(['first.txt', 'second.txt'].map((name) => readFile(join(folder, name), 'utf8')));
      expect(second!.startsWith(first!)).toBe(true);
      expect(second).toContain('\nAnn: I am here again\n');
      expect(second).not.toMatch(/Ann is back|A mind plays|refused/);
    },
    10 * minute,
  );

  it(
    'shares a table with another person who was invited, and neither learns what the other hides',
    () =>
      withLongerPhases(async (factor) => {
        person = play('--lan', '--minds', 'rules', '--players', '4', ...dayOf(15 * factor), '--option', 'whisper=true');
        const [, invitation] = await person.until(/--human NAME --join '([^']+)'/);
        expect(person.shown()).toMatch(/open to your local network, over plain HTTP: who listens there can read/);
        const table = invitation!.replace(/^http:\/\/[^/:]+/, 'http://127.0.0.1');
        const friend = terminal(
          [join(root, 'maw'), 'play', '--human', 'Bob', '--join', table, '--data', join(folder, 'friend')],
          {},
          folder,
        );
        try {
          const both = [person, friend];
          await Promise.all(both.map((one) => one.until(/You may speak in the Village/)));
          const roles = both.map((one) => /Your role: (\w+)\.[^\r\n]*/.exec(one.shown())![0]);
          const mind = /1 of ([^.]*)\. Type/
            .exec(person.shown())![1]!
            .split(', ')
            .find((name) => name !== 'Bob')!;
          person.type(`/whisper ${mind} for your ears only\r`);
          await person.until(/\(whisper\) Ann: .*for your ears only/);
          friend.type('Hello from the other room\r');
          person.type('Hello from this one\r');
          for (const one of both) await Promise.all([one.until(/Bob: Hello from the other room/), one.until(/Ann: Hello from this one/)]);
          person.type(`/vote ${mind}\r`);
          friend.type('/vote Ann\r');
          for (const one of both) await Promise.all([one.until(/Ann votes for/), one.until(/Bob votes for Ann/)]);
          expect(friend.shown()).not.toContain('for your ears only');
          for (const [i, one] of both.entries())
            expect([...one.shown().matchAll(/Your role: [^\r\n]*/g)].every(([text]) => text.startsWith(roles[i]!))).toBe(true);
          await friend.exited;
          expect(friend.shown()).toMatch(/(wolves|villagers) win|Nobody wins/);
        } finally {
          friend.close();
          await friend.exited;
        }
      }),
    20 * minute,
  );

  it(
    'is refused at once with an invalid name',
    async () => {
      const other = terminal([join(root, 'maw'), 'play', '--human', '<b>', '--model', 'sim', '--data', folder], {}, folder);
      expect(await other.exited).toBe(1);
      expect(other.shown()).toMatch(/a name is made of letters, digits/);
    },
    10 * minute,
  );
});

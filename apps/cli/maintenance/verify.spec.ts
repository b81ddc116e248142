import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { InvalidArgumentError } from 'commander';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { runMaw } from '../command.suite.ts';
import { parseDuration } from './maintenance-commands.ts';
import { readHeadsFile } from './verify.ts';

const cwd = temporaryFolder();

const hash = (digit: string) => digit.repeat(64);
const noted = (sequence: number, digit: string) => ({ sequence, hash: hash(digit) });

async function notes(text: string) {
  const file = join(cwd, 'heads.txt');
  await writeFile(file, text);
  return readHeadsFile(file);
}

describe('a time', () => {
  it.each([
    ['90d', 7_776_000_000],
    ['12h', 43_200_000],
    ['30m', 1_800_000],
    ['10s', 10_000],
    ['0s', 0],
  ])('%s is understood', (text, ms) => expect(parseDuration(text)).toBe(ms));

  it.each(['', '90', 'd', '1.5d', '-1d', '1w', '90 d', '1234567d'])('%j is not', (text) =>
    expect(() => parseDuration(text)).toThrow(InvalidArgumentError),
  );
});

describe('the heads file', () => {
  it('is read table by table, as lines or as JSON', async () => {
    const read = await notes(
      [
        `a  3  ${hash('1')}`,
        `a  12  ${hash('2')}`,
        '',
        'b  7  before-the-chain',
        JSON.stringify({ type: 'table', table: 'c', events: 4, head: { sequence: 4, hash: hash('3') }, faults: [] }),
        JSON.stringify({ type: 'table', table: 'd', events: 4, faults: [] }),
        `e\t1\t${hash('4')}`,
        `f  1  ${hash('5')}`,
        JSON.stringify({ type: 'summary', tables: 5 }),
      ].join('\n'),
    );
    expect([...read]).toEqual([
      ['a', [noted(3, '1'), noted(12, '2')]],
      ['c', [noted(4, '3')]],
      ['e', [noted(1, '4')]],
      ['f', [noted(1, '5')]],
    ]);
  });

  it.each([
    ['not a head', /heads\.txt:2: is not a head/],
    [`b  0  ${hash('1')}`, /heads\.txt:2: is not a head/],
    [`b  1  ${hash('1').slice(1)}`, /heads\.txt:2: is not a head/],
    ['{"table":"b","head":{"sequence":1}}', /heads\.txt:2: is not a head/],
    ['{"table":', /heads\.txt:2: is not a head/],
  ])('rejects %j with its line number', async (line, why) => {
    await expect(notes(`a  1  ${hash('1')}\n${line}\n`)).rejects.toThrow(why);
  });

  it('fails when it is missing', async () => {
    await expect(readHeadsFile(join(cwd, 'nowhere'))).rejects.toThrow(/nowhere: cannot be read \(ENOENT\)/);
  });
});

describe('maw verify and maw retention', () => {
  it.each([
    [['verify'], /^maw: name one table, or say --all$/],
    [['verify', 't1', '--all'], /^maw: name one table, or say --all$/],
    [['verify', '--all', '--data', 'nothing'], /^maw: which store\? Set DATABASE_URL, .*\(there is no table in nothing\)$/],
    [['verify', 't1', '--lag', 'soon'], /^error: option '--lag <time>' argument 'soon' is invalid/],
    [['retention', '--data', 'nothing'], /^maw: which store\?/],
    [['retention', '--older', '90'], /^error: option '--older <time>' argument '90' is invalid.*90d/],
  ])('%j explains what is wrong', async (args, why) => {
    const { code, out, lines } = await runMaw(args, { cwd, env: { DATABASE_URL: '' } });
    expect([code, out]).toEqual([1, '']);
    expect(lines[0]).toMatch(why);
  });
});

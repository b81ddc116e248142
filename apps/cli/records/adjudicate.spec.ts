import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GameRecord } from '@maw/games/records/record.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import { replay } from '@maw/games/records/replay.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { runMaw } from '../command.suite.ts';
import { summary } from './summary.ts';

const vote = (seat: number, whom: number, day = 1) => ({ step: `day-${day}/vote`, seat, says: [`seat:${whom}`] });
const won = {
  rules: 'maw',
  options: { maxDays: 1 },
  players: ['Ann', 'Bob', 'Cy', 'Dan'],
  deal: { roles: ['wolf', 'villager', 'villager', 'villager'] },
  acts: [vote(1, 0), vote(2, 0), vote(3, 0)],
};
const drawn = { ...won, acts: [] };
const silent = { ...won, acts: [vote(1, 0), vote(2, 0)] };
const dead = { ...won, options: {}, acts: [vote(1, 2), vote(0, 2), vote(3, 2), vote(2, 0, 2)] };

const cwd = temporaryFolder();
const put = (name: string, value: unknown) =>
  writeFileSync(join(cwd, name), typeof value === 'string' ? value : `${JSON.stringify(value, undefined, 2)}\n`);
const maw = (args: readonly string[], input?: string) =>
  runMaw(['adjudicate', ...args], { cwd, ...(input === undefined ? {} : { input }) });
/** What adjudicating prints for a record, without the command. */
const printed = (record: string, value: unknown, how: { strict?: boolean } = {}) => ({ record, ...replay(readRecord(value), how) });
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

beforeAll(() => {
  put('won.json', won);
  put('drawn.json', drawn);
  put('silent.json', silent);
  put('dead.json', dead);
});

describe('maw adjudicate', () => {
  it('prints only one JSON object for a consistent record', async () => {
    const { code, out, err } = await maw(['won.json']);
    expect([code, err]).toEqual([0, '']);
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(JSON.parse(out)).toEqual(asJson(printed('won.json', won)));
    expect(JSON.parse(out)).toMatchObject({ fits: true, result: { winner: 'villagers', winners: [1, 2, 3] } });
  });

  it('reports the refused act of a dead seat as inconsistent', async () => {
    const { code, out, lines } = await maw(['dead.json']);
    expect(code).toBe(1);
    expect(lines).toEqual(['maw: dead.json: acts[3]: seat 2, day-2/vote: dead: seat 2 is dead, and may watch, not act']);
    expect(JSON.parse(out)).toMatchObject({ fits: false, refused: [{ act: 3, seat: 2, reason: 'dead' }] });
  });

  it('reports the mistake in every bad file on stderr, and prints nothing for it', async () => {
    mkdirSync(join(cwd, 'folder'));
    put('fields.json', { rules: 'maw', deal: {} });
    put('rules.json', { ...won, rules: 'chess' });
    put('option.json', { ...won, options: { maxDays: 0 } });
    put('players.json', { ...won, players: ['A', 'B'], deal: {}, acts: [] });
    put('seat.json', { ...won, acts: [vote(1, 0), vote(4, 0)] });
    put('deal.json', { ...won, deal: { roles: ['wolf', 'wolf', 'villager', 'villager'] } });
    put('text.json', 'Dear diary,\nthe wolves won.\n');
    put('cut.json', JSON.stringify(won, undefined, 2).slice(0, -20));
    put('list.json', [won]);
    put('forged.json', { ...won, players: 'A\u001b[2J\u0085\nmaw: all is well' });
    put('empty.json', '');
    put('blank.json', ' \n\n');
    const bad = ['fields', 'rules', 'option', 'players', 'seat', 'deal', 'text', 'cut', 'list', 'forged', 'empty', 'blank', 'nowhere'];
    const { code, out, lines } = await maw([...bad.map((name) => `${name}.json`), 'folder']);
    expect([code, out]).toEqual([1, '']);
    expect(lines).toEqual([
      'maw: fields.json: players: is missing; a list of names, one for each seat',
      'maw: fields.json: acts: is missing; a list such as [{"step": "day-1/vote", "seat": 0, "says": ["seat:3"]}]; it may be empty',
      expect.stringMatching(/^maw: rules\.json: rules: there is no rule set "chess"; there are maw, /),
      'maw: option.json: options.maxDays: 0 is not a whole number from 1 to 1000; it is after this many days and nights the round is a draw',
      'maw: players.json: players: there are 2; maw is played by 3 to 20',
      'maw: seat.json: acts[1].seat: 4 is no seat; seats are 0 to 3',
      'maw: deal.json: deal.roles: missing: villager; too many: wolf; it is wolf, 3 villager, in some order',
      expect.stringMatching(/^maw: text\.json: is not JSON: .*; a record is one JSON object, or one on each line$/),
      expect.stringMatching(/^maw: cut\.json: is not JSON: .* \(line \d+ column \d+\); a record is one JSON object, or one on each line$/),
      'maw: list.json: record: a list is no record; a record is an object with rules, players and acts',
      expect.stringMatching(/^maw: forged\.json: players: "[ -~]*" is no list; a list of names, one for each seat$/),
      'maw: empty.json: is empty; a record is a JSON object',
      'maw: blank.json: is empty; a record is a JSON object',
      'maw: nowhere.json: there is no such file',
      'maw: folder: is a folder; name the files in it',
    ]);
  });

  it('truncates each line to 1000 characters', async () => {
    put('long.json', { ...won, acts: [{ step: 'x'.repeat(100_000), seat: 0, says: ['y'] }] });
    const { code, lines } = await maw(['long.json']);
    expect([code, lines.map(({ length }) => length)]).toEqual([1, [1000]]);
  });

  it.each(['seat.json', 'nowhere.json', 'folder'])('ends with 1 for %s alone', async (name) => {
    const { code, out, lines } = await maw([name]);
    expect([code, out, lines.length]).toEqual([1, '', 1]);
  });

  it('processes the remaining files after a bad one', async () => {
    const { code, out, lines } = await maw(['won.json', 'seat.json', 'drawn.json']);
    expect(code).toBe(1);
    expect(lines).toEqual(['maw: seat.json: acts[1].seat: 4 is no seat; seats are 0 to 3']);
    expect(
      out
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(asJson([printed('won.json', won), printed('drawn.json', drawn)]));
  });

  it('reads JSON lines, and names the line', async () => {
    put('games.jsonl', `${JSON.stringify(won)}\n\n{"rules":\n${JSON.stringify({ ...won, rules: 'chess' })}\r\n${JSON.stringify(drawn)}`);
    put('games.txt', `\ufeff${JSON.stringify(drawn)}\n${JSON.stringify(dead)}\n`);
    const { code, out, lines } = await maw(['games.jsonl', 'games.txt']);
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^maw: games\.jsonl:3: is not JSON: [^(]*; a record is one JSON object, or one on each line$/),
      expect.stringMatching(/^maw: games\.jsonl:4: rules: there is no rule set "chess"; /),
      'maw: games.txt:2: acts[3]: seat 2, day-2/vote: dead: seat 2 is dead, and may watch, not act',
    ]);
    const records = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { record: string }).record);
    expect(records).toEqual(['games.jsonl:1', 'games.jsonl:5', 'games.txt:1', 'games.txt:2']);
  });

  it('reads standard input once', async () => {
    const { code, out, lines } = await maw(['-', '-'], JSON.stringify(won));
    expect(code).toBe(1);
    expect(lines).toEqual(['maw: stdin: has been read already; name - once']);
    expect(JSON.parse(out)).toEqual(asJson(printed('stdin', won)));
  });

  it('--strict rejects silence; --pretty indents the output', async () => {
    const { code, out, lines } = await maw(['silent.json', '--strict', '--pretty']);
    expect(code).toBe(1);
    expect(lines).toEqual([
      'maw: silent.json: day-1/vote: seats 0, 3 gave no answer; read strictly, every seat that has to choose has an act',
    ]);
    expect(out).toBe(`${JSON.stringify(printed('silent.json', silent, { strict: true }), undefined, 2)}\n`);
    expect((await maw(['won.json', '--strict'])).code).toBe(0); // a majority has settled the vote
  });

  it('needs a file', async () => {
    const { code, out, err } = await maw([]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain("missing required argument 'file'");
  });
});

describe('the summary for a terminal', () => {
  const bare = (_: unknown, text: string) => text;
  const said = (value: object, how = {}) => summary('game.json', replay(readRecord(value) satisfies GameRecord, how), bare);

  it('shows winners, seats and choices', () => {
    expect(said(won)).toBe(
      [
        'game.json: maw 1, 4 players',
        'Winner: villagers (Bob, Cy, Dan)',
        '',
        '  seat  name  role      alive  points',
        '  0     Ann   wolf      no     0',
        '  1     Bob   villager  yes    3',
        '  2     Cy    villager  yes    3',
        '  3     Dan   villager  yes    3',
        '',
        'Votes and other choices',
        '  day-1/vote  Ann 3  Bob: Ann, Cy: Ann, Dan: Ann',
        '',
        'The record fits the rules.',
      ].join('\n'),
    );
  });

  it('shows dice, refusals and mistakes', () => {
    const text = said({ ...dead, deal: undefined, expect: { winner: 'cats' } });
    expect(text).toMatch(/Rolled, because the record leaves it out\n {2}deal {2}roles {2}(wolf|villager)(, (wolf|villager)){3}\n/);
    expect(text).toMatch(/Refused\n {2}acts\[3\] {2}Cy {2}day-2\/vote {2}dead: seat 2 is dead/);
    expect(text).toMatch(/Mistakes\n {2}expect\.winner {2}it is not "cats"; the game came out with/);
    expect(text).toMatch(/The record does not fit the rules\.$/);
    expect(said({ ...won, acts: [] })).toContain('Nobody wins.');
    expect(said(silent)).toContain('2 answers are missing; a default counts for each, or nothing.');
  });

  it('strips control characters', () => {
    const text = said({ ...won, acts: [{ step: 'day-1/\u001b[2Jvote', seat: 0, says: ['\u0007'] }] });
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  });
});

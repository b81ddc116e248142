import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type RatingReport } from '@maw/lab/ratings/report.ts';
import type { GameResult } from '@maw/lab/ratings/result.ts';
import { syntheticContest } from '@maw/lab/ratings/synthetic-contest.suite.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { runMaw } from '../command.suite.ts';

const folder = temporaryFolder();

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
const rate = (...args: string[]) => runMaw(['rate', '--bootstrap', '100', ...args], { cwd: folder });
const reportOf = async (...args: string[]) => JSON.parse((await rate('--json', ...args)).out) as RatingReport & { type: string };

const HEADER = 'game,deal,rules,agent,seat,role,side,won,points,winner';
const csvOf = (games: readonly GameResult[]): string =>
  [
    HEADER,
    ...games.flatMap(({ id, deal, rules, winner, seats }) =>
      seats.map(({ agent, seat, role, side, won, points }) => [id, deal, rules, agent, seat, role, side, won, points, winner].join(',')),
    ),
  ].join('\n');

const { games } = syntheticContest({ seed: 'rate', agents: 7, deals: 12, spread: 0.8 });
const csv = 'games.csv';
beforeAll(() => void write(csv, csvOf(games)));

/** Deals in which two agents change sides; `winner` says which side wins a game. */
const duel = (id: number, village: string, wolves: string, winner: string): string[] =>
  [village, wolves].map((agent, seat) => {
    const side = seat ? 'wolves' : 'village';
    return [id, id >> 1, 'duel', agent, side, side, side === winner, winner].join(',');
  });
const duels = (count: number, winner: (i: number) => string, [one, other]: readonly [string, string] = ['y', 'x'], from = 0): string[] =>
  Array.from({ length: count }, (_, i) => duel(from + i, ...(i % 2 ? ([other, one] as const) : ([one, other] as const)), winner(i))).flat();
const inFile = (...rows: string[]): string => ['game,deal,rules,agent,role,side,won,winner', ...rows].join('\r\n');

describe('maw rate', () => {
  it('prints the same report for CSV and JSON lines, in any order of games', async () => {
    const lines = write(
      'games.jsonl',
      games
        .toReversed()
        .map((game) => JSON.stringify(game))
        .join('\n\n'),
    );
    const [one, other] = await Promise.all([reportOf(csv), reportOf(lines)]);
    expect(one).toMatchObject({ type: 'ratings', games: games.length, rules: ['five', 'seven'], ranking: { deals: 12, draws: 100 } });
    expect(other).toEqual(one);
    expect((await reportOf(csv, '--seed', 'other')).ranking.agents[0]!.strength).not.toEqual(one.ranking.agents[0]!.strength);
  });

  it('prints tables of strengths, rates, tests and pairs, with what to beware of', async () => {
    const { out, code } = await rate(csv);
    expect(code).toBe(0);
    expect(out).toMatch(/^72 games, 12 deals, five, seven; 100 resamplings, seed 0\n/);
    expect(out).toMatch(
      /\n {2}agent +rank +95 % +Elo +95 % +win rate % +95 % +games +points\n {2}a\d +1 +1 to [1-7] +\+\d+ +[+-]?\d+ to \+\d+ /,
    );
    expect(out).toMatch(/\n {2}seven +wolves +\d+\.\d +\d+\.\d to \d+\.\d\n/);
    expect(out).toMatch(/\n {2}seven +agents by seat +\d+\.\d\d +36 +\d?\.\d{4}\n/);
    expect(out.match(/^ {2}a\d +a\d +[+-]?\d+ /gm)).toHaveLength(21);
    expect(out).toContain('Only 12 deals: intervals of strength need 20 or more');
    expect(out).not.toMatch(/undefined|NaN|Infinity|Sequential|otherwise/);
    const crossed = write('crossed.csv', inFile(...duels(2, () => 'village')).replace(',true,', ',false,'));
    expect((await rate(crossed)).out).toContain('In 1 game a seat won or lost otherwise than its side');
  });

  it('takes two agents without seats and points, and tests them in sequence', async () => {
    const file = write('duels.csv', `\uFEFF${inFile(...duels(600, (i) => (i % 6 < 4 === i % 2 > 0 ? 'village' : 'wolves')))}\r\n`);
    const { headToHead, bias, ranking } = await reportOf(file);
    expect(headToHead).toMatchObject({ one: 'x', other: 'y', pairs: 300, gamesPerPair: 2, evidence: { accepted: 'elo1' } });
    expect(bias.map(({ test }) => test)).toEqual(['agents by role']);
    expect(ranking.agents.map(({ agent, rankHigh }) => [agent, rankHigh])).toEqual([
      ['x', 1],
      ['y', 2],
    ]);
    const { out } = await rate(file);
    expect(out).toMatch(/^ {2}x: normalised Elo \d+\.\d \(\d+\.\d to \d+\.\d\), likelihood of superiority 100\.0 %$/m);
    expect(out).toContain('stop: x is the better by 30 or more');
    expect(out).toContain('no column "seat"');
    expect(out).not.toContain('points');
    expect((await rate(file, '--elo', '-50,500')).out).toContain('stop: x is better by -50 at most');
  });

  it('rates games that order their players, with ties, as JSON lines too', async () => {
    // By hand: in the model of Plackett and Luce agents of weights 4, 2 and 1 come out in the orders abc, acb, bac, bca, cab, cba as
    // 40, 20, 24, 6, 10 and 5 of 105 times, so their strengths are log 2, 0 and -log 2: 120 Elo apart.
    const orders = Object.entries({ abc: 400, acb: 200, bac: 240, bca: 60, cab: 100, cba: 50 }).flatMap(([order, times]) => Array.from({ length: times }, () => [...order])); // prettier-ignore
    const rows = orders.flatMap((order, i) => order.map((agent, place) => `${i},${agent},${place + 1}`));
    const file = write('ranks.csv', ['game,agent,rank', ...rows].join('\n'));
    const { ranking, rates, bias, pairs } = await reportOf(file);
    const elos = ranking.agents.map(({ agent, strength }) => [agent, (strength.value * 400) / Math.LN10] as const);
    expect(elos.map(([agent]) => agent)).toEqual(['a', 'b', 'c']);
    for (const [i, wanted] of [120.4, 0, -120.4].entries()) expect(Math.abs(elos[i]![1] - wanted)).toBeLessThan(0.5);
    expect(rates.map(({ agent, wins }) => [agent, wins])).toEqual([['a', 600], ['b', 300], ['c', 150]]); // prettier-ignore
    expect([ranking.shares, bias.map(({ test }) => test), pairs.map(({ rates: compared }) => compared)]).toEqual([[], ['agents by role'], [undefined, undefined, undefined]]); // prettier-ignore
    const lines = orders.map((order, i) =>
      JSON.stringify({ id: String(i), seats: order.map((agent, place) => ({ agent, rank: place + 1 })) }),
    );
    const jsonl = await reportOf(write('ranks.jsonl', lines.join('\n')));
    expect(jsonl.ranking).toEqual(ranking);
    const text = (await rate(file)).out;
    expect(text).not.toMatch(/NaN|How often a side wins/);
    // Two games of a deal: a leaves one of two behind and ties with the other, then leaves both behind.
    const tied = write('tied.csv', 'game,deal,agent,rank\n1,1,a,1\n1,1,b,1\n1,1,c,3\n2,1,a,1\n2,1,b,2\n2,1,c,3');
    const found = (await reportOf(tied)).pairs.map(({ one, other, rates: compared }) => [one, other, compared?.difference]);
    expect(found).toEqual([['a', 'b', 0.25], ['a', 'c', 0.875], ['b', 'c', 0.625]]); // prettier-ignore
  });

  it.each([
    ['game,agent,rank\n1,a,0\n1,b,2', 'bad.csv:2: rank is "0": expected a whole number from 1'],
    ['game,agent,rank\n1,a,first\n1,b,2', 'bad.csv:2: rank is "first": expected a whole number from 1'],
    ['game,agent,rank\n1,a,\n1,b,2', 'bad.csv:2: rank is empty'],
    ['game,rank\n1,1', 'bad.csv:1: there is no column "agent"; the header is game,rank. Needed are game, rules'],
    ['game,agent,rank,rank\n1,a,1,1', 'bad.csv:1: there are two columns "rank"'],
  ])('refuses ranks %j', async (text, message) => {
    const { err, out, code } = await rate(write('bad.csv', text));
    expect([err, out, code]).toEqual([expect.stringMatching(/^[^\n]+\n$/), '', 1]);
    expect(err).toContain(`maw: ${message}`);
  });

  it('says that the same agents in every game leave strength open, and what cannot be compared', async () => {
    const five = syntheticContest({ seed: 'set', agents: 5, deals: 40, spread: 0.5 }).games.filter(({ rules }) => rules === 'five');
    expect((await rate(write('set.csv', csvOf(five)))).out).toContain('The same agents sat in every game');
    const apart = five.map((game) => ({
      ...game,
      id: `o${game.id}`,
      rules: 'other',
      seats: game.seats.map((seat) => ({ ...seat, agent: `o${seat.agent}` })),
    }));
    expect((await rate(write('apart.csv', csvOf([...five, ...apart])))).out).toContain('a0, a1, a2, a3, a4 | oa0, oa1, oa2, oa3, oa4');
  });

  it('rates groups that never met for themselves, in the same rule set too', async () => {
    const strong = (first: string) => (i: number) => ((i % 2 ? 'wolves' : 'village') === 'village') === (first < 'm') ? 'village' : 'wolves'; // prettier-ignore
    const file = write('groups.csv', inFile(...duels(40, strong('a'), ['a', 'b']), ...duels(40, strong('z'), ['c', 'd'], 100)));
    const { out } = await rate(file);
    expect(out).toMatch(/^These groups of agents never met, so each is rated for itself: a, b \| c, d\n40 games, 20 deals, duel;/);
    expect(out.match(/^ {2}[ad] +1 +1 to 1 /gm)).toHaveLength(2); // a first in each, with a rank of its group
    expect(out).not.toMatch(/^ {2}a +[cd] /m);
    const lines = (await rate('--json', file)).out
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as RatingReport);
    expect(lines.map(({ games: n, rates }) => [n, ...rates.map(({ agent }) => agent)])).toEqual([[40, 'a', 'b'], [40, 'c', 'd']]); // prettier-ignore
    // With one game between them they are one list.
    const met = write('met.csv', inFile(...duels(40, strong('a'), ['a', 'b']), ...duels(40, strong('z'), ['c', 'd'], 100), ...duels(2, () => 'village', ['a', 'c'], 200))); // prettier-ignore
    expect((await rate(met)).out).toMatch(/^82 games/);
  });

  it('tells no difference of agents that did not hold the same places, and is finite at wide bounds', async () => {
    // a is the village in all games, and wins them: nobody knows whether that is a or the village.
    const uneven = await rate(write('uneven.csv', inFile(...duels(40, () => 'village', ['a', 'b']).filter((line) => !/^\d*[13579],/.test(line))))); // prettier-ignore
    expect(uneven.out).toMatch(/^ {2}\w +\w +[+-]?\d+ +.* +not in the same places +0 *$/m);
    expect(uneven.out).toContain('never met and held the same places in a deal: there is nothing to test');
    // a met b, and b met c: a and c are compared over b.
    const over = await rate(write('over.csv', inFile(...duels(8, (i) => (i % 4 ? 'wolves' : 'village'), ['a', 'b']), ...duels(8, (i) => (i % 4 ? 'wolves' : 'village'), ['b', 'c'], 8)))); // prettier-ignore
    expect(over.out).toMatch(/^ {2}(a +c|c +a) .* never met +0 *$/m);
    expect(over.out.match(/never met/g)).toHaveLength(1);
    const won = write('won.csv', inFile(...duels(100, (i) => (i % 2 ? 'wolves' : 'village'), ['a', 'b'])));
    for (const elo of ['0,300', '-300,0', '-1000,1000', '400,1000']) {
      const { out } = await rate(won, `--elo=${elo}`);
      expect(out).toMatch(/log-likelihood ratio \d+\.\d{3}, .*: stop: a is the better/);
      expect(out).not.toContain('NaN');
    }
    const few = await rate(write('few.csv', inFile(...duels(10, (i) => (i % 2 ? 'wolves' : 'village'), ['a', 'b']))));
    expect(few.out).toContain('With 5 deals no p under 0.05 is possible: the least that there can be is 0.0625.');
  });

  const row = '1,1,r,a,0,v,village,true,1,village';
  it.each([
    ['', 'bad.csv is empty: the first line must be a header'],
    [HEADER, 'bad.csv has no games'],
    ['game;agent', 'bad.csv:1: there is no column "rules", "role"'],
    ['game agent', 'bad.csv:1: there is no column "game", "rules", "agent"'],
    [`${HEADER},won`, 'bad.csv:1: there are two columns "won"'],
    [`${HEADER}\n${row.replace(',1,village', ',NaN,village')}`, 'bad.csv:2: points is "NaN": expected a number'],
    [`${HEADER}\n${row.replace('a,0', 'a,-1')}`, 'bad.csv:2: seat is "-1": expected a whole number from 0'],
    [`${HEADER}\n${row.replace('true', 'maybe')}`, 'bad.csv:2: won is "maybe": expected true or false'],
    [`${HEADER}\n${row.replace(',a,', ',,')}`, 'bad.csv:2: agent is empty'],
    [`${HEADER}\n\n${row}\n1,1`, 'bad.csv:4: the row has 2 cells'],
    [`${HEADER}\n"${row}`, 'bad.csv:2: a quotation mark is not closed'],
    [`${HEADER}\n${row}\n${row}`, 'bad.csv:2: game "1" has seat 0 twice'],
    [`${HEADER}\n${row}\n${row.replace('1,1,r', '2,1,r')}\n${row}`, 'bad.csv:4: there is another game "1" at line 2'],
    [`${HEADER}\n${row}\n${row.replace(',r,', ',s,')}`, 'bad.csv:3: game "1" has rules "s" here and "r" at line 2'],
    [`${HEADER}\n${row.replace(/village$/, 'Village')}`, 'bad.csv:2: game "1" was won by "Village", which is none of its sides (village)'],
    [`${HEADER}\n${row}`, 'bad.csv has only one agent, "a"'],
  ])('refuses %j', async (text, message) => {
    const { err, out, code } = await rate(write('bad.csv', text));
    expect(err).toContain(`maw: ${message}`);
    expect(err.trim()).not.toContain('\n');
    expect([out, code]).toEqual(['', 1]);
  });

  it('refuses JSON lines that are no games, other files and wrong options', async () => {
    const [game] = games;
    const bad = { ...game, seats: [{ ...game!.seats[0], won: 'yes' }] };
    const wrong = async (...args: string[]) => (await rate(...args)).lines[0];
    expect(await wrong(write('bad.jsonl', `${JSON.stringify(game)}\n${JSON.stringify(bad)}`))).toMatch(
      /^maw: bad.jsonl:2 is no game .*: seats\[0\]\.won: expected boolean, received string$/,
    );
    expect(await wrong(write('bad.jsonl', '{nope'))).toBe('maw: bad.jsonl:1 is no JSON: write each game as one line');
    expect(await wrong(write('bad.jsonl', ''))).toContain('bad.jsonl is empty');
    expect(await wrong('absent.csv')).toBe('maw: absent.csv: there is no such file');
    expect(await wrong('games.txt')).toContain('the name must end with .csv');
    expect(await wrong(csv, '--elo', '30,0')).toContain('the lower first');
    expect(await wrong(csv, '--bootstrap', '1')).toContain('from 100 to 100000');
  });

  it('stops when it is interrupted, without a report', async () => {
    const stopped = AbortSignal.abort();
    expect(await runMaw(['rate', csv], { cwd: folder, signal: stopped })).toMatchObject({ code: 130, out: '', err: '' });
  });
});

describe('a CSV file of results', () => {
  it.each([
    ['semicolons', (text: string) => Buffer.from(text.replaceAll(',', ';'))],
    ['tabs', (text: string) => Buffer.from(text.replaceAll(',', '\t'))],
    ['a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16, as spreadsheets write it', (text: string) => Buffer.from(`\ufeff${text.replaceAll(',', '\t')}`, 'utf16le')],
    ['semicolons in a cell', (text: string) => Buffer.from(text.replaceAll('draw', 'dr;a;w;;;;;;;;;;;'))],
  ])('may have %s', async (what, change) => {
    const name = `${what}.csv`;
    writeFileSync(join(folder, name), change(csvOf(games)));
    const { type: _, ...report } = await reportOf(name);
    const { type: __, ...usual } = await reportOf(csv);
    expect(report).toEqual(usual);
  });

  it.each([
    ['Shift_JIS', Buffer.from('82a08341', 'hex'), 'is in SHIFT_JIS, not in UTF-8; convert it with iconv -f SHIFT_JIS -t UTF-8'],
    ['EUC-JP', Buffer.from('a4a2a5a2c6fccbdc', 'hex'), 'is in EUC-JP, not in UTF-8'],
  ])('in %s is refused by its name', async (what, agent, said) => {
    const name = `${what}.csv`;
    writeFileSync(
      join(folder, name),
      Buffer.concat([Buffer.from(`${HEADER}\n1,1,maw,`), agent, Buffer.from(',0,wolf,wolves,1,1,wolves\n')]),
    );
    const { code, out, lines } = await rate(name);
    expect([code, out, lines]).toEqual([1, '', [expect.stringContaining(`maw: ${name}: ${said}`)]]);
  });
});

import { existsSync, globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { playOut, tableOf as matchOf } from '@maw/tests/equipment/fakes/table.ts';
import { randomGame } from '@maw/tests/records/random-game.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { tableOf } from '@maw/games/aiwolf/aiwolf.suite.ts';
import { aiwolfOptions } from '@maw/games/aiwolf/options.ts';
import { type Preset, PRESETS } from '@maw/games/aiwolf/presets.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import type { GameRecord } from '@maw/games/records/record.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import { replay } from '@maw/games/records/replay.ts';
import { logOfTape } from './from-tape.ts';
import { readLog, writeLog } from './log.ts';
import { logOfRecord, recordOfLog, recordOfText } from './to-record.ts';

const captured = new URL('../../../../shared/data/aiwolf-nlp/', import.meta.url);
const NLP = PRESETS.filter((preset) => preset !== 'protocol-2021');
const NAMES = ['Asuka', 'Benjamin', '恵介', 'Mio', 'Rin'];

const recordOf = (text: string): GameRecord => readRecord(JSON.parse(JSON.stringify(recordOfLog(readLog(text)))));
/** What a log says of the game: who was what, voted, was attacked and died, and who won. */
const factsOf = ({ options, deal: _, draws: __, notes: ___, ...record }: GameRecord) => ({ ...record, preset: options['preset'] });

/** Checks that a log becomes a record that replays to the same log, byte for byte. */
function holds(text: string): GameRecord {
  const lines = readLog(text);
  expect(writeLog(lines)).toBe(text);
  const record = recordOf(text);
  const { fits, refused, mistakes, rolled, events } = replay(record);
  expect({ fits, refused, mistakes, rolled }).toEqual({ fits: true, refused: [], mistakes: [], rolled: [] });
  const connections = lines.flatMap((line) => (line.type === 'status' && line.day === 0 ? [line.name] : []));
  const made = logOfTape(events, record.players, 1, { isNlp: true, connections });
  const isTimed = lines.some((line) => 'time' in line);
  const untimed = (log: string) => (isTimed ? log.replaceAll(/^(\d+,talk,.*),\d+$/gm, '$1') : log);
  expect(untimed(writeLog(made))).toBe(untimed(text));
  return record;
}

/** Checks that a log becomes a record from which it is written back byte for byte. */
function comesBack(text: string, preset?: Preset): GameRecord {
  const record = readRecord(JSON.parse(JSON.stringify(recordOfText(text, preset))));
  expect(replay(record)).toMatchObject({ fits: true, refused: [], mistakes: [] });
  expect(logOfRecord(record)).toBe(text);
  return record;
}

/** The times of a game that began with the clock, as times of a day. */
const atNoon = (text: string): string =>
  /^\d+,talk,.*,\d{1,6}$/m.test(text) && !/^\d+,talk,.*[^\d,]$/m.test(text)
    ? text.replaceAll(/^(\d+,talk,.*),(\d+)$/gm, (_, line: string, seconds: string) => `${line},${1_760_000_000 + Number(seconds)}`)
    : text;

/** A game of five of the natural-language division: seat 4 never says anything, the wolf is seat 3; seats 0 to 3 vote for 3 on day 2. */
function quiet(options: object = {}): string {
  const table = tableOf(['villager', 'villager', 'seer', 'werewolf', 'possessed'], { preset: 'nlp-2026', ...options });
  for (let day = 0; !table.isOver; day++) {
    while (table.find('talk')) {
      const q = table.question('talk');
      const seat = q.of[q.answers.length + q.passed.length]!;
      if (seat === 4) table.wait();
      else table.act(seat, 'talk', q.id.includes('turn-0') ? `Hello, day ${day}` : 'Over');
    }
    if (table.find('vote'))
      for (const seat of table.question('vote').of) if (seat !== 4) table.act(seat, 'vote', `seat:${day === 1 ? 0 : 3}`);
    while (!table.isOver && !table.find('talk')) table.wait();
  }
  return writeLog(logOfTape(table.tape, NAMES, 1, { isNlp: true }));
}

describe('a log of the natural-language division', () => {
  describe.each([
    ['n5', { preset: 'nlp-2026' }],
    ['n9', { preset: 'nlp-2026' }],
    ['probe-odd-answers', { preset: 'nlp-2026' }],
    ['probe-silent', { preset: 'nlp-2026' }],
    ['probe-tie-two-rounds', { preset: 'nlp-2026', revotes: 1 }],
  ])('captured from the published server, %s', (name, options) => {
    const file = new URL(`${name}.log`, captured);
    const there = existsSync(file) ? it : it.skip; // the captures are no part of the repository

    there('replays to the same deaths, votes, results and winner, byte for byte', () => {
      const record = holds(readFileSync(file, 'utf8'));
      expect(record.options).toEqual({ ...options, baseLength: 0 });
    });
  });

  it.each(NLP)('of random games of %s comes back byte for byte', (preset) => {
    for (const [n, players] of [5, 9, 13].entries()) {
      const short = { turnMs: 50, talkMs: 400, voteMs: 90, nightMs: 60, whisperMs: 900, maxChars: 500 };
      const fixed = { ...readOptions(aiwolfOptions, { preset }), ...short, maxDays: 4 };
      const { tape, record } = randomGame(aiwolf, `nlp ${n}`, { players, options: fixed });
      holds(atNoon(writeLog(logOfTape(tape, record.players, 1, { isNlp: true }))));
    }
  });

  it('may have CR LF, a last line feed, times, and numbers that go on', () => {
    const text = quiet();
    const facts = factsOf(recordOf(text));
    const timed = text.replaceAll(/^(\d+,talk,.*)$/gm, '$1,1760000000');
    for (const other of [
      `${text}\n`,
      text.replaceAll('\n', '\r\n'),
      `\ufeff${text}`,
      timed,
      text.replaceAll(/^(\d+,talk,)(\d)/gm, '$11$2'),
    ])
      expect(factsOf(recordOf(other))).toEqual(facts);
    expect(writeLog(readLog(timed))).toBe(timed);
  });

  it('may have an agent that was lost, who then says nothing, votes for nobody, and has no status', () => {
    const text = quiet();
    const whole = recordOf(text);
    const lost = text
      .split('\n')
      .filter((line) => !/^\d+,talk,\d+,\d+,5,Skip$/.test(line))
      .join('\n')
      .replaceAll(/^([1-9]\d*,status,5,[A-Z]+),ALIVE/gm, '$1,');
    expect(lost).not.toBe(text);
    expect(writeLog(readLog(lost))).toBe(lost);
    expect(recordOf(lost).expect).toEqual(whole.expect);
    expect(recordOf(lost).acts).toEqual(whole.acts);
  });

  it('may have no winner, and then lacks the rest of the last night', () => {
    const text = quiet({ maxDays: 1 });
    expect(text).toMatch(/\n1,attack,-1,true\n(2,status,.*\n){5}2,result,3,1,NONE$/);
    expect(holds(text)).toMatchObject({ options: { maxDays: 1 }, expect: { winner: 'draw' } });
    expect(recordOf(text.replace('1,attack,-1,true\n', '')).expect!.winner).toBe('draw');
  });

  it('keeps the names of the connections beside those of the players', () => {
    const text = quiet().replaceAll(/^(\d+,status,(\d),[A-Z]+,[A-Z]+),/gm, '$1,team$2,');
    const renamed = text.replaceAll(/^((?:[^,]*,){5}team\d),.*$/gm, (_, line: string) => `${line},${NAMES[Number(line.at(-1)) - 1]!}`);
    expect(recordOf(renamed)).toMatchObject({ players: NAMES, notes: { names: ['team1', 'team2', 'team3', 'team4', 'team5'] } });
  });

  it('of talk at any time has the turns of each player and the times, and is known by them', () => {
    const table = matchOf(aiwolf, { players: 5, seed: 'anytime', options: { preset: 'nlp-anytime', maxDays: 3 } });
    for (const [seat, text] of [
      [3, 'a'],
      [1, 'b'],
      [3, 'c, d'],
      [1, 'Over'],
      [3, 'e'],
    ] as const)
      table.act(seat, 'talk', text);
    playOut(table, 'anytime', 5);
    const text = atNoon(writeLog(logOfTape(table.tape, NAMES)));
    const first = text.split('\n').filter((line) => line.startsWith('0,talk,'));
    expect(first.slice(0, 5)).toEqual(
      ['0,0,4,a', '1,0,2,b', '2,1,4,c, d', '3,1,2,Over', '4,2,4,e'].map((line) => `0,talk,${line},1760000000`),
    );
    const record = holds(text);
    expect(record.options).toMatchObject({ preset: 'nlp-anytime' });
    expect(record.acts.slice(0, 3).map(({ seat, says }) => [seat, ...says])).toEqual([
      [3, 'a'],
      [1, 'b'],
      [3, 'c, d'],
    ]);
  });

  it('that contradicts the rules is refused with its line', () => {
    const rows = quiet().split('\n');
    const at = rows.findIndex((row) => row.startsWith('1,execute,'));
    const wrong = rows.with(at, '1,execute,2,VILLAGER').join('\n');
    expect(() => recordOf(wrong)).toThrow(
      `line ${at + 1}: there is "1,execute,2,VILLAGER"; by the rules there would be "1,execute,1,VILLAGER"`,
    );
    expect(() => readLog(rows.with(0, rows[0]!.replace('ALIVE', 'GONE')).join('\n'))).toThrow(
      'line 1: "GONE" is not a status; it is one of ALIVE, DEAD',
    );
  });
});

describe('a log as contests have published it', () => {
  const contests = fileURLToPath(new URL('contests/', captured));
  const there = existsSync(contests) ? it : it.skip; // the logs are no part of the repository

  there('is read and comes back byte for byte, all seventeen of ten tracks', () => {
    const counts = { read: 0, back: 0, refused: [] as string[] };
    for (const file of globSync('*/*.log', { cwd: contests })) {
      const text = readFileSync(`${contests}${file}`, 'utf8');
      try {
        const record = readRecord(JSON.parse(JSON.stringify(recordOfText(text))));
        if (replay(record).fits) counts.read++;
        if (logOfRecord(record) === text) counts.back++;
      } catch (error) {
        counts.refused.push(`${file}: ${(error as Error).message}`);
      }
    }
    expect(counts).toEqual({ read: 17, back: 17, refused: [] });
  });

  /** Statuses of 2024: without the name in the game. */
  const unnamed = (text: string) => text.replaceAll(/^(\d+,status,.*),[^,\n]+$/gm, '$1');

  it('of 2024 has no names in the game, and may go on into the night after the decisive execution', () => {
    expect(comesBack(unnamed(quiet())).options).toMatchObject({ preset: 'nlp-2025', baseLength: 0 });
    const played = unnamed(quiet()).replace('2,execute,4,WEREWOLF\n', '$&2,divine,3,2,HUMAN\n');
    expect(played).not.toBe(unnamed(quiet()));
    expect(comesBack(played).options).toMatchObject({ preset: 'nlp-2025', endCheck: 'morning' });
  });

  it('without names is of the protocol division when its turns are played so, and of the preset that is told', () => {
    const options = { language: 'free', talkOnFirstDay: true, maxDays: 2 };
    const { tape, record } = randomGame(aiwolf, 'free', { players: 5, options: { ...readOptions(aiwolfOptions, {}), ...options } });
    const text = writeLog(logOfTape(tape, record.players)).replaceAll(/^(\d+,talk,\d+,\d+,\d+),(?!Skip|Over).*/gm, '$1,Hello');
    expect(text).toContain('0,talk,0,0,');
    expect(comesBack(text).options).not.toHaveProperty('preset');
    const silent = unnamed(quiet()).replaceAll(/Hello, day \d/g, 'Skip');
    expect(comesBack(silent, 'nlp-2026').options).toMatchObject({ preset: 'nlp-2026' });
    expect(() => recordOfText(silent)).toThrow('by the rules');
  });

  it('may have an Over after which its player is asked again', () => {
    const rows = quiet().split('\n');
    const at = rows.findIndex((row) => row.startsWith('0,talk,') && row.endsWith('Over'));
    const seat = rows[at]!.split(',')[4]!;
    const next = rows.findIndex((row) => row.startsWith('0,talk,') && row.split(',')[3] === '2');
    const again = rows.toSpliced(next, 0, `0,talk,0,2,${seat},Over`).join('\n');
    const said = comesBack(again).acts.filter((act) => act.step.startsWith('day-0/') && act.seat === Number(seat) - 1);
    expect(said.map(({ says }) => says[0])).toEqual(['Hello, day 0', 'Over ', 'Over']);
  });

  it.each([
    ['lost agents, whose status is empty', (text: string) => text.replaceAll(/^([1-9]\d*,status,5,[A-Z]+),ALIVE/gm, '$1,').replaceAll(/^[1-9]\d*,talk,.*,5,Skip\n/gm, '')], // prettier-ignore
    ['numbers that go on', (text: string) => text.replaceAll(/^(\d+,talk,)(\d)/gm, '$11$2')],
    ['CR LF at each end', (text: string) => `${text}\n`.replaceAll('\n', '\r\n')],
    ['CR LF at some ends', (text: string) => text.replace('\n', '\r\n')],
    ['the last line ended', (text: string) => `${text}\n`],
    ['a byte order mark', (text: string) => `\ufeff${text}`],
    ['a soft hyphen, a tab and a zero-width mark in a text', (text: string) => text.replaceAll('Hello, day 1', 'Hel\u00ad\tlo\u200b')],
    ['a blank before a mention', (text: string) => text.replaceAll('Hello, day 1', ' @Mio  hello')],
  ])('may have %s', (_, change) => {
    const text = quiet();
    expect(change(text)).not.toBe(text);
    comesBack(change(text));
  });

  it('of talk at any time keeps its times, and the blank before a mention', () => {
    const table = matchOf(aiwolf, { players: 5, seed: 'anytime', options: { preset: 'nlp-anytime', maxDays: 3 } });
    for (const seat of [3, 1, 3]) table.act(seat, 'talk', 'Hello');
    playOut(table, 'anytime', 5);
    const text = atNoon(writeLog(logOfTape(table.tape, NAMES))).replace('Hello', ' @Rin  hello');
    expect(comesBack(text).acts[0]!.says).toEqual([' @Rin  hello']);
  });

  it('may break off after any line', () => {
    const rows = quiet().split('\n');
    for (let count = 5; count < rows.length; count++) {
      const record = comesBack(rows.slice(0, count).join('\n'));
      expect(record).not.toHaveProperty('expect');
    }
  });

  it('is refused where two players speak out of order', () => {
    const rows = quiet().split('\n');
    const at = rows.findIndex((row) => row.startsWith('0,talk,') && row.split(',')[3] === '1');
    expect(() =>
      recordOfText(
        rows
          .with(at, rows[at + 1]!)
          .with(at + 1, rows[at]!)
          .join('\n'),
      ),
    ).toThrow('speaks out of order');
  });
});

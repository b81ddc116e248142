import { describe, expect, it } from '@jest/globals';
import { measureJudged } from '../measures/judged-measures.ts';
import { gamesOf } from '../measures/game-record.ts';
import type { Item } from './item.ts';
import { itemsOf, type NarratedEntry } from './items.ts';
import { QUESTIONS, totalsOf } from './questions.ts';
import { readItems, readJudges, readSheet, sheetCsv, verdictOf } from './verdicts.ts';

const NAMES = ['Ann', 'Anna', 'Will', 'Bo+'];
const ROLES = ['merlin', 'servant', 'morgana', 'assassin'];

const said = (question: string, by: number, text: string, isPublic = true): NarratedEntry => ({
  event: { type: 'answered', question, answer: { by, says: [text] } },
  text,
  isPublic,
});
const asked = (id: string, verb: string): NarratedEntry => ({ event: { type: 'asked', question: { id, verb, of: [0, 1, 2, 3] } } });
const proposed = (quest: number, team: readonly number[]): NarratedEntry => ({
  event: { type: 'proposed', quest, team, leader: 0 },
  text: 'Ann names a team.',
  isPublic: true,
});
const TALK = ['round-1/quest-1/proposal-1/talk', 'round-1/quest-2/proposal-1/talk'] as const;

/** A game of two quests in which three of four speak. */
const TAPE: readonly NarratedEntry[] = [
  { event: { type: 'opened', opening: { rules: 'avalon', seats: NAMES.map(() => ({ kind: 'mind', recipe: 'secret-recipe' })) } } },
  asked('lobby-0/lobby', 'say'),
  ...NAMES.map((name, seat) => ({ event: { type: 'joined', name, seat }, text: `${name} joins.`, isPublic: true })),
  said('lobby-0/lobby', 0, 'I said this in the lobby.'),
  { event: { type: 'began', round: 1 } },
  asked(TALK[0], 'say'),
  said(TALK[0], 0, 'I am Merlin. Take me and Anna, Will is evil.'),
  said(TALK[0], 2, 'I will be a servant. Bo+ and Ann are fine. =1+1'),
  said(TALK[0], 3, 'An evil whisper.', false),
  proposed(1, [0, 1]),
  asked('round-1/quest-1/proposal-1/quest', 'choose'),
  said('round-1/quest-1/proposal-1/quest', 1, 'Anna plays success.', false),
  asked(TALK[1], 'say'),
  said(TALK[1], 0, 'Me again.'),
  said(TALK[1], 1, '=SUM(A1)'),
  proposed(2, [1, 2]),
  { event: { type: 'scored', round: 1, outcome: { winner: 'good', winners: [0, 1], roles: ROLES } } },
];

const make = (question: string, seed = 's', sample?: number) => itemsOf(question, new Map([['t1', TAPE]]), { seed, sample });
const BY = { judge: 'Eva', kind: 'person', version: 'sheet', at: 1 } as const;
const judged = (question: string, labelOf: (item: Item) => string) => {
  const items = make(question);
  return totalsOf(items, new Map(items.map((item) => [item.item, labelOf(item)])), { judge: 'Eva', version: '1' });
};
const casesOf = (found: ReturnType<typeof judged>) =>
  Object.fromEntries(
    found.map((one) => ('of' in one ? [`${one.measure}: ${one.about}`, [one.times, one.of]] : [`day ${one.day}`, one.pairs])),
  );

describe('items to judge', () => {
  it.each(Object.keys(QUESTIONS))('of %s hide names, tables, recipes and whispers', (question) => {
    const shown = JSON.stringify(make(question).map((item) => item.shown));
    expect(shown).not.toMatch(/Ann|Bo|\bWill\b|t1|secret|whisper|lobby/);
    if (question !== 'reasonable') expect(shown.replaceAll(/"labels":\[[^\]]*\]/g, '')).not.toMatch(/dealt|morgana|assassin/);
  });

  it('keep a word that begins like a name, or is one in small letters', () => {
    const will = make('sharing').find(({ seat }) => seat === 2)!;
    expect(will.shown.words).toMatch(/^I will be a servant\. Player [1-4] and Player [1-4] are fine\. =1\+1$/);
  });

  it('are shuffled by the seed, and players are numbered by it', () => {
    const orders = ['a', 'b', 'c', 'd', 'e', 'f'].map((seed) =>
      JSON.stringify(make('attitude', seed).map(({ shown, item }) => [item, shown.speaker])),
    );
    expect(new Set(orders).size).toBe(6);
    expect(make('attitude', 'a')).toEqual(make('attitude', 'a'));
    expect(make('reasonable', 'a', 3)).toEqual(make('reasonable', 'a').slice(0, 3));
  });

  it('show what was heard before, and nothing of what came later', () => {
    const last = make('sharing').find(({ seat }) => seat === 1)!;
    expect(last.shown.before).toHaveLength(4);
    expect(last.shown.before.at(-1)).toMatch(/^Player [1-4]: Me again\.$/);
    expect(make('reasonable').some(({ shown }) => /plays success/.test(shown.words))).toBe(true);
    expect(make('reasonable').every(({ shown }) => !/plays success/.test(shown.before.join()))).toBe(true);
  });

  it('of a game that is not over are none', () => {
    expect(itemsOf('sharing', new Map([['t1', TAPE.slice(0, -1)]]), { seed: 's' })).toEqual([]);
  });
});

describe('totals of judgements', () => {
  it('count a claim of another role as camouflage, and first claims by the first day', () => {
    const found = casesOf(judged('claim', ({ seat, day }) => (seat === 2 ? 'servant' : seat === 0 && day === 1 ? 'merlin' : 'none')));
    expect(found).toMatchObject({
      'camouflage: good': [0, 1],
      'camouflage: evil': [1, 1],
      'first claims: merlin, self-disclosure': [1, 1],
      'first claims: morgana, camouflage': [1, 1],
      'first claims: morgana, self-disclosure': [0, 1],
    });
    expect(found).not.toHaveProperty('first claims: servant, withholding'); // it did not speak on the first day
  });

  it('count trust by day, and attitudes by role', () => {
    const found = casesOf(
      judged('attitude', ({ seat, toward }) => (seat === 0 && toward === 1 ? 'trust' : toward === 2 ? 'distrust' : 'none')),
    );
    expect(found).toMatchObject({
      'day 1': [[0, 1]],
      'day 2': [[0, 1]],
      'teamwork: merlin': [2, 6],
      'teamwork: merlin to servant': [2, 2],
      'teamwork: merlin to servant, round 2': [1, 1],
      'confrontation: servant to morgana': [1, 1],
      'vacillation: servant': [0, 3],
    });
  });

  it('count a recommendation as a success when the next team has the speaker', () => {
    const found = casesOf(judged('recommend', ({ seat }) => (seat === 0 ? 'yes' : 'no')));
    expect(found).toMatchObject({ 'self-recommendation: merlin': [2, 2], 'success of self-recommendation: merlin': [1, 2], 'success of self-recommendation: servant': [0, 0] }); // prettier-ignore
  });

  it('become values of the measures', () => {
    const games = gamesOf('t1', TAPE.map(({ event }) => event)); // prettier-ignore
    const rows = measureJudged(games, [
      ...judged('reasonable', ({ seat }) => (seat === 1 ? 'no' : 'yes')),
      ...judged('sharing', () => 'yes'),
    ]);
    expect(rows.map(({ measure, about, value }) => [measure, about, value])).toEqual(
      expect.arrayContaining([['reasonable outputs', 'all', 0.6], ['sharing', 'merlin', 1]]), // prettier-ignore
    );
  });

  it('leave out a game that is judged in part', () => {
    const items = make('sharing');
    expect(totalsOf(items, new Map(items.slice(1).map(({ item }) => [item, 'no'])), { judge: 'Eva', version: '1' })).toEqual([]);
  });
});

describe('sheets and judgements', () => {
  const items = make('sharing');
  const [first] = items as [Item];
  const line = JSON.stringify(verdictOf(first, 'yes', BY));

  it('are read back as they were written, answers in any case, with commas or semicolons', () => {
    expect(readItems(items.map((item) => JSON.stringify(item)).join('\n'), 'key')).toEqual(items);
    const filled = sheetCsv(items).join('\n').replaceAll(/,$/gm, ',Yes');
    expect(readSheet(filled, 'f', items).size).toBe(items.length);
    expect(readSheet(sheetCsv(items).join('\n'), 'f', items).size).toBe(0);
    expect([...readSheet(`\ufeffitem;label\r\n${first.item};no\r\n`, 'f', items)]).toEqual([[first, 'no']]);
  });

  it('have no cell that a spreadsheet computes', () => expect(sheetCsv(items).join('\n')).not.toMatch(/(^|,)"?[=+@-]/m));

  it.each([
    ['label\nyes', /f, row 2: it needs the columns item and label/],
    ['item,label\nnobody-1,yes', /f, row 2: "nobody-1" is not on these sheets/],
    [`item,label\n${first.item},maybe`, /f, row 2: "maybe" is no answer; it is yes, no/],
    [`item,label\n${first.item},yes\n${first.item},no`, /f, row 3: sharing-1 has been answered above/],
    ['item,label\n"open', /^f is no CSV: /],
  ])('refuse a sheet with a mistake: %j', (text, message) => expect(() => readSheet(text, 'f', items)).toThrow(message));

  it('refuse judgements of something else, and lines that are none', () => {
    expect(() => readJudges('{}', 'j', items)).toThrow('j:1 is no judgement');
    expect(() => readJudges(line, 'j', make('sharing', 'other seed'))).toThrow('j:1 judges something that is not on these sheets');
    expect(() => readJudges(line.replace('"yes"', '"maybe"'), 'j', items)).toThrow('"maybe" is no answer');
  });

  it('keep judges and versions apart, and the last answer of each', () => {
    const lines = [line, JSON.stringify(verdictOf(first, 'no', BY)), JSON.stringify(verdictOf(first, 'yes', { ...BY, version: '2' }))];
    const judges = readJudges(lines.join('\n'), 'j', items);
    expect(judges.map(({ version, answers }) => [version, answers.get(first.item)])).toEqual([['sheet', 'no'], ['2', 'yes']]); // prettier-ignore
  });
});

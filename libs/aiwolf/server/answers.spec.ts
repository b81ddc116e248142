import { describe, expect, it } from '@jest/globals';
import { type Setting, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { PRESETS } from '@maw/games/aiwolf/presets.ts';
import { hasFloor } from '@maw/games/kernel/question.ts';
import { readAnswer, type Reading } from './answers.ts';
import { termsOf } from './captures.suite.ts';
import { seatLogic, type SeatState } from './seat.ts';
import type { Terms } from './terms.ts';

const OPTIONS = {
  protocol: { hurry: true },
  natural: { preset: 'nlp-2026', hurry: true, talkOnFirstDay: false, utterances: 1 },
} as const;

/** A table of five, with what one seat is asked; `read` is for the question of that step that is open now. */
function seated(division: Terms['division'], role: string, isStrict = true, options: Setting['options'] = OPTIONS[division]) {
  const table = tableOf(aiwolf, { players: 5, options });
  const seat = (table.state as { roles: readonly string[] }).roles.indexOf(role);
  const terms = termsOf(seat, 5, options, { division, isStrict });
  const stateNow = (): SeatState => {
    const logic = seatLogic(terms);
    return table.game.view(table.tape, seat).reduce((state, e) => logic.seen(state, e).state, logic.begin());
  };
  const read = (step: string, raw: string): Reading => readAnswer(terms, stateNow(), table.question(step).id, raw);
  const pass = (step: string) => {
    for (let i = 0; i < 100 && !table.standing.open.some(({ id }) => id.endsWith(`/${step}`)); i++) table.wait();
    return table.question(step);
  };
  return { table, seat, read, pass };
}

const faultOf = (reading: Reading) => ('fault' in reading ? reading.fault : undefined);

describe('an answer of the protocol division', () => {
  it('is a sentence of the protocol, or none', () => {
    const { table, seat, read, pass } = seated('protocol', 'villager');
    let q = pass('talk');
    while (q.of[q.answers.length + q.passed.length] !== seat) {
      table.wait();
      q = table.question('talk');
    }
    for (const text of ['Skip', 'Over ', '  VOTE   Agent[02]  ', 'ESTIMATE Agent[99] WEREWOLF'])
      expect(read('talk', text)).toEqual({ says: text });
    expect(read('talk', 'Over\r')).toEqual({ says: 'Over' });
    expect(read('talk', '')).toEqual({ fault: 'empty', detail: expect.any(String) });
    for (const text of ['I am a human being', '占い師です', 'BECAUSE (VOTE Agent[01])', 'skip'])
      expect(read('talk', text)).toEqual({ fault: 'unreadable', detail: expect.any(String) });
  });

  it('names a target by its number in JSON without a blank, or a vote counts at random', () => {
    const { seat, read, pass } = seated('protocol', 'villager');
    pass('vote');
    const other = (seat + 1) % 5;
    for (const raw of [`{"agentIdx":${other + 1}}`, `{"agentIdx":0${other + 1}}`, `I vote {"agentIdx":${other + 1}}!\r`])
      expect(read('vote', raw)).toEqual({ says: `seat:${other}` });
    const faults = {
      '{"agentIdx": 3}': 'unreadable',
      'Agent[03]': 'unreadable',
      '3': 'unreadable',
      '{"agentIdx":-1}': 'unreadable',
      '': 'empty',
    };
    for (const [raw, fault] of Object.entries(faults)) expect([raw, faultOf(read('vote', raw))]).toEqual([raw, fault]);
    expect(faultOf(read('vote', '{"agentIdx":0}'))).toBe('unknown-target');
    expect(faultOf(read('vote', '{"agentIdx":77}'))).toBe('unknown-target');
    const own = read('vote', `{"agentIdx":${seat + 1}}`);
    expect(own).toMatchObject({ fault: 'own-target' });
    expect('oneOf' in own && own.oneOf?.toSorted()).toEqual([0, 1, 2, 3, 4].flatMap((each) => (each === seat ? [] : [`seat:${each}`])));
  });

  it('is none where the target of a seer is dead, and may be the seer itself', () => {
    const { table, seat, read, pass } = seated('protocol', 'seer');
    pass('vote');
    const dead = (seat + 1) % 5;
    for (const by of table.question('vote').of) table.act(by, 'vote', `seat:${by === dead ? (dead + 1) % 5 : dead}`);
    expect(table.question('divine').of).toEqual([seat]);
    expect(read('divine', `{"agentIdx":${dead + 1}}`)).toEqual({ fault: 'dead-target', detail: `agent ${dead + 1} is dead` });
    expect(read('divine', `{"agentIdx":${seat + 1}}`)).toEqual({ says: `seat:${seat}` });
  });

  it('is none where a werewolf attacks itself', () => {
    const { seat, read, pass } = seated('protocol', 'werewolf');
    pass('attack');
    expect(faultOf(read('attack', `{"agentIdx":${seat + 1}}`))).toBe('own-target');
  });
});

/** What comes to be said in the natural-language division: texts of a model, and what is left of each without --strict and with it. */
const ODD: readonly (readonly [raw: string, says: string | undefined, strict?: string])[] = [
  ['Hello\teverybody', 'Hello everybody'],
  ['Hello.\r\nI am a villager', 'Hello. I am a villager'],
  ['Hello.\r\n\r\nI am\r\na villager\r\n', 'Hello. I am a villager', 'Hello.  I am a villager '],
  ['two\nlines', 'two lines', 'twolines'],
  ['one\n\n* two\n* three', 'one * two * three', 'one* two* three'],
  ['vil\u00adlager', 'villager'],
  ['no\u200bwidth', 'nowidth'],
  ['\u202bשלום\u202c', 'שלום'],
  ['مرحبا\u061c', 'مرحبا'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['a\u0000b', 'a b'],
  ['a\u2028b', 'a b'],
  ['  blanks  ', '  blanks  '],
  ['Over ', 'Over '],
  ['over', 'over'],
  ['Over\r\n', 'Over', 'Over '],
  ['Skip\n', 'Skip'],
  ['ForceSkip', 'Skip'],
  ['', undefined, 'Over'],
  ['\n', undefined, 'Over'],
  [' ', undefined],
  ['\r\n', undefined],
  ['\t \u00a0', undefined],
  ['\u200b', undefined],
];

const NOTHING = { fault: 'empty', detail: expect.any(String) };

describe.each(PRESETS)('by the settings of %s', (preset) => {
  const options = { preset, language: 'free', hurry: true, talkOnFirstDay: true, talk: 'turns' };
  /** What the seat may say to the first question of talk that it has the floor of. */
  function asked(isStrict: boolean) {
    const seating = seated('natural', 'villager', isStrict, options);
    const { table, seat, pass } = seating;
    while (!hasFloor(pass('talk'), seat)) table.wait();
    return seating;
  }

  it.each(ODD)('%j is said without what is no speech, or nothing is said', (raw, says, strict = says) => {
    expect(asked(false).read('talk', raw)).toEqual(says === undefined ? NOTHING : { says });
    expect(asked(true).read('talk', raw)).toEqual(
      strict === undefined ? NOTHING : raw.trim() ? { says: strict } : { ...NOTHING, says: strict },
    );
  });

  it.each(ODD)('%j costs no other utterance of the day', (raw) => {
    const { table, seat, read } = asked(false);
    const reading = read('talk', raw);
    if ('says' in reading && (reading.says === 'Over' || reading.says === 'Skip')) return; // its own words
    const { id } = table.question('talk');
    if ('says' in reading) table.act(seat, 'talk', reading.says!);
    while (table.standing.open.some((q) => q.id === id && hasFloor(q, seat))) table.wait(); // nothing was said
    for (let i = 0; i < 20 && !table.standing.open.some((q) => hasFloor(q, seat)); i++) table.wait();
    expect(table.standing.open.map((q) => [q.id.replace(/turn-\d+/, 'turn'), hasFloor(q, seat)])).toEqual([
      [id.replace(/turn-\d+/, 'turn'), true],
    ]);
  });
});

it('in a talk at any time is said without what is no speech', () => {
  const { pass, read } = seated('natural', 'villager', false, { preset: 'nlp-anytime', hurry: true });
  pass('talk');
  for (const [raw, says] of ODD)
    if (raw !== 'ForceSkip')
      expect([raw, read('talk', raw)]).toEqual([
        raw,
        says === undefined ? expect.objectContaining({ fault: 'nothing-said' }) : { says: says.trim() },
      ]);
});

describe('an answer of the natural-language division', () => {
  it('is any text without its line feeds, and ForceSkip is a Skip', () => {
    const { table, seat, read, pass } = seated('natural', 'villager');
    let q = pass('talk');
    while (q.of[q.answers.length + q.passed.length] !== seat) {
      table.wait();
      q = table.question('talk');
    }
    expect(read('talk', 'two\nlines\n')).toEqual({ says: 'twolines' });
    expect(read('talk', '  blanks  ')).toEqual({ says: '  blanks  ' });
    expect(read('talk', 'ForceSkip')).toEqual({ says: 'Skip' });
    expect(read('talk', 'a'.repeat(1000))).toEqual({ says: 'a'.repeat(1000) });
    expect(read('talk', '\u{1f43a}'.repeat(16_000))).toEqual({ says: '\u{1f43a}'.repeat(4000) }); // a longer one fits in no message
  });

  it('names a target with blanks and line ends around it', () => {
    const { read, pass } = seated('natural', 'villager', false);
    pass('vote');
    for (const raw of ['P3', 'P3\n', ' P3', 'P3\r\n', '\tP3 ', '\u200bP3'])
      expect([raw, read('vote', raw)]).toEqual([raw, { says: 'seat:3' }]);
    for (const raw of ['p3', 'P 3', '@P3', 'P3.']) expect(read('vote', raw)).toMatchObject({ fault: 'unknown-target' });
    expect(read('vote', ' \r\n')).toMatchObject({ fault: 'empty' });
  });

  it('names a target exactly with --strict, or is dropped', () => {
    const { seat, read, pass } = seated('natural', 'villager');
    pass('vote');
    expect(read('vote', 'P3\n')).toEqual({ says: 'seat:3' });
    expect(read('vote', `P${seat}`)).toEqual({ says: `seat:${seat}` });
    for (const raw of [' P3', 'P3\r', 'p3', '{"agentIdx":3}']) expect(read('vote', raw)).toMatchObject({ fault: 'unknown-target' });
    expect(read('vote', '')).toEqual({ fault: 'empty', detail: 'an empty text; send one of P0, P1, P2, P3, P4' });
  });
});

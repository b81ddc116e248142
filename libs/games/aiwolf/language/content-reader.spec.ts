import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { type Dice, diceOf } from '../../kernel/dice.ts';
import { type Agent, agentOf, ANY, type Content, isUtterance, readContent } from './content-reader.ts';
import { writeAgent, writeContent } from './content-writer.ts';

const data = new URL('../../../../../shared/data/aiwolf/', import.meta.url);
const isThere = existsSync(new URL('content-cases.json', data));
/** Recorded verdicts of the published parser. Absent outside the development environment. */
const recorded = isThere ? describe : describe.skip;

/** A recorded verdict, in the published parser's field names. */
interface Case {
  readonly text: string;
  readonly valid: boolean;
  readonly topic: string;
  readonly canonical: string | null;
  readonly operator?: string;
  readonly subject?: string | null;
  readonly target?: string;
  readonly role?: string;
  readonly result?: string;
  readonly talkType?: string;
  readonly talkDay?: number;
  readonly talkID?: number;
  readonly day?: number;
  readonly parts?: readonly Case[];
  readonly throws?: string;
  readonly source?: string;
}

const OPERATORS = ['REQUEST', 'INQUIRE', 'BECAUSE', 'AND', 'OR', 'XOR', 'NOT', 'DAY'];

/** A content in the form of the recorded verdicts. */
function asCase(content: Content): object {
  const isOperator = OPERATORS.includes(content.kind);
  const subject = 'subject' in content && content.subject !== undefined ? writeAgent(content.subject) : null;
  return {
    topic: isOperator ? 'OPERATOR' : content.kind,
    ...(isOperator ? { operator: content.kind } : {}),
    subject,
    ...('target' in content ? { target: writeAgent(content.target) } : {}),
    ...('role' in content ? { role: content.role } : {}),
    ...('result' in content ? { result: content.result } : {}),
    ...('channel' in content ? { talkType: content.channel, talkDay: content.day, talkID: content.number } : {}),
    ...(content.kind === 'DAY' ? { day: content.day } : {}),
    ...('parts' in content ? { parts: content.parts.map(asCase) } : {}),
    canonical: writeContent(content),
  };
}

recorded('the recorded verdicts of the published parser', () => {
  const cases = isThere ? (JSON.parse(readFileSync(new URL('content-cases.json', data), 'utf8')) as Case[]) : [];
  /** The published parser finds no group here, yet calls the text valid. */
  const isEmpty = ({ text }: Case) => /^(AND|OR) \(\(/.test(text);

  it('have the recorded number', () => {
    expect(cases).toHaveLength(169);
    expect(cases.filter(({ throws }) => throws)).toHaveLength(6);
    expect(cases.filter(isEmpty).length).toBeGreaterThan(0);
  });

  it.each(cases.filter((one) => one.valid && !isEmpty(one)).map((one): [string, Case] => [one.text, one]))('valid: %s', (text, one) => {
    const { text: _, valid: __, source: ___, ...expected } = one;
    const content = readContent(text);
    expect(content && asCase(content)).toEqual(expected);
    expect(isUtterance(text)).toBe(true);
  });

  it.each(cases.filter((one) => !one.valid || isEmpty(one)).map((one) => [one.text]))('invalid: %j', (text) => {
    expect(readContent(text)).toBeUndefined();
    expect(isUtterance(text)).toBe(false);
  });

  it('accept every utterance of the recorded games as canonical', () => {
    const logs = readdirSync(data).filter((name) => name.endsWith('.log'));
    const utterances = logs.flatMap((name) =>
      readFileSync(new URL(name, data), 'utf8')
        .split('\n')
        .flatMap((line) => /^\d+,(?:talk|whisper),\d+,\d+,\d+,(.*)$/.exec(line)?.[1] ?? []),
    );
    expect(logs).toHaveLength(3);
    expect(utterances.length).toBeGreaterThan(900);
    for (const text of utterances) expect(writeContent(readContent(text)!)).toBe(text);
  });
});

describe('readContent', () => {
  it.each<[string, Content]>([
    ['Skip', { kind: 'SKIP' }],
    ['Over', { kind: 'OVER' }],
    ['ESTIMATE Agent[01] WEREWOLF', { kind: 'ESTIMATE', target: 1, role: 'WEREWOLF' }],
    ['ESTIMATE Agent[01] ANY', { kind: 'ESTIMATE', target: 1, role: 'ANY' }],
    ['Agent[04] COMINGOUT Agent[04] MEDIUM', { kind: 'COMINGOUT', subject: 4, target: 4, role: 'MEDIUM' }],
    ['DIVINED ANY HUMAN', { kind: 'DIVINED', target: ANY, result: 'HUMAN' }],
    ['IDENTIFIED Agent[06] ANY', { kind: 'IDENTIFIED', target: 6, result: 'ANY' }],
    ['DIVINATION Agent[03]', { kind: 'DIVINATION', target: 3 }],
    ['GUARD Agent[03]', { kind: 'GUARD', target: 3 }],
    ['GUARDED Agent[03]', { kind: 'GUARDED', target: 3 }],
    ['VOTE Agent[03]', { kind: 'VOTE', target: 3 }],
    ['VOTED Agent[03]', { kind: 'VOTED', target: 3 }],
    ['ATTACK Agent[15]', { kind: 'ATTACK', target: 15 }],
    ['ANY ATTACKED Agent[100]', { kind: 'ATTACKED', subject: ANY, target: 100 }],
    ['AGREE TALK day1 ID:3', { kind: 'AGREE', channel: 'TALK', day: 1, number: 3 }],
    ['DISAGREE WHISPER day2 ID:15', { kind: 'DISAGREE', channel: 'WHISPER', day: 2, number: 15 }],
    ['REQUEST Agent[02] (VOTE Agent[03])', { kind: 'REQUEST', target: 2, parts: [{ kind: 'VOTE', subject: 2, target: 3 }] }],
    ['REQUEST Agent[02] (Skip)', { kind: 'REQUEST', target: 2, parts: [{ kind: 'SKIP', subject: 2 }] }],
    ['Agent[03] NOT (Over)', { kind: 'NOT', subject: 3, parts: [{ kind: 'OVER', subject: 3 }] }],
    ['INQUIRE ANY (VOTE ANY)', { kind: 'INQUIRE', target: ANY, parts: [{ kind: 'VOTE', subject: ANY, target: ANY }] }],
    [
      'BECAUSE (DIVINED Agent[03] WEREWOLF) (VOTE Agent[03])',
      {
        kind: 'BECAUSE',
        parts: [
          { kind: 'DIVINED', target: 3, result: 'WEREWOLF' },
          { kind: 'VOTE', target: 3 },
        ],
      },
    ],
    ['AND (Skip) (Over)', { kind: 'AND', parts: [{ kind: 'SKIP' }, { kind: 'OVER' }] }],
    ['OR (VOTE Agent[01])', { kind: 'OR', parts: [{ kind: 'VOTE', target: 1 }] }],
    [
      'Agent[05] XOR (VOTE Agent[01]) (Agent[06] VOTE Agent[02])',
      {
        kind: 'XOR',
        subject: 5,
        parts: [
          { kind: 'VOTE', subject: 5, target: 1 },
          { kind: 'VOTE', subject: 6, target: 2 },
        ],
      },
    ],
    ['NOT (NOT (VOTE Agent[01]))', { kind: 'NOT', parts: [{ kind: 'NOT', parts: [{ kind: 'VOTE', target: 1 }] }] }],
    ['DAY 12 (VOTED Agent[05])', { kind: 'DAY', day: 12, parts: [{ kind: 'VOTED', target: 5 }] }],
  ])('reads %s and writes it back unchanged', (text, content) => {
    expect(readContent(text)).toEqual(content);
    expect(writeContent(content)).toBe(text);
  });

  it.each([
    ['  Over\t', 'Over'],
    ['  VOTE   Agent[02]  ', 'VOTE Agent[02]'],
    ['VOTE\nAgent[02]', 'VOTE Agent[02]'],
    ['VOTE Agent[0002]', 'VOTE Agent[02]'],
    ['VOTE Agent[0]', 'VOTE ANY'],
    ['VOTE Agent[2147483647]', 'VOTE Agent[2147483647]'],
    ['Agent[01]VOTE Agent[02]', 'Agent[01] VOTE Agent[02]'],
    ['ANYVOTE Agent[02]', 'ANY VOTE Agent[02]'],
    ['AGREE TALK day01 ID:007', 'AGREE TALK day1 ID:7'],
    ['AND ( VOTE Agent[01] )(VOTE Agent[02])', 'AND (VOTE Agent[01]) (VOTE Agent[02])'],
    ['AND (VOTE Agent[01]) junk (VOTE Agent[02])', 'AND (VOTE Agent[01]) (VOTE Agent[02])'],
    ['AND (VOTE Agent[01]))', 'AND (VOTE Agent[01])'],
    // the next opening parenthesis balances the surplus closing one, so the text between is no group
    ['AND (VOTE Agent[01])) (VOTE Agent[02])', 'AND (VOTE Agent[01])'],
    ['AND (VOTE Agent[01])) ((VOTE Agent[02])', 'AND (VOTE Agent[01]) (VOTE Agent[02])'],
    // a group that is never closed is ignored
    ['AND (VOTE Agent[01]) ((VOTE Agent[02])', 'AND (VOTE Agent[01])'],
    ['NOT (VOTE Agent[01]) (VOTE Agent[02])', 'NOT (VOTE Agent[01])'],
    ['DAY 1 (VOTED Agent[01]) (VOTED Agent[02])', 'DAY 1 (VOTED Agent[01])'],
    ['XOR (VOTE Agent[01]) (VOTE Agent[02]) (VOTE Agent[03])', 'XOR (VOTE Agent[01]) (VOTE Agent[02])'],
    ['REQUEST (VOTE Agent[05])', 'REQUEST ANY (VOTE Agent[05])'],
    ['REQUEST ( Agent[02] VOTE Agent[05])', 'REQUEST Agent[02] (VOTE Agent[05])'],
    ['Agent[01] REQUEST (VOTE Agent[05])', 'Agent[01] REQUEST ANY (VOTE Agent[05])'],
    ['REQUEST (Agent[02] NOT (VOTE Agent[05]))', 'REQUEST Agent[02] (NOT (VOTE Agent[05]))'],
    ['REQUEST Agent[02] (Agent[02] VOTE Agent[03])', 'REQUEST Agent[02] (VOTE Agent[03])'],
    ['REQUEST Agent[02] (Agent[04] VOTE Agent[03])', 'REQUEST Agent[02] (Agent[04] VOTE Agent[03])'],
    ['Agent[01] AND (VOTE Agent[02]) (Agent[01] VOTE Agent[03])', 'Agent[01] AND (VOTE Agent[02]) (VOTE Agent[03])'],
    // inherited through two levels, from the target rather than from who asks
    ['Agent[01] NOT (DAY 1 (Agent[01] VOTED Agent[03]))', 'Agent[01] NOT (DAY 1 (VOTED Agent[03]))'],
    ['Agent[01] REQUEST Agent[02] (Agent[01] VOTE Agent[03])', 'Agent[01] REQUEST Agent[02] (Agent[01] VOTE Agent[03])'],
  ])('reads %j as %s', (text, canonical) => {
    expect(writeContent(readContent(text)!)).toBe(canonical);
    expect(writeContent(readContent(canonical)!)).toBe(canonical);
  });

  it('inherits the subject of a part as the published parser does', () => {
    expect(readContent('Agent[01] NOT (DAY 1 (VOTED Agent[03]))')).toEqual({
      kind: 'NOT',
      subject: 1,
      parts: [{ kind: 'DAY', subject: 1, day: 1, parts: [{ kind: 'VOTED', subject: 1, target: 3 }] }],
    });
  });

  const WRONG = `
    skip | OVER | Skip. | Agent[01] Skip | ANY | Agent[01] | hello | VOTE | VOTES Agent[01] | VOTE Agent01 | VOTE agent[01]
    VOTE Agent[-1] | VOTE Agent[] | VOTE Agent[01 | VOTE Agent[1.0] | VOTE Agent[01]. | VOTE Agent[2147483648]
    Agent[99999999999] VOTE Agent[01] | VOTEAgent[01] | VOTE Agent[01] Agent[02] | VOTE Agent[01]] | vote Agent[01]
    VÖTE Agent[01] | ESTIMATE Agent[01] | ESTIMATE Agent[01] HUMAN | ESTIMATE WEREWOLF | COMINGOUT SEER
    COMINGOUT Agent[01] WEREWOLF SEER | DIVINED Agent[01] SEER | DIVINED Agent[01] | INQUESTED Agent[01] HUMAN
    DIVINE Agent[01] | AGREE | AGREE TALK 1 3 | AGREE talk day1 ID:3 | AGREE TALK day1 id:3 | AGREE TALK day-1 ID:3
    AGREE TALK day1 | AGREE TALK day ID: | REQUEST ANY VOTE Agent[05] | REQUEST ANY | REQUEST ANY () | REQUEST ANY (hello)
    REQUEST ANY(VOTE Agent[05]) | INQUIRE (VOTE Agent[01]) | INQUIRE ANY ANY (VOTE Agent[01]) | BECAUSE (VOTE Agent[01])
    XOR (VOTE Agent[01]) | BECAUSE (VOTE Agent[01]) (hello) | AND (VOTE Agent[01]) (hello) | NOT (VOTE Agent[01]) (hello)
    AND | AND () | AND VOTE Agent[01] | AND (VOTE Agent[01]) junk | AND (VOTE Agent[01]) ( | AND(VOTE Agent[01])
    AND junk (VOTE ANY) | AND ((VOTE Agent[01]) | OR ((VOTE Agent[01]) | NOT ((VOTE Agent[01]) | NOT((VOTE Agent[01]))
    NOT )(VOTE Agent[01]) | DAY (VOTED Agent[01]) | DAY -1 (VOTED Agent[01]) | DAY one (VOTED Agent[01])
    DAY 1(VOTED Agent[01]) | DAY 2147483648 (Skip) | (VOTE Agent[01]) | WAIT (VOTE Agent[01]) | VOTE (Skip)
    VOTE ANY (Skip) | Agent[01] Agent[02] VOTE Agent[03] | VOTE Agent[01] (VOTE Agent[02]) | NOT (VOTE Agent[01]) Agent[02]`;
  it.each([
    ...WRONG.split(/[|\n]/).map((text) => text.trim()),
    '',
    ' ',
    'VOTE  ',
    'VOTE Agent[01]\nOver',
    'VOTE\u00a0Agent[01]',
    'VOTE Agent[\u0661]',
    'AND (VOTE Agent[01])\n(VOTE Agent[02])',
  ])('rejects %j', (text) => expect(readContent(text)).toBeUndefined());
});

describe('hostile input', () => {
  const nested = (depth: number) => `${'NOT ('.repeat(depth)}VOTE ANY${')'.repeat(depth)}`;

  it('is read to a nesting depth of 256 and no deeper', () => {
    expect(writeContent(readContent(nested(256))!)).toBe(nested(256));
    expect(readContent(nested(257))).toBeUndefined();
    expect(readContent(nested(20_000))).toBeUndefined();
  });

  it.each([
    ['REQUEST ('.repeat(256) + 'VOTE ANY' + ')'.repeat(256), true],
    [`AND ${'(VOTE ANY)'.repeat(10_000)}`, true],
    [`AND (VOTE ANY)${')('.repeat(50_000)})`, true],
    [`AND (${' '.repeat(100_000)}VOTE ANY)`, true],
    [`VOTE Agent[${'0'.repeat(100_000)}1]`, true],
    [`AND (VOTE ANY)${' '.repeat(100_000)}(Skip)`, true],
    [`VOTE Agent[${'9'.repeat(100_000)}]`, false],
    ['NOT ('.repeat(25_000), false],
    ['('.repeat(100_000), false],
    [`AND ${'('.repeat(100_000)})`, false],
    [`AND ${')('.repeat(50_000)}`, false],
    [' '.repeat(100_000), false],
    ['A'.repeat(100_000), false],
    [`ANY${' '.repeat(100_000)}`, false],
    ['Agent[01]'.repeat(10_000), false],
    [`AND (${'ANY '.repeat(25_000)})`, false],
    [`AGREE TALK day${'1'.repeat(50_000)} ID:${'1'.repeat(50_000)}`, false],
    [`AND ${'(VOTE ANY) '.repeat(10_000)}(VOTE)`, false],
    ['\ud800\u0000\u2028('.repeat(20_000), false],
  ])('gets its verdict quickly: %#', (text, isValid) => expect(isUtterance(text)).toBe(isValid));

  it('never makes the reader throw', () => {
    const dice = diceOf('hostile', 'texts');
    const scraps = '(|)| |AND |NOT (|VOTE |ANY|Agent[|01|]|REQUEST |DAY 1 (|Skip|\n|)(|XOR (|) ('.split('|') as [string, ...string[]];
    let valid = 0;
    for (let i = 0; i < 20_000; i++) {
      const text = Array.from({ length: dice.below(12) }, () => dice.pick(scraps)).join('');
      const content = readContent(text);
      if (!content) continue;
      valid++;
      expect(readContent(writeContent(content))).toBeDefined();
    }
    expect(valid).toBeGreaterThan(20);
  });
});

describe('writeContent', () => {
  it('round-trips thousands of random contents', () => {
    const dice = diceOf('contents', '1');
    const kinds = new Set<string>();
    for (let i = 0; i < 5000; i++) {
      const content = anyContent(dice, 4, undefined);
      kinds.add(content.kind);
      const text = writeContent(content);
      expect(readContent(text)).toEqual(content);
      expect(writeContent(readContent(text)!)).toBe(text);
    }
    expect(kinds.size).toBe(23);
  });

  it('omits inherited subjects and parts that are never read', () => {
    const vote: Content = { kind: 'VOTE', target: 3 };
    expect(writeContent({ kind: 'AND', subject: 2, parts: [vote] })).toBe('Agent[02] AND (VOTE Agent[03])');
    expect(writeContent({ kind: 'NOT', parts: [vote, vote] })).toBe('NOT (VOTE Agent[03])');
    expect(writeContent({ kind: 'XOR', parts: [vote, vote, vote] })).toBe('XOR (VOTE Agent[03]) (VOTE Agent[03])');
  });

  it('counts seats from one, with at least two digits', () => {
    expect([agentOf(0), agentOf(9), 99, 100].map(writeAgent)).toEqual(['Agent[01]', 'Agent[10]', 'Agent[99]', 'Agent[100]']);
    expect(writeAgent(ANY)).toBe('ANY');
  });
});

/** A random content with complete subjects. */
function anyContent(dice: Dice, depth: number, inherited: Agent | undefined): Content {
  const own = dice.below(3) ? inherited : dice.below(16);
  const subject = own === undefined ? {} : { subject: own };
  const target = dice.below(16);
  const parts = (count: number, within: Agent | undefined) =>
    Array.from({ length: count }, () => anyContent(dice, depth - 1, within)) as unknown as readonly [Content, Content];
  const simple = ['SKIP', 'OVER', 'ESTIMATE', 'COMINGOUT', 'DIVINED', 'IDENTIFIED', 'AGREE', 'DISAGREE'] as const;
  const about = ['DIVINATION', 'GUARD', 'GUARDED', 'VOTE', 'VOTED', 'ATTACK', 'ATTACKED'] as const;
  const operators = ['REQUEST', 'INQUIRE', 'AND', 'OR', 'NOT', 'BECAUSE', 'XOR', 'DAY'] as const;
  const kind = dice.pick(depth > 0 ? [...simple, ...about, ...operators] : [...simple, ...about]);
  switch (kind) {
    case 'SKIP':
    case 'OVER':
      return { kind, ...(inherited === undefined ? {} : { subject: inherited }) };
    case 'ESTIMATE':
    case 'COMINGOUT':
      return { kind, ...subject, target, role: dice.pick(['SEER', 'FOX', 'ANY', 'WEREWOLF']) };
    case 'DIVINED':
    case 'IDENTIFIED':
      return { kind, ...subject, target, result: dice.pick(['HUMAN', 'WEREWOLF', 'ANY']) };
    case 'AGREE':
    case 'DISAGREE':
      return { kind, ...subject, channel: dice.pick(['TALK', 'WHISPER']), day: dice.below(30), number: dice.below(200) };
    case 'REQUEST':
    case 'INQUIRE':
      return { kind, ...subject, target, parts: parts(1, target) };
    case 'AND':
    case 'OR':
      return { kind, ...subject, parts: parts(1 + dice.below(3), own) };
    case 'NOT':
      return { kind, ...subject, parts: parts(1, own) };
    case 'BECAUSE':
    case 'XOR':
      return { kind, ...subject, parts: parts(2, own) };
    case 'DAY':
      return { kind, ...subject, day: dice.below(30), parts: parts(1, own) };
    case 'DIVINATION':
    case 'GUARD':
    case 'GUARDED':
    case 'VOTE':
    case 'VOTED':
    case 'ATTACK':
    case 'ATTACKED':
      return { kind, ...subject, target };
  }
}

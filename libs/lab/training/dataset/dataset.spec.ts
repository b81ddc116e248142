import { describe, expect, it } from '@jest/globals';
import { encoderNamed } from '@maw/learning/encoders/encoder-named.ts';
import { type Choice, type Dataset, formatDataset, parseDataset } from './dataset.ts';
import { joinTransitions, transitionsOf } from './transitions.ts';

const choice = (game: string, turn: number, rest: Partial<Choice> = {}): Choice => ({
  deal: game,
  game,
  seat: 2,
  role: 'robber',
  turn,
  log: ['night', `turn ${turn}`],
  tactic: turn % 2 ? 'deny' : 'accuse',
  reward: 0,
  isLast: turn === 1,
  ...rest,
});
const data: Dataset = {
  format: 'maw-tactics-1',
  tactics: ['accuse', 'deny', 'wait'],
  source: 'by hand',
  choices: [choice('a', 0), choice('a', 1, { reward: 1 }), choice('b', 0, { belief: { 'seat:0=werewolf': 0.5 } }), choice('b', 1)],
};
const text = formatDataset(data);
const changed = (line: number, change: (value: Record<string, unknown>) => unknown): string =>
  text
    .trimEnd()
    .split('\n')
    .map((each, i) => (i === line - 1 ? JSON.stringify(change(JSON.parse(each) as Record<string, unknown>)) : each))
    .join('\n')
    .concat('\n');

describe('a dataset file', () => {
  it('is read as it was written', () => expect(parseDataset(text, 'd.jsonl')).toEqual(data));

  it.each([
    ['', 'd.jsonl is empty'],
    [text.slice(0, -20), 'd.jsonl: the last line is incomplete; the file was cut off'],
    [text.split('\n').slice(0, 2).join('\n').concat('\n{"deal":\n'), 'd.jsonl, line 3: no JSON value'],
    [text.replace('"reward":1', '"reward":NaN'), 'd.jsonl, line 3: no JSON value'],
    [text.replace('"reward":1', '"reward":1e999'), 'd.jsonl, line 3, reward: '],
    [text.replace('0.5', '1.5'), 'd.jsonl, line 4, belief.seat:0=werewolf: '],
    [`${text.split('\n')[0]}\n`, 'd.jsonl has no choices'],
    [changed(1, (header) => ({ ...header, format: 'other' })), 'd.jsonl, line 1, format: '],
    [changed(2, (row) => ({ ...row, tactic: 'sing' })), 'd.jsonl, line 2: "sing" is not among the tactics of line 1'],
    [
      changed(3, (row) => ({ ...row, tactic: 'accuse' })).replace('"deny","reward"', '"accuse","reward"'),
      'd.jsonl: every choice is accuse',
    ],
    [
      changed(3, (row) => ({ ...row, isLast: false })),
      'd.jsonl, line 3: seat 2 of game a has no further choice, and this one is not its last',
    ],
    [changed(5, (row) => ({ ...row, isLast: false })), 'd.jsonl, line 5: seat 2 of game b has no further choice'],
    [changed(2, (row) => ({ ...row, isLast: true })), 'd.jsonl, line 3: seat 2 of game a has had its last choice before'],
    [changed(3, (row) => ({ ...row, deal: 'z' })), 'd.jsonl, line 3: game a has two deals'],
    [changed(4, (row) => ({ ...row, cards: ['werewolf'] })), 'd.jsonl, line 4: Unrecognized key: "cards"'],
  ])('is refused where it is wrong (%#)', (wrong, why) => expect(() => parseDataset(wrong, 'd.jsonl')).toThrow(why));

  it('becomes transitions, each leading to the next choice of the same seat', () => {
    const { tactics, rewards, next, first, states } = transitionsOf(data, data.choices, encoderNamed('hashed-ngrams-1:64:0'));
    expect([[...tactics], [...rewards], [...next], first]).toEqual([
      [0, 1, 0, 1],
      [0, 1, 0, 0],
      [1, -1, 3, -1],
      [0, 2],
    ]);
    expect(states.starts).toHaveLength(5);
    const [a, b] = [data.choices.slice(0, 2), data.choices.slice(2)].map((part) =>
      transitionsOf(data, part, encoderNamed('hashed-ngrams-1:64:0')),
    );
    expect(joinTransitions(a!, b!)).toEqual(transitionsOf(data, data.choices, encoderNamed('hashed-ngrams-1:64:0')));
  });
});

describe('hashed n-grams', () => {
  const seen = { role: 'robber', turn: 1, log: ['I saw a wolf', 'You saw me'] };
  const encode = (name: string, observation: Parameters<ReturnType<typeof encoderNamed>['encode']>[0]) =>
    [...encoderNamed(name).encode(observation)].toSorted(([a], [b]) => a - b);

  it('are the same for the same name, and of length 1', () => {
    const row = encode('hashed-ngrams-1:256:0', seen);
    expect(encode('hashed-ngrams-1:256:0', { ...seen, log: [...seen.log] })).toEqual(row);
    expect(row.reduce((sum, [, value]) => sum + value * value, 0)).toBeCloseTo(1, 9);
    expect(row.every(([at]) => at >= 0 && at < 256)).toBe(true);
    // Every model that was ever trained depends on these places: another hash is another version of the encoder.
    expect(encode('hashed-ngrams-1:1024:7', { role: 'seer', turn: 0, log: [] }).map(([at]) => at)).toEqual([737, 854]);
  });

  it.each([
    ['the seed', 'hashed-ngrams-1:256:1', seen],
    ['the dimension', 'hashed-ngrams-1:512:0', seen],
    ['the role', 'hashed-ngrams-1:256:0', { ...seen, role: 'seer' }],
    ['the turn', 'hashed-ngrams-1:256:0', { ...seen, turn: 2 }],
    ['the belief', 'hashed-ngrams-1:256:0', { ...seen, belief: { wolf: 0.3 } }],
    ['the belief in prose', 'hashed-ngrams-1:256:0', { ...seen, thought: 'a wolf' }],
    ['which line is the last', 'hashed-ngrams-1:256:0', { ...seen, log: seen.log.toReversed() }],
    ['the order of words', 'hashed-ngrams-1:256:0', { ...seen, log: ['a wolf I saw', 'You saw me'] }],
  ])('differ by %s', (_, name, observation) => expect(encode(name, observation)).not.toEqual(encode('hashed-ngrams-1:256:0', seen)));

  it.each(['', 'hashed-ngrams-1', 'hashed-ngrams-1:4:0', 'hashed-ngrams-1:100000:0', 'hashed-ngrams-2:256:0', 'embed:nomic'])(
    'are not named %j',
    (name) => expect(() => encoderNamed(name)).toThrow('is no encoder'),
  );
});

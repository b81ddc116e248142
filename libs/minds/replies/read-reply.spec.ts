import { describe, expect, it } from '@jest/globals';
import { asking, dayTwo, inspect, talk, vote, whisper } from '../fixtures.suite.ts';
import type { Asking } from '../mind.ts';
import { waysOf } from '../prompts/reply.ts';
import { readReply } from './read-reply.ts';

const all = waysOf({ ...dayTwo, questions: [vote, talk, inspect, whisper] });
const day = waysOf(dayTwo);
/** What is answered, as question and words; what is wrong; or `listen`. */
function read(reply: unknown, ways = all, moment: Partial<typeof dayTwo> = dayTwo): unknown {
  const reading = readReply(typeof reply === 'string' ? reply : JSON.stringify(reply), ways, moment);
  if ('wrong' in reading) return reading;
  const [answer] = reading.answers;
  return answer ? [answer.question, ...answer.says] : reading.way.do;
}
const wrong = { wrong: expect.anything() };

describe('reading a reply', () => {
  it('maps names back to options', () => {
    expect(read({ do: 'vote', target: 'Cid' })).toEqual([vote.id, 'seat:2']);
    expect(read({ do: 'whisper', to: 'Dot', text: 'psst' })).toEqual([whisper.id, 'seat:3', 'psst']);
    expect(read({ do: 'inspect', target: 'Bob' })).toEqual([inspect.id, 'seat:1']);
    expect(read({ do: 'listen' })).toBe('listen');
  });

  it('keeps the reason, in whatever field it came', () => {
    expect(readReply('{"thought":"He\\u0007 lies.","do":"vote","target":"Bob"}', all)).toMatchObject({ reason: 'He lies.' });
    expect(readReply('{"do":"vote","target":"Bob"}', all)).not.toHaveProperty('reason');
  });

  it.each([
    'I refuse to vote for Bob.',
    "Bob's vote was odd.",
    'Bob voted for me.',
    'If Bob lies I vote.',
    'I cannot tell whether Bob lies, so who gets a vote',
    'Neither Bob nor anyone gets my vote',
    { do: 'vote', target: 'avoid Bob' },
    { do: 'vote', target: 'whoever Bob votes for' },
    { do: 'vote', target: 'Ann', player: 'Bob' },
  ])('names nobody by what only mentions somebody: %j', (reply) => {
    expect(read(reply, day)).toEqual(wrong);
  });

  it('takes a denial of one of two players for no vote for the other', () => {
    const final = { ...inspect, options: inspect.options.slice(0, 2) };
    const ways = waysOf({ ...dayTwo, questions: [final] });
    const [one] = final.options;
    for (const text of [`I do not trust ${one!.named}.`, `I am not sure about ${one!.named}.`, `Not ${one!.named}`])
      expect([text, read(text, ways)]).toEqual([text, wrong]);
  });

  describe('where two players may be named as one option', () => {
    const pairs = [['seat:1', 'Bob'], ['seat:2', 'Cid'], ['seat:3', 'Dot'], ['seat:1+2', 'Bob and Cid'], ['seat:1+3', 'Bob and Dot'], ['seat:2+3', 'Cid and Dot']]; // prettier-ignore
    const assassinate = { ...inspect, id: 'round-1/end/assassinate', options: pairs.map(([is, named]) => ({ is: is!, named: named! })) };
    const ways = waysOf({ ...dayTwo, questions: [assassinate] });

    it.each([
      [{ do: 'assassinate', target: 'Bob and Cid' }, 'seat:1+2'],
      [{ do: 'assassinate', target: 'cid AND dot' }, 'seat:2+3'],
      [{ do: 'assassinate', target: 'Cid and Bob' }, 'seat:1+2'],
      [{ do: 'assassinate', target: 'Dot, Bob' }, 'seat:1+3'],
      [{ do: 'assassinate', target: ['Cid', 'Dot'] }, 'seat:2+3'],
      [{ do: 'assassinate', targets: ['Dot', 'Cid'] }, 'seat:2+3'],
      [{ do: 'assassinate', target: 'Dot' }, 'seat:3'],
      [{ do: 'assassinate', target: ['Bob'] }, 'seat:1'],
      ['Bob and Dot', 'seat:1+3'],
    ])('reads %j as %s', (reply, option) => expect(read(reply, ways)).toEqual([assassinate.id, option]));

    it.each([
      { do: 'assassinate', target: 'Bob, Cid and Dot' },
      { do: 'assassinate', target: ['Bob', 'Cid', 'Dot'] },
      { do: 'assassinate', target: 'Bob and Eve and Cid or Dot' },
      'Bob seems to know too much. Cid is loyal.',
    ])('guesses nothing from %j', (reply) => expect(read(reply, ways)).toEqual(wrong));
  });

  it('takes no sign of its own alphabet in a reply for an option', () => {
    for (const sign of ['\ue000', '\ue100', '\ue101', '\uf8ff'])
      for (const reply of [sign, `I vote for ${sign}.`, JSON.stringify({ do: 'vote', target: sign })])
        expect([reply, read(reply, day)]).toEqual([reply, wrong]);
  });

  // Each took from seconds to hours when its signs were searched from every place anew; the limit is far above what a busy machine needs.
  it.each([
    '{',
    '[',
    "{'a'",
    '{"a":"b" ',
    '{a} ',
    '{"a":1}',
    'is it so ',
    '<think>',
    '<|channel|>a<|message|>',
    'final: ',
    'not Bob. ',
    '"',
    ' ',
    '{"a":',
    'a: ',
  ])('reads 400,000 characters of %j in no time', (unit) => {
    for (const size of [11_000, 400_000])
      for (const reply of [unit.repeat(size / unit.length), `{"do":${' '.repeat(size)}x`, `Bob ${unit.repeat(size / unit.length)} x`]) {
        const start = process.threadCpuUsage();
        read(reply);
        expect(process.threadCpuUsage(start).user).toBeLessThan(3_000_000);
      }
  });

  it('reads nothing out of a reply that nests without end, or that goes on and on', () => {
    expect(read(`${'['.repeat(6_000)}${']'.repeat(6_000)}`)).toEqual(wrong);
    expect(read(`{"do":"vote","target":${'['.repeat(3_000)}"Bob"${']'.repeat(3_000)}}`)).toEqual(wrong);
    expect(read(`I vote for Bob.${' Yes.'.repeat(3_000)}`, day)).toEqual(wrong);
  });

  it('never lets an option through that was not offered, not even by its id', () => {
    for (const target of ['seat:1', 'seat:0', '__proto__', 'Bob, Cid', ['Bob', 'Cid'], 3, null])
      expect([target, read({ do: 'vote', target })]).toEqual([target, wrong]);
  });

  it.each<[unknown, unknown]>([
    [{ do: 'none' }, 'listen'],
    [{ do: null }, 'listen'],
    [{ do: '' }, 'listen'],
    [{ do: 'execute', target: 'Bob' }, [vote.id, 'seat:1']],
    [{ do: 'say', text: 'Hm.' }, [talk.id, 'Hm.']],
    [{ vote: 'Cid' }, [vote.id, 'seat:2']],
    [{ text: 'Hm.' }, [talk.id, 'Hm.']],
    [{ do: 'speak', text: '...' }, 'speak'],
    ['I vote for Bob.', [vote.id, 'seat:1']],
    ['Bob!', [vote.id, 'seat:1']],
    ['I will listen.', 'listen'],
    ['I suspect Bob.', wrong],
    [{ do: 'hide', target: 'Bob' }, wrong],
    [{}, wrong],
    [
      [
        { do: 'vote', target: 'Bob' },
        { do: 'speak', text: 'Hm.' },
      ],
      wrong,
    ],
  ])('knows among vote, talk and listening which is meant: %j', (reply, expected) => {
    expect(read(reply, day)).toEqual(expected);
  });

  it('takes prose for a speech where only a speech can be meant', () => {
    const ways = waysOf({ ...dayTwo, questions: [talk] });
    expect(read('Ann: I suspect Bob.', ways)).toEqual([talk.id, 'I suspect Bob.']);
    expect(read('I will just listen for now.', ways)).toBe('listen');
    expect(read('{"do":"speak","text', ways)).toEqual(wrong);
  });

  it('takes the verb for the choice where the target names a player, and not where it is a word', () => {
    const words = ['approve', 'reject'].map((is) => ({ is, named: is }));
    const ways = waysOf({ ...dayTwo, questions: [asking('quest-1/approve', 'choose', words)] });
    expect(read({ do: 'reject', target: 'Dot' }, ways)).toEqual(['round-1/quest-1/approve', 'reject']);
    expect(read({ do: 'approve', targets: ['Ann', 'Bob'] }, ways)).toEqual(['round-1/quest-1/approve', 'approve']);
    expect(read({ do: 'approve', target: 'abstain' }, ways)).toEqual(wrong);
    expect(read({ approve: true }, ways)).toEqual(['round-1/quest-1/approve', 'approve']);
    expect(read({ reject: true }, ways)).toEqual(['round-1/quest-1/approve', 'reject']);
  });

  it('takes a name that is a letter off only if nobody at the table is called like that', () => {
    const options = [{ is: 'seat:1', named: 'Varden' }];
    const ways = waysOf({ ...dayTwo, questions: [{ ...inspect, options }] });
    const sits = (...names: readonly string[]) => ({ players: names.map((name, seat) => ({ name, seat, alive: true })) });
    expect(read({ target: 'Vardan' }, ways, sits('Ann', 'Varden'))).toEqual([inspect.id, 'seat:1']);
    expect(read({ target: 'Vardan' }, ways, sits('Ann', 'Varden', 'Vardan'))).toEqual(wrong);
    expect(read({ target: 'Vardun' }, ways, sits('Ann', 'Varden', 'Vardon'))).toEqual(wrong);
  });

  it('says what is wrong in words, with what is legal', () => {
    expect(read('I am undecided.')).toEqual({ wrong: 'It was not one JSON object.' });
    expect(read({ do: 'hide' })).toEqual({ wrong: '"do" must be one of speak, vote, inspect, whisper, listen.' });
    expect(read({ do: 'vote', target: 'Ann' })).toEqual({ wrong: '"target" must be one of Bob, Cid, Dot, and nothing else.' });
    expect(read({ do: 'speak', text: 'x'.repeat(41) })).toEqual({ wrong: expect.stringContaining('at most 40 characters') });
  });

  it('counts characters as people do, not as UTF-16 does', () => {
    expect(read({ do: 'speak', text: `${'🐺'.repeat(39)}a` })).toEqual([talk.id, `${'🐺'.repeat(39)}a`]);
    expect(read({ do: 'speak', text: `${'🐺'.repeat(40)}a` })).toEqual(wrong);
  });

  it('takes as many names as are picked, each once', () => {
    const team: Asking = { ...inspect, id: 'quest-1/team', pick: 2 };
    const ways = waysOf({ ...dayTwo, questions: [team] });
    expect(read({ do: 'team', targets: ['Bob', 'Dot'] }, ways)).toEqual([team.id, 'seat:1', 'seat:3']);
    for (const targets of [['Bob', 'Bob'], ['Bob'], ['Bob', 'Cid', 'Dot']]) expect(read({ do: 'team', targets }, ways)).toEqual(wrong);
  });

  it('takes only sentences of a formal language for a speech in prose', () => {
    const formal = { ...talk, options: ['Skip', 'VOTE Agent[01]'].map((is) => ({ is, named: is })) };
    const ways = waysOf({ ...dayTwo, questions: [formal] });
    expect(read('VOTE Agent[02]', ways)).toEqual([formal.id, 'VOTE Agent[02]']);
    expect(read('I vote for Bob.', ways)).toEqual(wrong);
  });
});

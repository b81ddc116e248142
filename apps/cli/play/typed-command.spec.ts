import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Question } from './describe-question.ts';
import { completionsFor, parseTypedCommand } from './typed-command.ts';

const names = ['Ann', 'Ann Lee', 'Ada', 'Bob', 'Yara'];
const question = (id: string, options: readonly string[], pick = 1): Question => ({
  id,
  verb: 'choose',
  options: options.map((named) => ({ is: names.includes(named) ? `seat:${names.indexOf(named)}` : named, named })),
  pick,
  until: 0,
  final: true,
  maxChars: 500,
});
const vote = question('round-1/day-1/vote', ['Ann Lee', 'Ada', 'Bob']);
const team = question('quest-1/proposal-1/team', names, 3);
const approve = question('quest-1/proposal-1/approve', ['approve', 'reject']);
const swap = question('night/troublemaker', ['pass', 'Ann Lee', 'Ada'], 2);
const look = question('night/seer', ['pass', 'Ada', 'centre:0+1', 'centre:0+2']);

const parsed = (line: string, ...asked: readonly Question[]) => parseTypedCommand(line, { names, asked, hasWhispers: true });
const says = (line: string, ...asked: readonly Question[]) => {
  const command = parsed(line, ...asked);
  return command?.does === 'choose' ? command.says : command;
};

const ALWAYS = '/votes, /who, /back, /rules, /help, /skip, /over, /ready, /understood, /quit';

describe('a typed line', () => {
  it.each([
    ['hello there', { does: 'say', text: 'hello there' }],
    ['/VOTES', { does: 'votes' }],
    ['/he', { does: 'help' }],
    ['/whisper ann lee meet me', { does: 'whisper', whom: 'Ann Lee', text: 'meet me' }],
    ['/whisper Ann, meet me', { does: 'whisper', whom: 'Ann', text: 'meet me' }],
    ['/w bo meet me', { does: 'whisper', whom: 'Bob', text: 'meet me' }],
    ['/quit', { does: 'quit', isMindWanted: undefined }],
    ['/understood', { does: 'understood', isTold: undefined }],
    ['/und off', { does: 'understood', isTold: false }],
    ['/quit no', { does: 'quit', isMindWanted: false }],
    ['   ', undefined],
  ])('%j is understood', (line, wish) => expect(parsed(line)).toEqual(wish));

  it.each([
    ['/dance', `There is no command /dance at this table. There are ${ALWAYS}, /whisper.`],
    ['/', 'A command is missing after the slash. /help lists the commands.'],
    ['/whisper Zoe hi', 'Nobody here is called Zoe.'],
    ['/whisper A hi', 'A may be Ann or Ann Lee or Ada.'],
    ['/whisper Bob', 'Whisper what? /whisper Bob text'],
    ['/vote Bob', `/vote is not asked of you now. There are ${ALWAYS}, /whisper.`],
    ['/team Bob', `/team is not asked of you now. There are ${ALWAYS}, /whisper.`],
  ])('%j is answered with one line', (line, why) => expect(parsed(line)).toEqual({ does: 'unknown', why }));
});

describe('what a table does not have', () => {
  const at = (line: string, ...asked: readonly Question[]) => parseTypedCommand(line, { names, asked, hasWhispers: false });
  it.each(['/whisper Bob hi', '/whisp Bob hi', '/whisper'])('%j is unknown where the rules allow no whispers', (line) => {
    const [, word] = /^\/(\w+)/.exec(line)!;
    const why = `There is no command /${word} at this table. There are ${ALWAYS}, /vote.`;
    expect(at(line, vote)).toEqual({ does: 'unknown', why });
  });

  it.each(['Nobody', 'nobody', 'no-one', 'none'])('/vote %s says what to do for nobody, and passes where that can be chosen', (whom) => {
    const why = 'Nobody cannot be chosen: whoever wants nobody chooses nothing. You may choose from Ann Lee, Ada, Bob.';
    expect(at(`/vote ${whom}`, vote)).toEqual({ does: 'unknown', why });
    expect(at(`/troublemaker ${whom}`, swap)).toEqual({ does: 'choose', question: swap, says: ['pass'] });
  });

  it('a player called like that is meant by the name', () => {
    const called = question('round-1/day-1/vote', ['Bob', 'None']);
    expect(at('/vote none', called)).toMatchObject({ does: 'choose', says: ['None'] });
  });
});

describe('what an input method makes of a command', () => {
  const sight = (...present: readonly string[]) => ({
    names: present,
    asked: [{ ...vote, options: present.map((named, seat) => ({ is: `seat:${seat}`, named })) }],
  });
  const typed = (line: string, ...present: readonly string[]) => {
    const { names: _, asked } = sight(...present);
    const command = parseTypedCommand(line, { names: present, asked, hasWhispers: false });
    return command?.does === 'choose' ? command.says.map((is) => present[Number(is.slice('seat:'.length))]) : command?.does;
  };

  it.each(['／vote Bob', '／ｖｏｔｅ\u3000Ｂｏｂ', '∕vote Bob', '⁄vote bob', '⧸vote Bob', '\\vote Bob', '＼vote Bob', '\u200b/vote Bob', '/ vote Bob', '／\u00advote Bob'])(
    '%j votes and is never said aloud',
    (line) => expect(typed(line, 'Ann', 'Bob')).toEqual(['Bob']),
  ); // prettier-ignore

  it.each(['／', '／dance', '＼wave to all', '⁄ ', '∕∕', '/／'])('%j is never said aloud', (line) =>
    expect(typed(line, 'Ann', 'Bob')).toBe('unknown'),
  );

  it.each([
    ['/vote And', ['And', 'Bob'], 'And'],
    ['/vote for', ['For', 'Bob'], 'For'],
    ['/vote for For', ['For', 'Bob'], 'For'],
    ['/vote for And', ['And', 'Bob'], 'And'],
    ['/vote for Bob', ['For', 'Bob'], 'Bob'],
    ['/vote Zoe\u0308', ['Zoë', 'Zoe'], 'Zoë'],
    ['/vote Zoe', ['Zoë', 'Zoe'], 'Zoe'],
    ['/vote கவீ', ['கவி', 'கவீ'], 'கவீ'],
    ['/vote علیرضا', ['علی\u200cرضا', 'Bob'], 'علی\u200cرضا'],
    ["/vote o'neil", ["O'Neil", 'Bob'], "O'Neil"],
    ['/vote dr who', ['Dr. Who', 'Bob'], 'Dr. Who'],
    ['/vote അനിവര്', ['അനിവര്\u200d', 'Bob'], 'അനിവര്\u200d'],
  ])('%j among %j names %j', (line, present, name) => expect(typed(line, ...present)).toEqual([name]));

  it('a whisper finds a name typed in parts', () => {
    expect(parseTypedCommand('/whisper Zoe\u0308 hi', { ...sight('Zoë', 'Zoe'), hasWhispers: true })).toEqual({
      does: 'whisper',
      whom: 'Zoë',
      text: 'hi',
    });
  });

  const FIELD = new URL('../../../../shared/data/field/typed.csv', import.meta.url);
  const field = existsSync(FIELD) ? readFileSync(FIELD, 'utf8').trim().split('\n').slice(1).map((line) => line.split(',')) : []; // prettier-ignore
  it(field.length ? 'does what the cases of the field say' : 'cases of the field are not at hand: nothing to compare', () => {
    for (const [line, present, does] of field) {
      const found = typed(line!, ...present!.split('|'));
      expect([line, found]).toEqual([line, does === 'asks which' ? 'unknown' : [does!.replace('votes for ', '')]]);
    }
  });
});

describe('a choice', () => {
  it.each(['/vote ann LEE', '/vote Ann Lee', '/vote seat:1', '/v ann l', '/vote for Ann Lee', '/VOTE annlee'])('%j names Ann Lee', (line) =>
    expect(says(line, vote)).toEqual(['seat:1']),
  );

  it.each([
    '/team Yara Ada Bob',
    '/team Yara, Ada, Bob',
    '/team yara,ada,bob',
    '/team Yara, Ada and Bob',
    '/team ya ad bo',
    '/t yara ada bob',
  ])('%j names three', (line) => expect(says(line, team)).toEqual(['seat:4', 'seat:2', 'seat:3']));

  it.each([
    ['/approve', 'approve'],
    ['/app', 'approve'],
    ['/yes', 'approve'],
    ['/vote approve', 'approve'],
    ['/approve reject', 'reject'],
    ['/reject', 'reject'],
    ['/NO', 'reject'],
  ])('%j votes on a team', (line, option) => expect(says(line, approve)).toEqual([option]));

  const pairs = [['seat:0', 'Ann'], ['seat:1', 'Ann Lee'], ['seat:3', 'Bob'], ['seat:0+1', 'Ann and Ann Lee'], ['seat:0+3', 'Ann and Bob'], ['seat:1+3', 'Ann Lee and Bob']]; // prettier-ignore
  const shoot: Question = { ...question('end/assassinate', []), options: pairs.map(([is, named]) => ({ is: is!, named: named! })) };
  it.each([
    ['/assassinate Ann and Bob', 'seat:0+3'],
    ['/assassinate bob, ann', 'seat:0+3'],
    ['/assassinate Bob Ann Lee', 'seat:1+3'],
    ['/assassinate ann lee & bob', 'seat:1+3'],
    ['/assassinate seat:0+3', 'seat:0+3'],
    ['/assassinate Ann', 'seat:0'],
    ['/assassinate Bo', 'seat:3'],
  ])('%j names one player or two as one option', (line, option) => expect(says(line, shoot)).toEqual([option]));

  it('names no pair by its beginning, and no three players', () => {
    for (const line of ['/assassinate Ann and B', '/assassinate Ann, Bob, Ann Lee', '/assassinate Ann and Ada'])
      expect([line, parsed(line, shoot)?.does]).toEqual([line, 'unknown']);
  });

  it.each(['/seer centre 0 1', '/seer 0 1', '/seer 1 and 0', '/seer centre:0+1'])('%j looks at two cards in the centre', (line) =>
    expect(says(line, look)).toEqual(['centre:0+1']),
  );
  it.each(['/troublemaker pass', '/pass', '/p'])('takes %j where two are wanted', (line) => expect(says(line, swap)).toEqual(['pass']));
  it('takes /vote for the only choice there is, such as the hunt', () =>
    expect(says('/vote Bob', question('round-1/night-1/hunt', ['Bob']))).toEqual(['seat:3']));

  it.each([
    ['/vote Zoe', vote, 'Zoe cannot be chosen; choose from Ann Lee, Ada, Bob.'],
    ['/vote A', vote, 'A may be Ann Lee or Ada.'],
    ['/vote', vote, 'Choose one of Ann Lee, Ada, Bob. For example: /vote Ann Lee'],
    ['/team Ada Bob', team, 'Choose 3, each once, of Ann, Ann Lee, Ada, Bob, Yara. For example: /team Ann, Ann Lee, Ada'],
    ['/team Ada Ada Bob', team, 'Choose 3, each once, of Ann, Ann Lee, Ada, Bob, Yara. For example: /team Ann, Ann Lee, Ada'],
    ['/yes please', approve, '/yes takes no words after it: type /yes alone.'],
    ['/inspect Bob', vote, `/inspect is not asked of you now. There are ${ALWAYS}, /whisper, /vote.`],
  ])('%j says what is wrong in one line', (line, asked, why) => expect(parsed(line, asked)).toEqual({ does: 'unknown', why }));
});

describe('a missing slash', () => {
  it.each([
    ['vote Ada', vote],
    ['Vote for Ada', vote],
    ['approve', approve],
    ['help', vote],
  ])('before %j is asked about', (line, asked) => expect(parsed(line, asked)).toMatchObject({ does: 'confirm', typed: line }));

  it.each([
    ['vote Ada, she lied about the night', vote],
    ['vote Ada', approve],
    ['I vote Ada', vote],
    ['who lied?', vote],
  ])('%j is speech', (line, asked) => expect(parsed(line, asked)).toEqual({ does: 'say', text: line }));
});

describe('the Tab key', () => {
  it.each([
    ['/vot', '/vot', ['/votes ', '/vote ']],
    ['/vote A', 'A', ['Ann Lee ', 'Ada ']],
    ['/vote ann l', 'ann l', ['Ann Lee ']],
    ['/team Yara, B', 'B', ['Bob ']],
    ['I trust Ya', 'Ya', ['Yara ']],
    ['', '', []],
  ])('after %j offers what fits', (line, part, texts) =>
    expect(completionsFor(line, { names, asked: [vote, team], hasWhispers: false })).toEqual({ part, texts }),
  );
});

import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { whenAborted } from '@maw/async/abort.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { ApiProblem } from '@maw/api-client/problem.ts';
import type { TableUpdate } from '../clients/table-stream.ts';
import type { WebClient } from '../clients/web-client.ts';
import type { Question } from './describe-question.ts';
import { createPrompt, type Prompt } from './terminal/line-editor.ts';
import { playSeat } from './play-seat.ts';
import type { SeatOptions } from './session.ts';

const NOW = Date.UTC(2040, 0, 1);
const talk: Question = {
  id: 'round-1/day-1/talk',
  verb: 'say',
  options: [],
  pick: 1,
  until: NOW + 65_000,
  final: false,
  room: 'round-1/day-1/Village',
  maxChars: 20,
};
const vote: Question = { ...talk, id: 'round-1/day-1/vote', verb: 'choose', options: [{ is: 'seat:1', named: 'Ada' }] };

/** A table that goes on until the person leaves, with what reaches it. */
function endlessTable(asked: readonly Question[]) {
  const done: string[] = [];
  const web = {
    leave: async () => void done.push('leave'),
    speak: async (_table: string, _room: string, text: string) => void done.push(`say ${text}`),
    async act(_table: string, question: string, says: readonly string[]) {
      if (done.includes('refuse')) throw new ApiProblem(409, 'phase-over', `${question} is not open`);
      done.push(`act ${says.join()}`);
    },
    async *follow(_table: string, { signal }: { signal: AbortSignal }): AsyncGenerator<TableUpdate> {
      for (const [seat, name] of ['Ann', 'Ada'].entries())
        yield { kind: 'seen', seen: { n: seat + 1, at: NOW, event: { type: 'joined', seat, name }, text: `${name} joins.` } };
      yield { kind: 'seen', seen: { n: 3, at: NOW, event: { type: 'dealt', roles: ['villager', 'hidden'] } } };
      yield { kind: 'asked', asked: { asked: [...asked], brief: '', alive: [true, true], life: 'Awake', holder: 'person' } };
      await whenAborted(signal);
    },
  };
  return { web: web as unknown as WebClient, done };
}

describe('playSeat', () => {
  let typed: PassThrough;
  let shown: string;
  let prompt: Prompt;
  let playing: Promise<string> | undefined;
  let stop: AbortController;
  beforeEach(() => {
    typed = new PassThrough();
    shown = '';
    stop = new AbortController();
  });
  afterEach(async () => {
    stop.abort();
    await playing;
    prompt.close();
  });

  function play(web: WebClient, isTerminal: boolean, more: Partial<SeatOptions> = {}): void {
    const output = Object.assign(new PassThrough(), { columns: 80 });
    output.on('data', (piece: Buffer) => void (shown += piece.toString()));
    prompt = createPrompt(typed, output, isTerminal);
    playing = playSeat({
      web,
      table: 'table-1',
      seat: 0,
      prompt,
      paint: (_, text) => text,
      canLeave: true,
      now: () => NOW,
      signal: stop.signal,
      ...more,
    });
  }
  const until = (text: string | RegExp) => pollUntil(String(text), () => shown.search(text) >= 0, { everyMs: 2 });

  it('ends at /quit of a program without waiting for another line', async () => {
    const { web, done } = endlessTable([]);
    play(web, false);
    typed.write('/quit\n');
    expect(await playing).toBe('left');
    expect(done).toEqual(['leave']);
  });

  it('asks at Ctrl-D whether a mind takes over: yes leaves the seat to it, no keeps it empty, Enter stays', async () => {
    const { web, done } = endlessTable([talk]);
    play(web, true);
    await until('speak: just type');
    typed.write('\u0004');
    await until('Shall a mind play your seat');
    typed.write('\r');
    await until('Nothing was done.');
    typed.write('\u0004');
    typed.write('n\r');
    expect(await playing).toBe('kept');
    expect(done).toEqual([]);
    shown = '';
    play(web, true);
    await until('speak: just type');
    typed.write('\u0004');
    typed.write('y\r');
    expect(await playing).toBe('left');
    expect(done).toEqual(['leave']);
  });

  describe('where talk goes in turns', () => {
    const turn = (n: number): Question => {
      const words = ['Skip', 'Over'].map((is) => ({ is, named: is }));
      return { ...talk, id: `round-1/day-1/turn-${n}/talk`, final: true, options: words };
    };
    const asks = (question: Question): TableUpdate => ({
      kind: 'asked',
      asked: { asked: [question], brief: '', alive: [true, true], life: 'Awake', holder: 'person' },
    });
    const passed: TableUpdate = {
      kind: 'seen',
      seen: { n: 4, at: NOW, event: { type: 'passed', question: turn(0).id, seat: 0, at: NOW }, text: 'Ann says nothing.' },
    };
    /** A table that asks for a second turn once something was said in the first, or it has passed and `isNext`. */
    function turns(first: TableUpdate, isNext = () => true) {
      const { web, done } = endlessTable([turn(0)]);
      const { follow } = web;
      return {
        done,
        web: {
          ...web,
          async *follow(table: string, options: { signal: AbortSignal }): AsyncGenerator<TableUpdate> {
            for await (const update of follow(table, { signal: AbortSignal.abort() })) yield update;
            yield first;
            await pollUntil('the first turn is over', () => (first === passed || done.length > 0) && isNext(), { everyMs: 2 });
            yield asks(turn(1));
            await whenAborted(options.signal);
          },
        } as unknown as WebClient,
      };
    }

    it.each([
      ['/skip', ['say Skip']],
      ['/over', ['say Over', 'say Over']],
    ])('%s says so at once, and /over in the later turns of the day too', async (command, said) => {
      const { web, done } = turns(asks(turn(0)));
      play(web, false);
      await until('/over: nothing more today');
      typed.write(`${command}\n`);
      await pollUntil('all is said', () => done.length === said.length, { everyMs: 2 });
      expect(done).toEqual(said);
    });

    /** Plays with a clock that the test drives: each step ticks once. */
    function playByClock(web: WebClient, more: Partial<SeatOptions> = {}): (ms: number) => void {
      let time = NOW;
      const timers = jest.spyOn(globalThis, 'setInterval');
      play(web, true, { now: () => time, ...more });
      const tick = timers.mock.calls.find(([, ms]) => ms === 1_000)![0];
      timers.mockRestore();
      return (ms) => ((time += ms), tick());
    }

    it('passes over who presses no key for half a minute, for the rest of the day, and shows that clock', async () => {
      const { web, done } = turns(asks(turn(0)));
      const tickAfter = playByClock(web);
      await until(/Without a\s+key\s+it\s+is\s+skipped after 30 seconds\./);
      await until(' 0:30 left, 1:05 once you press a key ');
      for (const ms of [0, 29_000]) tickAfter(ms);
      expect(done).toEqual([]);
      tickAfter(1_000);
      await until('You pressed no key for 30 seconds. Your further turns today are passed over.');
      await pollUntil('the second turn passes', () => done.length === 2, { everyMs: 2 });
      expect(done).toEqual(['say Skip', 'say Over']);
    });

    it.each([
      ['a letter', 'x'],
      ['an arrow', '\u001b[D'],
      ['a command', '/votes\r'],
    ])('waits the whole turn for whoever presses %s', async (_, keys) => {
      const { web, done } = turns(asks(turn(0)));
      const tickAfter = playByClock(web);
      await until('once you press a key');
      tickAfter(20_000);
      shown = '';
      typed.write(keys);
      await pollUntil('the key', () => prompt.keys() > 0, { everyMs: 2 });
      tickAfter(9_000);
      await until(' 0:36 left · ');
      tickAfter(35_000);
      expect(shown).not.toContain('passed over');
      expect(done.splice(0, 0, 'the test is over')).toEqual([]);
    });

    it('tries a skip that failed again, and tells of it once', async () => {
      const { web, done } = turns(asks(turn(0)));
      const { speak } = web;
      let failures = 0;
      web.speak = async (...words) => (failures++ ? speak(...words) : Promise.reject(new ApiProblem(503, 'unavailable', 'later')));
      const tickAfter = playByClock(web);
      await until('/over: nothing more today');
      tickAfter(30_000);
      await pollUntil('the skip fails', () => failures === 1, { everyMs: 2 });
      await pollUntil('the skip is sent', () => (tickAfter(0), done.includes('say Skip')), { everyMs: 2 });
      expect(shown.match(/You pressed no key for 30 seconds/g)).toHaveLength(1);
    });

    it('tells a guest once that the host is away, not of a short break, and that the game answers again', async () => {
      const { web } = endlessTable([]);
      let link: (link: 'live' | 'lost') => void = () => undefined;
      let forMs = 0;
      const { follow } = web;
      web.follow = (table, options) => ((link = options!.onLink!), (forMs = options!.forMs!), follow(table, options));
      const tickAfter = playByClock(web, { away: { says: 'The host is away.', forMs: 7 } });
      await until('you: villager');
      for (const state of ['lost', 'live'] as const) {
        link(state);
        tickAfter(2_000);
      }
      expect(shown).not.toContain('* ');
      for (let i = 0; i < 3; i++) {
        link('lost');
        tickAfter(2_000);
      }
      await until('no connection · ');
      link('live');
      await until('[*] The table answers again.');
      expect([shown.match(/\* The host is away\./g)?.length, forMs]).toEqual([1, 7]);
    });

    it('asks somebody who types when the next turn opens', async () => {
      let isTyping = false;
      const { web, done } = turns(passed, () => isTyping);
      play(web, true);
      await until('You said nothing in time');
      shown = '';
      typed.write('I');
      await pollUntil('the letter', () => prompt.keys() > 0, { everyMs: 2 });
      isTyping = true;
      await until('/over: nothing more today');
      expect(done).toEqual([]);
    });

    it('waits for a silent person once a day only', async () => {
      const { web, done } = turns(passed);
      play(web, false);
      await until('Press a key to be asked again');
      await pollUntil('the second turn passes', () => done.length > 0, { everyMs: 2 });
      expect(done).toEqual(['say Over']);
    });
  });

  describe('where the game has a language of its own', () => {
    const options = ['Skip', 'Over', 'VOTE Agent[02]'].map((is) => ({ is, named: is }));
    const turn: Question = { ...talk, id: 'round-1/day-1/turn-0/talk', maxChars: 60, final: true, options };
    const ballot: Question = { ...vote, id: 'round-1/day-1/ballot-0/vote' };
    const aiwolf = (asked: readonly Question[]) => {
      const { web, done } = endlessTable(asked);
      const opened: TableUpdate = {
        kind: 'seen',
        seen: { n: 1, at: NOW, event: { type: 'opened', opening: { rules: 'aiwolf', rounds: 1, seats: [{}, {}], options: {} } } },
      };
      async function* follow(table: string, how: { signal: AbortSignal }): AsyncGenerator<TableUpdate> {
        yield opened;
        yield { kind: 'seen', seen: { n: 1, at: NOW, event: { type: 'began', round: 1 } } };
        yield* web.follow(table, how);
      }
      return { done, web: { ...web, follow } as unknown as WebClient };
    };

    it('translates plain sentences, shows what is said, and says nothing that it does not understand', async () => {
      const { web, done } = aiwolf([turn]);
      play(web, false);
      await until(/such as: I think Ada\[02\] is a werewolf\./);
      typed.write('the sky is blue\nI think Ada is a werewolf\nskip\n');
      await pollUntil('both are said', () => done.length === 2, { everyMs: 2 });
      expect(shown).toContain('Not understood, and nothing was said. You can say, for example: “I think Ada is a werewolf”');
      expect(shown).toContain('In the language of the game: ESTIMATE Agent[02] WEREWOLF\n');
      expect(done).toEqual(['say ESTIMATE Agent[02] WEREWOLF', 'say Skip']);
    });

    it('shows players with numbers, which can be typed for names', async () => {
      const { web, done } = aiwolf([ballot]);
      play(web, true);
      await until(/2 of 2 alive: Ann\[01\], Ada\[02\]/);
      await until(/vote 1 of 1: .vote Ada\[02\]/);
      for (const line of ['/vote 2', '/vote ada', '/vote Agent[02]', '/vote Ada[02]']) typed.write(`${line}\r`);
      await pollUntil('all are taken', () => done.length === 4, { everyMs: 2 });
      expect(new Set(done)).toEqual(new Set(['act seat:1']));
    });
  });

  it('shows time, role, phase, the living and what can be typed above the line', async () => {
    const { web } = endlessTable([vote, talk]);
    play(web, true);
    await until(' 1:05 left · you: villager · day 1 · 2 of 2 alive: Ann, Ada \nvote 1 of 1: /vote Ada · speak: just type\n> ');
  });

  it('gives a speech that is too long back to be edited, and sends nothing', async () => {
    const { web, done } = endlessTable([talk]);
    play(web, true);
    await until('speak: just type');
    typed.write('\u001b[200~one line\nand another, too long\u001b[201~');
    typed.write('\r');
    await until('Too long: 30 characters, at most 20. Nothing was sent; shorten it.');
    await until(/> one line and another, too long$|too long$/);
    expect(done).toEqual([]);
    typed.write('\u0015short\r');
    await pollUntil('the speech', () => done.includes('say short'), { everyMs: 2 });
  });

  it('does not let what could not be said join the next line', async () => {
    const { web, done } = endlessTable([vote]);
    play(web, true);
    await until('/vote Ada');
    typed.write('hello\r');
    await until('You cannot speak now.');
    typed.write('/vote Ada\r');
    await pollUntil('the vote', () => done.includes('act seat:1'), { everyMs: 2 });
  });

  it('asks whether a command without its slash is speech', async () => {
    const { web, done } = endlessTable([vote, talk]);
    play(web, true);
    await until('speak: just type');
    typed.write('vote Ada\r');
    await until('Did you mean /vote Ada?');
    typed.write('n\r');
    await pollUntil('the speech', () => done.includes('say vote Ada'), { everyMs: 2 });
    typed.write('vote Ada\r');
    typed.write('y\r');
    await until('You chose: Ada. You may change it.');
    expect(done).toEqual(['say vote Ada', 'act seat:1']);
  });

  it('tells refusals in words without codes', async () => {
    const { web, done } = endlessTable([vote]);
    done.push('refuse');
    play(web, true);
    await until('/vote Ada');
    typed.write('/vote Ada\r');
    await until('! Too late: that is over.');
    expect(shown).not.toContain('phase-over');
  });

  it('tells the person alone what was understood of an own line by the lines before, until it is switched off', async () => {
    const { web } = endlessTable([talk]);
    let say: (by: number, text: string, room?: string) => void = () => undefined;
    const { follow } = web;
    const opening = { rules: 'maw', rounds: 1, seats: [{}, {}, {}], options: {} };
    web.follow = async function* (table): AsyncGenerator<TableUpdate> {
      yield { kind: 'seen', seen: { n: 1, at: NOW, event: { type: 'opened', opening } } };
      yield* follow(table, { signal: AbortSignal.abort() });
      for (let n = 4; ; n++) {
        const next = new Promise<Parameters<typeof say>>((resolve) => (say = (...line) => resolve(line)));
        const [by, text, room] = (await Promise.race([next, whenAborted(stop.signal)])) ?? [];
        if (by === undefined || text === undefined) return;
        const event = { type: 'answered', question: talk.id, answer: { by, says: [text] } };
        yield { kind: 'seen', seen: { n, at: NOW, event, text, room: room ?? talk.room! } };
      }
    };
    play(web, false);
    await until('You may speak');
    const said = async (...line: Parameters<typeof say>) => {
      shown = '';
      say(...line);
      await until(new RegExp(`${line[1]}\n`));
    };
    await said(0, 'Ada is lying');
    await until('[*] Understood: Ada is a Werewolf.');
    await said(1, 'I am a villager');
    await said(0, 'good morning');
    typed.write('/understood\n');
    await until('[*] Understood: nothing about anybody.');
    await said(1, 'Ada is the wolf', 'Hideout');
    await said(0, 'you are lying');
    await until('[*] Understood: Ada is a Werewolf.');
    typed.write('/understood off\n');
    await until('[*] Understood: Ada is a Werewolf.');
    await said(0, 'Ada is evil');
    await said(1, 'hm');
    expect(shown).not.toContain('Understood');
  });
});

import { describe, expect, it } from '@jest/globals';
import { FIVE, type Happening, type Table, tableOf, TEN, TIMES } from './aiwolf.suite.ts';

const up = (a: number, b: number) => a - b;
const of = (events: readonly Happening[], type: string) => events.filter((e) => e.type === type);
/** The stored utterances in order, with their speakers. */
const stored = (events: readonly Happening[]) =>
  of(events, 'answered').map(({ answer }) => {
    const { by, says } = answer as { by: number; says: string[] };
    return [by, says[0]];
  });
const asked = (events: readonly Happening[]) => of(events, 'asked').map(({ question }) => (question as { id: string }).id);
const day1 = (options: { readonly [name: string]: unknown } = {}, draws?: (step: string, name: string) => unknown, roles = FIVE): Table => {
  const table = tableOf(roles, options, draws);
  table.until();
  return table;
};
const LINE = 'VOTE Agent[01]';

describe('talk', () => {
  it('asks one question per turn, in order, in the Village, visible to all', () => {
    const table = day1();
    expect(table.open).toEqual(['day-1/turn-0/talk']);
    expect(table.question('talk')).toMatchObject({ verb: 'say', inTurn: true, room: 'Village', among: 'table', heard: 'at-once' });
    table.turn(() => LINE);
    expect(table.open).toEqual(['day-1/turn-1/talk']);
  });

  it('includes all the living, in a new order each turn', () => {
    const table = day1();
    const orders = Array.from({ length: 10 }, () => {
      const order = table.question('talk').of;
      table.turn(() => LINE);
      return order;
    });
    for (const order of orders) expect(order.toSorted(up)).toEqual([0, 1, 2, 3, 4]);
    expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(5);
  });

  it('takes its orders from the draws named order', () => {
    const orders: { readonly [step: string]: readonly number[] } = {
      'night-0/divine': [4, 3, 2, 1, 0],
      'day-1/turn-0/talk': [0, 2, 4, 1, 3],
    };
    const table = day1({}, (step, name) => (name === 'order' ? orders[step] : undefined));
    expect(table.question('talk').of).toEqual([4, 3, 2, 1, 0]);
    table.turn(() => LINE);
    expect(table.question('talk').of).toEqual([0, 2, 4, 1, 3]);
  });

  it('shows each speaker what came before, and enforces the order', () => {
    const table = day1();
    const [first, second, third] = table.question('talk').of as [number, number, number];
    expect(table.refusal(second, 'talk', LINE)?.reason).toBe('not-your-turn');
    expect(table.refusal(second, 'talk', 'gibberish')?.reason).toBe('not-your-turn');
    table.act(first, 'talk', LINE);
    for (const eye of [second, third, 'audience'] as const) expect(stored(table.view(eye))).toEqual([[first, LINE]]);
    expect(table.refusal(first, 'talk', LINE)?.reason).toBe('already-answered');
  });

  it('excludes the dead', () => {
    const table = day1();
    table.day({ execute: 0, attack: 1 });
    expect(table.question('talk').of.toSorted(up)).toEqual([2, 3, 4]);
    expect(table.refusal(0, 'talk', LINE)?.reason).toBe('dead');
  });
});

describe('the limits of talk', () => {
  it('allow 10 utterances a day, without Skip and Over, and then count Over', () => {
    const table = day1();
    for (let turn = 0; turn < 9; turn++) table.turn((seat) => (seat === 0 ? LINE : 'Over'));
    table.turn((seat) => (seat === 0 ? 'Skip' : LINE));
    table.turn((seat) => (seat === 0 ? 'Over' : LINE));
    expect(table.question('talk').of).toContain(0);
    table.turn(() => LINE); // the tenth utterance of seat 0
    expect(table.open).toEqual(['day-1/turn-12/talk']);
    expect(table.question('talk').of.toSorted(up)).toEqual([1, 2, 3, 4]);
    expect(table.state.speech!.order.toSorted(up)).toEqual([0, 1, 2, 3, 4]);
    expect(table.state.speech!.left).toEqual([0, 7, 7, 7, 7]);
    expect(table.refusal(0, 'talk', LINE)?.reason).toBe('not-asked');
    table.turn(() => 'Over'); // with the silence of seat 0, everybody has skipped
    expect(table.open).toEqual(['day-1/vote']);
  });

  it('start afresh each day', () => {
    const table = day1({ utterances: 2 });
    table.turn(() => LINE);
    table.turn(() => LINE);
    expect(table.open).toEqual(['day-1/vote']); // nobody has anything left: one more turn of Over, without a question
    expect(table.state.speech).toMatchObject({ turn: 2, left: [0, 0, 0, 0, 0] });
    table.vote(0);
    table.until('attack');
    table.act(4, 'attack', 'seat:1');
    table.until();
    expect(table.state.speech).toMatchObject({ turn: 0, left: [0, 0, 2, 2, 2], skips: [0, 0, 0, 0, 0] });
  });

  it('allow no talk at all with zero utterances', () => {
    const table = tableOf(FIVE, { utterances: 0 });
    table.until('vote');
    expect(asked(table.tape)).toEqual(['night-0/divine', 'day-1/vote']);
    expect(of(table.tape, 'ordered')).toMatchObject([{ place: 'talk', turn: 0 }]);
  });

  it.each([
    [20, {}],
    [3, { turns: 3 }],
  ])('end the talk after %i turns', (turns, options) => {
    const table = day1(options);
    for (let turn = 0; turn < turns - 1; turn++) table.turn((seat) => (turn % 2 === seat % 2 ? LINE : 'Skip'));
    expect(table.open).toEqual([`day-1/turn-${turns - 1}/talk`]);
    table.turn(() => 'Skip');
    expect(table.open).toEqual(['day-1/vote']);
  });
});

describe('Over', () => {
  it('ends the talk when everybody says it in one turn', () => {
    const table = day1();
    table.turn(() => 'Over');
    expect(table.open).toEqual(['day-1/vote']);
  });

  it('does not end the talk while one player skips or speaks', () => {
    const table = day1();
    table.turn((seat) => (seat === 3 ? 'Skip' : 'Over'));
    expect(table.open).toEqual(['day-1/turn-1/talk']);
    table.turn((seat) => (seat === 3 ? LINE : 'Over'));
    expect(table.open).toEqual(['day-1/turn-2/talk']);
  });

  it('can be taken back: the player is asked again and may speak', () => {
    const table = day1();
    table.turn((seat) => (seat === 0 ? LINE : 'Over'));
    expect(table.question('talk').of).toHaveLength(5);
    table.turn((seat) => (seat === 0 ? 'Over' : LINE));
    expect(table.open).toEqual(['day-1/turn-2/talk']);
    expect(table.state.speech!.left).toEqual([9, 9, 9, 9, 9]);
  });

  it('matches exactly: with a trailing blank it is an ordinary utterance', () => {
    const table = day1();
    table.turn((seat) => (seat === 2 ? 'Over ' : 'Over'));
    expect(table.open).toEqual(['day-1/turn-1/talk']);
    expect(table.state.speech!.left).toEqual([10, 10, 9, 10, 10]);
    table.turn((seat) => (seat === 2 ? ' Skip' : 'Over'));
    expect(table.state.speech).toMatchObject({ left: [10, 10, 8, 10, 10], skips: [0, 0, 0, 0, 0] });
    table.turn((seat) => (seat === 2 ? 'Skip' : 'Over'));
    table.turn((seat) => (seat === 2 ? 'Skip' : 'Over'));
    expect(stored(table.turn((seat) => (seat === 2 ? ' Skip' : 'Over')))).toContainEqual([2, ' Skip']);
  });
});

describe('Skip', () => {
  it('counts as Over the third time in a row, and is shown as Over', () => {
    const table = day1();
    table.turn((seat) => (seat === 1 ? 'Skip' : LINE));
    table.turn((seat) => (seat === 1 ? 'Skip' : LINE));
    const events = table.turn((seat) => (seat === 1 ? 'Skip' : LINE));
    expect(stored(table.tape).filter(([by]) => by === 1)).toEqual([
      [1, 'Skip'],
      [1, 'Skip'],
      [1, 'Over'],
    ]);
    expect(stored(events)).toContainEqual([1, 'Over']);
    expect(stored(table.view(0)).filter(([by]) => by === 1)).toEqual(stored(table.tape).filter(([by]) => by === 1));
    expect(stored(table.turn((seat) => (seat === 1 ? 'Skip' : LINE)))).toContainEqual([1, 'Over']);
  });

  it('ends the talk when everybody says it three times, not twice', () => {
    const table = day1();
    table.turn(() => 'Skip');
    table.turn(() => 'Skip');
    expect(table.open).toEqual(['day-1/turn-2/talk']);
    table.turn(() => 'Skip');
    expect(table.open).toEqual(['day-1/vote']);
  });

  it('is counted from zero after an utterance, but not after Over', () => {
    const table = day1();
    const says = (text: string) => table.turn((seat) => (seat === 1 ? text : LINE));
    for (const text of ['Skip', 'Skip', LINE, 'Skip', 'Skip', 'Over']) says(text);
    expect(
      stored(table.tape)
        .filter(([by]) => by === 1)
        .map(([, text]) => text),
    ).toEqual(['Skip', 'Skip', LINE, 'Skip', 'Skip', 'Over']);
    expect(stored(says('Skip'))).toContainEqual([1, 'Over']);
    says(LINE);
    expect(stored(says('Skip'))).toContainEqual([1, 'Skip']);
  });

  it.each([
    [0, ['Over']],
    [1, ['Skip', 'Over']],
    [4, ['Skip', 'Skip', 'Skip', 'Skip', 'Over']],
  ])('is allowed %i times in a row with skips', (skips, texts) => {
    const table = day1({ skips });
    for (let n = 0; n < texts.length; n++) table.turn((seat) => (seat === 1 ? 'Skip' : LINE));
    expect(
      stored(table.tape)
        .filter(([by]) => by === 1)
        .map(([, text]) => text),
    ).toEqual(texts);
  });

  it('replaces silence when the turn ends, and Over the third time', () => {
    const table = day1();
    const begin = table.now;
    const [first] = table.question('talk').of as [number];
    expect(table.wait()).toEqual([{ type: 'passed', question: 'day-1/turn-0/talk', seat: first, at: begin + TIMES.turnMs }]);
    for (const seat of table.question('talk').of.slice(1)) table.act(seat, 'talk', LINE);
    const settled = of(table.tape, 'settled').at(-1)!;
    expect(settled['defaulted']).toEqual([{ by: first, says: ['Skip'] }]);
    expect(table.state.speech!.skips[first]).toBe(1);
    const silent = (): unknown => {
      for (const seat of table.question('talk').of) {
        if (seat === first) table.wait();
        else table.act(seat, 'talk', LINE);
      }
      return of(table.tape, 'settled').at(-1)!['defaulted'];
    };
    expect(silent()).toEqual([{ by: first, says: ['Skip'] }]);
    expect(silent()).toEqual([{ by: first, says: ['Over'] }]);
  });

  it('ends the talk in the third turn when everybody is silent', () => {
    const table = day1();
    while (table.find('talk')) table.wait();
    expect(of(table.tape, 'passed')).toHaveLength(15);
    expect(table.open).toEqual(['day-1/vote']);
  });
});

describe('the language of utterances', () => {
  it('rejects text outside the protocol with a hint, and keeps the turn open', () => {
    const table = day1();
    const [first] = table.question('talk').of as [number];
    for (const text of ['I am a human being', 'skip', 'VOTE Agent01', 'Agent[01] Skip', '占い師です']) {
      expect(table.refusal(first, 'talk', text)).toMatchObject({ reason: 'unreadable' });
    }
    expect(table.refusal(first, 'talk', 'hm')!.detail).toMatch(
      /^not a sentence of the AIWolf protocol; say Skip, Over, or for example VOTE Agent\[05]$/,
    );
    expect(table.refusal(first, 'talk', '')?.reason).toBe('nothing-said');
    expect(table.refusal(first, 'talk', LINE, LINE)?.reason).toBe('wrong-number-of-choices');
    for (const text of ['  VOTE   Agent[02]  ', 'ESTIMATE Agent[99] WEREWOLF', 'BECAUSE (DIVINED Agent[03] WEREWOLF) (VOTE Agent[03])'])
      expect(table.refusal(first, 'talk', text)).toBeUndefined();
    expect(stored(table.act(first, 'talk', '  VOTE   Agent[02]  '))).toEqual([[first, '  VOTE   Agent[02]  ']]);
  });

  it('counts a player who never says anything valid as Skip', () => {
    const table = day1();
    const [first] = table.question('talk').of as [number];
    expect(table.refusal(first, 'talk', 'gibberish')?.reason).toBe('unreadable');
    table.wait();
    expect(table.question('talk').passed).toEqual([first]);
  });

  it('may be free text, with Skip and Over keeping their meaning', () => {
    const table = day1({ language: 'free' });
    table.turn((seat) => (seat === 0 ? 'I trust Agent[02], because.' : 'Over'));
    expect(table.state.speech!.left).toEqual([9, 10, 10, 10, 10]);
    table.turn((seat) => (seat === 0 ? 'Skip' : 'over'));
    expect(table.state.speech).toMatchObject({ left: [9, 9, 9, 9, 9], skips: [1, 0, 0, 0, 0] });
    table.turn(() => 'Over');
    expect(table.open).toEqual(['day-1/vote']);
  });

  it('offers Skip, Over and a vote for each other living player', () => {
    const table = day1();
    const offered = (seat: number) => table.game.rules.narrow!(table.position.game, table.question('talk'), seat);
    expect(offered(0)).toEqual(['Skip', 'Over', 'VOTE Agent[02]', 'VOTE Agent[03]', 'VOTE Agent[04]', 'VOTE Agent[05]']);
    expect(offered(4)).toEqual(['Skip', 'Over', 'VOTE Agent[01]', 'VOTE Agent[02]', 'VOTE Agent[03]', 'VOTE Agent[04]']);
    table.day({ execute: 0, attack: 1 });
    expect(offered(3)).toEqual(['Skip', 'Over', 'VOTE Agent[03]', 'VOTE Agent[05]']);
  });
});

describe('whispering', () => {
  const night0 = (options: { readonly [name: string]: unknown } = {}, draws?: (step: string, name: string) => unknown) =>
    tableOf(TEN, options, draws);

  it('asks one question per turn, in order, in the Hideout, visible to wolves only', () => {
    const table = night0();
    expect(table.open).toEqual(['night-0/turn-0/whisper']);
    expect(table.question('whisper')).toMatchObject({ verb: 'say', inTurn: true, room: 'Hideout', among: [8, 9] });
    const [first] = table.question('whisper').of as [number];
    table.act(first, 'whisper', 'ATTACK Agent[01]');
    expect(stored(table.view(first === 8 ? 9 : 8))).toEqual([[first, 'ATTACK Agent[01]']]);
    for (const eye of [0, 4, 5, 6, 7, 'audience'] as const) expect(table.view(eye).map(({ type }) => type)).toEqual(['dealt']);
    expect(table.refusal(7, 'whisper', 'Skip')?.reason).toBe('phase-over');
  });

  it('has a new order each turn, fixed by the draws named whisper order', () => {
    const table = night0({}, (step, name) =>
      name === 'whisper order' ? (step === 'deal' ? [9, 8] : step === 'night-0/turn-0/whisper' ? [8, 9] : undefined) : undefined,
    );
    expect(table.question('whisper').of).toEqual([9, 8]);
    table.turn(() => LINE, 'whisper');
    expect(table.question('whisper').of).toEqual([8, 9]);
  });

  it('has its own limits', () => {
    const table = night0({ whispers: 2, utterances: 1 });
    table.turn(() => LINE, 'whisper');
    expect(table.state.speech!.left).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
    table.turn((seat) => (seat === 8 ? LINE : 'Skip'), 'whisper');
    expect(table.question('whisper').of).toEqual([9]);
    table.turn(() => 'Over', 'whisper');
    expect(table.open).toEqual(['night-0/rest']);
    const short = night0({ whisperTurns: 2, turns: 1 });
    short.turn(() => LINE, 'whisper');
    expect(short.open).toEqual(['night-0/turn-1/whisper']);
    short.turn(() => LINE, 'whisper');
    expect(short.open).toEqual(['night-0/rest']);
  });

  it('allows 10 utterances and 20 turns by default', () => {
    const table = night0();
    for (let turn = 0; turn < 19; turn++) table.turn(() => (turn % 2 ? 'Skip' : LINE), 'whisper');
    expect(table.state.speech).toMatchObject({ turn: 19, left: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0] });
    expect(table.open).toEqual(['night-0/rest']); // ten utterances in turns 0 to 18, so turn 19 is all Over
    const skipping = night0({ skips: 50 });
    for (let turn = 0; turn < 20; turn++) skipping.turn(() => 'Skip', 'whisper');
    expect(skipping.open).toEqual(['night-0/rest']);
    expect(skipping.state.speech!.turn).toBe(19);
  });

  it('uses the protocol, and offers Skip, Over and an attack on each living human', () => {
    const table = night0();
    const [first] = table.question('whisper').of as [number];
    expect(table.refusal(first, 'whisper', 'let us kill them all')?.reason).toBe('unreadable');
    expect(table.game.asked(table.position, first)[0]!.options).toEqual([
      'Skip',
      'Over',
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((n) => `ATTACK Agent[0${n}]`),
    ]);
  });

  it('lasts its full time, even when nobody has anything left to say', () => {
    const table = night0();
    table.turn(() => 'Over', 'whisper');
    expect(table.open).toEqual(['night-0/rest']);
    expect(table.question('rest')).toMatchObject({ of: [], among: [], until: TIMES.whisperMs });
    expect(table.now).toBe(0);
    table.wait();
    expect(table.now).toBe(TIMES.whisperMs);
    expect(table.open).toEqual(['night-0/divine']);
  });

  it('never exceeds its time: each wolf gets an equal share of the rest', () => {
    const table = night0({ turnMs: 300_000 }); // whisperMs is 400 seconds
    expect(table.question('whisper')).toMatchObject({ turnMs: 200_000, until: 200_000 });
    table.wait();
    expect(table.now).toBe(200_000);
    table.pass(100_000);
    table.act(table.question('whisper').of[1]!, 'whisper', LINE); // after 300 seconds; 100 are left for two
    expect(table.question('whisper')).toMatchObject({ turnMs: 50_000, until: 350_000 });
    table.wait();
    table.wait();
    expect(table.now).toBe(400_000);
    expect(table.open).toEqual(['night-0/divine']); // no time is left for a third turn
  });
});

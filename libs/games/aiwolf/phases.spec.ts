import { describe, expect, it } from '@jest/globals';
import { FIVE, type Table, tableOf, TEN, TIMES } from './aiwolf.suite.ts';
import type { Role } from './state.ts';
import { type Options, up, of, asked, steps, day1, vote1, night1, mayChoose } from './phases.suite.ts';

describe('day 0', () => {
  it('has whispering and divination only', () => {
    expect(steps(day1().tape)).toEqual(['night-0/whisper', 'night-0/rest', 'night-0/divine', 'day-1/talk']);
  });

  it('has divination only when there is a single wolf', () => {
    expect(steps(day1(FIVE).tape)).toEqual(['night-0/divine', 'day-1/talk']);
  });

  it('has talk in between with talkOnFirstDay, but no vote', () => {
    const table = tableOf(TEN, { talkOnFirstDay: true });
    table.until('talk');
    expect(table.open).toEqual(['day-0/turn-0/talk']);
    table.hush();
    table.until('talk');
    expect(steps(table.tape)).toEqual(['night-0/whisper', 'night-0/rest', 'day-0/talk', 'night-0/divine', 'day-1/talk']);
  });

  it('ends in a morning without a death', () => {
    expect(of(day1().tape, 'unharmed')).toEqual([]);
    expect(day1().state).toMatchObject({ day: 1, dead: [] });
  });
});

describe('a day', () => {
  it('runs talk, vote, divination, whispering, guard and attack in this order', () => {
    const table = day1();
    const before = table.tape.length;
    table.day({ execute: 0 });
    expect(steps(table.tape.slice(before))).toEqual([
      'day-1/vote',
      'night-1/divine',
      'night-1/whisper',
      'night-1/rest',
      'night-1/guard',
      'night-1/attack',
      'night-1/attack-2/attack',
      'day-2/talk',
    ]);
  });
});

describe('the vote', () => {
  it('hides every ballot until all have voted, then shows them all', () => {
    const table = vote1(FIVE);
    expect(table.open).toEqual(['day-1/vote']);
    expect(table.question('vote')).toMatchObject({ of: [0, 1, 2, 3, 4], among: 'table' });
    for (const seat of [0, 1, 2, 3]) table.act(seat, 'vote', 'seat:4');
    expect(of(table.view(1), 'answered').filter(({ question }) => question === 'day-1/vote')).toHaveLength(1);
    expect(of(table.view('audience'), 'answered').filter(({ question }) => question === 'day-1/vote')).toEqual([]);
    table.act(4, 'vote', 'seat:0');
    for (const eye of [0, 'audience'] as const)
      expect(of(table.view(eye), 'settled').at(-1)!['answers']).toEqual([
        ...[0, 1, 2, 3].map((by) => ({ by, says: ['seat:4'] })),
        { by: 4, says: ['seat:0'] },
      ]);
  });

  it('takes one ballot per player, for another living player', () => {
    const table = day1();
    table.day({ execute: 0, attack: 1 });
    table.hush();
    expect(mayChoose(table, 'vote', 2)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    expect(table.refusal(0, 'vote', 'seat:2')?.reason).toBe('dead');
    table.act(2, 'vote', 'seat:3');
    expect(table.refusal(2, 'vote', 'seat:4')?.reason).toBe('already-answered');
  });

  it('executes the most voted player, even without a majority', () => {
    const table = vote1();
    const events = table.votes({ 0: 1, 1: 2, 2: 3, 3: 1, 4: 1, 5: 6, 6: 7, 7: 8, 8: 9, 9: 0 });
    expect(of(events, 'executed')).toEqual([{ type: 'executed', seat: 1 }]);
    expect(table.state.dead).toEqual([1]);
  });

  it('is repeated on a tie, by all players and on all players', () => {
    const table = vote1(FIVE);
    const events = table.votes({ 0: 1, 1: 0, 2: 1, 3: 0, 4: 2 });
    expect(of(events, 'tied')).toEqual([{ type: 'tied', vote: 'vote' }]);
    expect(of(events, 'executed')).toEqual([]);
    expect(table.open).toEqual(['day-1/vote-2/vote']);
    expect(table.question('vote').of).toEqual([0, 1, 2, 3, 4]);
    expect(mayChoose(table, 'vote', 0)).toEqual([1, 2, 3, 4]);
    expect(of(table.vote(4), 'executed')).toEqual([{ type: 'executed', seat: 4 }]);
  });

  it('draws among the tied of the last round when it ties again', () => {
    const executed = [0, 4].map((seat) => {
      const table = vote1(FIVE, {}, (_, name) => (name === 'executed' ? `seat:${seat}` : undefined));
      table.votes({ 0: 1, 1: 2, 2: 1, 3: 2, 4: 0 });
      expect(table.drawn.map(({ name }) => name)).not.toContain('executed');
      table.votes({ 0: 4, 1: 0, 2: 4, 3: 0, 4: 1 });
      expect(table.drawn).toContainEqual({ step: 'day-1/vote-2/vote', name: 'executed', is: `seat:${seat}`, fixed: true });
      return table.state.dead;
    });
    expect(executed).toEqual([[0], [4]]);
    const table = vote1(FIVE, {}, (_, name) => (name === 'executed' ? 'seat:1' : undefined));
    table.votes({ 0: 1, 1: 2, 2: 1, 3: 2, 4: 0 });
    expect(() => table.votes({ 0: 4, 1: 0, 2: 4, 3: 0, 4: 1 })).toThrow('seat:1'); // one vote, or a tie in the first round only, is not enough
  });

  it.each([
    [0, ['day-1/vote']],
    [1, ['day-1/vote', 'day-1/vote-2/vote']],
    [3, ['day-1/vote', 'day-1/vote-2/vote', 'day-1/vote-3/vote', 'day-1/vote-4/vote']],
  ])('may be repeated %i times with revotes', (revotes, rounds) => {
    const table = vote1(FIVE, { revotes });
    for (let n = 0; n < rounds.length; n++) table.votes({ 0: 1, 1: 0, 2: 1, 3: 0, 4: 2 });
    expect(asked(table.tape).filter((id) => id.endsWith('/vote'))).toEqual(rounds);
    expect(of(table.tape, 'executed')).toHaveLength(1);
  });

  it('executes nobody on a final tie with noExecution, and continues', () => {
    const table = vote1(FIVE, { noExecution: true });
    table.votes({ 0: 1, 1: 0, 2: 1, 3: 0, 4: 2 });
    const events = table.votes({ 0: 1, 1: 0, 2: 1, 3: 0, 4: 2 });
    expect(of(events, 'spared')).toHaveLength(1);
    expect(table.state.dead).toEqual([]);
    expect(table.open).toEqual(['night-1/divine']);
    const clear = vote1(FIVE, { noExecution: true });
    clear.vote(0);
    expect(clear.state.dead).toEqual([0]);
  });

  it('fills a missing ballot with a random one, counted like any other', () => {
    const told: { readonly [name: string]: string } = { 'vote of seat:2': 'seat:0', 'vote of seat:4': 'seat:1' };
    const table = vote1(FIVE, {}, (_, name) => told[name]);
    table.votes({ 0: 1, 1: 2, 3: 1 });
    table.pass(TIMES.voteMs - 1);
    expect(table.game.tick(table.position, table.now, 'seed')).toEqual([]);
    const events = table.wait();
    expect(of(events, 'settled')[0]!['defaulted']).toEqual([
      { by: 2, says: ['seat:0'] },
      { by: 4, says: ['seat:1'] },
    ]);
    expect(of(events, 'executed')).toEqual([{ type: 'executed', seat: 1 }]); // three votes, one of them filled in
    expect(of(table.view('audience'), 'settled').at(-1)!['defaulted']).toHaveLength(2);
  });

  it('never fills a ballot with its own voter, but with any other living player', () => {
    const made = new Set<string>();
    for (let n = 0; n < 40; n++) {
      const table = tableOf(FIVE, {}, () => undefined, `seed ${n}`);
      table.until();
      table.day({ execute: 0 });
      if (table.isOver) continue;
      table.hush();
      for (const { name, is } of (table.wait(), table.drawn)) if (name.startsWith('vote of')) made.add(`${name} ${is as string}`);
    }
    for (const vote of made) expect(vote).toMatch(/^vote of seat:(\d) seat:(?!\1)[1-4]$/);
    expect(made.size).toBe(12); // four living players with three votes each
  });

  it('shows neither ballots nor abstentions when secret', () => {
    const table = vote1(FIVE, { voteVisible: false });
    table.votes({ 0: 1, 1: 2, 3: 1 });
    table.wait();
    expect(table.state.dead).toHaveLength(1);
    for (const eye of [0, 1, 'audience'] as const) {
      const seen = table.view(eye).filter((e) => e.type === 'answered' && e['question'] === 'day-1/vote');
      expect(seen.map(({ answer }) => (answer as { by: number }).by)).toEqual(eye === 'audience' ? [] : [eye]);
      expect(of(table.view(eye), 'settled').at(-1)).toEqual({ type: 'settled', question: 'day-1/vote', answers: [] });
    }
  });
});

describe('whispering by night', () => {
  it('is skipped for a single wolf, also late in the game', () => {
    const table = vote1();
    table.vote(8);
    const before = table.tape.length;
    table.until('guard');
    expect(steps(table.tape.slice(before))).toEqual(['night-1/rest', 'night-1/guard']);
  });

  it('involves all living wolves, with fresh utterances each night', () => {
    const table = night1('whisper', 0);
    expect(table.question('whisper').of.toSorted(up)).toEqual([8, 9]);
    expect(table.state.speech!.left).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 10, 10]);
  });

  it('is heard by dead wolves, not by dead humans', () => {
    const table = day1([...TEN.slice(1), 'werewolf']); // villagers 0 to 2, seer 3, medium 4, bodyguard 5, possessed 6, wolves 7, 8 and 9
    table.day({ execute: 9, attack: 0 });
    table.hush();
    table.vote(1);
    table.until('whisper');
    const heard = (eye: number) =>
      of(table.view(eye), 'asked').some(({ question }) => (question as { id: string }).id === 'night-2/turn-0/whisper');
    expect([9, 7, 0, 1, 6].map(heard)).toEqual([true, true, false, false, false]);
    expect(table.refusal(9, 'whisper', 'Skip')?.reason).toBe('dead');
  });
});

describe('the length of a night', () => {
  const { nightMs, whisperMs } = TIMES;
  /** The time from the execution to the morning, with the given choices made at once. */
  const lasts = (execute: number, doing: Parameters<Table['night']>[0], options: Options = {}, roles: readonly Role[] = TEN, days = 0) => {
    const table = day1(roles, options);
    for (let day = 0; day < days; day++) table.day({ execute: 0, attack: 6 });
    table.hush();
    const from = table.now;
    table.vote(execute);
    table.night(doing);
    return table.now - from;
  };
  const full = 4 * nightMs + whisperMs;

  it.each([
    ['all alive and acting at once', 1, { divine: 2, guard: 3, attack: 2 }],
    ['all silent', 1, {}],
    ['the seer executed', 4, { guard: 3, attack: 2 }],
    ['the bodyguard executed', 6, { divine: 2, attack: 2 }],
    ['a wolf executed, so that one is left', 8, { divine: 2, guard: 3, attack: 2 }],
    ['the medium executed', 5, { divine: 2, guard: 3, attack: 2 }],
  ])('is the same with %s', (_, execute, doing) => {
    expect(lasts(execute, doing)).toBe(full);
  });

  it('is the same after the bodyguard was killed or the last wolf executed', () => {
    expect(lasts(1, { divine: 2, attack: 2 }, {}, TEN, 1)).toBe(full);
    expect(lasts(4, {}, {}, FIVE)).toBe(3 * nightMs); // no whispering, no bodyguard in the cast; attack and its revote
    expect(lasts(1, { divine: 0, attack: 0 }, {}, FIVE)).toBe(3 * nightMs);
  });

  it('is the same with or without a revote and more whispering', () => {
    for (const whisperBeforeRevote of [false, true]) {
      const table = night1('attack', 1, TEN, { whisperBeforeRevote });
      const from = table.now;
      table.act(8, 'attack', 'seat:0');
      table.act(9, 'attack', 'seat:2');
      table.until();
      const expected = 2 * nightMs + (whisperBeforeRevote ? whisperMs : 0);
      expect(table.now - from).toBe(expected);
      const clear = night1('attack', 1, TEN, { whisperBeforeRevote });
      const then = clear.now;
      for (const wolf of [8, 9]) clear.act(wolf, 'attack', 'seat:0');
      clear.until();
      expect(clear.now - then).toBe(expected);
    }
  });

  it('depends only on the cast', () => {
    const lone: Role[] = ['villager', 'villager', 'villager', 'medium', 'possessed', 'werewolf'];
    expect(lasts(0, { attack: 1 }, {}, lone)).toBe(2 * nightMs); // neither seer, bodyguard nor whispering
    expect(lasts(0, { attack: 1 }, { attackRevotes: 0 }, lone)).toBe(nightMs);
  });

  it('is shared alike by its steps with wholeNightMs, besides the whispering', () => {
    const whole = { wholeNightMs: 45_000 };
    for (const doing of [{ divine: 0, attack: 0 }, {}]) expect(lasts(1, doing, whole, FIVE)).toBe(45_000);
    expect(lasts(1, { divine: 2, guard: 3, attack: 2 }, whole)).toBe(45_000 + whisperMs);
    expect(lasts(4, { guard: 3, attack: 2 }, { wholeNightMs: 30_000 })).toBe(40_000 + whisperMs); // no step is shorter than ten seconds
    const first = tableOf(FIVE, whole);
    first.until();
    expect(first.now).toBe(45_000); // the seer alone
    const night = night1('divine', 1, FIVE, whole);
    expect(night.question('divine').until - night.now).toBe(15_000);
  });

  it('covers only the answers with hurry, and skips empty steps', () => {
    const table = tableOf(TEN, { hurry: true });
    table.turn(() => 'Over', 'whisper');
    expect(table.open).toEqual(['night-0/divine']);
    table.act(4, 'divine', 'seat:8');
    expect(table.open).toEqual(['day-1/turn-0/talk']);
    expect(table.now).toBe(0);
    table.hush();
    table.vote(4);
    expect(table.open).toEqual(['night-1/turn-0/whisper']);
    table.turn(() => 'Over', 'whisper');
    table.act(6, 'guard', 'seat:5');
    table.act(8, 'attack', 'seat:0');
    table.act(9, 'attack', 'seat:0');
    expect(table.open).toEqual(['day-2/turn-0/talk']);
    table.hush();
    table.vote(8);
    expect(table.open).toEqual(['night-2/guard']); // a single wolf does not whisper
    table.act(6, 'guard', 'seat:5');
    table.hush();
    table.act(9, 'attack', 'seat:1');
    table.hush();
    table.vote(6);
    expect(table.open).toEqual(['night-3/attack']);
    expect(table.now).toBe(0);
  });

  it('runs with hurry until all who are asked have answered, or to the deadline', () => {
    const table = tableOf(TEN, { hurry: true });
    expect(table.question('whisper')).toMatchObject({ turnMs: TIMES.turnMs, settles: 'when-all-answer' });
    expect(tableOf(TEN, { hurry: true, turnMs: 300_000 }).question('whisper').turnMs).toBe(300_000); // not a share of whisperMs
    table.turn(() => 'Over', 'whisper');
    expect(asked(table.tape)).not.toContain('night-0/rest');
    const from = table.now;
    table.wait();
    expect(table.now - from).toBe(nightMs);
    expect(table.open).toEqual(['day-1/turn-0/talk']);
  });

  it('is not shortened by early answers', () => {
    const table = night1('divine');
    const until = table.question('divine').until;
    table.act(4, 'divine', 'seat:8');
    expect(table.open).toEqual(['night-1/divine']);
    expect(table.question('divine')).toMatchObject({ settles: 'by-the-clock', until });
  });
});

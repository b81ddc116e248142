import { describe, expect, it } from '@jest/globals';
import { play } from './play.ts';
import { ballot, chat, type Question, round, secret, seats, vote, whispers } from './question.ts';
import { Refusal } from './refusal.ts';
import { ask, type Rules, type TableEvent } from './rules.ts';
import { plain } from './toy.suite.ts';

type Toy = { readonly settled: readonly string[]; readonly over: boolean };
type ToyEvent = { readonly type: 'noted'; readonly what: string } | { readonly type: 'over' };

/** A game that asks the given questions, notes what settles, and ends on demand. */
const toy = (questions: readonly Question[], endsWith = 'end') => {
  const note = (_: Toy, q: { readonly id: string; readonly answers: readonly unknown[] }): ToyEvent[] => [
    { type: 'noted', what: `${q.id}:${JSON.stringify(q.answers)}` },
    ...(q.id.endsWith(`/${endsWith}`) ? [{ type: 'over' } as const] : []),
  ];
  const rules: Rules<Toy, ToyEvent> = {
    name: 'toy',
    begin: () => ({ settled: [], over: false }),
    deal: () => questions.map(ask),
    follow: { a: note, b: note, end: note },
    evolve: (s, e) => (e.type === 'over' ? { ...s, over: true } : { ...s, settled: [...s.settled, e.what] }),
    ...plain,
    outcome: (s) => (s.over ? { winner: 'draw', winners: [], roles: [], points: [] } : undefined),
  };
  const game = play(rules);
  let s = game.fold(game.deal(4, 0, 'seed'));
  const tape = [...game.deal(4, 0, 'seed')];
  const add = (events: readonly (ToyEvent | TableEvent)[]) => {
    tape.push(...events);
    s = game.fold(events, s);
    return events.map((e) => e.type);
  };
  return {
    game,
    tape,
    get s() {
      return s;
    },
    pass: (seat: number, id: string, now = 1) => add(game.pass(s, id, seat, now, 'seed')),
    act: (by: number, id: string, says: string[], now = 1) => add(game.act(s, id, { by, says }, now, 'seed')),
    why(by: number, id: string, says: string[], now = 1): string | undefined {
      try {
        game.act(s, id, { by, says }, now, 'seed');
      } catch (error) {
        if (error instanceof Refusal) return error.reason;
        throw error;
      }
      return undefined;
    },
    tick: (now: number) => add(game.tick(s, now, 'seed')),
  };
};
const all = [0, 1, 2, 3];

describe('a majority with a time of grace', () => {
  const options = ['seat:0', 'seat:1'];
  const voting = (rest: object = {}) => toy([vote('p/a', all, options, 100, { grace: { ms: 20, notBefore: 30 }, ...rest })]);
  const agree = (t: ReturnType<typeof voting>, now: number) => [0, 1, 2].map((by) => t.act(by, 'p/a', ['seat:1'], now)).at(-1);
  const reached = (t: ReturnType<typeof voting>) => t.tape.filter((e) => e.type === 'majority-reached');

  it('settles the question when the time is over, not at once', () => {
    const t = voting();
    expect(agree(t, 50)).toEqual(['answered', 'majority-reached']);
    expect(reached(t)).toEqual([{ type: 'majority-reached', question: 'p/a', option: 'seat:1', at: 50, until: 70 }]);
    expect(t.game.wake(t.s)).toBe(70);
    expect(t.tick(69)).toEqual([]);
    expect(t.tick(70)).toEqual(['settled', 'noted']);
  });

  it('does not settle it before its shortest length, nor keep it open longer', () => {
    const [early, late] = [voting(), voting()];
    agree(early, 1);
    agree(late, 95);
    expect([early, late].map((t) => t.game.wake(t.s))).toEqual([30, 100]);
  });

  it('is lost when a vote changes, and reached anew with the whole time', () => {
    const t = voting();
    agree(t, 50);
    expect(t.act(2, 'p/a', ['seat:0'], 60)).toEqual(['answered', 'majority-lost']);
    expect(t.game.wake(t.s)).toBe(100);
    expect(t.tick(75)).toEqual([]);
    t.act(3, 'p/a', ['seat:1'], 78);
    expect(t.game.wake(t.s)).toBe(98);
  });

  it('does not tell its option where votes are silent', () => {
    const t = voting({ heard: 'never' });
    agree(t, 50);
    expect(reached(t)).toEqual([{ type: 'majority-reached', question: 'p/a', at: 50, until: 70 }]);
  });
});

describe('a round of turns', () => {
  const turns = () => toy([round('p/a', all, 0, 100)]);

  it('gives the floor to one seat after another', () => {
    const t = turns();
    expect(t.why(1, 'p/a', ['hi'])).toBe('not-your-turn');
    t.act(0, 'p/a', ['hi']);
    expect(t.why(0, 'p/a', ['again'])).toBe('already-answered');
    expect(t.why(1, 'p/a', ['hi'])).toBeUndefined();
  });

  it('starts a turn when the one before it ends', () => {
    const t = turns();
    t.act(0, 'p/a', ['hi'], 30);
    expect(t.game.wake(t.s)).toBe(130);
  });

  it('passes silent seats at their deadlines, however late it is called', () => {
    const t = turns();
    expect(t.tick(99)).toEqual([]);
    t.tick(250);
    const passed = t.tape.filter((e) => e.type === 'passed') as { seat: number; at: number }[];
    expect(passed.map(({ seat, at }) => [seat, at])).toEqual([
      [0, 100],
      [1, 200],
    ]);
    expect(t.why(2, 'p/a', ['in time'], 299)).toBeUndefined();
    expect(t.tick(400)).toContain('settled');
  });

  it('refuses a late speaker, since the next turn has begun', () => {
    const t = turns();
    expect(t.why(0, 'p/a', ['late'], 100)).toBe('not-your-turn');
  });
});

describe('a vote', () => {
  const voting = (rest = {}) => toy([vote('p/a', all, seats(all), 100, rest)]);

  it('settles on more than half, not on half', () => {
    const t = voting();
    t.act(0, 'p/a', ['seat:3']);
    expect(t.act(1, 'p/a', ['seat:3'])).not.toContain('settled');
    expect(t.act(2, 'p/a', ['seat:3'])).toContain('settled');
  });

  it('counts each seat’s last answer only', () => {
    const t = voting();
    for (let i = 0; i < 5; i++) t.act(0, 'p/a', ['seat:3']);
    expect(t.s.open).toHaveLength(1);
  });

  it('by unanimity settles only when all choose the same', () => {
    const t = voting({ settles: 'on-unanimity' });
    for (const seat of [0, 1, 2]) t.act(seat, 'p/a', ['seat:3']);
    expect(t.s.open).toHaveLength(1);
    t.act(3, 'p/a', ['seat:2']);
    expect(t.s.open).toHaveLength(1);
    expect(t.act(3, 'p/a', ['seat:3'])).toContain('settled');
  });

  it('may keep seats from naming themselves', () => {
    expect(voting({ self: false }).why(3, 'p/a', ['seat:3'])).toBe('not-an-option');
    expect(voting().why(3, 'p/a', ['seat:3'])).toBeUndefined();
  });
});

describe('a ballot', () => {
  it('shows nothing until all have voted, then everything', () => {
    const t = toy([ballot('p/a', all, ['yes', 'no'], 100)]);
    t.act(0, 'p/a', ['yes']);
    expect(t.game.view(t.tape, 1).filter((e) => e.type === 'answered')).toEqual([]);
    expect(t.game.view(t.tape, 0).filter((e) => e.type === 'answered')).toHaveLength(1);
    expect(t.why(0, 'p/a', ['no'])).toBe('already-answered');
    for (const seat of [1, 2, 3]) t.act(seat, 'p/a', ['no']);
    const settled = t.game.view(t.tape, 1).find((e) => e.type === 'settled') as unknown as { answers: unknown[] };
    expect(settled.answers).toHaveLength(4);
  });

  it('takes exactly as many choices as it asks for, each once', () => {
    const t = toy([ballot('p/a', all, seats(all), 100, { pick: 2 })]);
    expect(t.why(0, 'p/a', ['seat:1'])).toBe('wrong-number-of-choices');
    expect(t.why(0, 'p/a', ['seat:1', 'seat:1'])).toBe('wrong-number-of-choices');
    expect(t.why(0, 'p/a', ['seat:1', 'seat:9'])).toBe('not-an-option');
    expect(t.why(0, 'p/a', ['seat:1', 'seat:2'])).toBeUndefined();
  });
});

describe('a seat that gives no answer', () => {
  it('is not waited for, and nobody else sees that it has chosen nobody', () => {
    const t = toy([ballot('p/a', all, ['yes', 'no'], 100)]);
    t.pass(1, 'p/a');
    expect(t.why(1, 'p/a', ['yes'])).toBe('already-answered');
    const passes = (eye: number | 'audience') => t.game.view(t.tape, eye).filter(({ type }) => type === 'passed').length;
    expect([passes(1), passes(0), passes('audience')]).toEqual([1, 0, 0]);
    for (const seat of [0, 2]) t.act(seat, 'p/a', ['no']);
    expect(t.pass(3, 'p/a')).toEqual(['passed', 'settled', 'noted']);
    expect(t.s.game.settled).toEqual([`p/a:${JSON.stringify([0, 2].map((by) => ({ by, says: ['no'] })))}`]);
  });

  it('passes its turn, but nobody else’s', () => {
    const t = toy([round('p/a', all, 0, 100)]);
    expect(() => t.pass(1, 'p/a')).toThrow('not-your-turn');
    t.pass(0, 'p/a', 30);
    expect([t.game.wake(t.s), t.game.view(t.tape, 2).at(-1)]).toEqual([130, { type: 'passed', question: 'p/a', seat: 0, at: 30 }]);
    expect(t.why(1, 'p/a', ['hi'], 31)).toBeUndefined();
    expect(() => toy([chat('p/a', all, 100)]).pass(0, 'p/a')).toThrow('nothing-said');
    expect(() => toy([secret('p/a', [0], ['yes'], 100)]).pass(1, 'p/a')).toThrow('phase-over');
  });
});

describe('a secret', () => {
  it('hides both question and answers from other seats', () => {
    const t = toy([secret('p/a', [2], seats(all), 100)]);
    t.act(2, 'p/a', ['seat:1']);
    for (const eye of [0, 'audience'] as const) expect(t.game.view(t.tape, eye).filter((e) => e.type !== 'noted')).toEqual([]);
    expect(t.game.view(t.tape, 2).map((e) => e.type)).toEqual(['asked', 'answered', 'settled', 'noted']);
    expect(JSON.stringify(t.tape.find((e) => e.type === 'settled'))).not.toMatch(/seat:1/);
  });
});

describe('a whisper', () => {
  it('is a seat and a text', () => {
    const t = toy([whispers('p/a', all, 100)]);
    expect(t.why(0, 'p/a', ['seat:1'])).toBe('wrong-number-of-choices');
    expect(t.why(0, 'p/a', ['seat:0', 'me'])).toBe('not-an-option');
    expect(t.why(0, 'p/a', ['seat:1', ''])).toBe('nothing-said');
    expect(t.why(0, 'p/a', ['seat:1', 'psst'])).toBeUndefined();
  });
});

describe('time', () => {
  it('settles due questions before it judges a late answer', () => {
    const t = toy([vote('p/a', all, seats(all), 100), chat('p/b', all, 200)]);
    expect(t.why(0, 'p/a', ['seat:1'], 100)).toBe('phase-over');
    t.act(0, 'p/b', ['hello'], 150);
    expect(t.s.game.settled).toHaveLength(1);
    expect(t.tape.findIndex((e) => e.type === 'settled')).toBeLessThan(t.tape.findIndex((e) => e.type === 'answered'));
  });

  it('wakes a table at its earliest deadline, never after its end', () => {
    const t = toy([chat('p/b', all, 200), chat('p/end', all, 150)]);
    expect(t.game.wake(t.s)).toBe(150);
    t.tick(150);
    expect(t.game.isOver(t.s)).toBe(true);
    expect(t.game.wake(t.s)).toBeUndefined();
    expect(t.tick(1000)).toEqual([]);
    expect(t.why(0, 'p/b', ['hello'], 160)).toBe('phase-over');
  });
});

describe('time that is given back', () => {
  const delayed = (ms: number, at: number): TableEvent => ({ type: 'delayed', ms, at });

  it('extends open questions, not later ones', () => {
    const t = toy([vote('p/a', all, seats(all), 100), secret('q/b', [2], seats(all), 150)]);
    const s = t.game.evolve(t.s, delayed(1_000, 1_050));
    expect(s.open.map(({ until }) => until)).toEqual([1_100, 1_150]);
    expect(t.game.wake(s)).toBe(1_100);
    expect(t.game.tick(s, 1_099, 'seed')).toEqual([]);
    expect(t.game.tick(s, 1_100, 'seed').map((e) => e.type)).toEqual(['settled', 'noted']);
    expect(t.game.evolve(s, ask(chat('r/b', all, 1_200))).open.at(-1)!.until).toBe(1_200);
  });

  it('extends the current turn and thereby the following ones', () => {
    const t = toy([round('p/a', all, 0, 100)]);
    t.act(0, 'p/a', ['hi'], 30);
    const s = t.game.evolve(t.s, delayed(500, 600));
    expect(t.game.wake(s)).toBe(630);
    expect(t.game.tick(s, 800, 'seed')).toEqual([
      { type: 'passed', question: 'p/a', seat: 1, at: 630 },
      { type: 'passed', question: 'p/a', seat: 2, at: 730 },
    ]);
  });

  it('is visible to everybody, whatever else they may know', () => {
    const t = toy([secret('q/b', [2], seats(all), 150)]);
    const event = delayed(1_000, 1_050);
    for (const eye of [0, 2, 'audience', 'narrator'] as const) expect(t.game.see(t.s, event, eye)).toEqual(event);
  });
});

it('a refusal stays between the seat and the narrator, and changes nothing', () => {
  const t = toy([chat('p/b', all, 200)]);
  const refused: TableEvent = { type: 'refused', question: 'p/b', seat: 1, reason: 'too-long', detail: '' };
  expect(t.game.evolve(t.s, refused)).toBe(t.s);
  expect(t.game.see(t.s, refused, 1)).toBe(refused);
  expect(t.game.see(t.s, refused, 'narrator')).toBe(refused);
  expect(t.game.see(t.s, refused, 0)).toBeUndefined();
  expect(t.game.see(t.s, refused, 'audience')).toBeUndefined();
});

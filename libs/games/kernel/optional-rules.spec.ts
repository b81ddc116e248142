import { describe, expect, it } from '@jest/globals';
import { play } from './play.ts';
import { ballot, type Open, type Question, secret, seats } from './question.ts';
import { Refusal } from './refusal.ts';
import { ask, type Rules } from './rules.ts';
import { plain } from './toy.suite.ts';

type Noted = { readonly type: 'noted'; readonly answers: Open['answers'] };
type State = { readonly noted: Open['answers'] | undefined };

/** A game of one question with the given hooks, over once the question has settled. */
const game = (question: Question, hooks: Partial<Rules<State, Noted>>) =>
  play<State, Noted>({
    name: 'hooked',
    begin: () => ({ noted: undefined }),
    deal: () => [ask(question)],
    follow: { a: (_, q) => [{ type: 'noted', answers: q.answers }] },
    evolve: (_, e) => ({ noted: e.answers }),
    ...plain,
    outcome: (s) => s.noted && { winner: 'draw', winners: [], roles: [], points: [] },
    ...hooks,
  });

const begun = (g: ReturnType<typeof game>) => g.fold(g.deal(3, 0, 's'));
const why = (f: () => unknown): string | undefined => {
  try {
    f();
  } catch (error) {
    if (error instanceof Refusal) return error.reason;
    throw error;
  }
  return undefined;
};

describe('narrow', () => {
  const cards = secret('p/a', [0, 1], ['success', 'fail'], 100, { among: 'table' });
  const g = game(cards, { narrow: (_, q, seat) => (seat === 0 ? ['success'] : q.options) });

  it('offers each seat its own options', () => {
    expect(g.asked(begun(g), 0).map((q) => q.options)).toEqual([['success']]);
    expect(g.asked(begun(g), 1).map((q) => q.options)).toEqual([['success', 'fail']]);
  });

  it('refuses an option only to seats that do not have it', () => {
    expect(why(() => g.act(begun(g), 'p/a', { by: 0, says: ['fail'] }, 1, 's'))).toBe('not-an-option');
    expect(why(() => g.act(begun(g), 'p/a', { by: 1, says: ['fail'] }, 1, 's'))).toBeUndefined();
  });

  it('does not change the question that everybody sees', () => {
    for (const eye of [0, 1, 2, 'audience'] as const) expect(g.view(g.deal(3, 0, 's'), eye)).toEqual([ask(cards)]);
  });
});

describe('admit', () => {
  const g = game(ballot('p/a', [0], seats([0, 1, 2]), 100, { pick: 2 }), {
    admit: (_, q, answer) => {
      if (answer.says[0] === 'seat:2') throw new Refusal('unreadable', 'not that one first');
      return { ...answer, says: answer.says.slice(0, q.pick) };
    },
  });

  it('records the answer as the game reads it', () => {
    const events = g.act(begun(g), 'p/a', { by: 0, says: ['seat:1', 'seat:0', 'seat:2'] }, 1, 's');
    expect(events[0]).toMatchObject({ type: 'answered', answer: { by: 0, says: ['seat:1', 'seat:0'] } });
  });

  it('judges the answer after reading it', () => {
    expect(why(() => g.act(begun(g), 'p/a', { by: 0, says: ['seat:1'] }, 1, 's'))).toBe('wrong-number-of-choices');
    expect(why(() => g.act(begun(g), 'p/a', { by: 0, says: ['seat:1', 'seat:9'] }, 1, 's'))).toBe('not-an-option');
  });

  it('lets the game refuse an answer', () => {
    expect(why(() => g.act(begun(g), 'p/a', { by: 0, says: ['seat:2', 'seat:1'] }, 1, 's'))).toBe('unreadable');
  });
});

describe('defaults', () => {
  const silent: Rules<State, Noted>['defaults'] = (_, q) =>
    q.of.filter((seat) => !q.answers.some(({ by }) => by === seat)).map((by) => ({ by, says: ['fail'] }));
  const one = { by: 1, says: ['success'] };
  const two = [
    { by: 0, says: ['fail'] },
    { by: 2, says: ['fail'] },
  ];
  const open = ballot('p/a', [0, 1, 2], ['success', 'fail'], 100);
  const played = (question: Question) => {
    const g = game(question, { defaults: silent });
    const acted = g.act(begun(g), 'p/a', one, 1, 's');
    const rest = g.tick(g.fold(acted, begun(g)), 100, 's');
    return { g, tape: [...g.deal(3, 0, 's'), ...acted, ...rest] };
  };

  it('are passed to follow after the given answers', () => {
    expect(played(open).tape.at(-1)).toEqual({ type: 'noted', answers: [one, ...two] });
  });

  it('are on the tape separately, visible to all for a vote', () => {
    const { g, tape } = played(open);
    const settled = { type: 'settled', question: 'p/a', answers: [one], defaulted: two };
    expect(tape).toContainEqual(settled);
    expect(g.view(tape, 'audience')).toContainEqual(settled);
  });

  it('of a secret are visible to their own seat and the narrator only', () => {
    const { g, tape } = played(secret('p/a', [0, 1, 2], ['success', 'fail'], 100, { among: 'table' }));
    const settled = (eye: Parameters<typeof g.view>[1]) => g.view(tape, eye).find(({ type }) => type === 'settled');
    const bare = { type: 'settled', question: 'p/a', answers: [] };
    expect(settled('narrator')).toEqual({ ...bare, defaulted: two });
    expect(settled(0)).toEqual({ ...bare, defaulted: [two[0]] });
    expect(settled(1)).toEqual(bare);
    expect(settled('audience')).toEqual(bare);
  });

  it('are empty when every seat has answered', () => {
    const g = game(open, { defaults: silent });
    let s = begun(g);
    for (const by of [0, 1, 2]) {
      const events = g.act(s, 'p/a', { by, says: ['success'] }, 1, 's');
      for (const e of events) if (e.type === 'settled') expect(Object.keys(e)).toEqual(['type', 'question', 'answers']);
      s = g.fold(events, s);
    }
    expect(g.isOver(s)).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { badge, hush, openNow, stepNow, vote } from './election.suite.ts';
import { of, type Seven, sevenAt } from './werewolf-7.suite.ts';
import { werewolf7 } from './werewolf-7.ts';

/** A table at the vote of day 1, after a night in which nobody dies. */
function atVote(options: object = {}): Seven {
  const g = sevenAt({ tie: 'runoff', lastWords: false, ...options });
  g.night();
  hush(g);
  return g;
}
/** 1 and 3 are tied; each other seat votes for another. */
const TIED = { 0: 1, 2: 1, 4: 3, 5: 3, 1: 6, 3: 0, 6: 2 };

describe('a second ballot', () => {
  it('follows a tie of players: they speak once more, then all others vote for one of them or pass', () => {
    const g = atVote();
    const { order } = g.state();
    const pair = order.filter((s) => s === 1 || s === 3);
    expect(of(vote(g, TIED), 'tied')).toEqual([{ type: 'tied', seats: pair, decides: 'ballot' }]);
    expect(stepNow(g)).toBe('second-ballot/talk');
    expect(openNow(g)).toMatchObject({ of: pair, inTurn: true, room: 'Village' });
    hush(g);
    expect(stepNow(g)).toBe('second-ballot/vote');
    expect(openNow(g)).toMatchObject({ of: order.filter((s) => s !== 1 && s !== 3), inTurn: true, heard: 'at-once' });
    expect(openNow(g).options).toEqual([...pair.map((s) => `seat:${s}`), 'pass']);
  });

  it.each([
    ['a tie with pass', { 0: 1, 2: 1, 4: 'pass', 5: 'pass', 1: 6, 3: 0, 6: 2 }, 'tie'],
    ['most votes for pass', { 0: 1, 2: 3 }, 'pass'],
  ] as const)('does not follow %s', (_, votes, because) => {
    expect(of(vote(atVote(), votes), 'spared')).toEqual([{ type: 'spared', because }]);
  });

  it('does not follow a tie without the option', () => {
    expect(of(vote(atVote({ tie: 'none' }), TIED), 'spared')).toEqual([{ type: 'spared', because: 'tie' }]);
  });

  it.each([
    ['executes the most voted', { 0: 1, 2: 3, 4: 3, 5: 3 }, [3], undefined],
    ['executes nobody when it is tied', { 0: 1, 2: 3, 4: 3, 5: 1 }, [], 'tie'],
    ['executes nobody when most votes are for pass', { 0: 1 }, [], 'pass'],
    ['executes nobody when pass is tied with a player', { 0: 1, 2: 1, 4: 'pass', 5: 'pass', 6: 3 }, [], 'tie'],
    ['executes nobody when all are silent', undefined, [], 'pass'],
  ] as const)('%s, and there is only one a day', (_, votes, executed, because) => {
    const g = atVote();
    vote(g, TIED);
    hush(g);
    const silence = () => openNow(g).of.flatMap(() => [...g.table.wait()]);
    const events = votes ? vote(g, { 6: 'pass', ...(votes as object) }) : silence();
    expect(of(events, 'executed').map((e) => e['seat'])).toEqual(executed);
    expect(of(events, 'spared').map((e) => e['because'])).toEqual(because ? [because] : []);
    expect(g.state().night).toBe(true);
  });

  it('has as voters the tied too with `runoffVoters: all`, though not for themselves', () => {
    const g = atVote({ runoffVoters: 'all' });
    vote(g, TIED);
    hush(g);
    expect(openNow(g).of).toEqual(g.state().order);
    for (const s of openNow(g).of) {
      if (s === 1) expect(g.table.refusal(1, 'vote', 'seat:1')).toBe('not-an-option');
      g.table.act(s, 'vote', s === 1 ? 'seat:3' : s === 3 ? 'seat:1' : 'pass');
    }
    expect(of(g.table.tape, 'spared')).toEqual([{ type: 'spared', because: 'pass' }]);
  });

  it('does not take place when nobody else is left to vote in it', () => {
    const everybodyTied = (options: object) => {
      const g = atVote(options);
      vote(g, Object.fromEntries(g.all.map((s) => [s, (s + 1) % 7])));
      return g;
    };
    expect(of(everybodyTied({}).table.tape, 'spared')).toEqual([{ type: 'spared', because: 'tie' }]);
    expect(stepNow(everybodyTied({ runoffVoters: 'all' }))).toBe('second-ballot/talk');
  });

  it('may be held again on the next day', () => {
    const g = atVote();
    vote(g, TIED);
    hush(g);
    vote(g);
    g.night();
    hush(g);
    vote(g, TIED);
    expect(openNow(g).id).toBe('round-1/day-2/second-ballot/talk');
  });

  it('counts one and a half votes of the sheriff', () => {
    /** Seat 0 has the badge, and 1 and 3 are tied. */
    const tied = () => {
      const g = sevenAt({ tie: 'runoff', lastWords: false, sheriff: 'elected' });
      g.night();
      badge(g, 0);
      hush(g);
      vote(g, { 0: 5, 2: 1, 4: 1, 5: 3, 6: 3, 1: 2, 3: 4 });
      hush(g);
      return g;
    };
    expect(of(vote(tied(), { 0: 1, 2: 3, 4: 'pass' }), 'executed').map((e) => e['seat'])).toEqual([]);
    expect(of(vote(tied(), { 0: 1, 2: 3, 4: 1, 5: 3, 6: 'pass' }), 'executed')).toMatchObject([{ seat: 1 }]);
  });

  it('leaves last words to whom it condemns', () => {
    const g = atVote({ lastWords: true });
    vote(g, TIED);
    hush(g);
    expect(of(vote(g, { 0: 1, 2: 1, 4: 1 }), 'condemned')).toEqual([{ type: 'condemned', seat: 1 }]);
    expect(stepNow(g)).toBe('gallows/last-words');
  });

  it.each([
    [{ tie: 'runoff' }, 'then all others alive vote once more, for one of them or to pass.'],
    [{ tie: 'runoff' }, 'When all who are alive tie, nobody is executed.'],
    [{ tie: 'runoff' }, 'most votes for pass, or a tie with pass, execute nobody.'],
    [{ tie: 'runoff', runoffVoters: 'all' }, 'then all alive vote once more, for one of them but not for themselves or to pass.'],
    [{}, 'a tie, or most votes for pass, executes nobody.'],
  ])('is told in the rules: %j', (options, sentence) => expect(werewolf7.text(7, options)).toContain(sentence));

  it('is not in the rules without the option', () => {
    expect(werewolf7.text(7, { runoffVoters: 'all' })).toBe(werewolf7.text(7, {}));
  });
});

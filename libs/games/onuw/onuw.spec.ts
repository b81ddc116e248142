import { describe, expect, it } from '@jest/globals';
import { onuw } from './onuw.ts';
import { ofType, onuwGame, W, R, seat, FIVE, whyNot } from './onuw.suite.ts';

describe('ONUW: the day', () => {
  const atDay = (options: object = {}, setting: object = {}) => {
    const t = onuwGame({ ...FIVE, ...setting, options: { ...options } });
    t.night();
    return t;
  };

  it('has three rounds of one speech each, in seat order, in the Village', () => {
    const t = atDay();
    const heard: [string, number][] = [];
    for (let number = 1; number <= 3; number++) {
      expect(t.question('talk')).toMatchObject({
        id: `day/round-${number}/talk`,
        of: [0, 1, 2, 3, 4],
        inTurn: true,
        room: 'Village',
        among: 'table',
      });
      for (const s of [0, 1, 2, 3, 4]) {
        if (s < 4) expect(t.refusal(s + 1, 'talk', 'me!')?.reason).toBe('not-your-turn');
        t.act(s, 'talk', `line ${s}`);
        heard.push([`day/round-${number}/talk`, s]);
        if (s < 4) expect(t.refusal(s, 'talk', 'again')?.reason).toBe('already-answered');
      }
    }
    expect(ofType(t.view('audience'), 'answered').map(({ question, answer }) => [question, answer.by])).toEqual(heard);
    expect(t.open).toEqual(['day/vote']);
  });

  it('skips silent seats', () => {
    const t = atDay({ turnMs: 1000, stepMs: 1000 });
    t.silence();
    expect(ofType(t.tape, 'passed')).toHaveLength(15);
    expect(t.now).toBe(5000 + 15_000);
    expect(t.open).toEqual(['day/vote']);
  });

  it.each([0, 1, 5])('has talkRounds rounds: %i', (talkRounds) => {
    const t = atDay({ talkRounds });
    t.silence();
    expect(ofType(t.tape, 'asked').filter(({ question }) => question.id.endsWith('/talk'))).toHaveLength(talkRounds);
    expect(t.open).toEqual(['day/vote']);
  });

  it('has one timed free talk before the vote with talk: free', () => {
    const t = atDay({ talk: 'free', talkMs: 5000, stepMs: 1000 });
    expect(t.question('talk')).toMatchObject({
      id: 'day/talk',
      of: [0, 1, 2, 3, 4],
      inTurn: false,
      final: false,
      room: 'Village',
      settles: 'by-the-clock',
    });
    for (const s of [3, 3, 0]) t.act(s, 'talk', 'hello');
    expect(t.open).toEqual(['day/talk']);
    t.wait();
    expect(t.now).toBe(10_000);
    expect(t.open).toEqual(['day/vote']);
  });

  it('ignores talkRounds with talk: free', () => {
    expect(atDay({ talk: 'free', talkRounds: 0 }).open).toEqual(['day/talk']);
    expect(onuw.text(5, { talk: 'free', talkRounds: 0 })).toContain('By day all talk freely');
  });
});

describe('ONUW: the analysis game', () => {
  const analysis = (options: object = {}) => onuwGame({ players: 3, options: { setup: 'analysis', ...options } });

  it('has three players: two Werewolves and a Robber, without a centre', () => {
    const t = analysis();
    expect(t.state).toMatchObject({ roles: [W, W, R], held: [W, W, R], centre: [] });
    expect(t.drawn).toEqual([]);
    expect(whyNot(() => onuw.rules(5, { setup: 'analysis' })).detail).toMatch(/is for 3 players, not 5/);
    expect(whyNot(() => onuw.rules(3, { setup: 'analysis', deck: { [W]: 2, [R]: 1 } })).reason).toBe('bad-option');
  });

  it('shows the Werewolves to each other, asks the Robber, then votes without talk', () => {
    const t = analysis();
    expect(ofType(t.view(0), 'met')).toEqual([{ type: 'met', card: W, seats: [0, 1] }]);
    expect(t.position.open.map(({ id, of }) => [id, of])).toEqual([['night/werewolf', []]]);
    t.wait();
    expect(t.game.asked(t.position, 2).map(({ id, options }) => [id, options])).toEqual([
      ['night/robber', ['pass', seat(0), seat(1), seat(2)]],
    ]);
    expect(t.refusal(2, 'robber', seat(2))?.reason).toBe('not-an-option');
    t.wait();
    expect(t.open).toEqual(['day/vote']);
  });

  it('has talk with analysisTalk', () => {
    const t = analysis({ analysisTalk: true });
    t.night();
    expect(t.open).toEqual(['day/round-1/talk']);
    expect(onuw.text(3, { setup: 'analysis', analysisTalk: true })).toContain('3 rounds');
    expect(onuw.text(3, { setup: 'analysis' })).toContain('There is no talk');
    expect(onuw.text(3, { setup: 'analysis' })).toContain('There is one night and one vote.');
    expect(onuw.text(3, { setup: 'analysis' })).toContain('Every step lasts 30 seconds. Silence');
    expect(onuw.text(5, {})).toContain('There is one night, one talk and one vote.');
    expect(onuw.text(5, {})).toContain('Every step lasts 30 seconds, also when the card lies in the centre. Silence');
  });

  it('is a draw at one vote each, unlike the standard game', () => {
    const t = analysis();
    t.night();
    t.vote([1, 2, 0]);
    expect(t.state.ended).toEqual({ winner: 'draw', because: 'one-vote-each' });
    expect(t.outcome.points).toEqual([0, 0, 0]);
    const silent = analysis();
    silent.night();
    silent.vote([1, 0]);
    expect(silent.outcome.winner).toBe('werewolves'); // one vote each for two players is not one for everybody
  });

  it('has the 24 outcomes of figure 5, with their utilities', () => {
    const leaves = ['pass', seat(0), seat(1)].flatMap((robs) =>
      [1, 2].flatMap((first) =>
        [0, 2].flatMap((second) =>
          [0, 1].map((third) => {
            const t = analysis();
            t.night({ [R]: [[2, robs]] });
            t.vote([first, second, third]);
            return { robs, votes: [first, second, third], points: t.outcome.points };
          }),
        ),
      ),
    );
    expect(leaves).toHaveLength(24);
    const mean = [0, 1, 2].map((s) => leaves.reduce((sum, { points }) => sum + points[s]!, 0) / 24);
    for (const utility of mean) expect(utility).toBeCloseTo(-1 / 12);
    expect(leaves.filter(({ points }) => points.every((p) => p === 0))).toHaveLength(6);
    // Theorem 4.2: the Werewolves vote for each other, the Robber for the robbed player or freely.
    expect(leaves.find(({ robs, votes }) => robs === seat(0) && votes.join() === '1,0,0')!.points).toEqual([-1, 1, 1]);
  });
});

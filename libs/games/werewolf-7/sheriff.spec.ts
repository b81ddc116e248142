import { describe, expect, it } from '@jest/globals';
import { play } from '../kernel/play.ts';
import { reportAnswers } from '../records/answer-report.ts';
import { badge, hush, openNow, run, stepNow, vote } from './election.suite.ts';
import type { Werewolf7 } from './state.ts';
import { list, of, seat, type Seven, sevenAt, without } from './werewolf-7.suite.ts';
import { werewolf7 } from './werewolf-7.ts';

const elected = { sheriff: 'elected' };
/** A table at the question who runs, after a night in which nobody dies. */
function atElection(options: object = {}, night: Parameters<Seven['night']>[0] = {}): Seven {
  const g = sevenAt({ ...elected, ...options });
  g.night(night);
  return g;
}
const types = (g: Seven) => g.table.types();
const tell = (event: object) => werewolf7.rules(7, {}).tell(event as never, { names: ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay', 'Gus'] });

describe('the election of a sheriff', () => {
  it('comes before the dead of the first night are named, and asks them too', () => {
    const g = sevenAt(elected);
    const events = g.night(g.kill(g.seer));
    expect(stepNow(g)).toBe('candidacy/run');
    expect(openNow(g)).toMatchObject({ of: g.all, options: ['run', 'stay'], heard: 'never', among: 'table' });
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['asked', 'gathered']);
    expect(g.state()).toMatchObject({ dead: [], night: false });
    expect(of(run(g, g.seer), 'dawned')).toEqual([{ type: 'dawned', day: 1, dead: [{ seat: g.seer }] }]);
    expect(g.state().sheriff?.seat).toBe(g.seer);
  });

  it('comes after the dead are named, among the living, with `sheriffAt: after-deaths`', () => {
    const g = sevenAt({ ...elected, sheriffAt: 'after-deaths' });
    expect(of(g.night(g.kill(g.seer)), 'dawned')).toHaveLength(1);
    expect(stepNow(g)).toBe('candidacy/run');
    expect(openNow(g).of).toEqual(without(g.all, g.seer));
    run(g);
    expect(stepNow(g)).toBe('day-1/talk');
  });

  it('does not take place without the option, nor on a later day', () => {
    const g = sevenAt();
    g.night();
    expect(stepNow(g)).toBe('day-1/talk');
    const later = badge(atElection(), 0);
    later.day();
    later.night();
    expect(stepNow(later)).toBe('day-2/talk');
  });

  it('does not take place after deaths that end the game', () => {
    const g = sevenAt({ ...elected, sheriffAt: 'after-deaths', wolfWin: 'parity' });
    g.night({ ...g.kill(g.villager1), poison: g.villager2 });
    expect(stepNow(g)).toBe('candidacy/run');
    const over = sevenAt({ ...elected, sheriffAt: 'after-deaths' });
    over.night({ ...over.kill(over.villager1), poison: over.villager2 });
    expect(over.result()?.winner).toBe('werewolves');
  });

  it.each([
    ['nobody runs', [], undefined],
    ['everybody runs', [0, 1, 2, 3, 4, 5, 6], undefined],
    ['one runs', [3], 3],
  ] as const)('ends at once when %s', (_, candidates, sheriff) => {
    const g = atElection();
    const events = run(g, ...candidates);
    expect(of(events, 'stood')).toEqual([
      { type: 'stood', seats: g.state().order.filter((s) => (candidates as readonly number[]).includes(s)) },
    ]);
    expect(of(events, 'elected')).toEqual([{ type: 'elected', ...(sheriff === undefined ? {} : { seat: sheriff }), halves: 3 }]);
    expect(g.state().sheriff?.seat).toBe(sheriff);
    expect(stepNow(g)).toBe('day-1/talk');
  });

  it('takes silence for not running', () => {
    const g = atElection();
    g.table.act(5, 'run', 'run');
    expect(of(g.table.wait(), 'elected')).toMatchObject([{ seat: 5 }]);
  });

  it('asks at most for the time of a vote', () => {
    const g = atElection({ voteMs: 7_000 });
    const asked = g.table.now;
    g.table.wait();
    expect(g.table.now - asked).toBe(7_000);
  });

  it('shows to nobody else who runs before the candidates are named', () => {
    const g = atElection();
    const before = g.all.map((eye) => g.seen(eye).length);
    g.table.act(2, 'run', 'run');
    g.table.act(4, 'run', 'stay');
    expect(g.all.filter((eye) => g.seen(eye).length > before[eye]!)).toEqual([2, 4]);
    g.table.wait();
    for (const eye of [...g.all, 'audience' as const]) {
      const others = of(g.seen(eye), 'answered').filter(({ answer }) => (answer as { by: number }).by !== eye);
      expect(JSON.stringify(others)).not.toContain('run');
      expect(of(g.seen(eye), 'elected')).toEqual([{ type: 'elected', seat: 2, halves: 3 }]);
    }
  });

  it('lets several candidates speak once each, then the others vote openly, both in the order of the game', () => {
    const g = atElection();
    run(g, 1, 4, 6);
    const { order } = g.state();
    expect(stepNow(g)).toBe('election/talk');
    expect(openNow(g)).toMatchObject({ of: order.filter((s) => [1, 4, 6].includes(s)), inTurn: true, room: 'Village' });
    hush(g);
    expect(stepNow(g)).toBe('election/elect');
    expect(openNow(g)).toMatchObject({ of: order.filter((s) => ![1, 4, 6].includes(s)), inTurn: true, final: true, heard: 'at-once' });
    expect(openNow(g).options).toEqual(list(order.filter((s) => [1, 4, 6].includes(s))));
    expect(of(vote(g, { 0: 4, 2: 4, 3: 6 }), 'elected')).toEqual([{ type: 'elected', seat: 4, halves: 3 }]);
    expect(stepNow(g)).toBe('day-1/talk');
    expect(openNow(g).of).toEqual(order);
  });

  it('counts the most votes for a candidate, however many pass', () => {
    const g = atElection();
    run(g, 1, 4);
    hush(g);
    expect(of(vote(g, { 0: 1 }), 'elected')).toMatchObject([{ seat: 1 }]);
  });

  it('elects nobody when nobody is voted for', () => {
    const g = atElection();
    run(g, 1, 4);
    hush(g);
    expect(of(vote(g), 'elected')).toEqual([{ type: 'elected', halves: 3 }]);
    expect(stepNow(g)).toBe('day-1/talk');
  });

  it.each([
    ['somebody is ahead', { 0: 4, 2: 4, 3: 1 }, 4],
    ['they are tied again', { 0: 4, 2: 1 }, undefined],
    ['nobody is voted for', {}, undefined],
  ])('lets the tied speak again and the same players vote among them, once: %s', (_, again, sheriff) => {
    const g = atElection();
    run(g, 1, 4, 6);
    hush(g);
    expect(of(vote(g, { 0: 1, 2: 4, 3: 1, 5: 4 }), 'tied')).toMatchObject([{ decides: 'ballot' }]);
    expect(stepNow(g)).toBe('second-election/talk');
    expect(openNow(g).of.toSorted((a, b) => a - b)).toEqual([1, 4]);
    hush(g);
    expect(openNow(g)).toMatchObject({ of: g.state().order.filter((s) => [0, 2, 3, 5].includes(s)) });
    expect(openNow(g).options.toSorted()).toEqual(['pass', 'seat:1', 'seat:4']);
    expect(of(vote(g, again), 'elected')).toEqual([{ type: 'elected', ...(sheriff === undefined ? {} : { seat: sheriff }), halves: 3 }]);
    expect(stepNow(g)).toBe('day-1/talk');
  });

  it('shows the same to everybody else whoever died in the night', () => {
    const [one, other] = [atElection(), atElection()].map((g, i) => {
      const fresh = sevenAt(elected);
      fresh.night(i ? fresh.kill(fresh.villager1) : {});
      run(fresh, g.villager1, g.guard);
      hush(fresh);
      vote(fresh, { [g.seer]: g.villager1 });
      return fresh;
    });
    const shown = (g: Seven) => {
      const seen = g.seen(g.seer);
      return seen.slice(seen.findIndex(({ type }) => type === 'gathered') - 1, seen.findIndex(({ type }) => type === 'elected') - 1);
    };
    expect(shown(one!).length).toBeGreaterThan(10);
    expect(shown(other!)).toEqual(shown(one!));
  });
});

describe('the vote of a sheriff', () => {
  const cases = [
    ['1.5', 'one', { votes: { 0: 1, 2: 3 }, executed: 1 }],
    ['1', 'one', { votes: { 0: 1, 2: 3 }, executed: undefined }],
    ['2', 'one', { votes: { 0: 1, 2: 3 }, executed: 1 }],
    ['2', 'two others', { votes: { 0: 1, 2: 3, 4: 3 }, executed: undefined }],
    ['1.5', 'two others', { votes: { 0: 1, 2: 3, 4: 3 }, executed: 3 }],
    ['1.5', 'pass', { votes: { 0: 'pass', 2: 3, 4: 'pass', 5: 'pass', 6: 'pass', 1: 'pass', 3: 3 }, executed: undefined }],
  ] as const;
  it.each(cases)('counts %s against that of %s', (sheriffVote, _, { votes, executed }) => {
    const g = badge(atElection({ sheriffVote, lastWords: false }), 0);
    hush(g);
    // all others vote for nobody in particular: each for itself, so that no pass counts
    const own = Object.fromEntries(without(g.all, ...Object.keys(votes).map(Number)).map((s) => [s, s]));
    const events = vote(g, { ...own, ...votes });
    expect(of(events, 'executed').map((e) => e['seat'])).toEqual(executed === undefined ? [] : [executed]);
  });

  it('counts once in the election, where nobody is sheriff yet', () => {
    const g = atElection();
    run(g, 1, 4);
    hush(g);
    expect(of(vote(g, { 0: 1, 2: 4 }), 'tied')).toHaveLength(1);
  });

  it('is told as half votes: three of them, four, or two', () => {
    for (const [sheriffVote, halves] of [
      ['1.5', 3],
      ['2', 4],
      ['1', 2],
    ] as const) {
      const g = badge(atElection({ sheriffVote }), 6);
      expect(g.all.map((s) => werewolf7.halves!(g.state(), s, 'vote'))).toEqual([2, 2, 2, 2, 2, 2, halves]);
      expect(werewolf7.halves!(g.state(), 6, 'elect')).toBe(2);
    }
  });
});

it('is added up with halves in the report of a record', () => {
  const g = badge(atElection(), 0);
  hush(g);
  vote(g, { 0: 5, 1: 5, 2: 0 });
  const rules = werewolf7.rules(7, elected);
  const inner = g.table.tape
    .slice(g.table.tape.findIndex(({ type }) => type === 'dealt'))
    .map((e) => JSON.parse(JSON.stringify(e).replaceAll('round-1/', '')));
  const { votes } = reportAnswers(play(rules) as never, werewolf7, inner);
  expect(votes.at(-1)!.tally).toEqual({ 'seat:0': 1, 'seat:5': 2.5, 'pass': 4 });
});

describe('the badge of a dead sheriff', () => {
  /** A table whose sheriff died in the first night. */
  const dead = (options: object = {}) => {
    const g = atElection(options);
    const fresh = sevenAt({ ...elected, ...options });
    fresh.night(fresh.kill(g.seer));
    return badge(fresh, g.seer);
  };

  it('is passed on by the dead after the dead of the night are named, to a living player', () => {
    const g = dead();
    expect(stepNow(g)).toBe('dawn/heir');
    expect(openNow(g)).toMatchObject({ of: [g.seer], options: list(without(g.all, g.seer)), heard: 'at-once', among: 'table' });
    expect(g.table.rules.out(g.table.standing.game)).toEqual([]);
    expect(of(g.table.act(g.seer, 'heir', seat(g.wolf2)), 'inherited')).toEqual([{ type: 'inherited', seat: g.wolf2, halves: 3 }]);
    expect(g.state().sheriff).toEqual({ seat: g.wolf2, halves: 3 });
    expect(g.table.rules.out(g.table.standing.game)).toEqual([g.seer]);
    expect(stepNow(g)).toBe('day-1/talk');
  });

  it('is passed on after last words, before the night', () => {
    const g = badge(atElection(), 3);
    expect(of(g.execute(3), 'executed')).toEqual([{ type: 'executed', seat: 3 }]);
    expect(stepNow(g)).toBe('dusk/heir');
    expect(types(g).at(-1)).toBe('asked');
    const [heir] = without(g.all, 3);
    g.table.act(3, 'heir', seat(heir!));
    expect(g.state()).toMatchObject({ night: true, day: 2, sheriff: { seat: heir } });
  });

  it.each([
    ['says so', (g: Seven) => g.table.act(g.seer, 'heir', 'pass')],
    ['is silent for the time of a vote', (g: Seven) => g.table.wait()],
  ])('is torn when the dead sheriff %s, and is gone for the game', (_, tear) => {
    const g = dead();
    expect(of(tear(g), 'inherited')).toEqual([{ type: 'inherited', halves: 3 }]);
    expect(g.state().sheriff).toBeUndefined();
    g.day();
    g.night();
    expect(stepNow(g)).toBe('day-2/talk');
  });

  it('is passed on by an heir who dies, too', () => {
    const g = dead();
    g.table.act(g.seer, 'heir', seat(g.guard));
    g.day();
    g.night(g.kill(g.guard));
    expect(openNow(g)).toMatchObject({ id: 'round-1/day-2/dawn/heir', of: [g.guard] });
    g.table.act(g.guard, 'heir', seat(g.witch));
    expect(g.state().sheriff?.seat).toBe(g.witch);
  });

  it('is not asked for when the game is over', () => {
    const over = sevenAt({ ...elected, maxDays: 1 });
    over.night();
    badge(over, over.villager1);
    over.execute(over.villager1);
    expect(over.result()?.winner).toBe('draw');
    expect(werewolf7.rules(7, {}).out(over.state())).toEqual([over.villager1]);
  });

  it('changes no role, and parity counts heads', () => {
    const g = badge(atElection({ wolfWin: 'parity' }), 0);
    const { roles } = g.state();
    g.execute(g.seer);
    if (stepNow(g) === 'dusk/heir') g.table.act(g.seer, 'heir', seat(g.wolf1));
    g.night(g.kill(g.villager1));
    expect(g.result()).toBeUndefined(); // two wolves of five
    expect(g.state().roles).toEqual(roles);
  });
});

describe('a tie while there is a sheriff', () => {
  const decides = { sheriffTies: 'decides', tie: 'runoff', lastWords: false };
  /** Seat 0 is the sheriff and 1 and 3 are tied without its vote. */
  function tied(options: object = decides): Seven {
    const g = badge(atElection(options), 0);
    hush(g);
    vote(g, { 0: 2, 4: 1, 5: 1, 6: 3, 1: 3, 2: 4, 3: 5 });
    return g;
  }

  it('is decided by the sheriff, who names one of the tied, instead of a second ballot', () => {
    const g = tied();
    expect(of(g.table.tape, 'tied')).toMatchObject([{ decides: 'sheriff' }]);
    expect(stepNow(g)).toBe('tie/decide');
    expect(openNow(g).of).toEqual([0]);
    expect(openNow(g).options.toSorted()).toEqual([seat(1), seat(3)]);
    expect(g.table.refusal(0, 'decide', 'pass')).toBe('not-an-option');
    expect(of(g.table.act(0, 'decide', seat(3)), 'executed')).toEqual([{ type: 'executed', seat: 3 }]);
  });

  it('executes nobody when the sheriff is silent for the time of a vote', () => {
    const g = tied();
    const asked = g.table.now;
    expect(of(g.table.wait(), 'spared')).toEqual([{ type: 'spared', because: 'tie' }]);
    expect(g.table.now - asked).toBe(30_000);
  });

  it('has a second ballot without `sheriffTies`, and executes nobody without either', () => {
    expect(stepNow(tied({ tie: 'runoff' }))).toBe('second-ballot/talk');
    expect(of(tied({}).table.tape, 'spared')).toEqual([{ type: 'spared', because: 'tie' }]);
  });

  it('is not decided where there is no sheriff', () => {
    const g = atElection(decides);
    run(g);
    hush(g);
    vote(g, { 4: 1, 5: 1, 6: 3, 1: 3, 2: 4, 3: 5, 0: 2 });
    expect(stepNow(g)).toBe('second-ballot/talk');
  });

  it('with 1.5 never has the one in it for whom the sheriff votes', () => {
    for (let mine = 0; mine <= 5; mine++) for (let others = 0; others <= 6; others++) expect(2 * mine + 3).not.toBe(2 * others);
    const g = badge(atElection({ lastWords: false }), 0);
    hush(g);
    expect(of(vote(g, { 0: 1, 2: 1, 3: 4, 5: 4, 1: 6, 4: 2, 6: 3 }), 'executed')).toMatchObject([{ seat: 1 }]);
  });
});

describe('the sheriff in words', () => {
  it.each([
    [{ type: 'gathered', day: 1 }, 'Day breaks. A sheriff is elected before the dead of the night are named.'],
    [{ type: 'stood', seats: [] }, 'For sheriff runs nobody.'],
    [{ type: 'stood', seats: [1] }, 'For sheriff runs Bob.'],
    [{ type: 'stood', seats: [1, 0] }, 'For sheriff run Bob and Ann.'],
    [{ type: 'elected', seat: 2, halves: 3 }, 'Cid is the sheriff.'],
    [{ type: 'elected', halves: 3 }, 'There will be no sheriff.'],
    [{ type: 'inherited', seat: 2, halves: 3 }, 'Cid is the sheriff now.'],
    [{ type: 'inherited', halves: 3 }, 'The badge is torn. There is no sheriff any more.'],
    [{ type: 'tied', seats: [0, 1], decides: 'ballot' }, 'Ann and Bob are tied. They speak once more, and a second ballot decides.'],
    [{ type: 'tied', seats: [0, 1, 2], decides: 'sheriff' }, 'Ann, Bob and Cid are tied. The sheriff decides.'],
  ])('%j', (event, sentence) => {
    expect(tell(event)).toBe(sentence);
    expect(werewolf7.rules(7, {}).announce(event as never)).toEqual(['Village']);
    for (const eye of [0, 'audience'] as const) expect(werewolf7.rules(7, {}).see(event as never, eye, {} as Werewolf7)).toEqual(event);
  });

  it.each([
    ['run', 'run', 'Ann runs for sheriff.'],
    ['run', 'stay', 'Ann does not run for sheriff.'],
    ['elect', 'seat:1', 'Ann votes for Bob as sheriff.'],
    ['elect', 'pass', 'Ann votes for nobody.'],
    ['decide', 'seat:1', 'Ann decides that Bob is executed.'],
    ['heir', 'seat:1', 'Ann passes the badge to Bob.'],
    ['heir', 'pass', 'Ann tears the badge.'],
  ])('tells the answer to %s: %s', (step, option, sentence) => {
    expect(tell({ type: 'answered', question: `day-1/x/${step}`, answer: { by: 0, says: [option] }, at: 0 })).toBe(sentence);
  });

  it('is told what it is, what its vote counts, and that it may pass on the badge', () => {
    const g = badge(atElection(), 3);
    const brief = () => werewolf7.rules(7, {}).brief(g.state(), 3, []);
    expect(brief()).toContain('You are the sheriff: your vote by day counts 1.5.');
    g.execute(3);
    expect(brief()).toContain('You are dead: you may pass on your badge, not act.');
  });

  it('has a sign on its seat that everybody sees', () => {
    const g = badge(atElection(), 3);
    for (const eye of [...g.all, 'audience' as const, 'narrator' as const]) {
      const { game } = g.table.game.fold(g.table.game.view(g.table.tape, eye)).game;
      expect(g.all.map((s) => werewolf7.marks!(game, s))).toEqual(g.all.map((s) => (s === 3 ? ['sheriff'] : [])));
    }
  });
});

describe('the rules of the sheriff as they are told', () => {
  const text = (options: { readonly [name: string]: unknown }) => werewolf7.text(7, options);
  it.each([
    [{}, 'all who lived at nightfall are asked at once and in secret whether they run for sheriff'],
    [{ sheriffAt: 'after-deaths' }, 'after the dead of the night are named, all alive are asked'],
    [{}, 'If nobody or everybody runs, there is no sheriff in this game; a single candidate is elected.'],
    [{}, 'vote by day counts one and a half'],
    [{ sheriffVote: '2' }, 'vote by day counts two'],
    [{ sheriffVote: '1' }, 'vote by day counts like any other'],
    [{ voteMs: 5_000 }, 'or tears the badge, within 5 seconds'],
    [{ sheriffTies: 'decides' }, 'silence executes nobody, nor does a tie without a sheriff.'],
    [{ sheriffTies: 'decides', tie: 'runoff' }, 'When several players tie without a sheriff, each of them makes one more speech'],
  ])('%j', (options, sentence) => expect(text({ ...elected, ...options })).toContain(sentence));

  it('are none without the option, whatever the others are', () => {
    expect(text({ sheriffTies: 'decides', sheriffVote: '2', sheriffAt: 'after-deaths', runoffVoters: 'all' })).toBe(text({}));
  });
});

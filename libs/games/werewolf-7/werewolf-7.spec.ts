import { describe, expect, it } from '@jest/globals';
import { play } from '../kernel/play.ts';
import { seededRoll } from '../kernel/dice.ts';
import { of, seat, sevenAt, type Seven } from './werewolf-7.suite.ts';
import type { Werewolf7 } from './state.ts';
import { werewolf7 } from './werewolf-7.ts';
import { without, list, sorted } from './werewolf-7.suite.ts';

describe('seven-player Werewolf: the deal', () => {
  it('has two werewolves, two villagers, a seer, a guard and a witch', () => {
    for (const seed of ['a', 'b', 'c']) {
      const { roles, order } = sevenAt({}, seed).state();
      expect(roles.toSorted()).toEqual(['guard', 'seer', 'villager', 'villager', 'werewolf', 'werewolf', 'witch']);
      expect(sorted(order)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    }
  });

  it('tells everybody their role and the order, and wolves each other', () => {
    const g = sevenAt();
    const dealt = (eye: number | 'audience') => of(g.seen(eye), 'dealt')[0]!;
    for (const eye of g.all) {
      const known = [g.wolf1, g.wolf2].includes(eye) ? [g.wolf1, g.wolf2] : [eye];
      expect(dealt(eye)['roles']).toEqual(g.state().roles.map((role, s) => (known.includes(s) ? role : 'hidden')));
    }
    expect(dealt('audience')).toEqual({ type: 'dealt', roles: g.all.map(() => 'hidden'), order: g.state().order });
  });

  it('rolls exactly what a record may fix', () => {
    const rolled: string[] = [];
    const roll = (seed: string, moment: string) => {
      const draws = seededRoll(seed, moment);
      return {
        pick: <T extends string | number>(name: string, items: readonly [T, ...T[]]) => (rolled.push(name), draws.pick(name, items)),
        shuffle: <T extends string | number>(name: string, items: readonly T[]) => (rolled.push(name), draws.shuffle(name, items)),
      };
    };
    play(werewolf7.rules(7, {}), roll).deal(7, 0, 's');
    expect(rolled).toEqual(Object.keys(werewolf7.record.deal));
    expect(werewolf7.record.draws).toEqual({});
  });
});

describe('seven-player Werewolf: the dawn', () => {
  it('names the dead in the Village, without roles', () => {
    const g = sevenAt();
    const events = g.night({ ...g.kill(g.seer), poison: g.wolf1 });
    const dead = sorted([g.seer, g.wolf1]).map((s) => ({ seat: s }));
    for (const eye of [...g.all, 'audience' as const]) expect(of(g.seen(eye), 'dawned')).toEqual([{ type: 'dawned', day: 1, dead }]);
    expect(g.table.rules.announce({ type: 'dawned' })).toEqual(['Village']);
    const types = events.map((e) => e.type);
    expect(types.lastIndexOf('asked')).toBeLessThan(types.indexOf('dawned')); // the room is open before the announcement
  });

  it('does not tell murdered from poisoned', () => {
    const one = sevenAt();
    const other = sevenAt();
    const { seer, guard } = one;
    expect(of(one.night({ ...one.kill(seer), poison: guard }), 'dawned')).toEqual(
      of(other.night({ ...other.kill(guard), poison: seer }), 'dawned'),
    );
  });

  it('names them with roles with revealNightRoles', () => {
    const g = sevenAt({ revealNightRoles: true });
    expect(of(g.night(g.kill(g.seer)), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer, role: 'seer' }]);
    g.day();
    expect(of(g.night(g.kill(g.guard)), 'dawned')[0]!['dead']).toEqual([{ seat: g.guard, role: 'guard' }]);
  });

  it('names only the first night’s dead with roles with revealFirstNight', () => {
    const g = sevenAt({ revealFirstNight: true });
    expect(of(g.night(g.kill(g.seer)), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer, role: 'seer' }]);
    g.day();
    expect(of(g.night(g.kill(g.guard)), 'dawned')[0]!['dead']).toEqual([{ seat: g.guard }]);
  });

  it('makes an announced role known to everybody', () => {
    const g = sevenAt({ revealNightRoles: true });
    g.night(g.kill(g.seer));
    const seen = g.table.game.fold(g.table.game.view(g.table.tape, 'audience')).game.game as Werewolf7;
    expect(seen.roles[g.seer]).toBe('seer');
  });
});

describe('seven-player Werewolf: the talk', () => {
  const dayOne = () => {
    const g = sevenAt();
    g.night();
    return g;
  };

  it('is one speech each, in the dealt order, heard by all in the Village', () => {
    const g = dayOne();
    const { order } = g.state();
    expect(g.table.question('talk')).toMatchObject({ of: order, inTurn: true, final: true, room: 'Village', among: 'table' });
    expect(g.table.refusal(order[1]!, 'talk', 'me first')).toBe('not-your-turn');
    g.table.act(order[0]!, 'talk', 'good morning');
    expect(g.table.refusal(order[0]!, 'talk', 'and another thing')).toBe('already-answered');
    expect(JSON.stringify(g.seen('audience'))).toMatch(/good morning/);
    for (const s of order.slice(1)) g.table.act(s, 'talk', 'hm');
    expect(g.table.question('vote').of).toEqual(order);
  });

  it('keeps the same order every day, without the dead', () => {
    const g = dayOne();
    g.day();
    g.night(g.kill(g.seer));
    expect(g.table.question('talk').of).toEqual(without(g.state().order, g.seer));
    g.day();
    g.night();
    expect(g.table.question('talk').of).toEqual(without(g.state().order, g.seer));
  });

  it('skips a silent seat after turnMs', () => {
    const g = sevenAt({ turnMs: 5000 });
    g.night();
    const [first, second] = g.state().order;
    const began = g.table.now;
    expect(of(g.table.wait(), 'answered')).toEqual([]);
    expect(g.table.now - began).toBe(5000);
    expect(g.table.refusal(first!, 'talk', 'late')).toBe('not-your-turn'); // its turn is over
    g.table.act(second!, 'talk', 'my turn');
  });

  it('excludes the dead', () => {
    const g = sevenAt();
    g.night(g.kill(g.seer));
    expect(g.table.refusal(g.seer, 'talk', 'boo')).toBe('dead');
  });
});

describe('seven-player Werewolf: the vote', () => {
  const atVote = (options = {}) => {
    const g = sevenAt(options);
    g.night();
    while (g.table.standing.open[0]!.id.endsWith('/talk')) g.table.wait();
    return g;
  };

  it('is open, in the dealt order, for any living player or to pass', () => {
    const g = atVote();
    const { order } = g.state();
    expect(g.table.question('vote')).toMatchObject({
      of: order,
      inTurn: true,
      final: true,
      heard: 'at-once',
      among: 'table',
      options: list(g.all),
    });
    expect(g.table.refusal(order[1]!, 'vote', 'pass')).toBe('not-your-turn');
    g.table.act(order[0]!, 'vote', seat(order[0]!)); // oneself included
    for (const eye of [order[3]!, 'audience' as const])
      expect(of(g.seen(eye), 'answered')).toMatchObject([{ answer: { by: order[0], says: [seat(order[0]!)] } }]);
    expect(g.table.refusal(order[0]!, 'vote', 'pass')).toBe('already-answered');
  });

  it('excludes the dead as voters and as targets', () => {
    const g = sevenAt();
    g.night(g.kill(g.seer));
    while (g.table.standing.open[0]!.id.endsWith('/talk')) g.table.wait();
    expect(g.table.question('vote')).toMatchObject({ of: without(g.state().order, g.seer), options: list(without(g.all, g.seer)) });
    expect(g.table.refusal(g.seer, 'vote', 'pass')).toBe('dead');
  });

  it('gives each voter voteMs', () => {
    const g = atVote({ voteMs: 7000 });
    const began = g.table.now;
    g.table.wait();
    expect(g.table.now - began).toBe(7000);
  });

  const verdict = (votes: (g: Seven) => { [voter: number]: number | 'pass' }) => {
    const g = sevenAt({ lastWords: false });
    g.night();
    const events = g.day(votes(g));
    return { g, executed: of(events, 'executed').map((e) => e['seat']), spared: of(events, 'spared').map((e) => e['because']) };
  };
  const cast = (g: Seven, ...targets: readonly (number | 'pass')[]) => Object.fromEntries(targets.map((t, i) => [g.state().order[i], t]));

  it('executes the most voted player, even without a majority', () => {
    // 3 for the seer, 2 to pass, 1 and 1: no majority of seven
    const { g, executed } = verdict((own) => cast(own, own.seer, own.seer, 'pass', own.seer, 'pass', own.guard, own.witch));
    expect(executed).toEqual([g.seer]);
  });

  it('executes nobody on a tie', () => {
    const { executed, spared } = verdict((own) => cast(own, own.seer, own.seer, own.seer, own.guard, own.guard, own.guard, 'pass'));
    expect([executed, spared]).toEqual([[], ['tie']]);
  });

  it('executes nobody when pass has the most votes', () => {
    const { executed, spared } = verdict((own) => cast(own, own.seer, own.seer, own.seer, 'pass', 'pass', 'pass', 'pass'));
    expect([executed, spared]).toEqual([[], ['pass']]);
  });

  it('executes nobody when pass is tied for the most votes', () => {
    const { executed, spared } = verdict((own) => cast(own, own.seer, own.seer, own.seer, 'pass', 'pass', 'pass', own.guard));
    expect([executed, spared]).toEqual([[], ['tie']]);
  });

  it('counts silence as pass', () => {
    const g = atVote({ lastWords: false });
    const [a, b, c] = g.state().order;
    for (const s of [a!, b!, c!]) g.table.act(s, 'vote', seat(g.seer));
    let events: readonly { readonly type: string }[] = [];
    for (let i = 0; i < 4; i++) events = g.table.wait();
    expect(of(events as never, 'spared')).toEqual([{ type: 'spared', because: 'pass' }]); // 4 of 7
    expect(of(events as never, 'settled')[0]).toMatchObject({
      defaulted: [{ says: ['pass'] }, { says: ['pass'] }, { says: ['pass'] }, { says: ['pass'] }],
    });
  });
});

describe('seven-player Werewolf: the execution', () => {
  const condemned = (options = {}) => {
    const g = sevenAt(options);
    g.night();
    const events = g.day(Object.fromEntries(g.all.map((s) => [s, g.seer])));
    return { g, events };
  };

  it('waits for the last words of the condemned in the Village', () => {
    const { g, events } = condemned();
    expect(of(events, 'condemned')).toEqual([{ type: 'condemned', seat: g.seer }]);
    expect(of(events, 'executed')).toEqual([]);
    expect(g.table.question('last-words')).toMatchObject({ verb: 'say', of: [g.seer], room: 'Village', among: 'table' });
    expect(g.state().dead).toEqual([]);
    expect(g.table.refusal(g.guard, 'last-words', 'serves him right')).toBe('not-asked');
    const after = g.table.act(g.seer, 'last-words', 'I was the Seer');
    expect(after.map((e) => e.type).slice(0, 4)).toEqual(['answered', 'settled', 'executed', 'dusked']);
    expect(JSON.stringify(g.seen('audience'))).toMatch(/I was the Seer/);
    expect(g.state()).toMatchObject({ dead: [g.seer], condemned: undefined, night: true, day: 2 });
  });

  it('proceeds without them after turnMs', () => {
    const { g } = condemned({ turnMs: 4000 });
    const began = g.table.now;
    expect(of(g.table.wait(), 'executed')).toEqual([{ type: 'executed', seat: g.seer }]);
    expect(g.table.now - began).toBe(4000);
  });

  it('is immediate with lastWords: false', () => {
    const { g, events } = condemned({ lastWords: false });
    expect(of(events, 'condemned')).toEqual([]);
    expect(of(events, 'executed')).toEqual([{ type: 'executed', seat: g.seer }]);
    expect(g.state()).toMatchObject({ dead: [g.seer], night: true });
  });

  it('announces the name, and the role only with revealExecuted', () => {
    const { g } = condemned();
    g.table.wait();
    expect(of(g.seen('audience'), 'executed')).toEqual([{ type: 'executed', seat: g.seer }]);
    const told = condemned({ revealExecuted: true });
    told.g.table.wait();
    expect(of(told.g.seen('audience'), 'executed')).toEqual([{ type: 'executed', seat: told.g.seer, role: 'seer' }]);
  });

  it('leaves the dead watching and silent', () => {
    const { g } = condemned();
    g.table.wait();
    expect(g.table.refusal(g.seer, 'inspect', seat(0))).toBe('dead');
    g.nightUpTo('inspect');
    expect(g.table.question('inspect')).toMatchObject({ of: [], among: [] });
  });
});

describe('seven-player Werewolf: the end', () => {
  it('is a village win when the last wolf is executed, after its last words', () => {
    const g = sevenAt();
    g.night({ poison: g.wolf1 });
    expect(g.result()).toBeUndefined();
    g.day(Object.fromEntries(g.all.map((s) => [s, g.wolf2])));
    expect(g.result()).toBeUndefined();
    const events = g.table.act(g.wolf2, 'last-words', 'well played');
    const types = events.map((e) => e.type);
    expect(types.indexOf('ended')).toBeGreaterThan(types.indexOf('executed'));
    expect(types.indexOf('executed')).toBeGreaterThan(types.indexOf('answered'));
    expect(g.result()).toMatchObject({ winner: 'village', winners: without(g.all, g.wolf1, g.wolf2) });
  });

  it('may be a village win at dawn', () => {
    const g = sevenAt();
    const events = g.night({ ...g.kill(g.wolf1), poison: g.wolf2 });
    expect(of(events, 'ended')).toEqual([{ type: 'ended', winner: 'village', because: 'no-wolves' }]);
    expect(of(events, 'asked').some((e) => JSON.stringify(e).includes('/talk'))).toBe(false);
    expect(g.result()!.winner).toBe('village');
  });

  it('is a werewolf win when both plain villagers are dead', () => {
    const g = sevenAt();
    g.night(g.kill(g.villager1));
    g.execute(g.seer);
    expect(g.result()).toBeUndefined();
    g.night(g.kill(g.villager2));
    expect(g.result()).toMatchObject({ winner: 'werewolves', winners: sorted([g.wolf1, g.wolf2]) });
  });

  it('may be a werewolf win after an execution', () => {
    const g = sevenAt();
    g.night(g.kill(g.villager1));
    expect(of(g.execute(g.villager2), 'ended')).toEqual([{ type: 'ended', winner: 'werewolves', because: 'no-villagers' }]);
  });

  it('gives a point to each seat of the winning side, dead ones included', () => {
    const g = sevenAt();
    g.night({ ...g.kill(g.villager1), poison: g.wolf1 });
    g.execute(g.villager2);
    expect(g.result()!.points).toEqual(g.all.map((s) => ([g.wolf1, g.wolf2].includes(s) ? 1 : 0)));
    expect(g.result()!.roles).toEqual(g.state().roles);
    const village = sevenAt();
    village.night({ ...village.kill(village.seer), poison: village.wolf1 });
    village.execute(village.wolf2);
    expect(village.result()!.points).toEqual(village.all.map((s) => ([village.wolf1, village.wolf2].includes(s) ? 0 : 1)));
  });

  it('favours the village when both sides qualify at once', () => {
    // the witch poisons the last wolf in the night in which it kills the last villager
    const last = (options: { readonly [name: string]: unknown }) => {
      const g = sevenAt(options);
      g.night(g.kill(g.wolf1));
      g.execute(g.villager1);
      g.night({ wolf2: g.villager2, poison: g.wolf2 });
      return g.result()!;
    };
    expect(last({})).toMatchObject({ winner: 'village' });
    expect(last({ endFirst: 'werewolves' })).toMatchObject({ winner: 'werewolves' });
  });

  it('requires all others dead with wolfWin: all-good-dead', () => {
    const g = sevenAt({ wolfWin: 'all-good-dead' });
    g.night({ ...g.kill(g.villager1), save: 'pass', poison: g.villager2 });
    g.execute(g.witch);
    g.night(g.kill(g.guard));
    expect(g.result()).toBeUndefined();
    expect(of(g.night({}), 'ended')).toEqual([]);
    g.day();
    expect(of(g.night(g.kill(g.seer)), 'ended')).toEqual([{ type: 'ended', winner: 'werewolves', because: 'no-others' }]);
  });

  it('comes at parity with wolfWin: parity', () => {
    const g = sevenAt({ wolfWin: 'parity' });
    g.night({ ...g.kill(g.villager1), save: 'pass', poison: g.villager2 }); // 2 wolves, 3 others; both villagers are dead
    expect(g.result()).toBeUndefined();
    expect(of(g.execute(g.seer), 'ended')).toEqual([{ type: 'ended', winner: 'werewolves', because: 'parity' }]); // 2 and 2
  });

  it('is a draw after maxDays', () => {
    const g = sevenAt({ maxDays: 2 });
    g.night();
    g.day();
    g.night();
    expect(g.result()).toBeUndefined();
    expect(of(g.day(), 'ended')).toEqual([{ type: 'ended', winner: 'draw', because: 'too-long' }]);
    expect(g.result()).toMatchObject({ winner: 'draw', winners: [], points: [0, 0, 0, 0, 0, 0, 0] });
  });

  it('is no draw when a side wins on the last day', () => {
    const g = sevenAt({ maxDays: 1 });
    g.night({ poison: g.wolf1 });
    g.execute(g.wolf2);
    expect(g.result()!.winner).toBe('village');
  });
});

import { describe, expect, it } from '@jest/globals';
import { play } from '../kernel/play.ts';
import { drawsOf, diceOf } from '../kernel/dice.ts';
import { of, seat, sevenAt, type Seven } from './night.suite.ts';
import { STEPS } from './night.ts';
import { initialState, type Werewolf7 } from './state.ts';
import { werewolf7 } from './werewolf-7.ts';

const without = (seats: readonly number[], ...gone: readonly number[]) => seats.filter((s) => !gone.includes(s));
const list = (seats: readonly number[]) => [...seats.map(seat), 'pass'];
const sorted = (seats: readonly number[]) => seats.toSorted((a, b) => a - b);
const names = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay', 'Gus'];

describe('seven-player Werewolf: the deal', () => {
  it('is for seven, no more and no less', () => {
    expect(werewolf7.players).toEqual({ least: 7, most: 7, usual: 7 });
    expect(() => werewolf7.rules(6, {})).toThrow('bad-option');
    expect(() => werewolf7.rules(8, {})).toThrow('bad-option');
  });

  it('is of two werewolves, two villagers, a seer, a guard and a witch', () => {
    for (const seed of ['a', 'b', 'c'])
      expect((sevenAt({}, seed).state().roles as string[]).toSorted()).toEqual(
        ['werewolf', 'werewolf', 'villager', 'villager', 'seer', 'guard', 'witch'].toSorted(),
      );
  });

  it('differs from seed to seed, in roles and in order', () => {
    const deals = ['a', 'b', 'c', 'd', 'e'].map((seed) => sevenAt({}, seed).state());
    expect(new Set(deals.map(({ roles }) => roles.join())).size).toBeGreaterThan(2);
    expect(new Set(deals.map(({ order }) => order.join())).size).toBeGreaterThan(2);
    for (const { order } of deals) expect(sorted(order)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('tells everybody their own role, the wolves each other, and the order to all', () => {
    const g = sevenAt();
    const dealt = (eye: number | 'audience') => of(g.seen(eye), 'dealt')[0]!;
    for (const eye of g.all) {
      const known = [g.wolf1, g.wolf2].includes(eye) ? [g.wolf1, g.wolf2] : [eye];
      expect(dealt(eye)['roles']).toEqual(g.state().roles.map((role, s) => (known.includes(s) ? role : 'hidden')));
    }
    expect(dealt('audience')).toEqual({ type: 'dealt', roles: g.all.map(() => 'hidden'), order: g.state().order });
  });

  it('rolls what a record may fix, and nothing else', () => {
    const rolled: string[] = [];
    const roll = (seed: string, moment: string) => {
      const draws = drawsOf(diceOf(seed, moment));
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

describe('seven-player Werewolf: the night', () => {
  it('is first', () => {
    const { table, state } = sevenAt();
    expect(state()).toMatchObject({ day: 1, night: true });
    expect(table.standing.open.map((q) => q.id)).toEqual(['round-1/night-1/wolf-1/hunt']);
  });

  it('asks wolves in order of seats, guard, witch for the antidote, witch for the poison, seer; then come the deaths', () => {
    const g = sevenAt();
    const { wolf1, wolf2, guard, witch, seer, villager1, villager2 } = g;
    expect(wolf1).toBeLessThan(wolf2);
    const events = [...g.table.tape, ...g.night({ ...g.kill(villager1), guard: guard, save: 'pass', poison: villager2, seer: wolf1 })];
    const asked = of(events, 'asked').map((e) => e['question'] as { id: string; of: number[] });
    const nightly = asked
      .filter(({ id }) => id.includes('night-1'))
      .map(({ id, of: seats }) => [id.slice('round-1/night-1/'.length), seats]);
    expect(nightly).toEqual([
      ['wolf-1/hunt', [wolf1]],
      ['wolf-2/hunt', [wolf2]],
      ['guard/protect', [guard]],
      ['witch-1/save', [witch]],
      ['witch-2/poison', [witch]],
      ['seer/inspect', [seer]],
    ]);
    const types = events.map((e) => e.type);
    expect(types.indexOf('dawned')).toBeGreaterThan(types.indexOf('inspected'));
  });

  it('lets each wolf hear the other, the second before it votes, and nobody else hear anything', () => {
    const g = sevenAt();
    g.table.act(g.wolf1, 'hunt', seat(g.seer));
    expect(of(g.seen(g.wolf2), 'answered')).toMatchObject([{ answer: { by: g.wolf1, says: [seat(g.seer)] } }]);
    g.table.wait();
    expect(g.table.question('hunt')).toMatchObject({ of: [g.wolf2], among: sorted([g.wolf1, g.wolf2]), heard: 'at-once' });
    for (const eye of [...without(g.all, g.wolf1, g.wolf2), 'audience' as const]) {
      expect(of(g.seen(eye), 'answered')).toEqual([]);
      expect(JSON.stringify(g.seen(eye))).not.toMatch(/night-1\//);
    }
  });

  it('does not let a wolf answer for the other, or change its vote', () => {
    const g = sevenAt();
    expect(g.table.refusal(g.wolf2, 'hunt', seat(0))).toBe('not-asked');
    expect(g.table.refusal(g.seer, 'hunt', seat(0))).toBe('phase-over'); // as if there were no such question
    g.table.act(g.wolf1, 'hunt', seat(0));
    expect(g.table.refusal(g.wolf1, 'hunt', seat(1))).toBe('already-answered');
  });

  it('lasts as long whether anybody acts or not: each step nightMs', () => {
    const begins = (through: (g: Seven) => void) => {
      const g = sevenAt({ nightMs: 1000 });
      through(g);
      return of(g.table.tape, 'asked').flatMap((e) => {
        const { id, until } = e['question'] as { id: string; until: number };
        return id.includes('night-1') ? [until] : [];
      });
    };
    const steps = [1000, 2000, 3000, 4000, 5000, 6000];
    expect(begins((g) => g.night())).toEqual(steps);
    expect(begins((g) => g.night({ ...g.kill(g.seer), guard: 0, save: 'pass', poison: 'pass', seer: 0 }))).toEqual(steps);
  });

  it('lasts as long when roles are dead', () => {
    const g = sevenAt({ nightMs: 1000, wolfWin: 'all-good-dead' });
    g.night({ ...g.kill(g.guard), save: 'pass', poison: g.wolf1, seer: 0 });
    g.execute(g.seer);
    const began = g.table.now;
    expect(g.state()).toMatchObject({ day: 2, night: true });
    const ends = STEPS.map(() => (g.table.wait(), g.table.now - began));
    expect(ends).toEqual([1000, 2000, 3000, 4000, 5000, 6000]);
    expect(g.state().night).toBe(false);
  });

  it('goes on as soon as a step is answered with hurry, past those that nobody can answer', () => {
    const g = sevenAt({ hurry: true, nightMs: 1000 });
    const { villager1, wolf1, wolf2 } = g;
    g.table.act(wolf1, 'hunt', seat(villager1));
    g.table.act(wolf2, 'hunt', seat(villager1));
    g.table.act(g.guard, 'protect', seat(villager1));
    expect(g.table.question('poison').of).toEqual([g.witch]); // there is nobody to be saved
    g.table.act(g.witch, 'poison', 'pass');
    g.table.act(g.seer, 'inspect', seat(wolf1));
    expect(g.state().night).toBe(false);
    expect(g.table.now).toBe(0);
  });

  it('takes silence for pass, everywhere', () => {
    const g = sevenAt();
    const events = g.night();
    expect(of(events, 'dawned')).toEqual([{ type: 'dawned', day: 1, dead: [] }]);
    expect(of(events, 'aimed').map((e) => e['at'])).toEqual(['pass', 'pass']);
    for (const type of ['protected', 'warned', 'saved', 'poisoned', 'inspected'] as const) expect(of(events, type)).toEqual([]);
    expect(of(events, 'settled').flatMap((e) => e['defaulted'] ?? [])).toEqual(
      [g.wolf1, g.wolf2, g.guard, g.witch, g.seer].map((by) => ({ by, says: ['pass'] })),
    );
  });
});

describe('seven-player Werewolf: the werewolves', () => {
  const deaths = (choose: (g: Seven) => Parameters<Seven['night']>[0]) => {
    const g = sevenAt();
    return [of(g.night(choose(g)), 'dawned')[0]!['dead'], g] as const;
  };

  it('kill whom both name', () => {
    const [dead, g] = deaths((own) => own.kill(own.seer));
    expect(dead).toEqual([{ seat: g.seer }]);
  });

  it('kill nobody when they split', () => {
    expect(deaths((g) => ({ wolf1: g.seer, wolf2: g.guard }))[0]).toEqual([]);
  });

  it('kill nobody when one passes: it is a tie', () => {
    expect(deaths((g) => ({ wolf1: g.seer, wolf2: 'pass' }))[0]).toEqual([]);
    expect(deaths((g) => ({ wolf1: 'pass', wolf2: g.seer }))[0]).toEqual([]);
  });

  it('kill nobody when one is silent: silence is a vote to pass', () => {
    expect(deaths((g) => ({ wolf1: g.seer }))[0]).toEqual([]);
    expect(deaths((g) => ({ wolf2: g.seer }))[0]).toEqual([]);
  });

  it('kill nobody when both pass', () => {
    expect(deaths(() => ({ wolf1: 'pass', wolf2: 'pass' }))[0]).toEqual([]);
  });

  it('may name anybody alive, each other and themselves included', () => {
    const g = sevenAt();
    expect(g.options('hunt')).toEqual(list(g.all));
    const [dead, one] = deaths((own) => own.kill(own.wolf1));
    expect(dead).toEqual([{ seat: one.wolf1 }]);
    const [other, that] = deaths((own) => own.kill(own.wolf2));
    expect(other).toEqual([{ seat: that.wolf2 }]);
  });

  it('may not name the dead', () => {
    const g = sevenAt();
    g.night(g.kill(g.seer));
    g.day();
    expect(g.options('hunt')).toEqual(list(without(g.all, g.seer)));
    expect(g.table.refusal(g.wolf1, 'hunt', seat(g.seer))).toBe('not-an-option');
  });

  it('decide alone when one is dead, and the dead one hears nothing', () => {
    const g = sevenAt();
    g.night(g.kill(g.wolf1));
    g.day();
    expect(g.table.question('hunt')).toMatchObject({ of: [], among: [] });
    g.table.wait();
    expect(g.table.question('hunt')).toMatchObject({ of: [g.wolf2], among: [g.wolf2] });
    const events = g.night({ wolf2: g.seer });
    expect(of(events, 'dawned')).toEqual([{ type: 'dawned', day: 2, dead: [{ seat: g.seer }] }]);
    expect(JSON.stringify(g.seen(g.wolf1))).not.toMatch(/night-2\//);
    expect(of(sevenAt().seen(g.wolf1), 'aimed')).toEqual([]); // only the narrator has it
  });

  it('keep their slots, whoever of them is dead', () => {
    const g = sevenAt();
    g.night(g.kill(g.wolf2));
    g.day();
    expect(g.table.question('hunt')).toMatchObject({ id: 'round-1/night-2/wolf-1/hunt', of: [g.wolf1] });
    g.table.act(g.wolf1, 'hunt', seat(g.guard));
    g.table.wait();
    expect(g.table.question('hunt')).toMatchObject({ id: 'round-1/night-2/wolf-2/hunt', of: [], among: [] });
    expect(of(g.night(), 'dawned')[0]!['dead']).toEqual([{ seat: g.guard }]);
  });
});

describe('seven-player Werewolf: the guard', () => {
  it('protects one player from the werewolves', () => {
    const g = sevenAt();
    expect(of(g.night({ ...g.kill(g.seer), guard: g.seer }), 'dawned')[0]!['dead']).toEqual([]);
    const other = sevenAt();
    expect(of(other.night({ ...other.kill(other.seer), guard: other.villager1 }), 'dawned')[0]!['dead']).toEqual([{ seat: other.seer }]);
  });

  it('may protect himself', () => {
    const g = sevenAt();
    expect(of(g.night({ ...g.kill(g.guard), guard: g.guard }), 'dawned')[0]!['dead']).toEqual([]);
  });

  it('may not protect the same on two nights running, himself neither, but in the night after may', () => {
    const g = sevenAt();
    g.night({ guard: g.guard });
    g.day();
    g.nightUpTo('protect');
    expect(g.options('protect')).toEqual(list(without(g.all, g.guard)));
    expect(g.table.refusal(g.guard, 'protect', seat(g.guard))).toBe('not-an-option');
    g.night({ guard: g.seer });
    g.day();
    g.nightUpTo('protect');
    expect(g.options('protect')).toEqual(list(without(g.all, g.seer)));
  });

  it('may protect the same again after a night in which he passed', () => {
    const g = sevenAt();
    g.night({ guard: g.seer });
    g.day();
    g.night({ guard: 'pass' });
    g.day();
    g.nightUpTo('protect');
    expect(g.options('protect')).toEqual(list(g.all));
  });

  it('may repeat with guardRepeat', () => {
    const g = sevenAt({ guardRepeat: true });
    g.night({ guard: g.seer });
    g.day();
    g.nightUpTo('protect');
    expect(g.options('protect')).toEqual(list(g.all));
    expect(of(g.night({ guard: g.seer }), 'protected')).toEqual([{ type: 'protected', by: g.guard, seat: g.seer }]);
  });

  it('does not protect from poison', () => {
    const g = sevenAt();
    expect(of(g.night({ guard: g.seer, poison: g.seer }), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer }]);
  });

  it('is the only one to know whom he protects, and is told it in his brief', () => {
    const g = sevenAt();
    g.night({ guard: g.seer });
    for (const eye of [...without(g.all, g.guard), 'audience' as const]) expect(of(g.seen(eye), 'protected')).toEqual([]);
    expect(of(g.seen(g.guard), 'protected')).toHaveLength(1);
  });
});

describe('seven-player Werewolf: the witch', () => {
  it('is told the victim while she has the antidote, she alone, and may save', () => {
    const g = sevenAt();
    g.nightUpTo('save', g.kill(g.seer));
    expect(of(g.seen(g.witch), 'warned')).toEqual([{ type: 'warned', to: g.witch, seat: g.seer }]);
    for (const eye of [...without(g.all, g.witch), 'audience' as const]) expect(of(g.seen(eye), 'warned')).toEqual([]);
    expect(g.options('save')).toEqual([seat(g.seer), 'pass']);
    expect(of(g.night({ save: g.seer }), 'dawned')[0]!['dead']).toEqual([]);
  });

  it('lets the victim die when she passes, or is silent', () => {
    const g = sevenAt();
    expect(of(g.night({ ...g.kill(g.seer), save: 'pass' }), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer }]);
    const silent = sevenAt();
    expect(of(silent.night(silent.kill(silent.seer)), 'dawned')[0]!['dead']).toEqual([{ seat: silent.seer }]);
  });

  it('is told of nobody who is guarded: it is as if the wolves had chosen nobody', () => {
    const stream = (choose: (g: Seven) => Parameters<Seven['night']>[0]) => {
      const g = sevenAt();
      g.nightUpTo('poison', choose(g));
      return g.seen(g.witch);
    };
    const guarded = stream((g) => ({ ...g.kill(g.seer), guard: g.seer }));
    expect(guarded).toEqual(stream(() => ({ wolf1: 'pass', wolf2: 'pass' })));
    expect(of(guarded, 'warned')).toEqual([]);
    expect(guarded.some((e) => e.type === 'asked' && JSON.stringify(e).includes('/save'))).toBe(false);
  });

  it('may save herself', () => {
    const g = sevenAt();
    g.nightUpTo('save', g.kill(g.witch));
    expect(g.options('save')).toEqual([seat(g.witch), 'pass']);
    expect(of(g.night({ save: g.witch }), 'dawned')[0]!['dead']).toEqual([]);
  });

  it('has one antidote: once it is used she is neither told nor asked', () => {
    const g = sevenAt();
    g.night({ ...g.kill(g.seer), save: g.seer });
    g.day();
    const events = g.nightUpTo('poison', g.kill(g.seer));
    expect(of(events, 'warned')).toEqual([]);
    expect(of(events, 'asked').map((e) => (e['question'] as { of: number[] }).of)).toEqual([[g.wolf2], [g.guard], [], [g.witch]]);
    expect(of(g.night(), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer }]);
  });

  it('keeps the antidote as long as she has not used it', () => {
    const g = sevenAt();
    g.night({ ...g.kill(g.villager1), save: 'pass' });
    g.day();
    g.nightUpTo('save', g.kill(g.seer));
    expect(g.options('save')).toEqual([seat(g.seer), 'pass']);
  });

  it('has one poison, for any living player, herself too', () => {
    const g = sevenAt();
    g.nightUpTo('poison', g.kill(g.villager1));
    expect(g.options('poison')).toEqual(list(g.all)); // the victim of this night is still among them
    g.night({ poison: g.wolf1 });
    expect(g.state().dead).toEqual(sorted([g.villager1, g.wolf1]));
    g.day();
    g.nightUpTo('poison');
    expect(g.table.question('poison')).toMatchObject({ of: [], among: [] });
  });

  it('keeps the poison when she passes', () => {
    const g = sevenAt();
    g.night({ poison: 'pass' });
    g.day();
    g.nightUpTo('poison');
    expect(g.table.question('poison').of).toEqual([g.witch]);
  });

  it('may use both in one night, unless witchBoth is false', () => {
    const upTo = (witchBoth: boolean, isSaved: boolean) => {
      const g = sevenAt({ witchBoth });
      g.nightUpTo('poison', { ...g.kill(g.seer), save: isSaved ? g.seer : 'pass' });
      return g.table.question('poison').of.length;
    };
    expect([upTo(true, true), upTo(true, false), upTo(false, true), upTo(false, false)]).toEqual([1, 1, 0, 1]);
  });

  it('may poison whom she has saved: then they die', () => {
    const g = sevenAt();
    expect(of(g.night({ ...g.kill(g.seer), save: g.seer, poison: g.seer }), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer }]);
  });

  it('kills once whom the wolves kill too', () => {
    const g = sevenAt();
    expect(of(g.night({ ...g.kill(g.seer), save: 'pass', poison: g.seer }), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer }]);
    expect(g.state().dead).toEqual([g.seer]);
  });

  it('poisons even when she dies in the same night', () => {
    const g = sevenAt();
    g.night({ ...g.kill(g.witch), save: 'pass', poison: g.wolf1 });
    expect(sorted(g.state().dead)).toEqual(sorted([g.witch, g.wolf1]));
  });

  it('is not asked when she is dead', () => {
    const g = sevenAt();
    g.night(g.kill(g.witch));
    g.day();
    const events = g.nightUpTo('inspect', g.kill(g.villager1));
    expect(of(events, 'warned')).toEqual([]);
    expect(of(events, 'asked').map((e) => (e['question'] as { of: number[] }).of)).toEqual([[g.wolf2], [g.guard], [], [], [g.seer]]);
  });
});

describe('seven-player Werewolf: the seer', () => {
  it('learns whether one is a werewolf or not, he alone', () => {
    const g = sevenAt();
    g.night({ seer: g.wolf2 });
    g.day();
    g.night({ seer: g.witch });
    expect(of(g.seen(g.seer), 'inspected')).toEqual([
      { type: 'inspected', by: g.seer, seat: g.wolf2, isWolf: true },
      { type: 'inspected', by: g.seer, seat: g.witch, isWolf: false },
    ]);
    for (const eye of [...without(g.all, g.seer), 'audience' as const]) expect(of(g.seen(eye), 'inspected')).toEqual([]);
  });

  it('learns nothing when he passes', () => {
    const g = sevenAt();
    expect(of(g.night({ seer: 'pass' }), 'inspected')).toEqual([]);
  });

  it('chooses among those alive at nightfall, which tells nothing of this night’s dead', () => {
    const g = sevenAt();
    g.nightUpTo('inspect', { ...g.kill(g.villager1), save: 'pass', poison: g.wolf1 });
    expect(g.options('inspect')).toEqual(list(g.all));
  });

  it.each(['nightfall', 'running'])('learns nothing when he is killed in the same night (nightState: %s)', (nightState) => {
    const g = sevenAt({ nightState });
    expect(of(g.night({ ...g.kill(g.seer), save: 'pass', seer: g.wolf1 }), 'inspected')).toEqual([]);
    const poisoned = sevenAt({ nightState });
    expect(of(poisoned.night({ poison: poisoned.seer, seer: poisoned.wolf1 }), 'inspected')).toEqual([]);
  });

  it('learns when he is saved in time', () => {
    const g = sevenAt();
    expect(of(g.night({ ...g.kill(g.seer), save: g.seer, seer: g.wolf1 }), 'inspected')).toHaveLength(1);
    const guarded = sevenAt();
    expect(of(guarded.night({ ...guarded.kill(guarded.seer), guard: guarded.seer, seer: guarded.wolf1 }), 'inspected')).toHaveLength(1);
  });
});

describe('seven-player Werewolf with nightState: running', () => {
  const running = { nightState: 'running' };

  it('leaves the victim out of the lists once the witch has let the chance to save go by', () => {
    const g = sevenAt(running);
    g.nightUpTo('poison', g.kill(g.villager1));
    expect(g.options('poison')).toEqual(list(without(g.all, g.villager1)));
    g.nightUpTo('inspect', { poison: g.wolf1 });
    expect(g.options('inspect')).toEqual(list(without(g.all, g.villager1, g.wolf1)));
  });

  it('keeps whom she saves', () => {
    const g = sevenAt(running);
    g.nightUpTo('poison', { ...g.kill(g.villager1), save: g.villager1 });
    expect(g.options('poison')).toEqual(list(g.all));
    g.nightUpTo('inspect');
    expect(g.options('inspect')).toEqual(list(g.all));
  });

  it('leaves the victim out only after the poison when she has no antidote any more', () => {
    const g = sevenAt(running);
    g.night({ ...g.kill(g.villager1), save: g.villager1 });
    g.day();
    g.nightUpTo('poison', g.kill(g.villager1));
    expect(g.options('poison')).toEqual(list(g.all));
    g.nightUpTo('inspect');
    expect(g.options('inspect')).toEqual(list(without(g.all, g.villager1)));
  });

  it('makes the poison of a witch vain who has let herself die', () => {
    const g = sevenAt(running);
    const events = g.night({ ...g.kill(g.witch), save: 'pass', poison: g.wolf1 });
    expect(of(events, 'poisoned')).toEqual([]);
    expect(of(events, 'dawned')[0]!['dead']).toEqual([{ seat: g.witch }]);
  });

  it('does not make it vain when she had no antidote to save herself with', () => {
    const g = sevenAt(running);
    g.night({ ...g.kill(g.villager1), save: g.villager1 });
    g.day();
    expect(of(g.night({ ...g.kill(g.witch), poison: g.wolf1 }), 'dawned')[0]!['dead']).toEqual(
      sorted([g.witch, g.wolf1]).map((s) => ({ seat: s })),
    );
  });
});

describe('seven-player Werewolf: the dawn', () => {
  it('names the dead without roles, to all, in the Village', () => {
    const g = sevenAt();
    const events = g.night({ ...g.kill(g.seer), poison: g.wolf1 });
    const dead = sorted([g.seer, g.wolf1]).map((s) => ({ seat: s }));
    for (const eye of [...g.all, 'audience' as const]) expect(of(g.seen(eye), 'dawned')).toEqual([{ type: 'dawned', day: 1, dead }]);
    expect(g.table.rules.announce({ type: 'dawned' })).toEqual(['Village']);
    const types = events.map((e) => e.type);
    expect(types.lastIndexOf('asked')).toBeLessThan(types.indexOf('dawned')); // the room is open when it is said there
  });

  it('does not tell who was murdered and who was poisoned', () => {
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

  it('names those of the first night with roles with revealFirstNight, and no others', () => {
    const g = sevenAt({ revealFirstNight: true });
    expect(of(g.night(g.kill(g.seer)), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer, role: 'seer' }]);
    g.day();
    expect(of(g.night(g.kill(g.guard)), 'dawned')[0]!['dead']).toEqual([{ seat: g.guard }]);
  });

  it('lets everybody know a role that was announced', () => {
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

  it('has the same order every day, without the dead', () => {
    const g = dayOne();
    g.day();
    g.night(g.kill(g.seer));
    expect(g.table.question('talk').of).toEqual(without(g.state().order, g.seer));
    g.day();
    g.night();
    expect(g.table.question('talk').of).toEqual(without(g.state().order, g.seer));
  });

  it('passes over who says nothing for turnMs', () => {
    const g = sevenAt({ turnMs: 5000 });
    g.night();
    const [first, second] = g.state().order;
    const began = g.table.now;
    expect(of(g.table.wait(), 'answered')).toEqual([]);
    expect(g.table.now - began).toBe(5000);
    expect(g.table.refusal(first!, 'talk', 'late')).toBe('not-your-turn'); // its turn is over
    g.table.act(second!, 'talk', 'my turn');
  });

  it('takes speech of up to maxChars characters', () => {
    const g = sevenAt({ maxChars: 20 });
    g.night();
    const [first] = g.state().order;
    expect(g.table.refusal(first!, 'talk', 'x'.repeat(21))).toBe('too-long');
    expect(g.table.refusal(first!, 'talk', 'x'.repeat(20))).toBeUndefined();
  });

  it('is not for the dead', () => {
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

  it('is open, in the dealt order, for anybody alive or to pass', () => {
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
    g.table.act(order[0]!, 'vote', seat(order[0]!)); // oneself too
    for (const eye of [order[3]!, 'audience' as const])
      expect(of(g.seen(eye), 'answered')).toMatchObject([{ answer: { by: order[0], says: [seat(order[0]!)] } }]);
    expect(g.table.refusal(order[0]!, 'vote', 'pass')).toBe('already-answered');
  });

  it('is not for the dead, nor against them', () => {
    const g = sevenAt();
    g.night(g.kill(g.seer));
    while (g.table.standing.open[0]!.id.endsWith('/talk')) g.table.wait();
    expect(g.table.question('vote')).toMatchObject({ of: without(g.state().order, g.seer), options: list(without(g.all, g.seer)) });
    expect(g.table.refusal(g.seer, 'vote', 'pass')).toBe('dead');
  });

  it('gives each voteMs', () => {
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

  it('executes the most voted, a majority or not', () => {
    // 3 for the seer, 2 to pass, 1 and 1: no majority of seven
    const { g, executed } = verdict((own) => cast(own, own.seer, own.seer, 'pass', own.seer, 'pass', own.guard, own.witch));
    expect(executed).toEqual([g.seer]);
  });

  it('executes nobody on a tie', () => {
    const { executed, spared } = verdict((own) => cast(own, own.seer, own.seer, own.seer, own.guard, own.guard, own.guard, 'pass'));
    expect([executed, spared]).toEqual([[], ['tie']]);
  });

  it('executes nobody when pass is on top', () => {
    const { executed, spared } = verdict((own) => cast(own, own.seer, own.seer, own.seer, 'pass', 'pass', 'pass', 'pass'));
    expect([executed, spared]).toEqual([[], ['pass']]);
  });

  it('executes nobody when pass is tied for the top', () => {
    const { executed, spared } = verdict((own) => cast(own, own.seer, own.seer, own.seer, 'pass', 'pass', 'pass', own.guard));
    expect([executed, spared]).toEqual([[], ['tie']]);
  });

  it('takes silence for pass', () => {
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

  it('waits for last words of the condemned, who is alive until then, in the Village', () => {
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

  it('goes on without them after turnMs', () => {
    const { g } = condemned({ turnMs: 4000 });
    const began = g.table.now;
    expect(of(g.table.wait(), 'executed')).toEqual([{ type: 'executed', seat: g.seer }]);
    expect(g.table.now - began).toBe(4000);
  });

  it('is at once with lastWords: false', () => {
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
  it('comes for the village when no wolf is alive, after an execution and its last words', () => {
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

  it('comes for the village at dawn', () => {
    const g = sevenAt();
    const events = g.night({ ...g.kill(g.wolf1), poison: g.wolf2 });
    expect(of(events, 'ended')).toEqual([{ type: 'ended', winner: 'village', because: 'no-wolves' }]);
    expect(of(events, 'asked').some((e) => JSON.stringify(e).includes('/talk'))).toBe(false);
    expect(g.result()!.winner).toBe('village');
  });

  it('comes for the werewolves when both plain villagers are dead, whoever else lives', () => {
    const g = sevenAt();
    g.night(g.kill(g.villager1));
    g.execute(g.seer);
    expect(g.result()).toBeUndefined();
    g.night(g.kill(g.villager2));
    expect(g.result()).toMatchObject({ winner: 'werewolves', winners: sorted([g.wolf1, g.wolf2]) });
  });

  it('comes for the werewolves after an execution too', () => {
    const g = sevenAt();
    g.night(g.kill(g.villager1));
    expect(of(g.execute(g.villager2), 'ended')).toEqual([{ type: 'ended', winner: 'werewolves', because: 'no-villagers' }]);
  });

  it('gives every seat of the winning side a point, the dead too, and nobody else', () => {
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

  it('looks at the village first when both sides come to it at once', () => {
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

  it('comes for the werewolves with wolfWin: all-good-dead only when nobody else lives', () => {
    const g = sevenAt({ wolfWin: 'all-good-dead' });
    g.night({ ...g.kill(g.villager1), save: 'pass', poison: g.villager2 });
    g.execute(g.witch);
    g.night(g.kill(g.guard));
    expect(g.result()).toBeUndefined();
    expect(of(g.night({}), 'ended')).toEqual([]);
    g.day();
    expect(of(g.night(g.kill(g.seer)), 'ended')).toEqual([{ type: 'ended', winner: 'werewolves', because: 'no-others' }]);
  });

  it('comes for the werewolves with wolfWin: parity as soon as they are as many as the others', () => {
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

  it('is none yet when a side wins on the last day', () => {
    const g = sevenAt({ maxDays: 1 });
    g.night({ poison: g.wolf1 });
    g.execute(g.wolf2);
    expect(g.result()!.winner).toBe('village');
  });

  it('is after 30 days by default', () => {
    const g = sevenAt();
    for (let day = 1; day < 30; day++) {
      g.night();
      g.day();
    }
    g.night();
    expect(g.result()).toBeUndefined();
    g.day();
    expect(g.result()!.winner).toBe('draw');
  });
});

describe('seven-player Werewolf in words', () => {
  const { tell } = werewolf7.rules(7, {});
  const told = (e: object) => tell(e as never, { names });

  it('tells the dawn with everybody who died', () => {
    expect(told({ type: 'dawned', day: 2, dead: [] })).toBe('Day 2 begins. Nobody died in the night.');
    expect(told({ type: 'dawned', day: 2, dead: [{ seat: 1 }] })).toBe('Day 2 begins. Bob died in the night.');
    expect(told({ type: 'dawned', day: 2, dead: [{ seat: 1 }, { seat: 3, role: 'witch' }] })).toBe(
      'Day 2 begins. Bob and Dot (Witch) died in the night.',
    );
  });

  it('tells each choice by its own verb', () => {
    const answered = (step: string, option: string) =>
      tell({ type: 'answered', question: `night-1/x/${step}`, answer: { by: 0, says: [option] }, at: 0 } as never, {
        names,
        question: { verb: 'choose' } as never,
      });
    expect(['hunt', 'protect', 'save', 'poison', 'inspect', 'vote'].map((step) => answered(step, 'seat:1'))).toEqual([
      'Ann wants to kill Bob tonight.',
      'Ann protects Bob.',
      'Ann saves Bob.',
      'Ann poisons Bob.',
      'Ann asks whether Bob is a Werewolf.',
      'Ann votes for Bob.',
    ]);
    expect(['hunt', 'protect', 'vote'].map((step) => answered(step, 'pass'))).toEqual([
      'Ann wants to kill nobody tonight.',
      'Ann passes.',
      'Ann votes for nobody.',
    ]);
  });

  it('tells every event that anybody but the narrator sees', () => {
    const g = sevenAt({ maxDays: 2 });
    g.night({ ...g.kill(g.villager1), guard: g.seer, save: g.villager1, poison: g.wolf1, seer: g.wolf2 });
    g.execute(g.guard);
    g.night();
    g.day();
    const own = new Set(['asked', 'settled', 'passed', 'opened', 'joined', 'began', 'scored', 'closed', 'withdrawn']);
    for (const event of g.all.flatMap((eye) => g.seen(eye)))
      if (!own.has(event.type))
        expect(told({ ...event, ...(event.type === 'answered' ? { answer: { by: 0, says: ['pass'] } } : {}) })).toBeTruthy();
  });

  const brief = (role: string, more: Partial<Werewolf7> = {}) => {
    const roles = names.map((_, s) => (s === 0 ? role : s === 1 && role === 'werewolf' ? role : 'hidden')) as Werewolf7['roles'];
    return werewolf7.rules(7, {}).brief({ ...initialState, roles, ...more }, 0, names);
  };
  const tonight = initialState.tonight;

  it('tells each seat what it knows of itself', () => {
    expect(brief('villager')).toBe('Your role: Villager.');
    expect(brief('werewolf')).toBe('Your role: Werewolf. The other Werewolf: Bob.');
    expect(brief('werewolf', { dead: [1] })).toBe('Your role: Werewolf. The other Werewolf: Bob, who is dead.');
    expect(
      brief('seer', {
        inspected: [
          [2, true],
          [3, false],
          [2, true],
        ],
      }),
    ).toBe('Your role: Seer. You know that Cid is a Werewolf. You know that Dot is not a Werewolf.');
    expect(brief('guard', { night: true, guardedBefore: 4 })).toBe('Your role: Guard. You last protected Eve.');
    expect(brief('guard', { night: true, guardedBefore: 4, tonight: { ...tonight, guarded: 2 } })).toBe(
      'Your role: Guard. You protect Cid.',
    );
    expect(brief('guard', { guardedBefore: 4 })).toBe('Your role: Guard.'); // he passed in the night before this day
    expect(brief('witch')).toBe('Your role: Witch. You have the antidote and the poison.');
    expect(brief('witch', { antidote: false })).toBe('Your role: Witch. You have the poison.');
    expect(brief('witch', { antidote: false, poison: false })).toBe('Your role: Witch. You have neither antidote nor poison left.');
    expect(brief('witch', { night: true, tonight: { ...tonight, warned: 0 } })).toMatch(/kill Ann tonight unless you save yourself\.$/);
    expect(brief('villager', { condemned: 0 })).toMatch(/last words/);
    expect(brief('villager', { dead: [0] })).toMatch(/You are dead/);
  });

  it.each(Object.keys(werewolf7.options))('tells rules that change with %s', (name) => {
    const option = werewolf7.options[name]!;
    const others =
      option.kind === 'switch'
        ? [!option.usual]
        : option.kind === 'choice'
          ? option.of.filter((o) => o !== option.usual)
          : option.kind === 'whole'
            ? [option.usual + 1000 > option.most ? option.usual - 1 : option.usual + 1000, option.least]
            : [];
    expect(others.length).toBeGreaterThan(0);
    const texts = [
      werewolf7.text(7, {}),
      ...others.map((other) => werewolf7.text(7, { [name]: name === 'maxDays' && other === 1030 ? 31 : other })),
    ];
    expect(new Set(texts).size).toBe(texts.length);
  });
});

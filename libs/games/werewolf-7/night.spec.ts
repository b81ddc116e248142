import { describe, expect, it } from '@jest/globals';
import { of, seat, sevenAt, type Seven } from './werewolf-7.suite.ts';
import { STEPS } from './night.ts';
import { without, list, sorted } from './werewolf-7.suite.ts';

describe('seven-player Werewolf: the night', () => {
  it('comes first', () => {
    const { table, state } = sevenAt();
    expect(state()).toMatchObject({ day: 1, night: true });
    expect(table.standing.open.map((q) => q.id)).toEqual(['round-1/night-1/wolf-1/hunt']);
  });

  it('asks wolves by seat, guard, witch twice and seer, then reports the deaths', () => {
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

  it('lets each wolf alone hear the other, the second before it votes', () => {
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

  it('does not let a wolf answer for the other or change its vote', () => {
    const g = sevenAt();
    expect(g.table.refusal(g.wolf2, 'hunt', seat(0))).toBe('not-asked');
    expect(g.table.refusal(g.seer, 'hunt', seat(0))).toBe('phase-over'); // as if the question did not exist
    g.table.act(g.wolf1, 'hunt', seat(0));
    expect(g.table.refusal(g.wolf1, 'hunt', seat(1))).toBe('already-answered');
  });

  it('gives each step nightMs, whether anybody acts or not', () => {
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

  it('ends each step on its answer with hurry, skipping empty steps', () => {
    const g = sevenAt({ hurry: true, nightMs: 1000 });
    const { villager1, wolf1, wolf2 } = g;
    g.table.act(wolf1, 'hunt', seat(villager1));
    g.table.act(wolf2, 'hunt', seat(villager1));
    g.table.act(g.guard, 'protect', seat(villager1));
    expect(g.table.question('poison').of).toEqual([g.witch]); // there is nobody to save
    g.table.act(g.witch, 'poison', 'pass');
    g.table.act(g.seer, 'inspect', seat(wolf1));
    expect(g.state().night).toBe(false);
    expect(g.table.now).toBe(0);
  });

  it('treats silence as passing in every step', () => {
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

  it('kill the player both name', () => {
    const [dead, g] = deaths((own) => own.kill(own.seer));
    expect(dead).toEqual([{ seat: g.seer }]);
  });

  it.each<[string, 'seer' | 'pass' | undefined, 'guard' | 'seer' | 'pass' | undefined]>([
    ['they disagree', 'seer', 'guard'],
    ['one passes, which is a tie', 'seer', 'pass'],
    ['one passes, which is a tie', 'pass', 'seer'],
    ['one is silent, which is a pass', 'seer', undefined],
    ['one is silent, which is a pass', undefined, 'seer'],
    ['both pass', 'pass', 'pass'],
  ])('kill nobody when %s: %s and %s', (_, one, two) => {
    const aim = (g: Seven, name: 'wolf1' | 'wolf2', at: typeof two) => (at ? { [name]: at === 'pass' ? at : g[at] } : {});
    expect(deaths((g) => ({ ...aim(g, 'wolf1', one), ...aim(g, 'wolf2', two) }))[0]).toEqual([]);
  });

  it('may name any living player, themselves and each other included', () => {
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
    expect(of(sevenAt().seen(g.wolf1), 'aimed')).toEqual([]); // visible to the narrator only
  });

  it('keep their steps even when one is dead', () => {
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

  it('may not protect the same player, himself included, two nights running', () => {
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

  it('may protect the same player again after a night of passing', () => {
    const g = sevenAt();
    g.night({ guard: g.seer });
    g.day();
    g.night({ guard: 'pass' });
    g.day();
    g.nightUpTo('protect');
    expect(g.options('protect')).toEqual(list(g.all));
  });

  it('may repeat his choice with guardRepeat', () => {
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

  it('alone knows whom he protects, and is reminded in his brief', () => {
    const g = sevenAt();
    g.night({ guard: g.seer });
    for (const eye of [...without(g.all, g.guard), 'audience' as const]) expect(of(g.seen(eye), 'protected')).toEqual([]);
    expect(of(g.seen(g.guard), 'protected')).toHaveLength(1);
  });
});

describe('seven-player Werewolf: the witch', () => {
  it('alone learns the victim while she has the antidote, and may save', () => {
    const g = sevenAt();
    g.nightUpTo('save', g.kill(g.seer));
    expect(of(g.seen(g.witch), 'warned')).toEqual([{ type: 'warned', to: g.witch, seat: g.seer }]);
    for (const eye of [...without(g.all, g.witch), 'audience' as const]) expect(of(g.seen(eye), 'warned')).toEqual([]);
    expect(g.options('save')).toEqual([seat(g.seer), 'pass']);
    expect(of(g.night({ save: g.seer }), 'dawned')[0]!['dead']).toEqual([]);
  });

  it('lets the victim die when she passes or is silent', () => {
    const g = sevenAt();
    expect(of(g.night({ ...g.kill(g.seer), save: 'pass' }), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer }]);
    const silent = sevenAt();
    expect(of(silent.night(silent.kill(silent.seer)), 'dawned')[0]!['dead']).toEqual([{ seat: silent.seer }]);
  });

  it('is told of no victim when the victim is guarded', () => {
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

  it('is neither told nor asked after using the antidote', () => {
    const g = sevenAt();
    g.night({ ...g.kill(g.seer), save: g.seer });
    g.day();
    const events = g.nightUpTo('poison', g.kill(g.seer));
    expect(of(events, 'warned')).toEqual([]);
    expect(of(events, 'asked').map((e) => (e['question'] as { of: number[] }).of)).toEqual([[g.wolf2], [g.guard], [], [g.witch]]);
    expect(of(g.night(), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer }]);
  });

  it('keeps the antidote until she uses it', () => {
    const g = sevenAt();
    g.night({ ...g.kill(g.villager1), save: 'pass' });
    g.day();
    g.nightUpTo('save', g.kill(g.seer));
    expect(g.options('save')).toEqual([seat(g.seer), 'pass']);
  });

  it('has one poison, for any living player, herself included', () => {
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

  it('may poison the player she saved, who then dies', () => {
    const g = sevenAt();
    expect(of(g.night({ ...g.kill(g.seer), save: g.seer, poison: g.seer }), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer }]);
  });

  it('kills only once a player the wolves kill too', () => {
    const g = sevenAt();
    expect(of(g.night({ ...g.kill(g.seer), save: 'pass', poison: g.seer }), 'dawned')[0]!['dead']).toEqual([{ seat: g.seer }]);
    expect(g.state().dead).toEqual([g.seer]);
  });

  it('poisons even when she dies in the same night', () => {
    const g = sevenAt();
    g.night({ ...g.kill(g.witch), save: 'pass', poison: g.wolf1 });
    expect(sorted(g.state().dead)).toEqual(sorted([g.witch, g.wolf1]));
  });

  it('is not asked when dead', () => {
    const g = sevenAt();
    g.night(g.kill(g.witch));
    g.day();
    const events = g.nightUpTo('inspect', g.kill(g.villager1));
    expect(of(events, 'warned')).toEqual([]);
    expect(of(events, 'asked').map((e) => (e['question'] as { of: number[] }).of)).toEqual([[g.wolf2], [g.guard], [], [], [g.seer]]);
  });
});

describe('seven-player Werewolf: the seer', () => {
  it('alone learns whether a player is a werewolf', () => {
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

  it('chooses among those alive at nightfall, which reveals no deaths', () => {
    const g = sevenAt();
    g.nightUpTo('inspect', { ...g.kill(g.villager1), save: 'pass', poison: g.wolf1 });
    expect(g.options('inspect')).toEqual(list(g.all));
  });

  it.each(['nightfall', 'running'])('learns nothing when killed in the same night (nightState: %s)', (nightState) => {
    const g = sevenAt({ nightState });
    expect(of(g.night({ ...g.kill(g.seer), save: 'pass', seer: g.wolf1 }), 'inspected')).toEqual([]);
    const poisoned = sevenAt({ nightState });
    expect(of(poisoned.night({ poison: poisoned.seer, seer: poisoned.wolf1 }), 'inspected')).toEqual([]);
  });

  it('learns the result when he is saved', () => {
    const g = sevenAt();
    expect(of(g.night({ ...g.kill(g.seer), save: g.seer, seer: g.wolf1 }), 'inspected')).toHaveLength(1);
    const guarded = sevenAt();
    expect(of(guarded.night({ ...guarded.kill(guarded.seer), guard: guarded.seer, seer: guarded.wolf1 }), 'inspected')).toHaveLength(1);
  });
});

describe('seven-player Werewolf with nightState: running', () => {
  const running = { nightState: 'running' };

  it('removes the victim from the options once the witch declines to save', () => {
    const g = sevenAt(running);
    g.nightUpTo('poison', g.kill(g.villager1));
    expect(g.options('poison')).toEqual(list(without(g.all, g.villager1)));
    g.nightUpTo('inspect', { poison: g.wolf1 });
    expect(g.options('inspect')).toEqual(list(without(g.all, g.villager1, g.wolf1)));
  });

  it('keeps a saved player in the options', () => {
    const g = sevenAt(running);
    g.nightUpTo('poison', { ...g.kill(g.villager1), save: g.villager1 });
    expect(g.options('poison')).toEqual(list(g.all));
    g.nightUpTo('inspect');
    expect(g.options('inspect')).toEqual(list(g.all));
  });

  it('removes the victim only after the poison step without an antidote', () => {
    const g = sevenAt(running);
    g.night({ ...g.kill(g.villager1), save: g.villager1 });
    g.day();
    g.nightUpTo('poison', g.kill(g.villager1));
    expect(g.options('poison')).toEqual(list(g.all));
    g.nightUpTo('inspect');
    expect(g.options('inspect')).toEqual(list(without(g.all, g.villager1)));
  });

  it('voids the poison of a witch who declined to save herself', () => {
    const g = sevenAt(running);
    const events = g.night({ ...g.kill(g.witch), save: 'pass', poison: g.wolf1 });
    expect(of(events, 'poisoned')).toEqual([]);
    expect(of(events, 'dawned')[0]!['dead']).toEqual([{ seat: g.witch }]);
  });

  it('keeps the poison of a witch who had no antidote left', () => {
    const g = sevenAt(running);
    g.night({ ...g.kill(g.villager1), save: g.villager1 });
    g.day();
    expect(of(g.night({ ...g.kill(g.witch), poison: g.wolf1 }), 'dawned')[0]!['dead']).toEqual(
      sorted([g.witch, g.wolf1]).map((s) => ({ seat: s })),
    );
  });
});

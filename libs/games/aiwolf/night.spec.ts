import { describe, expect, it } from '@jest/globals';
import { FIVE, type Table, tableOf, TEN } from './aiwolf.suite.ts';
import { up, of, asked, steps, day1, vote1, night1, mayChoose } from './phases.suite.ts';

const optionsOf = (table: Table, step: string, seat: number) =>
  table.game.asked(table.position, seat).find(({ id }) => id.endsWith(`/${step}`))!.options;

describe('the seer', () => {
  it('chooses any living player, itself included, after the execution is announced', () => {
    const table = night1('divine', 0);
    expect(of(table.view(4), 'executed')).toEqual([{ type: 'executed', seat: 0 }]);
    expect(mayChoose(table, 'divine', 4)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(optionsOf(table, 'divine', 4)).not.toContain('seat:0');
  });

  it('alone learns the result in the morning, that of day 0 included', () => {
    const table = tableOf(TEN);
    table.until('divine');
    table.act(4, 'divine', 'seat:8');
    expect(of(table.tape, 'divined')).toEqual([]);
    table.until();
    const divined = { type: 'divined', by: 4, seat: 8, found: 'werewolf' };
    expect(of(table.view(4), 'divined')).toEqual([divined]);
    for (const eye of [0, 5, 8, 'audience'] as const)
      expect(of(table.view(eye), 'divined').concat(of(table.view(eye), 'gazed'))).toEqual([]);
    expect(table.state.divined).toEqual([{ day: 1, by: 4, seat: 8, found: 'werewolf' }]);
  });

  it('sees only wolves as werewolves: the possessed appears human', () => {
    const table = day1();
    table.day({ execute: 0, divine: 7 });
    expect(of(table.tape, 'divined')).toEqual([{ type: 'divined', by: 4, seat: 7, found: 'human' }]);
  });

  it('is not asked and learns nothing when executed', () => {
    const table = vote1();
    table.vote(4);
    expect(table.question('divine')).toMatchObject({ of: [], among: [], options: [] });
    table.until();
    expect(of(table.tape, 'divined')).toEqual([]);
  });

  it('still gets the result when killed in the same night', () => {
    const table = day1();
    table.day({ execute: 0, divine: 9, attack: 4 });
    expect(table.state.dead).toEqual([0, 4]);
    expect(of(table.view(4), 'divined')).toEqual([{ type: 'divined', by: 4, seat: 9, found: 'werewolf' }]);
  });

  it('learns nothing when silent', () => {
    const table = day1();
    table.day({ execute: 0 });
    expect(of(table.tape, 'gazed').concat(of(table.tape, 'divined'))).toEqual([]);
    const later = day1();
    later.day({ execute: 0, divine: 8, attack: 1 });
    later.day({ execute: 2, attack: 3 }); // the result of the previous night is not repeated
    expect(later.state.divined).toEqual([{ day: 2, by: 4, seat: 8, found: 'werewolf' }]);
  });
});

describe('the medium', () => {
  it('alone learns in the morning what the executed was, the possessed being human', () => {
    const table = day1();
    table.hush();
    table.vote(9);
    expect(of(table.view(5), 'identified')).toEqual([]);
    table.until();
    expect(of(table.view(5), 'identified')).toEqual([{ type: 'identified', by: 5, seat: 9, found: 'werewolf' }]);
    for (const eye of [0, 4, 8, 'audience'] as const) expect(of(table.view(eye), 'identified')).toEqual([]);
    table.day({ execute: 7 });
    expect(of(table.tape, 'identified').at(-1)).toEqual({ type: 'identified', by: 5, seat: 7, found: 'human' });
  });

  it('learns the result even when dead', () => {
    const table = day1();
    table.day({ execute: 5, attack: 0 });
    expect(of(table.view(5), 'identified')).toEqual([{ type: 'identified', by: 5, seat: 5, found: 'human' }]);
    table.day({ execute: 8, attack: 1 });
    expect(of(table.view(5), 'identified').at(-1)).toEqual({ type: 'identified', by: 5, seat: 8, found: 'werewolf' });
  });

  it('learns nothing on day 1 or when nobody was executed', () => {
    const table = day1(TEN, { noExecution: true, revotes: 0 });
    expect(of(table.tape, 'identified')).toEqual([]);
    table.hush();
    table.votes(Object.fromEntries(TEN.map((_, seat) => [seat, (seat + 1) % 10])));
    table.until();
    expect(of(table.tape, 'spared')).toHaveLength(1);
    expect(of(table.tape, 'identified')).toEqual([]);
    table.day({ execute: 0, attack: 1 });
    expect(of(table.tape, 'identified')).toHaveLength(1);
    table.hush();
    table.votes(Object.fromEntries(table.state.living.map((seat, i, all) => [seat, all[(i + 1) % all.length]!])));
    table.until();
    expect(of(table.tape, 'spared')).toHaveLength(2);
    expect(of(table.tape, 'identified')).toHaveLength(1); // the previous day's result is not repeated
  });
});

describe('the bodyguard', () => {
  it('chooses any other player, dead or alive, after the execution is announced', () => {
    const table = night1('guard', 0);
    expect(mayChoose(table, 'guard', 6)).toEqual([0, 1, 2, 3, 4, 5, 7, 8, 9]);
    expect(table.refusal(6, 'guard', 'seat:6')?.reason).toBe('not-an-option');
  });

  it('saves only the guarded player', () => {
    const table = day1();
    table.day({ execute: 0, guard: 1, attack: 1 });
    expect(table.state.dead).toEqual([0]);
    expect(of(table.tape, 'unharmed')).toHaveLength(1);
    table.day({ execute: 2, guard: 1, attack: 3 });
    expect(table.state.dead).toEqual([0, 2, 3]);
    table.day({ execute: 4, attack: 1 });
    expect(table.state.dead).toEqual([0, 2, 3, 4, 1]); // a guard lasts one night
  });

  it('may guard a dead player, without effect', () => {
    const table = day1();
    table.day({ execute: 0, guard: 0, attack: 1 });
    expect(table.state.dead).toEqual([0, 1]);
  });

  it('may be killed while guarding another', () => {
    const table = day1();
    table.day({ execute: 0, guard: 4, attack: 6 });
    expect(table.state.dead).toEqual([0, 6]);
  });

  it('is not asked and guards nobody when executed', () => {
    const table = vote1();
    table.vote(6);
    for (let i = 0; i < 200 && !table.find('guard'); i++) table.wait();
    expect(table.question('guard')).toMatchObject({ of: [], among: [] });
    table.until('attack');
    for (const wolf of [8, 9]) table.act(wolf, 'attack', 'seat:1');
    table.until();
    expect(table.state.dead).toEqual([6, 1]);
  });

  it('is not told whether the guard succeeded', () => {
    const views = [1, 2].map((attack) => {
      const table = day1();
      table.day({ execute: 0, guard: 3, attack });
      return table.view(6).filter(({ type }) => !['asked', 'answered', 'settled', 'ordered', 'killed'].includes(type));
    });
    expect(views[0]).toEqual(views[1]);
    const helped = day1();
    helped.day({ execute: 0, guard: 3, attack: 3 });
    const seen = new Set(helped.view(6).map(({ type }) => type));
    expect([...seen].toSorted()).toEqual(['answered', 'asked', 'dawned', 'dealt', 'executed', 'guarded', 'ordered', 'settled', 'unharmed']);
    for (const eye of [0, 3, 4, 'audience'] as const) expect(of(helped.view(eye), 'guarded')).toEqual([]);
  });
});

describe('the attack', () => {
  it('is voted by the living wolves, on living humans only, the possessed included', () => {
    const table = night1('attack', 0);
    expect(table.question('attack')).toMatchObject({ of: [8, 9], among: [8, 9], heard: 'when-settled' });
    expect(mayChoose(table, 'attack', 8)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    table.act(8, 'attack', 'seat:7');
    expect(table.refusal(8, 'attack', 'seat:6')?.reason).toBe('already-answered');
    expect(of(table.view(9), 'answered').filter(({ question }) => question === 'night-1/attack')).toEqual([]);
    table.act(9, 'attack', 'seat:7');
    table.until();
    expect(table.state.dead).toEqual([0, 7]);
    for (const eye of [0, 4, 7, 'audience'] as const) expect(JSON.stringify(table.view(eye))).not.toMatch(/night-1\/attack/);
    expect(JSON.stringify(table.view(9))).toMatch(/night-1\/attack/);
  });

  it('goes by most votes, each living human starting with one', () => {
    const table = night1('attack', 0);
    table.act(9, 'attack', 'seat:3');
    table.wait();
    expect(of(table.tape, 'attacked')).toEqual([{ type: 'attacked', seat: 3 }]);
    expect(of(table.tape, 'tied')).toEqual([]);
  });

  it('is voted again on a tie, then drawn among the tied', () => {
    const table = night1('attack', 0, TEN, {}, (_, name) => (name === 'attacked' ? 'seat:5' : undefined));
    table.act(8, 'attack', 'seat:1');
    table.act(9, 'attack', 'seat:2');
    expect(of(table.wait(), 'tied')).toEqual([{ type: 'tied', vote: 'attack' }]);
    expect([8, 9, 0, 7, 'audience'].map((eye) => of(table.view(eye as number), 'tied').length)).toEqual([1, 1, 0, 0, 0]);
    expect(table.open).toEqual(['night-1/attack-2/attack']);
    expect(table.question('attack').of).toEqual([8, 9]);
    expect(mayChoose(table, 'attack', 8)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    table.act(8, 'attack', 'seat:3');
    table.act(9, 'attack', 'seat:5');
    table.wait();
    expect(of(table.tape, 'attacked')).toEqual([{ type: 'attacked', seat: 5 }]);
    expect(table.drawn).toContainEqual({ step: 'night-1/attack-2/attack', name: 'attacked', is: 'seat:5', fixed: true });
    expect(table.open).toEqual(['day-2/turn-0/talk']); // no whispering before the revote
  });

  it('hits a random human when no wolf votes', () => {
    const hit = new Set<number>();
    for (let n = 0; n < 60; n++) {
      const table = tableOf(FIVE, {}, () => undefined, `seed ${n}`);
      table.until();
      table.day({ execute: 0 });
      hit.add(table.state.attacked[0]!.seat!);
      expect(of(table.tape, 'tied')).toEqual([{ type: 'tied', vote: 'attack' }]);
    }
    expect([...hit].toSorted(up)).toEqual([1, 2, 3]); // the living humans
  });

  it('hits nobody with noAttack when nobody votes or the tie stays', () => {
    const silent = day1(TEN, { noAttack: true });
    silent.day({ execute: 0 });
    expect(of(silent.tape, 'attacked')).toEqual([{ type: 'attacked' }]);
    expect(of(silent.tape, 'tied')).toEqual([{ type: 'tied', vote: 'attack' }]); // asked once more, as on a tie
    expect(of(silent.tape, 'unharmed')).toHaveLength(1);
    const tied = night1('attack', 0, TEN, { noAttack: true });
    for (const round of [1, 2]) {
      expect(tied.question('attack').id).toBe(round === 1 ? 'night-1/attack' : 'night-1/attack-2/attack');
      tied.act(8, 'attack', 'seat:1');
      tied.act(9, 'attack', 'seat:2');
      tied.wait();
    }
    expect(of(tied.tape, 'attacked')).toEqual([{ type: 'attacked' }]);
    const clear = day1(TEN, { noAttack: true });
    clear.day({ execute: 0, attack: 1 });
    expect(clear.state.dead).toEqual([0, 1]);
  });

  it('hits nobody with noAttack and no votes, even with one human left', () => {
    const table = day1(['villager', 'villager', 'werewolf'], { noAttack: true });
    table.day({ execute: 0 });
    expect(of(table.tape, 'attacked')).toEqual([{ type: 'attacked' }]);
  });

  it.each([
    [0, ['night-1/attack']],
    [2, ['night-1/attack', 'night-1/attack-2/attack', 'night-1/attack-3/attack']],
  ])('may be voted again %i times with attackRevotes', (attackRevotes, rounds) => {
    const table = night1('attack', 0, TEN, { attackRevotes });
    for (let n = 0; n < rounds.length; n++) {
      table.act(8, 'attack', 'seat:1');
      table.act(9, 'attack', 'seat:2');
      table.wait();
    }
    expect(asked(table.tape).filter((id) => id.endsWith('/attack'))).toEqual(rounds);
    expect(of(table.tape, 'attacked')).toHaveLength(1);
    expect(table.find('talk')).toBeDefined();
  });

  it('may allow more whispering before a revote', () => {
    const table = night1('attack', 0, TEN, { whisperBeforeRevote: true });
    const before = table.tape.length;
    table.act(8, 'attack', 'seat:1');
    table.act(9, 'attack', 'seat:2');
    table.wait();
    expect(table.open).toEqual(['night-1/attack-2/turn-0/whisper']);
    expect(table.state.speech!.left[8]).toBe(10);
    table.turn(() => 'Over', 'whisper');
    expect(table.open).toEqual(['night-1/attack-2/rest']);
    table.wait();
    expect(table.question('attack')).toMatchObject({ id: 'night-1/attack-2/attack', of: [8, 9] });
    table.until();
    expect(steps(table.tape.slice(before))).toEqual([
      'night-1/attack-2/whisper',
      'night-1/attack-2/rest',
      'night-1/attack-2/attack',
      'day-2/talk',
    ]);
  });

  it('allows more whispering only before a revote', () => {
    const table = night1('attack', 0, TEN, { whisperBeforeRevote: true });
    const before = table.tape.length;
    for (const wolf of [8, 9]) table.act(wolf, 'attack', 'seat:1');
    table.wait();
    expect(table.position.open).toMatchObject([{ id: 'night-1/attack-2/rest', of: [], among: [] }]);
    table.until();
    expect(steps(table.tape.slice(before))).toEqual(['night-1/attack-2/rest', 'night-1/attack-2/attack', 'day-2/talk']);
  });

  it('is known to all wolves, dead ones included, even when guarded', () => {
    const table = day1();
    table.day({ execute: 9, guard: 1, attack: 1 });
    for (const eye of [8, 9]) {
      expect(of(table.view(eye), 'attacked')).toEqual([{ type: 'attacked', seat: 1 }]);
      expect(of(table.view(eye), 'unharmed')).toHaveLength(1);
    }
    for (const eye of [1, 6, 7, 'audience'] as const) expect(of(table.view(eye), 'attacked')).toEqual([]);
  });

  it('does not happen when the last wolf was executed', () => {
    const table = day1(FIVE);
    table.day({ execute: 4, attack: 0 });
    expect(table.isOver).toBe(true);
    expect(table.state.dead).toEqual([4]);
    expect(of(table.tape, 'attacked')).toEqual([]);
  });

  it('is not voted on by the executed wolf', () => {
    const table = night1('attack', 8);
    expect(table.question('attack')).toMatchObject({ of: [9], among: [8, 9] });
  });
});

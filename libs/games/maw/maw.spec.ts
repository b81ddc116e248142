import { describe, expect, it } from '@jest/globals';
import { type Played, type Setting, tableOf } from '@maw/tests/equipment/fakes/table.ts';
import { maw } from './maw.ts';

/** Who holds each role, in seat order. */
const who = (table: Played, role: string) => (table.state.roles as string[]).flatMap((r, seat) => (r === role ? [seat] : []));
const seat = (n: number) => `seat:${n}`;
const make = (setting: Setting = {}) => {
  const table = tableOf(maw, setting);
  return { table, wolves: who(table, 'wolf'), villagers: who(table, 'villager'), all: (table.state.roles as string[]).map((_, i) => i) };
};
const of = (events: readonly { readonly type: string }[], type: string) => events.filter((e) => e.type === type);
/** All of `by` vote for the target, except the target itself. */
const execute = (table: Played, target: number, by: readonly number[]) =>
  by
    .filter((s) => s !== target)
    .flatMap((s) => (table.standing.open.some((q) => q.id.endsWith('/vote')) ? table.act(s, 'vote', seat(target)) : []));
const murder = (table: Played, target: number, pack: readonly number[]) => pack.flatMap((s) => table.act(s, 'hunt', seat(target)));
const living = (table: Played) =>
  (table.state.roles as string[]).flatMap((_, s) => ((table.state.dead as number[]).includes(s) ? [] : [s]));
/** Wolves kill one villager a night and nobody is executed by day, until the round ends. */
const wolvesWin = (table: Played) => {
  const round = table.standing.game.round;
  while (table.standing.game.round === round && table.standing.game.stage === 'round') {
    if (table.state.night) {
      const pack = who(table, 'wolf').filter((s) => living(table).includes(s));
      murder(
        table,
        living(table).find((s) => !pack.includes(s))!,
        pack,
      );
    } else table.wait();
  }
};
const wolfless = (table: Played) => {
  const round = table.standing.game.round;
  while (table.standing.game.round === round && table.standing.game.stage === 'round') {
    if (table.state.night) table.wait();
    else
      execute(
        table,
        who(table, 'wolf').find((s) => living(table).includes(s))!,
        living(table),
      );
  }
};

describe('MAW: the deal', () => {
  it.each([
    [3, 1],
    [4, 1],
    [5, 1],
    [6, 2],
    [8, 2],
    [9, 3],
    [11, 3],
    [12, 4],
    [20, 6],
  ])('makes a third of %i wolves: %i', (players, count) => {
    const { wolves, villagers } = make({ players });
    expect(wolves).toHaveLength(count);
    expect(villagers).toHaveLength(players - count);
  });

  it('tells wolves who the other wolves are, and villagers nothing', () => {
    const { table, wolves, villagers, all } = make();
    const dealtTo = (eye: number) => table.game.view(table.tape, eye).find((e) => e.type === 'dealt') as unknown as { roles: string[] };
    for (const wolf of wolves) expect(dealtTo(wolf).roles).toEqual(all.map((s) => (wolves.includes(s) ? 'wolf' : 'hidden')));
    for (const one of villagers) expect(dealtTo(one).roles).toEqual(all.map((s) => (s === one ? 'villager' : 'hidden')));
    expect((table.game.view(table.tape, 'audience').find((e) => e.type === 'dealt') as unknown as { roles: string[] }).roles).toEqual(
      all.map(() => 'hidden'),
    );
  });
});

describe('MAW: the day', () => {
  it('comes first, with everybody alive in the Village', () => {
    const { table, all } = make();
    expect(table.standing.open.map((q) => q.id)).toEqual(['round-1/day-1/vote', 'round-1/day-1/talk']);
    expect(table.question('talk')).toMatchObject({ of: all, room: 'Village', among: 'table', settles: 'by-the-clock', final: false });
    expect(table.question('vote')).toMatchObject({ of: all, settles: 'on-majority', final: false });
  });

  it('accepts a vote for another player only', () => {
    const { table } = make();
    expect(table.refusal(0, 'vote', seat(0))).toBe('not-an-option');
    expect(table.refusal(0, 'vote', seat(9))).toBe('not-an-option');
    expect(table.refusal(0, 'vote')).toBe('wrong-number-of-choices');
    expect(table.refusal(0, 'vote', seat(1), seat(2))).toBe('wrong-number-of-choices');
  });

  it('ends with an execution as soon as more than half agree', () => {
    const { table, all } = make();
    const target = who(table, 'villager')[0]!;
    const voters = all.filter((s) => s !== target);
    for (const s of voters.slice(0, 3)) table.act(s, 'vote', seat(target));
    expect(table.types()).not.toContain('executed'); // half of six is not more than half
    const events = table.act(voters[3]!, 'vote', seat(target));
    expect(of(events, 'executed')).toEqual([{ type: 'executed', seat: target }]);
    expect(table.state.night).toBe(true);
  });

  it('lasts minutes at the pace of people, and a majority ends it after a countdown that is said aloud', () => {
    const { table, all } = make({ options: { pace: 'people' } });
    const target = who(table, 'villager')[0]!;
    expect(table.question('vote').until - table.now).toBe(300_000);
    for (const s of all.filter((each) => each !== target).slice(0, 4)) table.act(s, 'vote', seat(target));
    expect(table.rules.tell(table.tape.at(-1) as never, { names: table.standing.game.names as string[] })).toBe(
      `More than half vote for P${target}. The vote ends in 90 seconds unless it changes.`,
    );
    expect(table.types()).not.toContain('executed');
    expect(of(table.wait(), 'executed')).toEqual([{ type: 'executed', seat: target }]);
    expect(table.now).toBe(90_000);
  });

  it('counts only the living for a majority', () => {
    const { table, wolves, villagers } = make();
    table.wait();
    murder(table, villagers[0]!, wolves);
    const [a, b, c] = villagers.slice(1);
    table.act(a!, 'vote', seat(c!));
    table.act(b!, 'vote', seat(c!));
    expect(of(table.tape, 'executed')).toHaveLength(0);
    expect(of(table.act(wolves[0]!, 'vote', seat(c!)), 'executed')).toHaveLength(1); // three of five
  });

  it('executes the most voted player at the deadline', () => {
    const { table, villagers } = make();
    const [a, b, c, d] = villagers;
    table.act(a!, 'vote', seat(d!));
    table.act(b!, 'vote', seat(d!));
    table.act(c!, 'vote', seat(a!));
    expect(of(table.wait(), 'executed')).toEqual([{ type: 'executed', seat: d }]);
  });

  it('executes nobody on a tie at the deadline', () => {
    const { table, villagers } = make();
    table.act(villagers[0]!, 'vote', seat(villagers[1]!));
    table.act(villagers[1]!, 'vote', seat(villagers[0]!));
    const events = table.wait();
    expect(of(events, 'executed')).toEqual([]);
    expect(of(events, 'spared')).toEqual([{ type: 'spared', because: 'tie' }]);
  });

  it('breaks a tie at random among the tied with dayTie: random', () => {
    const fallen = Array.from({ length: 20 }, (_, i) => {
      const { table } = make({ seed: `s${i}`, options: { dayTie: 'random' } });
      table.act(0, 'vote', seat(1));
      table.act(1, 'vote', seat(0));
      table.act(2, 'vote', seat(3));
      table.act(3, 'vote', seat(1));
      table.act(4, 'vote', seat(0));
      return (of(table.wait(), 'executed')[0] as unknown as { seat: number }).seat;
    });
    expect(new Set(fallen)).toEqual(new Set([0, 1]));
  });

  it.each(['none', 'random'])('executes nobody when nobody votes (dayTie: %s)', (dayTie) => {
    const { table } = make({ options: { dayTie } });
    expect(of(table.wait(), 'spared')).toEqual([{ type: 'spared', because: 'no-votes' }]);
    expect(table.state.dead).toEqual([]);
  });

  it('announces the name of the executed in the Village, not the role', () => {
    const { table, all, villagers, wolves } = make();
    execute(table, wolves[0]!, all);
    for (const eye of [...villagers, 'audience' as const]) {
      const seen = table.game.view(table.tape, eye);
      expect(of(seen, 'executed')).toEqual([{ type: 'executed', seat: wolves[0] }]);
      expect(of(seen, 'told')).toEqual([]);
    }
    expect(table.rules.announce({ type: 'executed' })).toEqual(['Village']);
    expect(table.rules.tell({ type: 'executed', seat: 1 } as never, { names: ['A', 'B'] })).toBe('B is executed.');
  });

  it('closes the Village: speech after the vote is refused', () => {
    const { table, all, villagers } = make();
    const id = table.question('talk').id;
    execute(table, villagers[0]!, all);
    expect(table.standing.open.some((q) => q.id === id)).toBe(false);
    expect(() => table.game.act(table.standing, id, { by: villagers[1]!, says: ['wait'] }, table.now, 'seed')).toThrow('phase-over');
  });

  it('lasts dayMs', () => {
    const { table } = make({ options: { dayMs: 5000 } });
    expect(table.question('vote').until).toBe(5000);
    table.pass(4999);
    expect(table.game.tick(table.standing, table.now, 'seed')).toEqual([]);
    table.pass(1);
    expect(of(table.game.tick(table.standing, table.now, 'seed'), 'dusked')).toHaveLength(1);
  });

  it('hides votes with votes: silent, though they count', () => {
    const { table, all, villagers } = make({ options: { votes: 'silent' } });
    table.act(0, 'vote', seat(1));
    expect(of(table.game.view(table.tape, 2), 'answered')).toEqual([]);
    expect(of(table.game.view(table.tape, 0), 'answered')).toHaveLength(1);
    execute(table, villagers[0]!, all);
    expect(table.state.dead).toEqual([villagers[0]]);
    const loud = make().table;
    loud.act(0, 'vote', seat(1));
    expect(of(loud.game.view(loud.tape, 2), 'answered')).toHaveLength(1);
  });
});

describe('MAW: the night', () => {
  it('moves only the living wolves to the Hideout', () => {
    const { table, wolves, villagers } = make();
    table.wait();
    expect(table.question('talk')).toMatchObject({ of: wolves, room: 'Hideout', among: wolves });
    table.act(wolves[0]!, 'talk', 'whom?');
    expect(table.refusal(villagers[0]!, 'talk', 'hello?')).toBe('phase-over'); // as if the question did not exist
    for (const eye of [...villagers, 'audience' as const]) {
      expect(JSON.stringify(table.game.view(table.tape, eye))).not.toMatch(/night-1\//);
    }
    expect(JSON.stringify(table.game.view(table.tape, wolves[1]!))).toMatch(/whom\?/);
  });

  it('tells the Hideout the role of the executed', () => {
    const { table, all, wolves, villagers } = make();
    const events = execute(table, villagers[0]!, all);
    expect(of(events, 'told')).toEqual([{ type: 'told', to: wolves, seat: villagers[0], role: 'villager' }]);
    expect(of(table.game.view(table.tape, wolves[0]!), 'told')).toHaveLength(1);
    expect(of(table.game.view(table.tape, villagers[1]!), 'told')).toHaveLength(0);
    expect(table.rules.announce({ type: 'told' })).toEqual(['Hideout']);
  });

  it('murders at once on a unanimous vote for a villager', () => {
    const { table, wolves, villagers } = make();
    table.wait();
    expect(of(table.act(wolves[0]!, 'hunt', seat(villagers[0]!)), 'murdered')).toEqual([]);
    expect(of(table.act(wolves[1]!, 'hunt', seat(villagers[0]!)), 'murdered')).toEqual([{ type: 'murdered', seat: villagers[0] }]);
    expect(table.state).toMatchObject({ night: false, day: 2, dead: [villagers[0]] });
  });

  it('lasts its full time with fullNights, and the last votes count at its end', () => {
    const { table, wolves, villagers } = make({ options: { fullNights: true } });
    table.wait();
    const dawn = table.now + 60_000;
    murder(table, villagers[0]!, wolves);
    table.pass(30_000);
    expect(murder(table, villagers[1]!, wolves.slice(1))).toMatchObject([{ type: 'answered' }]);
    expect(murder(table, villagers[1]!, wolves.slice(0, 1))).toMatchObject([{ type: 'answered' }]);
    expect(table.state.night).toBe(true);
    expect(of(table.wait(), 'murdered')).toEqual([{ type: 'murdered', seat: villagers[1] }]);
    expect(table.now).toBe(dawn);
  });

  it('murders nobody at the end of a full night when the wolves disagree', () => {
    const { table, wolves, villagers } = make({ options: { fullNights: true } });
    table.wait();
    for (const [i, wolf] of wolves.entries()) table.act(wolf, 'hunt', seat(villagers[i]!));
    expect(of(table.wait(), 'murdered')).toEqual([]);
    expect(table.state).toMatchObject({ night: false, day: 2, dead: [] });
  });

  it('ends with the last vote with hurry, though nights are full', () => {
    const { table, wolves, villagers } = make({ options: { fullNights: true, hurry: true } });
    table.wait();
    expect(of(murder(table, villagers[0]!, wolves), 'murdered')).toHaveLength(1);
  });

  it('does not murder on a mere majority', () => {
    const { table, wolves, villagers } = make({ players: 9 });
    table.wait();
    table.act(wolves[0]!, 'hunt', seat(villagers[0]!));
    table.act(wolves[1]!, 'hunt', seat(villagers[0]!));
    table.act(wolves[2]!, 'hunt', seat(villagers[1]!));
    expect(table.state.night).toBe(true);
    expect(of(table.wait(), 'murdered')).toEqual([]);
    expect(table.state).toMatchObject({ night: false, day: 2, dead: [] });
  });

  it('murders nobody when a wolf stays silent until the deadline', () => {
    const { table, wolves, villagers } = make();
    table.wait();
    table.act(wolves[0]!, 'hunt', seat(villagers[0]!));
    expect(of(table.wait(), 'murdered')).toEqual([]);
  });

  it('accepts votes for villagers only', () => {
    const { table, wolves } = make();
    table.wait();
    expect(table.refusal(wolves[0]!, 'hunt', seat(wolves[1]!))).toBe('not-an-option');
  });

  it('tells the Village the next day who was murdered', () => {
    const { table, wolves, villagers } = make();
    table.wait();
    murder(table, villagers[0]!, wolves);
    for (const eye of [villagers[1]!, 'audience' as const]) {
      const types = table.game.view(table.tape, eye).map((e) => e.type);
      expect(types.lastIndexOf('murdered')).toBeGreaterThan(types.lastIndexOf('dawned'));
    }
    expect(table.question('vote').options).not.toContain(seat(villagers[0]!));
    expect(table.refusal(villagers[1]!, 'vote', seat(villagers[0]!))).toBe('not-an-option');
  });

  it('keeps only one of Village and Hideout open', () => {
    const { table } = make();
    const rooms = () => table.standing.open.filter((q) => q.verb === 'say').map((q) => q.room);
    expect(rooms()).toEqual(['Village']);
    table.wait();
    expect(rooms()).toEqual(['Hideout']);
    table.wait();
    expect(rooms()).toEqual(['Village']);
  });

  it('is decided by a single living wolf alone', () => {
    const { table, villagers, wolves } = make({ players: 3 });
    table.wait();
    murder(table, villagers[0]!, wolves);
    expect(table.state.dead).toEqual([villagers[0]]);
  });
});

describe('MAW: the dead', () => {
  it('watch and cannot act, by day or by night', () => {
    const { table, all, wolves, villagers } = make();
    execute(table, wolves[0]!, all);
    expect(table.refusal(wolves[0]!, 'hunt', seat(villagers[0]!))).toBe('dead');
    table.wait();
    expect(table.refusal(wolves[0]!, 'vote', seat(1))).toBe('dead');
    expect(table.refusal(wolves[0]!, 'talk', 'boo')).toBe('dead');
    table.act(villagers[0]!, 'talk', 'still here');
    expect(JSON.stringify(table.game.view(table.tape, wolves[0]!))).toMatch(/still here/);
  });
});

describe('MAW: the end and the points', () => {
  it('gives each villager the number of villagers left when every wolf is dead', () => {
    const { table, wolves, villagers } = make();
    table.wait();
    murder(table, villagers[0]!, wolves);
    wolfless(table);
    const [result] = table.standing.game.results;
    expect(result).toMatchObject({ winner: 'villagers', winners: villagers });
    expect(result!.points).toEqual(table.standing.game.totals);
    expect(villagers.map((s) => result!.points[s])).toEqual([3, 3, 3, 3]); // the murdered player scores too
    expect(wolves.map((s) => result!.points[s])).toEqual([0, 0]);
  });

  it('gives each wolf the initial number of villagers when every villager is dead', () => {
    const { table, wolves, villagers } = make();
    execute(table, wolves[0]!, [...villagers, wolves[1]!]);
    wolvesWin(table);
    const [result] = table.standing.game.results;
    expect(result).toMatchObject({ winner: 'wolves', winners: wolves });
    expect(wolves.map((s) => result!.points[s])).toEqual([4, 4]); // the executed wolf scores too
  });

  it('gives the dead nothing with scoreDead: false', () => {
    const { table, wolves, villagers } = make({ options: { scoreDead: false } });
    execute(table, wolves[0]!, [...villagers, wolves[1]!]);
    wolvesWin(table);
    expect(wolves.map((s) => table.standing.game.results[0]!.points[s])).toEqual([0, 4]);
  });

  it('does not come at parity without parityWin', () => {
    const upTo = (parityWin: boolean) => {
      const { table, wolves, villagers } = make({ options: { parityWin } });
      table.wait();
      murder(table, villagers[0]!, wolves);
      table.wait();
      murder(table, villagers[1]!, wolves); // two wolves, two villagers
      return table;
    };
    expect(upTo(false).standing.game.stage).toBe('round');
    expect(upTo(true).standing.game.results[0]).toMatchObject({ winner: 'wolves' });
  });

  it('is a draw after maxDays', () => {
    const { table } = make({ options: { maxDays: 2 } });
    for (let i = 0; i < 3; i++) table.wait();
    expect(table.standing.game.results).toEqual([]);
    table.wait();
    expect(table.standing.game.results[0]).toMatchObject({ winner: 'draw', winners: [], points: [0, 0, 0, 0, 0, 0] });
  });
});

describe('MAW: rounds', () => {
  it('keep the players, deal new roles and add up points', () => {
    const { table } = make({ rounds: 3, seed: 'rounds' });
    const deals: string[] = [];
    for (let round = 1; round <= 3; round++) {
      deals.push(JSON.stringify(table.state.roles));
      if (round === 2) wolfless(table);
      else wolvesWin(table);
      if (round < 3) {
        expect(table.standing.game.stage).toBe('pause');
        expect(table.standing.open.map((q) => q.room)).toEqual(['Lobby']);
        table.act(0, 'lobby', 'well played');
        table.wait();
      }
    }
    expect(new Set(deals).size).toBeGreaterThan(1);
    expect(table.standing.game.names).toEqual(['P0', 'P1', 'P2', 'P3', 'P4', 'P5']);
    const { results, totals, closed } = table.standing.game;
    expect(results.map((r) => r.winner)).toEqual(['wolves', 'villagers', 'wolves']);
    expect(totals).toEqual(totals.map((_, s) => results.reduce((sum, r) => sum + r.points[s]!, 0)));
    const most = Math.max(...totals);
    expect(closed!.winners).toEqual(totals.flatMap((t, s) => (t === most ? [s] : [])));
  });

  it('send the leaderboard to the Lobby after each, the last included', () => {
    const { table } = make({ rounds: 2 });
    wolvesWin(table);
    table.wait();
    wolvesWin(table);
    const types = table.types();
    const boards = types.flatMap((type, i) => (type === 'scored' ? [i] : []));
    expect(boards).toHaveLength(2);
    for (const at of boards) {
      const asked = table.tape.slice(0, at).findLast((e) => e.type === 'asked') as unknown as { question: { room: string } };
      expect(asked.question.room).toBe('Lobby');
    }
    expect(table.rules.announce({ type: 'scored' } as never)).toEqual(['Lobby']);
  });

  it('begin when all have joined or the Lobby times out', () => {
    const table = tableOf(maw, { isJoined: false });
    expect(table.standing.game.stage).toBe('lobby');
    table.add(table.rules.join(table.standing.game, 2, 'Ann', 0));
    const events = table.wait();
    expect(of(events, 'joined').map((e) => (e as unknown as { name: string }).name)).toEqual([
      'Player 1',
      'Player 2',
      'Player 4',
      'Player 5',
      'Player 6',
    ]);
    expect(of(events, 'handed')).toHaveLength(5);
    expect(table.standing.game).toMatchObject({ stage: 'round', round: 1 });
  });
});

describe('MAW: whispers', () => {
  const whispering = (options = {}) => make({ options: { whisper: true, ...options } });

  it('exist only with the option, and only by day', () => {
    expect(make().table.standing.open.some((q) => q.verb === 'tell')).toBe(false);
    const { table } = whispering();
    expect(table.question('whisper').verb).toBe('tell');
    table.wait();
    expect(table.standing.open.some((q) => q.verb === 'tell')).toBe(false);
  });

  it('are heard by the addressee alone', () => {
    const { table } = whispering();
    table.act(0, 'whisper', seat(1), 'trust me');
    expect(JSON.stringify(table.game.view(table.tape, 1))).toMatch(/trust me/);
    expect(of(table.game.view(table.tape, 2), 'answered')).toEqual([]);
    expect(of(table.game.view(table.tape, 'audience'), 'answered')).toEqual([]);
  });

  it('are shown without their text with whisperVisible', () => {
    const { table } = whispering({ whisperVisible: true });
    table.act(0, 'whisper', seat(1), 'trust me');
    const seen = of(table.game.view(table.tape, 2), 'answered');
    expect(seen).toHaveLength(1);
    expect(JSON.stringify(seen)).not.toMatch(/trust me/);
  });

  it('need two different living players', () => {
    const { table, wolves, villagers } = whispering();
    table.wait();
    murder(table, villagers[0]!, wolves);
    expect(table.refusal(villagers[1]!, 'whisper', seat(villagers[0]!), 'hello?')).toBe('not-an-option');
    expect(table.refusal(villagers[0]!, 'whisper', seat(villagers[1]!), 'boo')).toBe('dead');
    expect(table.refusal(villagers[1]!, 'whisper', seat(villagers[1]!), 'me')).toBe('not-an-option');
  });
});

describe('MAW: the Seer', () => {
  it('is one of the villagers when the option is on', () => {
    const { table, wolves, villagers } = make({ options: { seer: true } });
    expect([wolves.length, villagers.length, who(table, 'seer').length]).toEqual([2, 3, 1]);
    expect(who(make().table, 'seer')).toEqual([]);
  });

  it('may ask for one role a day and is told in private', () => {
    const { table, wolves } = make({ options: { seer: true } });
    const [seer] = who(table, 'seer');
    table.act(seer!, 'inspect', seat(wolves[0]!));
    expect(of(table.tape, 'inspected')).toEqual([{ type: 'inspected', by: seer, seat: wolves[0], role: 'wolf' }]);
    for (const eye of [wolves[0]!, who(table, 'villager')[0]!, 'audience' as const])
      expect(JSON.stringify(table.game.view(table.tape, eye))).not.toMatch(/inspect/);
    expect(table.refusal(seer!, 'inspect', seat(wolves[1]!))).toBe('phase-over');
    table.wait();
    expect(table.refusal(seer!, 'inspect', seat(wolves[1]!))).toBe('phase-over');
    table.wait();
    expect(table.refusal(seer!, 'inspect', seat(wolves[1]!))).toBeUndefined();
    expect(table.refusal(wolves[0]!, 'inspect', seat(wolves[1]!))).toBe('phase-over');
  });

  it('is not given away by refusals to probing players', () => {
    const probes = (isAsked: boolean) => {
      const { table, wolves } = make({ options: { seer: true } });
      const [seer] = who(table, 'seer');
      if (isAsked) table.act(seer!, 'inspect', seat(wolves[0]!));
      const id = 'round-1/day-1/inspect';
      return who(table, 'villager').map((by) => {
        try {
          return table.game.act(table.standing, id, { by, says: [seat(seer!)] }, table.now, 'seed').length;
        } catch (error) {
          return String(error);
        }
      });
    };
    expect(probes(true)).toEqual(probes(false));
  });

  it('is reminded of each role once, however often it asked', () => {
    const seen = { ...make({ options: { seer: true } }).table.state, inspected: Array.from({ length: 500 }, () => [1, 'wolf'] as const) };
    const { rules } = make({ options: { seer: true } }).table;
    const brief = rules.brief({ ...make().table.standing.game, game: seen }, 0, ['A', 'B']);
    expect(brief.match(/You know that/g)).toHaveLength(1);
  });

  it('counts as a villager for the end and the points', () => {
    const { table, wolves } = make({ options: { seer: true } });
    wolvesWin(table);
    expect(wolves.map((s) => table.standing.game.results[0]!.points[s])).toEqual([4, 4]);
    const won = make({ options: { seer: true } });
    wolfless(won.table);
    expect(won.table.standing.game.results[0]!.winners).toContain(who(won.table, 'seer')[0]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { play } from '../kernel/play.ts';
import { aiwolf } from './aiwolf.ts';
import { FIFTEEN, FIVE, type Happening, tableOf, TEN } from './aiwolf.suite.ts';
import { roleCountsFor } from './role-counts.ts';
import type { AiwolfOptions } from './options.ts';
import { type Role, ROLES } from './state.ts';
import { brief, tell } from './narration.ts';

const seats = (n: number) => Array.from({ length: n }, (_, seat) => seat);
const of = (events: readonly Happening[], type: string) => events.filter((e) => e.type === type);

describe('aiwolf: the cast', () => {
  // villagers, seer, medium, bodyguard, possessed, werewolves; no fox and no immoralist
  it.each([
    [3, [1, 1, 0, 0, 0, 1]],
    [4, [2, 1, 0, 0, 0, 1]],
    [5, [2, 1, 0, 0, 1, 1]],
    [6, [3, 1, 0, 0, 1, 1]],
    [7, [4, 1, 0, 0, 0, 2]],
    [8, [4, 1, 1, 0, 0, 2]],
    [9, [5, 1, 1, 0, 0, 2]],
    [10, [4, 1, 1, 1, 1, 2]],
    [11, [5, 1, 1, 1, 1, 2]],
    [12, [5, 1, 1, 1, 1, 3]],
    [13, [6, 1, 1, 1, 1, 3]],
    [14, [7, 1, 1, 1, 1, 3]],
    [15, [8, 1, 1, 1, 1, 3]],
    [16, [9, 1, 1, 1, 1, 3]],
    [17, [10, 1, 1, 1, 1, 3]],
    [18, [11, 1, 1, 1, 1, 3]],
  ])('is the server’s for %i players', (players, counts) => {
    expect(ROLES.map((role) => roleCountsFor(players, {})[role])).toEqual([...counts.slice(0, 5), 0, 0, ...counts.slice(5)]);
    expect(counts.reduce((a, b) => a + b)).toBe(players);
  });

  it('may be chosen by an option', () => {
    expect(roleCountsFor(4, { villager: 1, werewolf: 1, bodyguard: 1, medium: 1 })).toEqual({
      villager: 1,
      seer: 0,
      medium: 1,
      bodyguard: 1,
      possessed: 0,
      fox: 0,
      immoralist: 0,
      werewolf: 1,
    });
    expect(() => aiwolf.rules(4, { roles: 'villager=2,seer=1,werewolf=1' })).not.toThrow();
  });

  it.each([
    [{ villager: 3, werewolf: 1 }, 'roles: they are 4, not 5'],
    [{ villager: 5 }, 'roles: there is no werewolf'],
    [{ villager: 2, werewolf: 3 }, 'roles: there are not fewer werewolves than others'],
    [{ villager: 2, seer: 2, werewolf: 1 }, 'roles: there is more than one seer'],
    [{ villager: 2, medium: 2, werewolf: 1 }, 'roles: there is more than one medium'],
    [{ villager: 2, bodyguard: 2, werewolf: 1 }, 'roles: there is more than one bodyguard'],
  ])('rejects %j', (roles, why) => {
    expect(() => aiwolf.rules(5, { roles })).toThrow(why);
  });

  it('has fewer werewolves than other players', () => {
    expect(() => aiwolf.rules(5, { roles: { villager: 3, werewolf: 2 } })).not.toThrow();
    expect(() => aiwolf.rules(4, { roles: { villager: 2, werewolf: 2 } })).toThrow('bad-option');
  });
});

describe('aiwolf: the deal', () => {
  it('shuffles the cast over the seats, determined by the seed', () => {
    const game = play(aiwolf.rules(5, {}));
    const deal = (seed: string) => (game.deal(5, 0, seed)[0] as unknown as { roles: Role[] }).roles;
    expect(deal('a')).toEqual(deal('a'));
    const deals = seats(200).map((n) => deal(`seed ${n}`));
    for (const roles of deals) expect(roles.toSorted()).toEqual(FIVE.toSorted());
    for (const seat of seats(5)) expect(new Set(deals.map((roles) => roles[seat]))).toEqual(new Set(FIVE));
  });

  it('tells wolves who the other wolves are, and others only their role', () => {
    const table = tableOf(FIFTEEN);
    const dealtTo = (eye: number | 'audience') => table.view(eye)[0] as unknown as { roles: string[] };
    for (const eye of seats(15)) {
      const shown = FIFTEEN.map((role, seat) => (seat === eye || (FIFTEEN[eye] === 'werewolf' && role === 'werewolf') ? role : 'hidden'));
      expect(dealtTo(eye).roles).toEqual(shown);
    }
    expect(new Set(dealtTo('audience').roles)).toEqual(new Set(['hidden']));
  });
});

describe('aiwolf: the end', () => {
  it('is checked in the morning, after the night that follows a decisive execution', () => {
    const roles: Role[] = ['villager', 'villager', 'villager', 'possessed', 'werewolf', 'villager', 'villager'];
    const table = tableOf(roles);
    table.until();
    table.hush();
    expect(of(table.vote(0), 'ended')).toEqual([]);
    table.until('attack');
    table.act(4, 'attack', 'seat:1');
    table.until();
    table.day({ execute: 4 });
    expect(table.isOver).toBe(true);
    expect(table.state).toMatchObject({ day: 3, ended: { winner: 'village', because: 'no-werewolves' } });
  });

  it('waits for the next morning after a decisive execution', () => {
    const table = tableOf(TEN);
    table.until();
    table.day({ execute: 8, attack: 0 });
    table.hush();
    const events = table.vote(9);
    expect(of(events, 'executed')).toEqual([{ type: 'executed', seat: 9 }]);
    expect(table.isOver).toBe(false);
    expect(table.question('divine').of).toEqual([4]);
    table.until('guard');
    expect(table.question('guard').of).toEqual([6]);
    table.until('never');
    expect(table.tape.slice(-3).map(({ type }) => type)).toEqual(['unharmed', 'identified', 'ended']);
    expect(table.state.day).toBe(3);
  });

  it('is checked after every death with endCheck at-once', () => {
    const table = tableOf(FIVE, { endCheck: 'at-once' });
    table.until();
    table.hush();
    const events = table.vote(4);
    expect(events.slice(-2)).toEqual([
      { type: 'executed', seat: 4 },
      { type: 'ended', winner: 'village', because: 'no-werewolves' },
    ]);
    expect(table.isOver).toBe(true);
    const wolves = tableOf(['villager', 'villager', 'werewolf'], { endCheck: 'at-once' });
    wolves.until();
    wolves.hush();
    expect(wolves.vote(0).at(-1)).toEqual({ type: 'ended', winner: 'werewolves', because: 'parity' });
  });

  it('goes to the wolves at parity, the possessed counting as human', () => {
    const table = tableOf(FIVE);
    table.until();
    table.day({ execute: 0, attack: 1 }); // seer, possessed and wolf are left
    expect(table.isOver).toBe(false);
    table.day({ execute: 2 }); // possessed and wolf are left: at most one human, whether attacked or not
    expect(table.outcome).toMatchObject({ winner: 'werewolves' });
    const even = tableOf(['villager', 'villager', 'villager', 'bodyguard', 'werewolf']);
    even.until();
    even.day({ execute: 0, attack: 1, guard: 1 });
    expect(even.isOver).toBe(false);
    even.day({ execute: 1, attack: 2, guard: 2 });
    expect(even.state.living).toEqual([2, 3, 4]);
    expect(even.isOver).toBe(false);
    even.day({ execute: 2, attack: 3 });
    expect(even.state.ended).toEqual({ winner: 'werewolves', because: 'parity' });
  });

  it('gives one point to each winner, the dead and the possessed included', () => {
    const wolves = tableOf(FIVE);
    wolves.until();
    wolves.day({ execute: 3, attack: 0 });
    wolves.day({ execute: 1 });
    expect(wolves.outcome).toEqual({ winner: 'werewolves', winners: [3, 4], roles: FIVE, points: [0, 0, 0, 1, 1] });
    const village = tableOf(FIVE);
    village.until();
    village.day({ execute: 4 });
    expect(village.outcome).toEqual({ winner: 'village', winners: [0, 1, 2], roles: FIVE, points: [1, 1, 1, 0, 0] });
  });

  it('is a draw the morning after maxDays, unless somebody has won', () => {
    const table = tableOf(TEN, { maxDays: 2 });
    table.until();
    table.day({ execute: 0, attack: 1 });
    expect(table.isOver).toBe(false);
    table.day({ execute: 2, attack: 3 });
    expect(table.state.ended).toEqual({ winner: 'draw', because: 'too-long' });
    expect(table.outcome).toMatchObject({ winner: 'draw', winners: [], points: Array(10).fill(0) });
    const won = tableOf(FIVE, { maxDays: 1 });
    won.until();
    won.day({ execute: 4 });
    expect(won.outcome).toMatchObject({ winner: 'village' });
  });
});

describe('aiwolf: the texts', () => {
  const text = (options: Partial<Record<keyof AiwolfOptions, unknown>> = {}, players = 15) => aiwolf.text(players, options);

  it('leave out roles that are not in the game', () => {
    for (const role of ['Medium', 'Bodyguard', 'whisper']) {
      expect(text({}, 5)).not.toContain(role);
      expect(text({}, 15)).toContain(role);
    }
    expect(text({}, 4)).not.toContain('Possessed');
    expect(text({ roles: 'villager=4,werewolf=1' }, 5)).not.toContain('Seer');
  });

  it('state the rules of the contest', () => {
    expect(text({}, 5)).toMatchInlineSnapshot(`
     "5 players: 2 Villagers, 1 Seer, 1 Possessed and 1 Werewolf. Who is what is not told, also not of the dead.
     The Werewolf wins together with the Possessed, who is human, does not know the Werewolves and is not known to them. All others are the village.
     Each night, the first one before day 1 too, the Seer chooses a living player, after the execution is known, and learns in the morning whether that player is human or a Werewolf; an executed Seer learns nothing, a killed one still does.
     To the Seer the Possessed is human.
     On day 0 there is no talk, no vote and no attack.
     By day the living talk in turns, in each turn one after another in a new random order. The talk ends after a turn in which everybody said Over, or after 20 turns. A player may say 10 things a day, not counting Skip (nothing now) and Over (nothing more), and is not asked again after that; who has said Over may speak again while others go on.
     After 2 Skips running the next one counts as Over. Each has a minute to speak; silence is a Skip. An utterance has at most 500 characters.
     Only sentences of the AIWolf protocol, version 3.6, can be said; the first player is Agent[01]. Examples: ESTIMATE Agent[01] WEREWOLF; COMINGOUT Agent[01] SEER; DIVINED Agent[01] HUMAN; IDENTIFIED Agent[01] WEREWOLF; GUARDED Agent[01]; VOTE Agent[01]; AGREE TALK day1 ID:0; REQUEST ANY (VOTE Agent[01]); INQUIRE Agent[01] (COMINGOUT ANY SEER); DAY 1 (VOTED Agent[01]); NOT (...); AND (...) (...); OR (...) (...); XOR (...) (...); BECAUSE (reason) (consequence).
     Then all living vote at the same time, for another living player, within a minute; a missing vote counts for somebody at random. All then learn who voted for whom. The most voted is executed. A tie is voted on again, by all and over all; then a tie is broken at random.
     Each night but the first the living Werewolf chooses a living player to attack. Without a choice it is asked once more. Without one somebody is attacked at random. The attacked dies, and is named in the morning.
     Each step of the night lasts its full time, a minute, whoever is alive to take it.
     The village wins when no Werewolf lives. The Werewolves win when the living others, the Possessed among them, are not more than they. This is looked at in the morning only, so that the night after a decisive execution is played. After 30 days it is a draw.
     Each winner, dead or alive, gets one point."
    `);
    expect(text({}, 15)).toMatchInlineSnapshot(`
     "15 players: 8 Villagers, 1 Seer, 1 Medium, 1 Bodyguard, 1 Possessed and 3 Werewolves. Who is what is not told, also not of the dead.
     The Werewolves know each other, and win together with the Possessed, who is human, does not know the Werewolves and is not known to them. All others are the village.
     Each night, the first one before day 1 too, the Seer chooses a living player, after the execution is known, and learns in the morning whether that player is human or a Werewolf; an executed Seer learns nothing, a killed one still does.
     In the morning the Medium, dead or alive, learns whether yesterday’s executed was human or a Werewolf.
     Each night but the first, after the execution is known, the Bodyguard chooses another player to guard, who is safe from the attack of that night; a dead one may be chosen, to no use. Whether it helped is not told.
     To the Seer and the Medium the Possessed is human.
     On day 0 there is no talk, no vote and no attack.
     By day the living talk in turns, in each turn one after another in a new random order. The talk ends after a turn in which everybody said Over, or after 20 turns. A player may say 10 things a day, not counting Skip (nothing now) and Over (nothing more), and is not asked again after that; who has said Over may speak again while others go on.
     After 2 Skips running the next one counts as Over. Each has a minute to speak; silence is a Skip. An utterance has at most 500 characters.
     Only sentences of the AIWolf protocol, version 3.6, can be said; the first player is Agent[01]. Examples: ESTIMATE Agent[01] WEREWOLF; COMINGOUT Agent[01] SEER; DIVINED Agent[01] HUMAN; IDENTIFIED Agent[01] WEREWOLF; GUARDED Agent[01]; VOTE Agent[01]; AGREE TALK day1 ID:0; REQUEST ANY (VOTE Agent[01]); INQUIRE Agent[01] (COMINGOUT ANY SEER); DAY 1 (VOTED Agent[01]); NOT (...); AND (...) (...); OR (...) (...); XOR (...) (...); BECAUSE (reason) (consequence).
     Then all living vote at the same time, for another living player, within a minute; a missing vote counts for somebody at random. All then learn who voted for whom. The most voted is executed. A tie is voted on again, by all and over all; then a tie is broken at random.
     Each night, the first one too, the living Werewolves whisper in turns as by day, in the Hideout, which nobody else hears: at most 10 utterances each and 20 turns, within 5 minutes. A single living Werewolf does not whisper.
     Each night but the first the living Werewolves vote at the same time for a living player who is no Werewolf; the most voted is attacked. On a tie they vote once more. If it stays tied, or nobody votes, chance decides among the tied, or among all who are no Werewolves. The attacked dies unless guarded, and is named in the morning.
     Each step of the night lasts its full time, a minute, whoever is alive to take it.
     The village wins when no Werewolf lives. The Werewolves win when the living others, the Possessed among them, are not more than they. This is looked at in the morning only, so that the night after a decisive execution is played. After 30 days it is a draw.
     Each winner, dead or alive, gets one point."
    `);
  });

  it('brief each seat on what it knows', () => {
    const table = tableOf(TEN);
    table.until('divine');
    table.act(4, 'divine', 'seat:8');
    const names = seats(10).map((seat) => `P${seat}`);
    table.until();
    table.day({ execute: 9, divine: 7, attack: 4 });
    const briefOf = (seat: number) => brief(table.game.fold(table.view(seat) as never[]).game, seat, names);
    expect(briefOf(4)).toBe(
      'You are Agent[05]. Your role: Seer. You win with the village. You know that P8 is a Werewolf. You know that P7 is a human. You are dead: you may watch, not act.',
    );
    expect(briefOf(5)).toBe(
      'You are Agent[06]. Your role: Medium. You win with the village. You know that P9, who was executed, was a Werewolf.',
    );
    expect(briefOf(7)).toBe('You are Agent[08]. Your role: Possessed. You win with the Werewolves.');
    expect(briefOf(8)).toBe('You are Agent[09]. Your role: Werewolf. You win with the Werewolves. The other Werewolves: P9.');
    expect(brief(tableOf(FIVE).state, 4, names)).toBe(
      'You are Agent[05]. Your role: Werewolf. You win with the Werewolves. You are the only Werewolf.',
    );
  });

  it('have a sentence for every announcement', () => {
    const about = { names: ['Ann', 'Bob'] };
    const said = (e: Parameters<typeof tell>[0]) => tell(e, about);
    expect(said({ type: 'dawned', day: 2 })).toBe('Day 2 begins.');
    expect(said({ type: 'killed', seat: 1 })).toBe('Bob was killed in the night.');
    expect(said({ type: 'unharmed' })).toBe('Nobody was killed in the night.');
    expect(said({ type: 'executed', seat: 0 })).toBe('Ann is executed.');
    expect(said({ type: 'divined', by: 0, seat: 1, found: 'werewolf' })).toBe('Bob is a Werewolf.');
    expect(said({ type: 'identified', by: 0, seat: 1, found: 'human' })).toBe('Bob, who was executed, was a human.');
    expect(said({ type: 'attacked' })).toBe('The Werewolves attack nobody tonight.');
    expect(said({ type: 'tied', vote: 'vote' })).toBe('The vote is tied and held again.');
  });

  it('show a vote once it has closed, unless votes are secret', () => {
    const names = ['Ann', 'Bob', 'Cid', 'Dora', 'Eve'];
    const told = (options: Partial<AiwolfOptions>) => {
      const table = tableOf(FIVE, options, (_, name) => (name === 'vote of seat:1' ? 'seat:0' : undefined));
      table.until();
      table.hush();
      const question = table.question('vote');
      for (const [seat, target] of [
        [4, 0],
        [0, 4],
        [2, 4],
        [3, 4],
      ] as const)
        table.act(seat, 'vote', `seat:${target}`);
      const settled = of(table.wait(), 'settled')[0] as never;
      return tell(settled, { names, question });
    };
    expect(told({})).toBe('Votes: Ann for Eve, Bob for Ann, Cid for Eve, Dora for Eve, Eve for Ann.');
    expect(told({ voteVisible: false })).toBeUndefined();
    const talk = tableOf(FIVE);
    talk.until();
    expect(
      tell(
        { type: 'settled', question: 'day-1/turn-0/talk', answers: [], defaulted: [{ by: 0, says: ['Skip'] }] },
        { names, question: talk.question('talk') },
      ),
    ).toBeUndefined();
  });

  it('announce the morning in the Village, after it has opened', () => {
    const table = tableOf(FIVE);
    table.until();
    table.hush();
    table.vote(0);
    table.until('attack');
    table.act(4, 'attack', 'seat:1');
    table.until();
    const types = table.tape.map(({ type }) => type);
    const opened = table.tape.findLastIndex((e) => e.type === 'asked' && (e['question'] as { room?: string }).room === 'Village');
    expect(opened).toBeLessThan(types.lastIndexOf('dawned'));
    expect(types.slice(opened)).toEqual(['asked', 'dawned', 'killed', 'ordered']);
    const { announce } = table.game.rules;
    expect(announce({ type: 'killed', seat: 1 })).toEqual(['Village']);
    expect(announce({ type: 'attacked', seat: 1 })).toEqual([]);
  });
});

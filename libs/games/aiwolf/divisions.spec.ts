import { describe, expect, it } from '@jest/globals';
import { playOut, tableOf as matchOf } from '@maw/tests/equipment/fakes/table.ts';
import { readOptions } from '../kernel/options.ts';
import { aiwolf } from './aiwolf.ts';
import { FIVE, tableOf, TEN, TIMES } from './aiwolf.suite.ts';
import { PRESETS, presets } from './presets.ts';
import { asked, day1, mayChoose, night1, of, type Options, steps, up, vote1 } from './phases.suite.ts';

const LINE = 'VOTE Agent[01]';
/** Who is asked in each turn of a talk, when each seat says `says(seat, turn)`. */
function turnsOf(options: Options, says: (seat: number, turn: number) => string): (readonly number[])[] {
  const table = day1(FIVE, options);
  const orders: (readonly number[])[] = [];
  while (table.find('talk')) {
    const turn = orders.push(table.question('talk').of) - 1;
    table.turn((seat) => says(seat, turn));
  }
  return orders;
}

describe('talk of the natural-language division', () => {
  it('has one order for all turns of a day, without those who have said Over', () => {
    const orders = turnsOf({ order: 'phase', over: 'final' }, (seat, turn) => (turn >= seat ? 'Over' : LINE));
    const [first] = orders as [number[]];
    expect(first.toSorted(up)).toEqual([0, 1, 2, 3, 4]);
    expect(orders).toEqual([0, 1, 2, 3, 4].map((turn) => first.filter((seat) => seat >= turn)));
    const table = day1(FIVE, { order: 'phase' });
    table.turn(() => LINE);
    expect(table.drawn.filter(({ name }) => name === 'order')).toHaveLength(1);
  });

  it('lets a Skip use up an utterance with skipsCount', () => {
    expect(turnsOf({ skipsCount: true, utterances: 2 }, () => 'Skip')).toHaveLength(2);
    expect(turnsOf({ utterances: 2 }, () => 'Skip')).toHaveLength(3); // the third is Over
  });

  it('takes silence for a Skip that is free of their limit where Over is final', () => {
    const table = day1(FIVE, { over: 'final', skips: 0, skipsCount: true, utterances: 2 });
    table.act(table.question('talk').of[0]!, 'talk', 'Skip');
    for (let left = 4; left > 0; left--) table.wait();
    expect(table.question('talk').of).toHaveLength(4); // what was said is Over, and silence is not
    expect(table.state.speech!.left.toSorted(up)).toEqual([0, 1, 1, 1, 1]);
    expect(of(table.tape, 'settled').at(-1)!['defaulted']).toContainEqual({ by: expect.any(Number), says: ['Skip'] });
  });

  it('cuts what is too long, by the names at the table', () => {
    const names = { players: 5, options: { preset: 'nlp-2026', baseLength: 20, mentionLength: 3 } };
    const table = matchOf(aiwolf, names);
    const [seat] = table.question('talk').of as [number];
    const [own, other] = [table.standing.game.names[seat]!, table.standing.game.names[seat === 1 ? 2 : 1]!];
    expect(table.question('talk').maxChars).toBe(20);
    table.act(seat, 'talk', `I am ${own}, and I ask @${other} hello`);
    expect(table.tape.findLast(({ type }) => type === 'answered')).toMatchObject({
      answer: { by: seat, says: [`I am ${own}, and I ask  @${other}  hel`] },
    });
  });

  it('ends for a seat with the share of its day', () => {
    const orders = turnsOf({ language: 'free', baseLength: 2, lengthPerDay: 3, turns: 3 }, (seat) => (seat ? 'ab' : 'abcdefg'));
    expect(orders.map((order) => order.length)).toEqual([5, 4, 4]);
  });
});

describe('talk at any time', () => {
  const anytime = (options: Options = {}) => day1(FIVE, { talk: 'anytime', talkMs: 5_000, language: 'free', utterances: 2, ...options });

  it('takes what anybody says at once, until all have said Over or everything', () => {
    const table = anytime();
    expect(table.open).toEqual(['day-1/turn-0/talk']);
    expect(table.question('talk')).toMatchObject({ of: [0, 1, 2, 3, 4], final: false, room: 'Village' });
    for (const seat of [3, 3, 1]) table.act(seat, 'talk', ' hello ');
    expect(of(table.view('audience'), 'answered').at(-1)).toMatchObject({ answer: { by: 1, says: [' hello '] } });
    expect(table.refusal(3, 'talk', 'more')?.reason).toBe('already-answered');
    table.act(3, 'talk', 'Over'); // it may say so all the same, once
    expect(table.refusal(3, 'talk', 'Over')?.reason).toBe('already-answered');
    for (const seat of [0, 1, 2]) table.act(seat, 'talk', 'Over');
    expect(table.find('talk')).toBeDefined();
    for (const text of ['one', 'two']) table.act(4, 'talk', text);
    expect(table.open).toEqual(['day-1/vote']);
  });

  it('ends with its time, and a Skip too many is Over', () => {
    const table = anytime({ skips: 1, utterances: 9 });
    for (const text of ['Skip', 'so', 'Skip', 'Skip']) table.act(0, 'talk', text);
    expect(of(table.tape, 'answered').at(-1)).toMatchObject({ answer: { says: ['Over'] } });
    const begin = table.now;
    table.wait();
    expect([table.now - begin, table.open]).toEqual([5_000, ['day-1/vote']]);
  });

  it('is left out when nobody may say anything', () => {
    const table = tableOf(FIVE, { talk: 'anytime', utterances: 0 });
    table.until('vote');
    expect(asked(table.tape)).toEqual(['night-0/divine', 'day-1/vote']);
  });
});

describe('votes of the natural-language division', () => {
  it('count for nobody when they are missing, and execute nobody when all are', () => {
    const table = vote1(FIVE, { missingVote: 'none', revotes: 0 });
    table.act(0, 'vote', 'seat:3');
    const events = table.wait();
    expect(of(events, 'settled')[0]!['defaulted']).toBeUndefined();
    expect(of(events, 'executed')).toEqual([{ type: 'executed', seat: 3 }]);
    const silent = vote1(FIVE, { missingVote: 'none', revotes: 0 });
    expect(of(silent.wait(), 'spared')).toEqual([{ type: 'spared', because: 'no-votes' }]);
    expect(silent.state.dead).toEqual([]);
  });

  it('may be for oneself', () => {
    expect(mayChoose(vote1(FIVE, { selfVotes: true }), 'vote', 2)).toEqual([0, 1, 2, 3, 4]);
  });

  it('may be for a werewolf by night, are shown, and do not count', () => {
    const table = night1('attack', 0, TEN, { wolfTargets: 'void', missingAttack: 'nobody', attackRevotes: 0 });
    expect(mayChoose(table, 'attack', 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 9]);
    expect(mayChoose(night1('attack', 0, TEN, { wolfTargets: 'void', selfVotes: true }), 'attack', 8)).toContain(8);
    table.act(8, 'attack', 'seat:9');
    table.act(9, 'attack', 'seat:8');
    const events = table.wait();
    expect(of(table.view(9), 'settled').at(-1)!['answers']).toHaveLength(2);
    expect(of(events, 'attacked')).toEqual([{ type: 'attacked' }]);
    const one = night1('attack', 0, TEN, { wolfTargets: 'void', missingAttack: 'nobody' });
    one.act(8, 'attack', 'seat:9');
    one.act(9, 'attack', 'seat:1');
    expect(of(one.wait(), 'attacked')).toEqual([{ type: 'attacked', seat: 1 }]);
  });

  it('of werewolves who say nothing attack nobody, and are drawn on a tie, with missingAttack', () => {
    const options = { missingAttack: 'nobody', attackRevotes: 0 };
    expect(of(night1('attack', 0, TEN, options).wait(), 'attacked')).toEqual([{ type: 'attacked' }]);
    const tied = night1('attack', 0, TEN, options);
    tied.act(8, 'attack', 'seat:1');
    tied.act(9, 'attack', 'seat:2');
    expect([1, 2]).toContain(of(tied.wait(), 'attacked')[0]!['seat']);
  });
});

describe('nights of the natural-language division', () => {
  it('have whispering before and after the talk of day 0', () => {
    const table = tableOf(TEN, { talkOnFirstDay: true, firstWhispers: 2 });
    table.until();
    table.hush();
    table.until();
    expect(steps(table.tape)).toEqual([
      'night-0/whisper',
      'night-0/rest',
      'day-0/talk',
      'night-0/whisper-2/whisper',
      'night-0/whisper-2/rest',
      'night-0/divine',
      'day-1/talk',
    ]);
    expect(
      table.at[table.tape.findIndex(({ type }) => type === 'dawned')]! -
        table.at[table.tape.findIndex((e) => asked([e])[0] === 'night-0/whisper-2/turn-0/whisper')]!,
    ).toBe(TIMES.whisperMs + TIMES.nightMs);
  });

  it('let the seer look at others, and the bodyguard guard the living', () => {
    expect(mayChoose(night1('divine', 0, TEN, { selfDivine: false }), 'divine', 4)).toEqual([1, 2, 3, 5, 6, 7, 8, 9]);
    expect(mayChoose(night1('guard', 0, TEN, { guardDead: false }), 'guard', 6)).toEqual([1, 2, 3, 4, 5, 7, 8, 9]);
  });

  it('tell the bodyguard and the werewolves nothing of the attack without nightTold', () => {
    const table = night1('guard', 0, TEN, { nightTold: false });
    table.night({ guard: 1, attack: 1 });
    const told = (eye: number) => table.view(eye).filter(({ type }) => type === 'guarded' || type === 'attacked');
    expect([told(6), told(8), of(table.tape, 'guarded').length, of(table.tape, 'attacked').length]).toEqual([[], [], 1, 1]);
    expect(of(table.view(8), 'unharmed')).toHaveLength(1);
  });
});

describe('a preset', () => {
  it('gives options their defaults, and leaves what is given', () => {
    const read = (given: Options) => readOptions(aiwolf.options, given);
    expect(read({ preset: 'protocol-2021' })).toEqual(read({}));
    expect(read({ preset: 'nlp-2025', utterances: 5 })).toEqual({ ...read({}), ...presets['nlp-2025'], preset: 'nlp-2025', utterances: 5 });
    expect(() => aiwolf.rules(5, { preset: 'nlp-1999' })).toThrow('is not one of protocol-2021, nlp-2025, nlp-2026, nlp-anytime');
  });

  it.each(PRESETS)('%s has values that its options accept', (preset) => {
    expect(readOptions(aiwolf.options, { ...presets[preset] })).toMatchObject(presets[preset]);
  });

  it.each([
    [5, ['protocol-2021', 'nlp-2026'], { villager: 2, seer: 1, possessed: 1, werewolf: 1 }],
    [9, ['nlp-2025', 'nlp-2026'], { villager: 3, seer: 1, medium: 1, bodyguard: 1, possessed: 1, werewolf: 2 }],
    [13, ['protocol-2021', 'nlp-2025'], { villager: 6, seer: 1, medium: 1, bodyguard: 1, possessed: 1, werewolf: 3 }],
    [15, ['protocol-2021'], { villager: 8, seer: 1, medium: 1, bodyguard: 1, possessed: 1, werewolf: 3 }],
  ])('deals %i players the roles of its contest', (players, contests, roles) => {
    for (const preset of contests) {
      const table = matchOf(aiwolf, { players, options: { preset } });
      const dealt = Map.groupBy((table.tape.find(({ type }) => type === 'dealt') as { roles?: string[] }).roles!, (role) => role);
      expect(Object.fromEntries([...dealt].map(([role, all]) => [role, all.length]))).toEqual(roles);
    }
  });

  it.each(PRESETS)('%s is played to its end by random acts, at every number of players', (preset) => {
    for (const [n, players] of [5, 9, 13, 15].entries()) {
      const table = matchOf(aiwolf, { players, seed: `${preset} ${n}`, options: { preset, maxDays: 8 } });
      playOut(table, `${preset} ${n}`, 5);
      expect(table.standing.game.results).toHaveLength(1);
    }
  });

  it('ends a game as soon as it is decided, before the rest of the night', () => {
    const table = vote1(FIVE, { preset: 'nlp-2026', talkOnFirstDay: false });
    const events = table.vote(4);
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['executed', 'ended']);
  });
});

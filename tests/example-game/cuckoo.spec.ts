import { afterEach, describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import { START, type Rig, reasonOf, rig } from '@maw/gamemaster/rig.suite.ts';
import { gamePage } from '../docs/game-page.ts';
import { laws } from '../equipment/laws/laws.suite.ts';
import { type Played, type Setting, tableOf } from '../equipment/fakes/table.ts';
import { cuckoo } from './cuckoo.ts';

laws(cuckoo);

const birdOf = (table: Played): number => (table.state.roles as string[]).indexOf('cuckoo');
const seat = (n: number) => `seat:${n}`;
/** A table, its cuckoo, and the others in order of seats. */
const make = (setting: Setting = {}) => {
  const table = tableOf(cuckoo, { players: 5, ...setting });
  const bird = birdOf(table);
  return { table, bird, others: [0, 1, 2, 3, 4].filter((one) => one !== bird) };
};
const typed = (events: readonly { readonly type: string }[], type: string) => events.filter((e) => e.type === type);
/** Everybody points: `at` those who do not name themselves. */
const point = (table: Played, at: number, own: number) => {
  for (const one of [0, 1, 2, 3, 4]) if (one !== at) table.act(one, 'point', seat(at));
  return table.act(at, 'point', seat(own));
};

describe('the night of Cuckoo', () => {
  it('lasts as long whether the cuckoo is fast or silent', () => {
    const { table, bird, others } = make();
    table.act(bird, 'lay', seat(others[0]!));
    expect(table.standing.open.map(({ id }) => id)).toEqual(['round-1/night-1/lay']);
    const { table: silent } = make();
    for (const each of [table, silent]) expect(each.game.wake(each.standing)).toBe(20_000);
  });

  it('shows the egg only to the cuckoo and the nest that has it', () => {
    const { table, bird, others } = make();
    const [nest, ...rest] = others;
    table.act(bird, 'lay', seat(nest!));
    table.wait();
    for (const eye of [bird, nest!]) expect(typed(table.game.view(table.tape, eye), 'laid')).toEqual([{ type: 'laid', nest }]);
    for (const eye of [...rest, 'audience' as const]) expect(typed(table.game.view(table.tape, eye), 'laid')).toEqual([]);
    const brief = (one: number) => table.rules.brief(table.game.fold(table.game.view(table.tape, one)).game, one, []);
    expect([bird, nest!, rest[0]!].map(brief)).toEqual([
      'You are the cuckoo.',
      'You are a warbler. There is an egg in your nest, and it is not yours.',
      'You are a warbler.',
    ]);
  });

  it('looks the same to a warbler, wherever else the egg is', () => {
    const [first, second] = [make(), make()];
    first.table.act(first.bird, 'lay', seat(first.others[0]!));
    second.table.act(second.bird, 'lay', seat(second.others[1]!));
    for (const { table } of [first, second]) table.wait();
    const seen = ({ table }: typeof first, eye: number) => table.game.view(table.tape, eye);
    expect(seen(first, first.others[2]!)).toEqual(seen(second, first.others[2]!));
    expect(seen(first, first.others[0]!)).not.toEqual(seen(second, first.others[0]!));
  });

  it('offers no nest twice, and not its own', () => {
    const { table, bird, others } = make({ options: { nights: 2 } });
    table.act(bird, 'lay', seat(others[0]!));
    table.wait();
    const [asked] = table.game.asked(table.standing, bird);
    expect(asked!.options).toEqual([0, 1, 2, 3, 4].filter((one) => one !== others[0]).map(seat));
    expect(table.refusal(bird, 'lay', seat(others[0]!))).toBe('not-an-option');
    expect(table.refusal(bird, 'lay', seat(bird))).toBe('not-an-option');
    expect(table.refusal(bird, 'lay', seat(others[1]!))).toBeUndefined();
  });

  it('draws a nest for a silent cuckoo, any of those that are free', () => {
    const nests = Array.from({ length: 60 }, (_, i) => {
      const { table, bird } = make({ seed: `silent ${i}`, options: { nights: 2 } });
      table.wait();
      table.wait();
      const [first, second] = table.state.eggs as number[];
      expect([first, second]).not.toContain(bird);
      expect(first).not.toBe(second);
      return first!;
    });
    expect(new Set(nests).size).toBe(5);
  });

  it('reads a bare number as a seat', () => {
    const { table, bird, others } = make();
    table.act(bird, 'lay', String(others[2]));
    table.wait();
    expect(table.state.eggs).toEqual([others[2]]);
    expect(table.refusal(bird, 'point', '5')).toBe('not-an-option');
  });
});

describe('the day of Cuckoo', () => {
  const day = (setting: Setting = {}) => {
    const made = make(setting);
    made.table.wait();
    return made;
  };

  it('is won by the warblers who catch the cuckoo, and ends at once', () => {
    const { table, bird, others } = day();
    const events = point(table, bird, others[0]!);
    expect(typed(events, 'caught')).toMatchObject([{ seat: bird }]);
    expect(table.standing.game.results[0]).toMatchObject({ winner: 'warblers', winners: others });
    expect(table.standing.game.totals[bird]).toBe(0);
    expect(table.standing.game.totals[others[0]!]).toBe(1);
  });

  it('is won by the cuckoo when another is caught', () => {
    const { table, bird, others } = day();
    point(table, others[0]!, bird);
    expect(table.standing.game.results[0]).toMatchObject({ winner: 'cuckoo', winners: [bird] });
  });

  it('catches nobody in a tie or in silence, or one of a tie at random', () => {
    const caught = (tie: string, seed: string) => {
      const { table } = day({ seed, options: { tie } });
      table.act(0, 'point', seat(1));
      table.act(1, 'point', seat(0));
      return (typed(table.wait(), 'caught')[0] as unknown as { seat?: number }).seat;
    };
    expect(caught('none', 'a')).toBeUndefined();
    expect(new Set(Array.from({ length: 20 }, (_, i) => caught('random', `s${i}`)))).toEqual(new Set([0, 1]));
    const { table } = day({ options: { tie: 'random' } });
    expect(typed(table.wait(), 'caught')).toMatchObject([{ seat: undefined }]);
  });

  it('shows who pointed at whom when all have', () => {
    const { table } = day();
    table.act(0, 'point', seat(1));
    const seen = (eye: number) => table.game.view(table.tape, eye).filter((e) => e.type === 'answered');
    expect(seen(0)).toHaveLength(1);
    expect(seen(1)).toEqual([]);
    table.wait();
    const settled = table.game
      .view(table.tape, 1)
      .find((e) => (e as { question?: string }).question === 'round-1/day/point' && e.type === 'settled');
    expect(settled).toMatchObject({ answers: [{ by: 0, says: [seat(1)] }] });
  });
});

describe('Cuckoo is documented', () => {
  it('by the page that every game has', () => {
    const page = gamePage(cuckoo);
    expect(page).toContain('# cuckoo');
    expect(page).toContain('| `tie` | `none`, `random` | `none` | A tie: who is caught when several are pointed at most |');
    expect(page).toContain('- 5 players: one is the cuckoo, the others are warblers.');
    expect(page).toContain('| `draws`: `nest` |');
  });
});

describe('a gamemaster that is given Cuckoo', () => {
  let ground: Rig;
  afterEach(() => ground.close());

  it('plays it without changes, from seating to scores', async () => {
    ground = rig([...catalogue, cuckoo]);
    const master = await ground.replica();
    expect((await master.get('table.rules', {})).sets.map(({ name }) => name)).toEqual([...catalogue.map(({ name }) => name), 'cuckoo']);
    const { sets } = await master.get('table.rules', { rules: 'cuckoo', options: { tie: 'random' } });
    expect(sets).toMatchObject([{ name: 'cuckoo', text: expect.stringContaining('a tie is broken at random') }]);

    await ground.seated(master, { rules: 'cuckoo', players: 4, options: { nights: 2, dayMs: 1_000 } });
    const [bird] = await ground.who('cuckoo');
    const [nest, other] = [0, 1, 2, 3].filter((one) => one !== bird);
    const view = (eye: number) => master.get('table.view', { eye, after: 0, limit: 1_000 });
    expect((await view(bird!)).asked).toMatchObject([{ id: 'round-1/night-1/lay' }]);
    expect((await view(nest!)).asked).toEqual([]);
    expect((await ground.act(master, bird!, 'lay', String(nest))).performative).toBe('agree');
    expect(reasonOf(await ground.act(master, other!, 'lay', seat(nest!)))).toBe('phase-over'); // it does not learn that it is asked
    await ground.wait(master);
    await ground.wait(master); // the cuckoo is silent in the second night
    expect(ground.clock.now).toBe(START + 40_000);
    expect((await view(nest!)).brief).toBe('You are a warbler. There is an egg in your nest, and it is not yours.');

    expect(master.of('room.open').map(({ data }) => data.room)).toContain('round-1/day/Meadow');
    expect((await ground.act(master, other!, 'talk', 'an egg!')).performative).toBe('agree');
    expect(reasonOf(await ground.act(master, other!, 'point', seat(other!)))).toBe('not-an-option');
    await ground.choose(master, 'point', bird!, [0, 1, 2, 3]);
    await ground.wait(master);
    const [result] = (await ground.standing()).game.results;
    expect(result).toMatchObject({ winner: 'warblers', points: [0, 1, 2, 3].map((one) => Number(one !== bird)) });
    expect((await view(other!)).seen.map(({ text }) => text)).toContain(`P${bird} is caught. The cuckoo was P${bird}.`);
    expect(master.dead).toEqual([]);
  });

  it('is another than one that is not', async () => {
    ground = rig();
    const master = await ground.replica();
    const seats = Array.from({ length: 4 }, () => ({ kind: 'person' as const }));
    expect(reasonOf(await master.ask('table.open', { rules: 'cuckoo', seats }))).toBe('unknown-rules');
    expect(reasonOf(await master.ask('table.rules', { rules: 'cuckoo' }))).toBe('unknown-rules');
  });

  it('reads its table back on another replica', async () => {
    ground = rig([cuckoo]);
    const [one, two] = [await ground.replica(), await ground.replica()];
    await ground.seated(one, { rules: 'cuckoo', players: 3 });
    await ground.wait(two);
    expect((await two.get('table.view', { eye: 0, after: 0, limit: 1_000 })).asked.map(({ id }) => id)).toEqual([
      'round-1/day/point',
      'round-1/day/talk',
    ]);
  });
});

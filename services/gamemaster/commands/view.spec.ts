import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ReplyData } from '@maw/contracts/contracts.ts';
import { readName } from '@maw/games/match/player-name.ts';
import { type Eye, seats } from '@maw/games/kernel/question.ts';
import type { Replica } from '../replica.suite.ts';
import { reasonOf, type Rig, rig } from '../rig.suite.ts';

let here: Rig;
let at: Replica;
beforeEach(async () => {
  here = rig();
  at = await here.replica();
});
afterEach(() => here.close());

const LONG = { dayMs: 600_000, nightMs: 600_000, whisper: true, whisperVisible: true, seer: true };
const eyes: readonly Eye[] = [0, 1, 2, 3, 4, 5, 'audience', 'narrator'];

async function pagesOf(of: Replica, eye: Eye, limit: number): Promise<ReplyData<'table.view'>[]> {
  const pages: ReplyData<'table.view'>[] = [];
  let after = 0;
  for (;;) {
    const page = await of.get('table.view', { eye, after, limit });
    pages.push(page);
    after += page.seen.length;
    if (!page.more) return pages;
  }
}

/** A day with everything in it, and the night after. */
async function eventful(): Promise<void> {
  await here.seated(at, { options: LONG });
  const [seer] = await here.who('seer');
  await here.act(at, 0, 'talk', 'good morning');
  await here.act(at, 1, 'whisper', 'seat:2', 'psst');
  await here.act(at, 1, 'talk', ' ');
  await here.act(at, seer!, 'inspect', `seat:${seer === 0 ? 1 : 0}`);
  await here.choose(at, 'vote', 3, [0, 1, 2, 4, 5]);
  for (const wolf of await here.who('wolf')) await here.act(at, wolf, 'talk', 'whom do we take?');
}

describe('a view', () => {
  it.each([1, 3, 1000])('comes in pages of at most %i, without a gap and without a double', async (limit) => {
    await eventful();
    for (const eye of eyes) {
      const pages = await pagesOf(at, eye, limit);
      const seen = pages.flatMap((page) => page.seen);
      expect(seen.map(({ n }) => n)).toEqual(seen.map((_, i) => i + 1));
      for (const page of pages) expect(page.last).toBe(seen.length);
      expect(pages.slice(0, -1).every((page) => page.seen.length === limit)).toBe(true);
      expect(pages.at(-1)!.more).toBe(false);
    }
    const { last } = await at.get('table.view', { eye: 0 });
    expect(await at.get('table.view', { eye: 0, after: last })).toMatchObject({ seen: [], more: false, last });
    expect(await at.get('table.view', { eye: 0, after: last + 10 })).toMatchObject({ seen: [], more: false, last });
  });

  it('has pages that fit into a message', async () => {
    await here.seated(at, { options: { ...LONG, maxChars: 2000 } });
    const text = '\u{1F43A}'.repeat(2000);
    for (let n = 0; n < 150; n++) await here.act(at, n % 6, 'talk', text);
    const pages = await pagesOf(at, 'audience', 5000);
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(500_000);
    const lines = pages.flatMap(({ seen }) => seen).filter(({ event }) => event.type === 'answered');
    expect(lines.map(({ text: said }) => said)).toEqual(Array.from({ length: 150 }, () => text));
    expect(at.dead).toEqual([]);
  });

  it('is the same at a replica that reads the tape, for every eye', async () => {
    await eventful();
    const fresh = await here.replica();
    for (const eye of eyes) expect([eye, await fresh.get('table.view', { eye })]).toEqual([eye, await at.get('table.view', { eye })]);
  });

  it('is the same after the table was evicted', async () => {
    const small = await here.replica({ tablesInMemory: 1 });
    await here.seated(small, { options: LONG });
    const before = await small.get('table.view', { eye: 2 });
    await here.seated(small, { table: 't2' });
    expect(await small.get('table.view', { eye: 2 })).toEqual(before);
  });

  it('includes what another replica has just appended', async () => {
    await here.seated(at, { options: LONG });
    const other = await here.replica();
    await other.get('table.view', { eye: 0 });
    await here.act(at, 0, 'talk', 'news');
    expect((await other.get('table.view', { eye: 1 })).seen.at(-1)).toMatchObject({ text: 'news', room: 'round-1/day-1/Village', line: 2 });
  });

  it('of a seat has its questions, brief and holder; other views have not', async () => {
    await here.seated(at, { options: LONG });
    const [wolf, other] = await here.who('wolf');
    const view = await at.get('table.view', { eye: wolf! });
    expect(view).toMatchObject({ life: 'Awake', holder: 'person', alive: Array.from({ length: 6 }, () => true) });
    expect(view.brief).toBe(`Your role: Werewolf. The other Werewolves: P${other}.`);
    expect(view.asked.map(({ id, room }) => [id, room])).toEqual([
      ['round-1/day-1/vote', 'round-1/day-1/Village'],
      ['round-1/day-1/talk', 'round-1/day-1/Village'],
      ['round-1/day-1/whisper', `round-1/day-1/Whisper-${wolf}`],
    ]);
    expect(view.asked[0]!.options.map(({ is }) => is)).toEqual(seats([0, 1, 2, 3, 4, 5].filter((seat) => seat !== wolf)));
    expect(view.asked[0]!.options.map(({ named }) => named)).toEqual(
      [0, 1, 2, 3, 4, 5].filter((seat) => seat !== wolf).map((seat) => `P${seat}`),
    );
    for (const eye of ['audience', 'narrator'] as const)
      expect(await at.get('table.view', { eye })).toMatchObject({ asked: [], brief: '' });
  });

  it('of an unknown seat or table is refused', async () => {
    await here.seated(at);
    expect(reasonOf(await at.ask('table.view', { eye: 6 }))).toBe('not-an-option');
    expect(reasonOf(await at.ask('table.view', { eye: 0 }, { table: 'nowhere' }))).toBe('unknown-game');
  });
});

describe('the clock of a table', () => {
  const clockFor = async (eye: Eye) => (await at.get('table.view', { eye })).clock!;

  it('is the same for every eye, by day and by night', async () => {
    await here.seated(at, { options: LONG });
    const opened = here.clock.now;
    here.clock.now += 5;
    for (const eye of eyes) expect(await clockFor(eye)).toEqual({ now: opened + 5, phase: 'round-1/day-1', until: opened + 600_000 });
    await here.choose(at, 'vote', 3, [0, 1, 2, 4, 5]);
    for (const eye of eyes) expect(await clockFor(eye)).toEqual({ now: opened + 5, phase: 'round-1/night-1', until: opened + 600_005 });
  });

  it('has no phase once the table is over', async () => {
    await here.seated(at, { players: 3, options: LONG });
    const [wolf] = await here.who('wolf');
    await here.choose(at, 'vote', wolf!, [0, 1, 2]);
    expect(await clockFor('audience')).toEqual({ now: here.clock.now });
  });
});

describe('a list of tables', () => {
  it('is newest first, and filtered by whether tables are over', async () => {
    for (const table of ['a', 'b', 'c']) {
      here.clock.now += 1000;
      await here.seated(at, { table, players: 3 });
    }
    const opened = here.clock.now;
    const list = async (about: object) => (await at.get('table.list', about, { table: '-' })).tables.map(({ table }) => table);
    expect(await list({})).toEqual(['c', 'b', 'a']);
    expect(await list({ limit: 2 })).toEqual(['c', 'b']);
    expect(await list({ before: opened })).toEqual(['b', 'a']);
    expect(await list({ isOver: true })).toEqual([]);
    expect((await at.get('table.list', {}, { table: '-' })).tables[0]).toMatchObject({
      table: 'c',
      stage: 'round',
      round: 1,
      free: 0,
      opened,
      players: [{ name: 'P0', points: 0 }, { name: 'P1' }, { name: 'P2' }],
    });
  });

  it('fits into a message', async () => {
    await here.seated(at);
    const { summary } = await at.get('table.view', { eye: 'audience' });
    const name = readName('\u{20000}'.repeat(24));
    const players = Array.from({ length: 20 }, (_, seat) => ({ seat, name, points: 100 }));
    const all = Array.from({ length: 1000 }, (_, n) => ({ table: `t${n}`, opened: n, summary: { ...summary, table: `t${n}`, players } }));
    const other = await here.replica({ tapes: { ...here.store.tapes, list: async () => all } });
    const { tables } = await other.get('table.list', { limit: 1000 }, { table: '-' });
    expect(tables.length).toBeGreaterThan(100);
    expect(tables.map(({ table }) => table)).toEqual(all.slice(0, tables.length).map(({ table }) => table));
  });
});

describe('a table that is over', () => {
  it('keeps its result and winners', async () => {
    await here.seated(at, { players: 3, options: LONG });
    const [wolf] = await here.who('wolf');
    await here.choose(at, 'vote', wolf!, [0, 1, 2]);
    const others = [0, 1, 2].filter((seat) => seat !== wolf);
    const points = [0, 1, 2].map((seat) => (seat === wolf ? 0 : 2));
    expect(await here.store.tapes.result('t1')).toMatchObject({ winner: 'villagers', winners: others, points, names: ['P0', 'P1', 'P2'] });
    const { summary } = await at.get('table.view', { eye: 'audience' });
    expect(summary).toMatchObject({ stage: 'over', winners: others, players: points.map((each, seat) => ({ seat, points: each })) });
    expect((await at.get('table.list', { isOver: true }, { table: '-' })).tables).toEqual([summary]);
    expect(await here.store.tapes.due(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    const result = await here.store.tapes.result('t1');
    expect(reasonOf(await here.act(at, others[0]!, 'vote', `seat:${wolf}`))).toBe('phase-over');
    expect(await here.store.tapes.result('t1')).toEqual(result);
  });
});

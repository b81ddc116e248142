import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_MESSAGE_BYTES } from '@maw/bus/core/message-limits.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Replica } from '../replica.suite.ts';
import { reasonOf, type Rig, rig } from '../rig.suite.ts';

let here: Rig;
let at: Replica;
beforeEach(async () => {
  here = rig();
  at = await here.replica();
});
afterEach(() => here.close());

const LONG = { dayMs: 600_000, nightMs: 600_000 };
const hand = (seat: number, to: 'mind' | 'person') => at.ask('table.hand', { seat, to });
const vote = (seat: number, source: string) =>
  at.ask('table.act', { seat, question: 'round-1/day-1/vote', says: [`seat:${(seat + 1) % 6}`] }, { source });
/** Which seats have been asked, and in which phases. */
const asked = () => at.of('seat.decide').map(({ data }) => `${data.seat} ${data.phase}`);

describe('a seat handed to a mind', () => {
  it('is asked all open questions once, with all it has seen', async () => {
    await here.seated(at, { options: LONG });
    await here.act(at, 1, 'talk', 'Hello, P0.');
    expect(asked()).toEqual([]);
    expect(await at.get('table.hand', { seat: 0, to: 'mind' })).toEqual({ seat: 0 });
    expect(asked()).toEqual(['0 round-1/day-1']);
    const [decide] = at.of('seat.decide') as [Message<'seat.decide'>];
    const { seen } = await at.get('table.view', { eye: 0 });
    expect(decide.data).toMatchObject({ after: 0, news: seen });
    expect(decide.data.questions.map(({ id }) => id)).toEqual(['round-1/day-1/vote', 'round-1/day-1/talk']);
    expect(seen.map(({ text }) => text)).toContain('Hello, P0.');
    await here.act(at, 1, 'talk', 'Are you there?');
    expect(asked()).toHaveLength(1);
  });

  it('is asked with only the news the next time', async () => {
    await here.seated(at, { options: LONG });
    const [wolf] = await here.who('wolf');
    await hand(wolf!, 'mind');
    await here.choose(
      at,
      'vote',
      (await here.who('villager'))[0]!,
      [0, 1, 2, 3, 4, 5].filter((seat) => seat !== wolf),
    );
    const [first, second] = at.of('seat.decide').map(({ data }) => data);
    expect(second).toMatchObject({ seat: wolf, phase: 'round-1/night-1', after: first!.news.length });
    expect(second!.news[0]!.n).toBe(first!.news.length + 1);
    expect((await at.get('table.view', { eye: wolf! })).last).toBe(second!.after + second!.news.length);
  });

  it('gets the latest news when all would exceed a message', async () => {
    await here.seated(at, { options: { ...LONG, maxChars: 2000 } });
    for (let n = 0; n < 150; n++) await here.act(at, n % 6, 'talk', '\u{1F43A}'.repeat(2000));
    expect(reasonOf(await hand(0, 'mind'))).toBeUndefined();
    const [decide] = at.of('seat.decide') as [Message<'seat.decide'>];
    expect(Buffer.byteLength(JSON.stringify(decide))).toBeLessThan(MAX_MESSAGE_BYTES);
    const { after, news } = decide.data;
    expect(after).toBeGreaterThan(0);
    expect(news.map(({ n }) => n)).toEqual(news.map((_, i) => after + i + 1));
    expect((await at.get('table.view', { eye: 0, limit: 1 })).last).toBe(after + news.length);
    expect(at.dead).toEqual([]);
  });

  it('is visible as such to nobody else', async () => {
    await here.seated(at, { options: LONG });
    const before = await Promise.all([1, 5, 'audience' as const].map((eye) => at.get('table.view', { eye })));
    await hand(0, 'mind');
    expect(await Promise.all([1, 5, 'audience' as const].map((eye) => at.get('table.view', { eye })))).toEqual(before);
    expect((await at.get('table.view', { eye: 0 })).seen.at(-1)).toMatchObject({ event: { type: 'handed', to: 'mind' } });
  });

  it('is not asked in the Lobby, between rounds, or when dead', async () => {
    await at.get('table.open', { rules: 'maw', seats: [0, 1, 2].map(() => ({ kind: 'person' as const })), rounds: 2, options: LONG });
    await at.get('table.join', { name: 'P0' });
    await hand(0, 'mind');
    expect(asked()).toEqual([]);
    for (const name of ['P1', 'P2']) await at.get('table.join', { name });
    expect(asked()).toEqual(['0 round-1/day-1']);
    const [wolf] = await here.who('wolf');
    const [dead, other] = await here.who('villager');
    for (const seat of [wolf!, other!]) await here.act(at, seat, 'vote', `seat:${dead}`);
    const before = asked().length;
    if ((await here.standing()).game.holders[dead!] === 'person') await hand(dead!, 'mind');
    expect(asked().slice(before)).toEqual([]);
    await here.act(at, wolf!, 'hunt', `seat:${other}`);
    expect((await here.standing()).game.stage).toBe('pause');
    for (const seat of [1, 2]) await hand(seat, 'mind'); // whoever is one already refuses
    expect(asked().filter((each) => each.includes('round-2'))).toEqual([]);
    await here.wait(at);
    expect(asked().filter((each) => each.includes('round-2'))).toEqual([0, 1, 2].map((seat) => `${seat} round-2/day-1`));
  });
});

describe('the holder of a seat', () => {
  it('is either its person or its mind', async () => {
    await here.seated(at, { minds: [5], options: LONG });
    expect(reasonOf(await vote(5, 'web'))).toBe('forbidden');
    expect(reasonOf(await vote(0, 'player'))).toBe('forbidden');
    expect(await here.count('answered')).toBe(0);
    for (const [seat, source] of [
      [5, 'player'],
      [0, 'web'],
    ] as const)
      expect(reasonOf(await vote(seat, source))).toBeUndefined();

    await hand(0, 'mind');
    expect(reasonOf(await vote(0, 'web'))).toBe('forbidden');
    expect(reasonOf(await vote(0, 'player'))).not.toBe('forbidden');
    await hand(0, 'person');
    expect(reasonOf(await vote(0, 'player'))).toBe('forbidden');
    expect(reasonOf(await vote(0, 'web'))).not.toBe('forbidden');
  });

  it('is told why the other was refused, as recorded', async () => {
    await here.seated(at, { options: LONG });
    const tape = await here.tapeOf();
    expect(await vote(0, 'player')).toMatchObject({
      performative: 'refuse',
      data: { reason: 'forbidden', detail: expect.stringContaining('person') },
    });
    await hand(1, 'mind');
    expect(await vote(1, 'web')).toMatchObject({
      performative: 'refuse',
      data: { reason: 'forbidden', detail: expect.stringContaining('mind') },
    });
    expect((await here.tapeOf()).slice(tape.length).map(({ event }) => event.type)).toEqual(['refused', 'handed', 'refused']);
  });

  it('is asked by a new message at each handover', async () => {
    await here.seated(at, { options: LONG });
    for (const to of ['mind', 'person', 'mind'] as const) await hand(0, to);
    expect(asked()).toEqual(['0 round-1/day-1', '0 round-1/day-1']);
    expect(new Set(at.of('seat.decide').map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ['a seat that is there but empty', 1, 'mind', 'not-joined'],
    ['a seat that is not there', 9, 'mind', 'not-an-option'],
    ['somebody who has it already', 0, 'person', 'already-seated'],
  ] as const)('does not become %s', async (_, seat, to, reason) => {
    await at.get('table.open', { rules: 'maw', seats: [0, 1, 2].map(() => ({ kind: 'person' as const })) });
    await at.get('table.join', { name: 'P0' });
    const tape = await here.tapeOf();
    expect(reasonOf(await hand(seat, to))).toBe(reason);
    expect(await here.tapeOf()).toEqual(tape);
  });

  it('changes once for repeated messages', async () => {
    await here.seated(at, { options: LONG });
    for (let n = 0; n < 2; n++) expect(await at.get('table.hand', { seat: 0, to: 'mind' }, { id: 'h' })).toEqual({ seat: 0 });
    expect(await here.count('handed')).toBe(1);
    expect(new Set(at.of('seat.decide').map(({ id }) => id)).size).toBe(1);
  });

  it('must have joined', async () => {
    await at.get('table.open', { rules: 'maw', seats: [0, 1, 2].map(() => ({ kind: 'person' as const })) });
    const talk = { seat: 1, question: 'lobby-0/lobby', says: ['hello'] };
    expect(reasonOf(await at.ask('table.act', talk))).toBe('not-joined');
    expect(reasonOf(await at.ask('table.act', { ...talk, seat: 7 }))).toBe('not-an-option');
    await at.get('table.join', { name: 'P1', seat: 1 });
    expect(reasonOf(await at.ask('table.act', talk))).toBeUndefined();
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ADMIN, startTestWeb, type TestWeb } from '../web.suite.ts';

let here: TestWeb;
let spectator: string;
beforeEach(async () => {
  here = await startTestWeb();
  here.addTable('t1', { rules: 'maw', seats: [{ kind: 'person' }, { kind: 'person' }] });
  spectator = await here.mint({ role: 'spectator', table: 't1' });
});
afterEach(() => here.close());

describe('GET /tables/:table/rooms/:room/who', () => {
  it('needs the seat, and takes the full name, encoded or not', async () => {
    const seat0 = await here.mint({ role: 'seat', table: 't1', seat: 0 });
    for (const room of ['round-1%2Fday-1%2FVillage', 'round-1/day-1/Village'])
      expect((await here.get(`/tables/t1/rooms/${room}/who`, seat0)).body).toMatchObject({ isOpen: true, members: [{ seat: 0 }] });
    expect(here.heard('room.who').map(({ data }) => data)).toEqual(
      Array.from({ length: 2 }, () => ({ room: 'round-1/day-1/Village', seat: 0 })),
    );
    expect((await here.get('/tables/t1/rooms/Village/who?as=seat:1', ADMIN)).status).toBe(200);
    expect((await here.get('/tables/t1/rooms/Village/who', ADMIN)).status).toBe(403);
    for (const room of ['no%20room', 'x'.repeat(201)])
      expect((await here.get(`/tables/t1/rooms/${room}/who`, seat0)).body.reason).toBe('room-closed');
    expect((await here.get('/tables/t1/rooms/Village/who', spectator)).status).toBe(403);
    expect((await here.get('/tables/t1/rooms/Village/who')).status).toBe(401);
  });
});

describe('GET /tables/:table/thoughts', () => {
  it('shows what minds thought to administrators only', async () => {
    const at = '/tables/t1/thoughts?decision=7&seat=2&after=3&limit=5';
    expect((await here.get(at, ADMIN)).body).toMatchObject({ decisions: [{ n: 7, seat: 2 }], thoughts: [{ step: 1 }], more: false });
    expect(here.heard('mind.thoughts')[0]!.data).toEqual({ seat: 2, decision: 7, after: 3, limit: 5 });
    const others = [
      spectator,
      await here.mint({ role: 'spectator', table: 't1', view: 'narrator' }),
      await here.mint({ role: 'seat', table: 't1', seat: 0 }),
      await here.mint({ role: 'join', table: 't1' }),
    ];
    for (const token of others) expect((await here.get(at, token)).status).toBe(403);
    expect((await here.get(at)).status).toBe(401);
    expect(here.heard('mind.thoughts')).toHaveLength(1);
  });

  it('answers eyes that may not know alike for the seats of minds and of people, with equal work', async () => {
    here.addTable('t5', { rules: 'maw', spectators: 'narrator', seats: [{ kind: 'mind' }, { kind: 'person' }, { kind: 'person' }] });
    const { summary } = here.tables.get('t5')!;
    const eyes = [
      await here.mint({ role: 'seat', table: 't5', seat: 2 }),
      await here.mint({ role: 'spectator', table: 't5', view: 'narrator' }),
      await here.mint({ role: 'spectator', table: 't5' }),
      await here.mint({ role: 'join', table: 't5' }),
    ];
    const paths = ['thoughts?seat=N', 'view?as=seat:N', 'tape?as=seat:N', 'events?as=seat:N', 'rooms/round-1/day-1/Village/who?as=seat:N'];
    for (const terms of [
      { stage: 'round', afterwards: 'everybody', insight: 'after' },
      { stage: 'over', afterwards: 'nobody', insight: 'never' },
    ]) {
      Object.assign(summary, terms);
      for (const token of eyes)
        for (const path of paths) {
          const [ofMind, ofPerson] = [await answerAndWork(path, 0, token), await answerAndWork(path, 1, token)];
          expect([path, ofMind.status]).toEqual([path, 403]);
          expect(ofPerson).toEqual(ofMind);
        }
    }
    expect(here.heard('mind.thoughts')).toEqual([]);
    Object.assign(summary, { stage: 'over', afterwards: 'seats', insight: 'after' });
    for (const seat of [0, 1]) expect((await here.get(`/tables/t5/thoughts?seat=${seat}`, eyes[0])).status).toBe(200);
  });

  /** What a request about a seat is answered with, and what it made other services do; without the number of the seat. */
  async function answerAndWork(path: string, seat: number, token: string | undefined) {
    const before = here.heard('table.view').length;
    const { status, text, headers } = await here.get(`/tables/t5/${path.replace('N', String(seat))}`, token);
    const work = here
      .heard('table.view')
      .slice(before)
      .map(({ data }) => data);
    return { status, text: text.replaceAll(`seat:${seat}`, 'seat:N'), names: [...headers.keys()], work };
  }

  it('finds a decision by its id, and refuses unknown tables and wrong queries', async () => {
    await here.get('/tables/t1/thoughts?decision=t1%2FW45MbCh', ADMIN);
    expect(here.heard('mind.thoughts')[0]!.data).toEqual({ decision: 't1/W45MbCh', after: 0, limit: 100 });
    expect((await here.get('/tables/t9/thoughts', ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-game' });
    expect((await here.get('/tables/t1/thoughts?seat=x&limit=0', ADMIN)).body.errors).toHaveLength(2);
  });
});

describe('GET /rules and /models', () => {
  it('shows rules with the options of the query to any token', async () => {
    expect((await here.get('/rules', ADMIN)).body.sets[0].name).toBe('maw');
    expect((await here.get('/rules/maw?players=5&option.seer=true&option.dayMs=1000', ADMIN)).body.name).toBe('maw');
    expect(here.heard('table.rules')[1]!.data).toEqual({ rules: 'maw', players: 5, options: { seer: 'true', dayMs: '1000' } });
    expect((await here.get('/rules/chess', ADMIN)).body).toMatchObject({ status: 404, reason: 'unknown-rules' });
    expect((await here.get('/rules/maw?players=0&colour=red', ADMIN)).body.errors).toHaveLength(2);
  });

  it('shows recipes to any token', async () => {
    expect((await here.get('/recipes', spectator)).body.recipes[0]).toMatchObject({ name: 'react', parameters: [{ name: 'temperature' }] });
    expect((await here.get('/recipes')).status).toBe(401);
  });

  it('shows models to those who may open tables', async () => {
    expect((await here.get('/models', ADMIN)).body).toMatchObject({ default: 'llama3.1' });
    expect((await here.get('/models')).status).toBe(401);
    expect((await here.get('/models', spectator)).status).toBe(403);
  });
});

import type { BodyOf } from '@maw/contracts/http/routes.ts';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiProblem } from '@maw/api-client/problem.ts';
import type { WebClient } from '../../clients/web-client.ts';
import { findKeptSeat, keepSeat } from './kept-seats.ts';
import type { Game } from '../play-options.ts';

describe('a kept seat', () => {
  let data: string;
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'maw-seats-'));
  });
  afterEach(() => rm(data, { recursive: true, force: true }));

  /** A system whose tables have these stages; the others are unknown to it. */
  const systemWith = (stages: { readonly [table: string]: string }, at = 'http://web'): WebClient => {
    const web = {
      at,
      as: () => web,
      async table(table: string) {
        if (stages[table] === undefined) throw new ApiProblem(404, 'unknown-game', table);
        return { rules: 'maw', stage: stages[table] };
      },
      makeToken: async ({ table, seat }: { readonly table: string; readonly seat: number }) => ({ token: `made for ${table} ${seat}` }),
    };
    return web as unknown as WebClient;
  };
  const game = (web: WebClient, isRemote: boolean, rules = 'maw') =>
    ({ web, isRemote, options: { data, rules } }) as unknown as Pick<Game, 'web' | 'isRemote' | 'options'>;
  const seat = (table: string) => ({ table, seat: 2, token: `token of ${table}` });

  it('is not looked for in a damaged file, which stays as it is', async () => {
    const here = game(systemWith({}), true);
    for (const text of ['{"http://web t Ann', '[1]', '']) {
      await writeFile(join(data, 'seats.json'), text);
      for (const use of [() => findKeptSeat(here, 'Ann', undefined), () => keepSeat(here, 'Ann', seat('t'))])
        await expect(use()).rejects.toThrow(/seats\.json is damaged: .* Mend it, or delete it/);
      expect(await readFile(join(data, 'seats.json'), 'utf8')).toBe(text);
    }
  });

  it('is the latest of this person at a table of these rules that is not over', async () => {
    const here = game(systemWith({ 'playing': 'round', 'over': 'over', 'of-bob': 'round' }), true);
    for (const table of ['playing', 'over', 'gone']) await keepSeat(here, 'Ann', seat(table));
    await keepSeat(here, 'Bob', seat('of-bob'));
    expect(await findKeptSeat(here, 'Ann', undefined)).toEqual({ table: 'playing', token: 'token of playing' });
    expect(await findKeptSeat(game(here.web, true, 'avalon'), 'Ann', undefined)).toBeUndefined();
    expect(await findKeptSeat(game(systemWith({ playing: 'round' }, 'http://other'), true), 'Ann', undefined)).toBeUndefined();
    expect((await stat(join(data, 'seats.json'))).mode & 0o777).toBe(0o600);
  });

  it('is the one at a named table, also when that is over', async () => {
    const here = game(systemWith({ playing: 'round', over: 'over' }), true);
    for (const table of ['over', 'playing']) await keepSeat(here, 'Ann', seat(table));
    expect(await findKeptSeat(here, 'Ann', 'over')).toEqual({ table: 'over', token: 'token of over' });
  });

  it('of a game in one process is found at the next start, with a new token', async () => {
    await keepSeat(game(systemWith({}, 'http://127.0.0.1:1'), false), 'Ann', seat('playing'));
    const later = game(systemWith({ playing: 'pause' }, 'http://127.0.0.1:2'), false);
    expect(await findKeptSeat(later, 'Ann', undefined)).toEqual({ table: 'playing', token: 'made for playing 2' });
  });

  it('at a table that is over gets no new token', async () => {
    const made: BodyOf<'POST /tokens'>[] = [];
    const web = { ...systemWith({ over: 'over' }), makeToken: async (wanted: BodyOf<'POST /tokens'>) => void made.push(wanted) };
    const here = game(web as unknown as WebClient, false);
    await keepSeat(here, 'Ann', seat('over'));
    expect(await findKeptSeat(here, 'Ann', undefined)).toBeUndefined();
    expect(made).toEqual([]);
  });

  it('is forgotten after a hundred later ones', async () => {
    const here = game(systemWith({ first: 'round', second: 'round' }), true);
    const tables = ['first', 'second', ...Array.from({ length: 98 }, (_, n) => `gone-${n}`)];
    await writeFile(
      join(data, 'seats.json'),
      JSON.stringify(Object.fromEntries(tables.map((table) => [`http://web ${table} Ann`, 'token']))),
    );
    await keepSeat(here, 'Ann', seat('gone-last'));
    expect(await findKeptSeat(here, 'Ann', undefined)).toMatchObject({ table: 'second' });
    expect(await findKeptSeat(here, 'Ann', 'first')).toBeUndefined();
  });

  it('is not lost while nothing answers', async () => {
    const web = { ...systemWith({}), table: () => Promise.reject(new ApiProblem(0, 'no-door', 'nothing answers')) };
    const here = game({ ...web, as: () => web } as unknown as WebClient, true);
    await keepSeat(here, 'Ann', seat('playing'));
    await expect(findKeptSeat(here, 'Ann', undefined)).rejects.toThrow('nothing answers');
  });
});

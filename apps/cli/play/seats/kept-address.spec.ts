import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryStore } from '@maw/tests/equipment/memory-store/memory-store.ts';
import { createWebClient } from '../../clients/web-client.ts';
import { startInProcessSystem } from '../../in-process-system.ts';
import type { Game } from '../play-options.ts';
import { printInvitations, readInvitation } from './invitations.ts';
import { keepAddress, keptAddress } from './kept-address.ts';

describe('a host who starts again', () => {
  let data: string;
  const notes: string[] = [];
  beforeEach(async () => {
    notes.length = 0;
    data = await mkdtemp(join(tmpdir(), 'maw-address-'));
  });
  afterEach(() => rm(data, { recursive: true }));
  const game = () => ({ options: { data }, note: (text: string) => void notes.push(text) }) as unknown as Pick<Game, 'options' | 'note'>;

  it('has the same address and the same codes, and its guests keep their seats', async () => {
    const store = { ...memoryStore(), close: async () => undefined };
    const start = async () => {
      const kept = await keptAddress(game());
      const system = await startInProcessSystem({ ...kept, store, models: undefined, maxWaitMs: 1, logLevel: 'silent' });
      await keepAddress(game(), { ...kept, port: Number(new URL(system.web.at).port) });
      return system;
    };
    const invitations = async ({ web }: Awaited<ReturnType<typeof start>>, table: string): Promise<readonly string[]> => {
      const printed: string[] = [];
      await printInvitations({ web, note: (text) => printed.push(text), isOnNetwork: false, isForPage: true, host: 'Ann' }, table);
      return printed.map((text) => text.split('\n')[1]!.trim());
    };
    const first = await start();
    const { table } = await first.web.open({ rules: 'maw', players: 3, people: 3, lobbyMs: 3_600_000, rounds: 1, options: {} });
    await first.web.join(table, 'Ann');
    const [ofBo, ofCy] = await invitations(first, table);
    expect(ofBo).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/j#[0-9A-Z]{10}$/);
    const { at, token } = await readInvitation(ofBo!);
    const { token: bo, seat } = await createWebClient(at, token).join(table, 'Bo');
    await first.close();

    const second = await start();
    expect(second.web.at).toBe(first.web.at);
    expect((await createWebClient(at, bo).table(table)).players[seat]!.name).toBe('Bo');
    const [back, same] = await invitations(second, table);
    expect([same, back === ofBo]).toEqual([ofCy, false]);
    expect(await readInvitation(back!)).toMatchObject({ at, table, seat });
    const known = await invitations(second, table);
    // One that was revoked is replaced.
    const { id } = await second.web.api.post('/links/open', {}, { code: same!.slice(-10) });
    await second.web.api.delete('/tokens/:id', { id });
    const [stays, renewed] = await invitations(second, table);
    expect([known, stays, renewed === same]).toEqual([[back, same], back, false]);
    await expect(readInvitation(same!)).rejects.toThrow('was taken back');
    await second.close();
    expect((await stat(join(data, 'host.json'))).mode & 0o777).toBe(0o600);
    expect(notes).toEqual([]);
  });

  it('has a new address, and says so, where another program has the old one, and none from a file that is damaged', async () => {
    const other = createServer().listen({ host: '127.0.0.1', port: 0 });
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const secret = 's'.repeat(43);
    await keepAddress(game(), { port, secret });
    expect(await keptAddress(game())).toEqual({ port: 0, secret });
    expect(notes).toEqual([expect.stringContaining(`the port ${port} now`)]);
    other.close();
    for (const text of ['', '{"port":', '{"port":80}', '{"port":80,"secret":"short"}', '[]']) {
      await writeFile(join(data, 'host.json'), text);
      const fresh = await keptAddress(game());
      expect([fresh.port, fresh.secret.length > 32, fresh.secret === secret]).toEqual([0, true, false]);
    }
  });

  it('is no host for a link to watch', async () => {
    const system = await startInProcessSystem({ store: memoryStore(), port: 0, models: undefined, maxWaitMs: 1, logLevel: 'silent' });
    const { table } = await system.web.open({ rules: 'maw', players: 3, people: 3, rounds: 1, options: {} });
    const { code } = await system.web.makeToken({ role: 'spectator', table, isLink: true });
    await expect(readInvitation(`${system.web.at}/j#${code}`)).rejects.toThrow('this link is for watching');
    await system.close();
  });
});

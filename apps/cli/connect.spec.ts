import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { lockFolder } from '@maw/store/driver/folder-lock.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { readCliConfig } from './config.ts';
import { connectToWeb } from './connect.ts';
import { isSystemRunning, writeConnectionFile, readConnectionFile } from './clients/connection-file.ts';

const minute = 60_000;
const one = { url: 'http://127.0.0.1:2', token: 'one' };
const other = { url: 'http://127.0.0.1:3', token: 'other' };
const folder = temporaryFolder();

describe('the connection file', () => {
  it('is ignored when it is truncated', async () => {
    await writeFile(join(folder, 'door.json'), '{"url":"http');
    expect([await readConnectionFile(folder), await isSystemRunning(folder)]).toEqual([undefined, false]);
    const { remove } = await writeConnectionFile(folder, one);
    expect([await readConnectionFile(folder), (await stat(join(folder, 'door.json'))).mode & 0o777]).toEqual([one, 0o600]);
    await remove();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is removed by its writer, unless another process has overwritten it', async () => {
    const first = await writeConnectionFile(folder, one);
    const second = await writeConnectionFile(folder, other);
    await first.remove();
    expect(await readConnectionFile(folder)).toEqual(other);
    await second.remove();
    expect(await readConnectionFile(folder)).toBeUndefined();
    await second.remove();
  });

  it(
    'counts as running while its port accepts connections, even without a response',
    async () => {
      expect(await isSystemRunning(folder)).toBe(false);
      const { remove } = await writeConnectionFile(folder, one);
      expect(await isSystemRunning(folder)).toBe(false);
      await remove();
      const server = createServer(() => undefined).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const open = await writeConnectionFile(folder, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: 't' });
      expect(await isSystemRunning(folder)).toBe(true);
      server.closeAllConnections();
      await once(server.close(), 'close');
      expect(await isSystemRunning(folder)).toBe(false);
      await open.remove();
    },
    10 * minute,
  );
});

describe('connectToWeb', () => {
  it('waits for a system that starts in the folder instead of failing', async () => {
    const data = join(folder, 'starting');
    const lock = await lockFolder(join(data, 'tables'));
    const server = createServer((_, res) => res.end('{}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const connected = connectToWeb({ data }, readCliConfig({}));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const file = await writeConnectionFile(data, { url, token: 't' });
    expect((await connected).web.at).toBe(url);
    await file.remove();
    await lock.release();
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
});

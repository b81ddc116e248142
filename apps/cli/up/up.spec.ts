import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startSimulator } from '@maw/ollama-sim/simulator.ts';
import { lockFolder } from '@maw/store/driver/folder-lock.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { NOTHING_NAMED, runMawHeard } from '../command.suite.ts';
import { waitUntilOpen } from './up.ts';

// How `maw up` refuses; how it runs is in up.e2e.spec.ts. Whatever it refuses, it starts nothing and leaves nothing.

jest.setTimeout(600_000);

const PASSWORD = 'open-sesame';
/** Nobody listens there, on anybody's machine. Servers that are named are taken or none: nothing is started here by mistake. */
const CLOSED = '127.0.0.1:2';
const SERVERS = { AMQP_URL: `amqp://me:${PASSWORD}@${CLOSED}`, DATABASE_URL: `postgres://me:${PASSWORD}@${CLOSED}/x` };

const cwd = temporaryFolder();
/** It asks servers that are named for a while before it gives up. */
let named: ReturnType<typeof up>;
beforeAll(async () => {
  named = up(['--data', 'servers', '--port', '0', '--model', 'sim']);
  named.catch(() => undefined); // heard below
});

const up = async (args: readonly string[], env: Record<string, string> = {}) => {
  const { code, out, err } = await runMawHeard(['up', ...args], { cwd, env: { ...NOTHING_NAMED, ...SERVERS, ...env } });
  expect(out + err).not.toContain(PASSWORD);
  expect(err).not.toMatch(/^\s+at /m);
  return { code, out, err };
};
const leftIn = async (folder: string) => (await readdir(join(cwd, folder))).filter((name) => !/^lock\./.test(name));

describe('maw up', () => {
  it('refuses options that it does not have, and numbers out of bounds', async () => {
    const wrong: readonly (readonly [readonly string[], RegExp])[] = [
      [['--port', '65536'], /'--port <n>' argument '65536' is invalid. expected a whole number from 0 to 65535/],
      [['--players', '0'], /'--players <n>' argument '0' is invalid. expected a whole number from 1 to 64/],
      [['--player', '2'], /unknown option '--player'\n\(Did you mean --players\?\)/],
      [['now'], /too many arguments/],
    ];
    await Promise.all(
      wrong.map(async ([args, error]) => expect(await up(args)).toEqual({ code: 1, out: '', err: expect.stringMatching(error) })),
    );
    expect(await readdir(cwd)).not.toContain('.maw');
  });

  it('refuses wrong terms of servers for agents before it starts anything', async () => {
    const terms = JSON.stringify([{ division: 'protocol', port: 'x' }, { division: 'chess' }]);
    const err = /^maw: AIWOLF_SERVERS is wrong: servers\[0\]\.port: .+\nservers\[1\]\.division: .+\n$/;
    expect(await up([], { AIWOLF_SERVERS: terms })).toEqual({ code: 1, out: '', err: expect.stringMatching(err) });
    expect(await readdir(cwd)).not.toContain('.maw');
  });

  it('refuses a folder that is a file', async () => {
    await writeFile(join(cwd, 'file'), '');
    const error = /^maw: the folder file cannot be used: a file is in the way; choose a folder .*, with --data\n$/;
    expect(await up(['--data', 'file'])).toEqual({ code: 1, out: '', err: expect.stringMatching(error) });
  });

  it('rejects a folder in use, naming the process', async () => {
    const lock = await lockFolder(join(cwd, 'taken'));
    const advice = `Stop that process (kill ${process.pid}) or use another folder.`;
    const err = `maw: The folder ${join(cwd, 'taken')} is in use by process ${process.pid}. ${advice}\n`;
    expect(await up(['--data', 'taken', '--port', '0'])).toEqual({ code: 1, out: '', err });
    await lock.release();
  });

  it('rejects a port in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const err = `maw: 127.0.0.1:${port} is in use; choose another with --port\n`;
    expect(await up(['--data', 'port', '--port', `${port}`])).toEqual({ code: 1, out: '', err });
    expect(await leftIn('port')).toEqual([]);
    server.close();
    await once(server, 'close');
  });

  it('rejects an unavailable model and lists the available ones', async () => {
    const sim = await startSimulator();
    const has = 'simulated:latest, simulated-thinking:latest';
    const err = `maw: the Ollama server at ${sim.url} has no model owl; it has ${has}. Fetch it with: ollama pull owl\n`;
    const none = `maw: no Ollama server answers at http://${CLOSED} (ECONNREFUSED), so owl cannot play; start Ollama, or set OLLAMA_HOST, or leave --model out\n`;
    const odd = 'maw: OLLAMA_HOST: "http://:x" is no address of a model server: write http://host:11434\n';
    const hosts = [sim.url, CLOSED, `http://me:${PASSWORD}@:x`];
    const asked = (host: string, n: number) => up(['--data', `model-${n}`, '--port', '0', '--model', 'owl'], { OLLAMA_HOST: host });
    expect(await Promise.all(hosts.map(asked))).toEqual([err, none, odd].map((each) => ({ code: 1, out: '', err: each })));
    await sim.close();
    for (const n of hosts.keys()) expect(await leftIn(`model-${n}`)).toEqual([]);
  });

  it('uses only the configured servers, and explains why each failed', async () => {
    const { code, out, err } = await named;
    expect([code, out.split('\n')[0]]).toEqual([1, expect.stringMatching(/^maw: No model plays: the simulator was asked for/)]);
    expect(err).toMatch(
      /^maw: no RabbitMQ: .*Tried: AMQP_URL: .*ECONNREFUSED 127\.0\.0\.1:2\nno PostgreSQL: .*Tried: DATABASE_URL: .*ECONNREFUSED/,
    );
    expect(await leftIn('servers')).toEqual([]);
    // The folder is free again.
    await (await lockFolder(join(cwd, 'servers'))).release();
  });
});

describe('a system that takes more than a minute to start', () => {
  const unready = ['gamemaster: broker: it cannot be reached', 'web: it does not answer yet'];
  /** A system that is looked at `minutes` times before all is ready. */
  const slow = (minutes: number, pid: () => number | undefined = () => 7) => {
    let looks = 0;
    return {
      isOpen: async () => ++looks > minutes,
      unready: async () => unready,
      running: [
        { name: 'player', pid: () => 6, close: async () => undefined },
        { name: 'web', pid, close: async () => undefined },
      ],
    };
  };
  const never = new AbortController().signal;

  it('is waited for while its processes live, and each minute it is said who is not ready', async () => {
    const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
    expect(await waitUntilOpen(slow(2), never)).toBe(true);
    const said = write.mock.calls.map(([text]) => String(text)).join('');
    write.mockRestore();
    expect(said).toBe(`maw: still starting; not ready are:\n${unready.map((line) => `  ${line}\n`).join('')}`.repeat(2));
  });

  it('is given up when a process does not stay alive, which is named with all that is not ready', async () => {
    const why = ['web does not stay alive; not ready are:', ...unready].join('\n');
    await expect(
      waitUntilOpen(
        slow(Infinity, () => undefined),
        never,
      ),
    ).rejects.toThrow(why);
    expect(
      await waitUntilOpen(
        slow(Infinity, () => undefined),
        AbortSignal.abort(),
      ),
    ).toBe(false);
  });
});

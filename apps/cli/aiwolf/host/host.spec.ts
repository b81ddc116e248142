import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { teamOfToken } from '@maw/aiwolf/connections/player-token.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { type CommandResult, runMaw } from '../../command.suite.ts';

let cwd: string;
beforeAll(async () => (cwd = await mkdtemp(join(tmpdir(), 'maw-host-'))));
afterAll(() => rm(cwd, { recursive: true, force: true }));

const host = (...args: readonly string[]): Promise<CommandResult> => runMaw(['aiwolf', 'host', ...args], { cwd });

async function freePort(): Promise<number> {
  const server = createServer().listen({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

const isListening = async (port: number): Promise<boolean> => {
  const socket = connect({ host: '127.0.0.1', port });
  return once(socket, 'connect').then(
    () => socket.destroy() !== undefined,
    () => false,
  );
};

describe('maw aiwolf host', () => {
  it('plays the games of the agents that connect, and tells how they did', async () => {
    const port = await freePort();
    const hosted = host(
      '--division',
      'protocol',
      '--games',
      '1',
      '--agents',
      '2',
      '--time-limit',
      '60000',
      '--port',
      `${port}`,
      '--logs',
      'logs',
      '--json',
    );
    await pollUntil('the server', () => isListening(port), { timeoutMs: 240_000, everyMs: 100 });
    const joined = await runMaw(['aiwolf', 'join', `tcp://127.0.0.1:${port}`, '--seats', '2', '--team', 'fox'], { cwd });
    const { code, out, err } = await hosted;
    expect({ code, joined: joined.code }).toEqual({ code: 0, joined: 0 });
    expect(err).toContain(`./maw aiwolf join tcp://127.0.0.1:${port} --seats 2`);
    const lines = out.trim().split('\n').map((line) => JSON.parse(line) as { type: string; [field: string]: unknown }); // prettier-ignore
    const only = (type: string) => lines.filter((line) => line.type === type);
    expect(only('listening')).toEqual([{ type: 'listening', url: `tcp://127.0.0.1:${port}` }]);
    expect(new Set(only('connected').map(({ agent }) => agent))).toEqual(new Set(['fox1', 'fox2']));
    expect(only('game')[0]!['agents']).toEqual(expect.arrayContaining(['fox1', 'fox2', '(rules)']));
    expect(only('fault')).toEqual([]);
    const [result] = only('result') as unknown as { games: number; agents: { agent: string; games: number; answers: number }[] }[];
    expect(result!.agents.map(({ agent, games }) => [agent, games])).toEqual([['(rules)', 3], ['fox1', 1], ['fox2', 1]]); // prettier-ignore
    expect(result!.agents[1]!.answers).toBeGreaterThan(0);
    expect(await readdir(join(cwd, 'logs'))).toEqual([expect.stringMatching(/^aiwolf-[0-9a-f]+-001\.log$/)]);
  });

  it('says at once that its port is in use', async () => {
    const server = createServer().listen({ host: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { code, err } = await host('--division', 'nlp', '--port', `${port}`);
    server.close();
    expect([code, err]).toEqual([1, `maw: 127.0.0.1:${port} is in use; choose another with --port (0 takes a free one) or --host\n`]);
  });

  it('prints tokens that it accepts', async () => {
    await writeFile(join(cwd, 'secret'), 'of the host, and of nobody else\n');
    const { code, out } = await runMaw(['aiwolf', 'token', 'fox', '--secret-file', 'secret', '--days', '1'], { cwd });
    expect(code).toBe(0);
    const shown = { url: `/ws?token=${out.trim()}`, headers: {} } as IncomingMessage;
    const accepted = (hours: number, secret = 'of the host, and of nobody else') =>
      teamOfToken(shown, secret, Date.now() + hours * 3_600_000);
    expect(await accepted(23)).toEqual({ team: 'fox' });
    expect(await accepted(25)).toMatchObject({ status: 401 });
    expect(await accepted(0, 'another')).toMatchObject({ status: 401 });
    const { err } = await runMaw(['aiwolf', 'token', 'fox1', '--secret-file', 'secret'], { cwd });
    expect(err).toBe('maw: fox1: a team ends in no digit, since each of its agents adds its number\n');
  });

  it.each([
    [[], "error: required option '--division <which>' not specified"],
    [['--division', 'tcp'], 'Allowed choices are protocol, nlp'],
    [['--division', 'protocol', '--match', 'teams'], '--match teams is for the natural-language division'],
    [['--division', 'protocol', '--secret-file', 'x'], '--secret-file is for the natural-language division'],
    [['--division', 'nlp', '--secret-file', 'none'], '--secret-file none cannot be read: ENOENT'],
    [['--division', 'nlp', '--secret-file', 'empty'], '--secret-file empty is empty; put the key in it'],
    [['--division', 'nlp', '--agents', '6'], '--agents: 6 agents do not fit at a table for 5 players'],
    [['--division', 'nlp', '--players', '2'], 'expected a whole number from 3 to 18'],
    [['--division', 'nlp', '--fill', 'nobody'], 'nobody'],
    [['--division', 'nlp', '--option', 'seers=2'], '--option: '],
    [['--division', 'nlp', '--option', 'turnMs=5'], '--option: turnMs is set by the terms of the server'],
  ])('refuses %j', async (args, why) => {
    await writeFile(join(cwd, 'empty'), '\n');
    const { code, err } = await host(...args);
    expect(code).toBe(1);
    expect(err).toContain(why);
    expect(err).not.toContain('    at ');
  });
});

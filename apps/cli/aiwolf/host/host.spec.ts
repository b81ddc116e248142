import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { teamOfToken } from '@maw/aiwolf/server/player-token.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { joinAs, legalAnswer, type PlayingAgent } from '../../../../tests/aiwolf/agents.suite.ts';
import { createWebClient, type WebClient } from '../../clients/web-client.ts';
import { type CommandResult, runMaw } from '../../command.suite.ts';
import { readCliConfig } from '../../config.ts';
import { readInvitation } from '../../play/seats/invitations.ts';
import { hostAgents } from './host.ts';

const cwd = temporaryFolder();

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

interface Held {
  readonly agent: PlayingAgent;
  /** As the server knows it. */
  readonly game: unknown;
}

/** Plays the games before this one, from 1, and resolves when it is the agent's turn there. */
async function playUntil(url: string, game: number): Promise<Held> {
  const { promise: held, resolve } = Promise.withResolvers<unknown>();
  for (let n = 1; ; n++) {
    const agent = await joinAs(url, 'fox1', (packet, memory) => {
      if (n < game || packet.request !== 'TALK') return legalAnswer(packet, memory);
      return resolve((packet['info'] as { readonly game_id: unknown }).game_id);
    });
    if (n === game) return { agent, game: await held };
    await agent.closed;
  }
}

/** Takes a seat and answers what it is asked, until the table is over. */
async function playAsPerson(invited: WebClient, table: string): Promise<void> {
  const { token } = await invited.join(table, 'Ann');
  const own = invited.as(token);
  const answered = new Set<string>();
  for await (const update of own.follow(table)) {
    for (const { id, verb, room, options } of update.kind === 'asked' ? update.asked.asked : []) {
      if (answered.size === answered.add(id).size) continue;
      if (verb === 'say') await own.speak(table, room!, 'Over');
      else await own.act(table, id, [options.find(({ is }) => is.startsWith('seat:'))!.is]);
    }
  }
  expect(answered.size).toBeGreaterThan(0);
}

describe('maw aiwolf host', () => {
  it('keeps a set that Ctrl-C ends, goes on with it, and gives it up with --new', async () => {
    const port = await freePort();
    const url = `ws://127.0.0.1:${port}/ws`;
    const start = async (...args: readonly string[]) => {
      const ctrlC = new AbortController();
      const all = ['aiwolf', 'host', '--division', 'nlp', '--agents', '1', '--time-limit', '600000', '--port', `${port}`, '--data', 'kept'];
      const ended = runMaw([...all, '--json', ...args], { cwd, signal: ctrlC.signal });
      await pollUntil('the server', () => isListening(port), { timeoutMs: 240_000, everyMs: 50 });
      const interrupted = async (): Promise<CommandResult> => {
        ctrlC.abort();
        return ended;
      };
      return { ended, interrupted };
    };
    const resultOf = ({ out }: CommandResult): unknown => JSON.parse(out.trim().split('\n').at(-1)!);

    const first = await start('--games', '2');
    const { agent, game } = await playUntil(url, 2);
    const stopped = await first.interrupted();
    expect(stopped.code).toBe(130);
    expect(stopped.err).toContain('The set is kept in kept: the same command goes on with it, and --new begins another.');
    expect(resultOf(stopped)).toMatchObject({ type: 'result', games: 1, wanted: 2, before: 0 });
    await agent.closed;

    const second = await start('--games', '2');
    const again = await playUntil(url, 1);
    expect(again.game).toBe(game);
    const { err, ...rest } = await second.interrupted();
    expect(err).toContain(`${url} goes on with what was not played to its end: fox1 return`);
    expect(err).toContain('1 of 2 games were played before.');
    expect(resultOf({ err, ...rest })).toMatchObject({ games: 1, wanted: 2, before: 1 });

    const third = await start('--games', '1', '--new');
    await joinAs(url, 'owl1');
    const ended = await third.ended;
    expect(ended.code).toBe(0);
    expect(ended.err).toContain(`${url} waits for an agent`);
    expect(resultOf(ended)).toMatchObject({ games: 1, wanted: 1, before: 0, agents: [{ agent: '(rules)' }, { agent: 'owl1' }] });
  });

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
    expect(await readdir(join(cwd, 'logs'))).toEqual(['agents', expect.stringMatching(/^aiwolf-[0-9a-f]+-001\.log$/)]);
  });

  it('invites a person, who plays beside agents to the end', async () => {
    const stop = new AbortController();
    let printed = '';
    const spies = [process.stdout, process.stderr].map((stream) =>
      jest.spyOn(stream, 'write').mockImplementation((text) => (printed += String(text)) !== ''),
    );
    const options = { division: 'protocol', players: 5, games: 1, people: 1, fill: 'rules', standIn: 'rules', port: 0, host: '127.0.0.1', timeLimit: 60_000, strict: false, match: 'any', option: {}, json: false, data: join(cwd, 'people'), new: false } as const; // prettier-ignore
    const hosted = hostAgents(options, readCliConfig({}), stop.signal);
    try {
      const shown = (pattern: RegExp): Promise<string> =>
        pollUntil(`${pattern}`, () => pattern.exec(printed)?.[1] ?? false, { timeoutMs: 240_000, everyMs: 20 });
      const url = await shown(/(tcp:\S+) waits for 4 agents/);
      const agents = await Promise.all(['a1', 'b1', 'c1', 'd1'].map((name) => joinAs(url, name)));
      const { at, table, token } = await readInvitation(await shown(/--join '(\S+)'/));
      await playAsPerson(createWebClient(at, token), table);
      for (const agent of agents) expect((await agent.closed, agent.requests().at(-1))).toBe('FINISH');
      await shown(/(The table stays open)/);
      stop.abort(); // waits no longer
      expect(await hosted).toBe(0);
    } finally {
      stop.abort();
      await hosted.catch(() => undefined);
      for (const spy of spies) spy.mockRestore();
    }
    expect(printed).toMatch(/The Lobby waits 10 minutes for the person; then rules plays instead\./);
    expect(printed).toMatch(/^Ann \(person\) +[01]\/1 /m);
    expect(printed).not.toContain('(rules)');
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
    [['--division', 'nlp', '--secret-file', 'none'], 'none: there is no such file'],
    [['--division', 'nlp', '--secret-file', 'empty'], '--secret-file empty is empty; put the key in it'],
    [['--division', 'nlp', '--agents', '6'], '--agents: 6 agents do not fit at a table for 5 players'],
    [['--division', 'nlp', '--agents', '5', '--people', '1'], '--people: 5 agents and 1 person do not fit at a table for 5 players'],
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

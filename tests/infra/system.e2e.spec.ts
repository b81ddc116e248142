import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Agent, connectLines, connectMessages } from '@maw/aiwolf-service/connections/agents.suite.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { readDeadLetters } from '@maw/bus/rabbitmq/dead-letter-admin.ts';
import { definitions } from '@maw/bus/rabbitmq/definitions.ts';
import { serviceQueues } from '@maw/bus/core/topology.ts';
import { postgresSql, postgresStore } from '@maw/store/postgres.ts';
import { migrateAsOwner, roleNames, rolesSql } from '@maw/store/sql/roles.ts';
import { createWebClient } from '@maw/cli/clients/web-client.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { startSystem, type System } from '@maw/cli/up/system.ts';
import { type CertificateAuthority, certificateAuthority } from '../equipment/servers/certificate-authority.ts';
import {
  ADMIN,
  hasPostgres,
  hasRabbitmq,
  type PrivateBroker,
  startPrivateBroker,
  type PrivateDatabase,
  startPrivateDatabase,
} from '../equipment/servers/private-servers.ts';

// All services as processes, each a user of its own with no more than it needs, over encrypted connections, with senders checked.
const MINUTE = 60_000;
const SERVICES = ['gamemaster', 'chatroom', 'llm-gateway', 'player', 'web', 'aiwolf', 'contest'] as const;
const isPossible = hasRabbitmq && hasPostgres;
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = isPossible ? describe : describe.skip;

here(`a system of services with least permissions${isPossible ? '' : ' (skipped: RabbitMQ or PostgreSQL is not here)'}`, () => {
  let ours: CertificateAuthority;
  let broker: PrivateBroker;
  let database: PrivateDatabase;
  let system: System;
  let folder: string;
  let agentPorts: readonly number[];
  const log: string[] = [];

  const as = (role: string, mode = '?sslmode=verify-full') => {
    const url = new URL(database.url);
    url.username = `maw_${role}`;
    url.password = 'secret';
    return url.href + mode;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-system-'));
    ours = await certificateAuthority();
    const tls = { ...(await ours.sign('server', ['DNS:localhost', 'IP:127.0.0.1'])), ca: ours.ca };
    [broker, database] = await Promise.all([
      startPrivateBroker({ vhost: 'maw', definitions: definitions({ vhost: 'maw', passwordOf: (user) => `${user}-secret` }), tls }),
      startPrivateDatabase(tls),
    ]);
    const admin = postgresSql({ url: database.url });
    await admin.query(rolesSql());
    for (const role of roleNames()) await admin.query(`alter role ${role} password 'secret'`);
    await admin.close();
    const owner = postgresSql({ url: as('owner', '') });
    await migrateAsOwner(owner);
    await owner.close();
    const file = async (name: string, text: string) => {
      await writeFile(join(folder, name), text, { mode: 0o600 });
      return join(folder, name);
    };
    const certificates = { AMQP_CA_FILE: await file('ca.pem', ours.ca), DATABASE_CA_FILE: await file('ca.pem', ours.ca) };
    const env: Record<string, Record<string, string>> = { all: { ...certificates, AMQP_DECLARE: 'no', AMQP_CHECK_SENDER: 'yes' } };
    for (const service of SERVICES) {
      const { cert, key } = await ours.sign(service);
      env[service] = {
        AMQP_URL: broker.tlsUrlOf(service, `${service}-secret`),
        AMQP_CERT_FILE: await file(`${service}.pem`, cert),
        AMQP_KEY_FILE: await file(`${service}.key`, key),
        DATABASE_URL: as(service.replace('-', '_')),
      };
    }
    env['player']!['MAX_WAIT_S'] = '1';
    env['llm-gateway']!['RECORD'] = 'record';
    agentPorts = await freePorts(2);
    env['aiwolf']!['AIWOLF_SERVERS'] = JSON.stringify(
      ['protocol', 'natural'].map((division, i) => ({ division, port: agentPorts[i], agents: 1, games: 1, sets: 1, answerMs: MINUTE })),
    );
    env['ollama-sim'] = { SIM_DECODE_MS_PER_TOKEN: '2' };
    const given = { amqpUrl: 'amqp://nobody@127.0.0.1:1', databaseUrl: 'postgres://nobody@127.0.0.1:1/none', port: 0, graceMs: 3_000 };
    system = await startSystem({ ...given, base: process.env, env, say: (line) => void log.push(line) });
    if (!(await system.isOpen(5 * MINUTE))) throw new Error(`the services did not start:\n${log.slice(-30).join('\n')}`);
  }, 10 * MINUTE);
  afterAll(async () => {
    await system?.close();
    await broker?.close();
    await database?.close();
    await ours?.close();
    await rm(folder, { recursive: true, force: true });
  }, 10 * MINUTE);

  /** No forgery, no access denied, no dead letter, at any service. */
  async function expectNoFault(): Promise<void> {
    const admin = broker.urlOf(ADMIN.name, ADMIN.password);
    for (const { queue } of serviceQueues) expect([queue, await readDeadLetters(admin, queue, 10)]).toEqual([queue, []]);
    for (const [name, url] of system.ops) {
      const text = await (await fetch(`${url}/metrics`)).text();
      // Nobody asks the service of contests for anything.
      if (name !== 'contest') expect([name, text]).toEqual([name, expect.stringContaining('maw_messages_taken_total{')]);
      expect([name, text.match(/^maw_messages_forged_total\{.*\} [1-9].*$/gm)]).toEqual([name, null]);
    }
    expect(log.filter((line) => /access.refused|permission denied|forged/i.test(line))).toEqual([]);
  }

  it(
    'plays a game to its end without forgeries, denied access or dead letters',
    async () => {
      const at = createWebClient(system.url, system.adminToken);
      const { table } = await at.open({
        rules: 'maw',
        players: 6,
        seats: Array.from({ length: 6 }, (_, seat) => ({ kind: 'mind' as const, recipe: seat % 2 ? 'algorithm-1' : 'rules' })),
        rounds: 1,
        seed: 'infra',
        options: { dayMs: 5_000, nightMs: 4_000, maxDays: 1 },
      });
      for await (const news of at.follow(table, { as: 'narrator' })) if (news.kind === 'over') break;
      const store = await postgresStore({ url: as('reader'), tls: { ca: ours.ca } });
      expect(await store.tapes.result(table)).toMatchObject({ winner: expect.any(String) });
      expect((await store.thoughts.list(table)).length).toBeGreaterThan(0);
      expect((await store.recordings.list('default', { limit: 1 })).length).toBeGreaterThan(0);
      await store.close();
      await expectNoFault();
    },
    10 * MINUTE,
  );

  it(
    'lets outside agents of both divisions play to the end of their sets',
    async () => {
      const [lines, messages] = [`tcp://127.0.0.1:${agentPorts[0]}`, `ws://127.0.0.1:${agentPorts[1]}/ws`];
      const requests = await Promise.all([await connectLines(lines), await connectMessages(messages)].map(playAsAgent));
      for (const each of requests) expect(each).toEqual(expect.arrayContaining(['NAME', 'INITIALIZE', 'TALK', 'VOTE', 'FINISH']));
      const store = await postgresStore({ url: as('reader'), tls: { ca: ours.ca } });
      await pollUntil('the end of both sets', async () => (await store.agentSets.running()).length === 0, { timeoutMs: 5 * MINUTE });
      const tables = await store.tapes.list({ limit: 10, rules: 'aiwolf' });
      for (const { table, summary } of tables) {
        expect(summary).toMatchObject({ stage: 'over' });
        expect((await store.agentSets.get(table))!.agents).toMatchObject([{ name: 'tester1' }]);
      }
      expect(tables).toHaveLength(2);
      await store.close();
      await expectNoFault();
    },
    10 * MINUTE,
  );

  it(
    'plays a contest to its end, with what its models took',
    async () => {
      const contest = {
        name: 'one',
        agents: [
          { name: 'a', recipe: 'algorithm-1' },
          { name: 'b', recipe: 'rules' },
        ],
        games: [{ rules: 'onuw', players: 3, options: { hurry: true, talkRounds: 1, stepMs: 2_000, turnMs: 3_000, voteMs: 3_000 } }],
        schedule: { kind: 'cells', deals: 1, cells: [{ name: 'x', seats: { 1: 'a' }, others: 'b' }] },
      };
      const headers = { 'Authorization': `Bearer ${system.adminToken}`, 'Content-Type': 'application/json' };
      const get = async (path: string) => (await fetch(`${system.url}${path}`, { headers })).json() as Promise<Record<string, unknown>>;
      const { status } = await fetch(`${system.url}/contests`, { method: 'POST', headers, body: JSON.stringify({ contest }) });
      expect(status).toBe(201);
      const isOver = async () => ((await get('/contests/one'))['summary'] as { state: string }).state !== 'running';
      await pollUntil('the end of the contest', isOver, { timeoutMs: 5 * MINUTE });
      expect(await get('/contests/one')).toMatchObject({ summary: { state: 'finished', play: 'tables' }, games: 1, void: 0 });
      const { results } = await get('/contests/one/results?records=true');
      expect(results).toMatchObject([{ number: 0, usage: [{ agent: 'a', calls: expect.any(Number) }], records: [{ rules: 'onuw' }] }]);
      await expectNoFault();
    },
    10 * MINUTE,
  );
});

interface Packet {
  readonly request: string;
  readonly gameInfo?: { readonly agent: number };
  readonly info?: { readonly agent: string; readonly status_map: { readonly [name: string]: string } };
}

/** Answers every request until the server hangs up, and returns the requests. */
async function playAsAgent(agent: Agent): Promise<readonly string[]> {
  const requests = new Set<string>();
  let target = JSON.stringify({ agentIdx: 1 });
  for (let packet = await agent.next(); packet !== undefined; packet = await agent.next()) {
    const { request, info, gameInfo } = JSON.parse(packet) as Packet;
    requests.add(request);
    if (gameInfo) target = JSON.stringify({ agentIdx: gameInfo.agent === 1 ? 2 : 1 });
    if (info) target = Object.entries(info.status_map).find(([name, status]) => name !== info.agent && status === 'ALIVE')?.[0] ?? target;
    if (request === 'NAME') agent.send('tester1');
    else if (request === 'ROLE') agent.send('none');
    else if (['TALK', 'WHISPER'].includes(request)) agent.send('Over');
    else if (['VOTE', 'DIVINE', 'GUARD', 'ATTACK'].includes(request)) agent.send(target);
  }
  return [...requests];
}

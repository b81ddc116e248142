import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createWebClient, type WebClient } from '@maw/cli/clients/web-client.ts';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { dotEnv } from '../equipment/containers/compose-file.ts';
import { engineHere } from '../equipment/containers/engine.ts';
import { root } from '../equipment/source/repository.ts';

// The containers of docker-compose.yml, as they are, under another name, on free ports: whatever else runs from this folder is let be.
const MINUTE = 60_000;
const SERVICES = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'aiwolf', 'contest'] as const;
const found = await engineHere();
const engine = typeof found === 'string' ? undefined : found;
const missing = typeof found === 'string' ? found : '';
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = engine ? describe : describe.skip;

here(`the system of containers${engine ? '' : ` (skipped: ${missing})`}`, () => {
  const project = `maw-test-${process.pid}`;
  const adminToken = randomBytes(24).toString('base64url');
  let env: Record<string, string>;
  let at: WebClient;
  const compose = (...args: string[]): Promise<string> => engine!.compose(args, env);
  const docker = (...args: string[]): Promise<string> => engine!.docker(...args);
  const ofProject = ['--filter', `label=com.docker.compose.project=${project}`] as const;
  /** The containers of a service that run, or with `all` whatever their state. */
  const containers = async (service: string, ...all: string[]): Promise<readonly string[]> =>
    (await docker('ps', '-q', ...all, ...ofProject, '--filter', `label=com.docker.compose.service=${service}`)).split('\n').filter(Boolean);
  const inspected = async (id: string): Promise<Inspected> => (JSON.parse(await docker('inspect', id)) as [Inspected])[0];
  const note = (says: string): void => void process.stderr.write(`containers: ${says}\n`);
  const readyPlayers = async () => {
    const ids = await containers('player');
    const states = await Promise.all(ids.map(async (id) => (await inspected(id)).State.Health?.Status));
    return states.filter((status) => status === 'healthy').length;
  };

  beforeAll(async () => {
    const [webPort, rabbitmqPort, protocolPort, naturalPort] = await freePorts(4);
    env = {
      ...dotEnv,
      COMPOSE_PROJECT_NAME: project,
      COMPOSE_PROFILES: 'sim,aiwolf',
      MAW_IMAGE: `localhost/maw:${project}`,
      WEB_HOST_PORT: String(webPort),
      RABBITMQ_HOST_PORT: String(rabbitmqPort),
      AIWOLF_PROTOCOL_HOST_PORT: String(protocolPort),
      AIWOLF_NATURAL_HOST_PORT: String(naturalPort),
      MAW_ADMIN_TOKEN: adminToken,
      MAW_DEMO: '1',
    };
    at = createWebClient(`http://127.0.0.1:${webPort}`, adminToken);
    const began = Date.now();
    await compose('build');
    note(`built in ${seconds(began)}; the image has ${mb(await docker('image', 'inspect', '-f', '{{.Size}}', env['MAW_IMAGE']!))}`);
  }, 20 * MINUTE);
  afterAll(async () => {
    await compose('down', '-v', '--remove-orphans').catch(() => undefined);
    await docker('image', 'rm', '-f', env['MAW_IMAGE']!).catch(() => undefined);
  }, 5 * MINUTE);

  it(
    'starts with one command, opens a table and plays it to its end',
    async () => {
      const began = Date.now();
      await compose('up', '-d');
      const table = await pollUntil('the demonstration', async () => (await at.tables().catch(() => []))[0]?.table, {
        timeoutMs: 10 * MINUTE,
      });
      let firstMove: number | undefined;
      for await (const news of at.follow(table, { as: 'narrator' })) {
        if (news.kind === 'over') break;
        if (news.kind === 'seen' && news.seen.event.type === 'answered') firstMove ??= news.seen.at;
      }
      expect(await at.table(table)).toMatchObject({ stage: 'over', rules: 'maw' });
      expect(firstMove).toBeDefined();
      note(`the first move came ${((firstMove! - began) / 1_000).toFixed(1)} s after docker compose up`);
      for (const service of SERVICES) expect([service, (await containers(service)).length]).toEqual([service, 1]);
      const log = await compose('logs', '--no-color', 'rabbitmq', ...SERVICES);
      expect(log.split('\n').filter((line) => /access.refused|permission denied|forged|ROFS|read-only/i.test(line))).toEqual([]);
    },
    15 * MINUTE,
  );

  it(
    'serves the page of the console, which the image was built with',
    async () => {
      const served = (path: string): Promise<Response> =>
        fetch(`http://127.0.0.1:${env['WEB_HOST_PORT']}${path}`, { headers: { Accept: 'text/html, */*' } });
      const page = await served('/');
      const script = / src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
      expect([page.status, script]).toEqual([200, expect.any(String)]);
      const { status, headers } = await served(script!);
      expect([status, headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')]);
    },
    MINUTE,
  );

  it(
    'has the gateway’s address and key for the command line',
    async () => {
      expect(await compose('run', '--rm', '-T', 'maw', 'gateway', 'servers')).toMatch(/^server .*\n.*ollama-sim.* up/);
      expect(await compose('run', '--rm', '-T', 'maw', 'doctor')).toMatch(/^ok {2}Model servers: ollama-sim:11434 up \(4 slots\)/m);
    },
    5 * MINUTE,
  );

  it(
    'asks an outside agent for its name',
    async () => {
      const port = Number(env['AIWOLF_PROTOCOL_HOST_PORT']);
      expect(await pollUntil('the first packet', () => firstPacket(port), { timeoutMs: 5 * MINUTE })).toContain('NAME');
    },
    5 * MINUTE,
  );

  it(
    'gives containers no writable files, no rights and no foreign secrets',
    async () => {
      for (const service of SERVICES) {
        const [id = ''] = await containers(service);
        const { Config, HostConfig, Mounts } = await inspected(id);
        expect({ service, user: Config.User, sealed: HostConfig.ReadonlyRootfs, rights: HostConfig.CapDrop }).toEqual({
          service,
          user: '10001:10001',
          sealed: true,
          rights: ['ALL'],
        });
        expect(Mounts.map(({ Destination, RW }) => [Destination, RW])).toEqual([[`/run/maw/${service}`, false]]);
        expect(Config.Env.filter((each) => /^(?!\w+_FILE=)\w*(PASSWORD|SECRET|TOKEN|URL)\w*=./.test(each))).toEqual([]);
      }
      const [web = ''] = await containers('web');
      const tests = `const { globSync } = require('node:fs'); console.log(globSync('{apps,libs,services}/**/*.{spec,suite}.ts').length)`;
      expect(await docker('exec', web, 'node', '--no-warnings', '-e', tests)).toBe('0');
      const [broker = ''] = await containers('rabbitmq');
      const users = (await docker('exec', broker, 'rabbitmqctl', '-q', 'list_users')).split('\n').map((line) => line.split('\t')[0]!);
      expect(users.filter((user) => user !== 'user').toSorted()).toEqual([...SERVICES, 'monitoring', 'operator'].toSorted());
      note(
        (await docker('stats', '--no-stream', '--format', '{{.Name}} {{.MemUsage}}'))
          .split('\n')
          .filter((line) => line.startsWith(project))
          .join('; '),
      );
    },
    5 * MINUTE,
  );

  it(
    'continues with three players when one is killed, without dead letters',
    async () => {
      await compose('up', '-d', '--no-recreate', '--scale', 'player=3', 'player');
      await pollUntil('three players', async () => (await readyPlayers()) === 3, { timeoutMs: 5 * MINUTE });
      const { table } = await at.open({
        rules: 'maw',
        players: 6,
        seats: Array.from({ length: 6 }, () => ({ kind: 'mind' as const, recipe: 'algorithm-1' })),
        rounds: 1,
        options: { dayMs: 15_000, nightMs: 10_000, maxDays: 4 },
      });
      let isKilled = false;
      for await (const news of at.follow(table, { as: 'narrator' })) {
        if (news.kind === 'over') break;
        if (!isKilled && news.kind === 'seen' && news.seen.event.type === 'answered') {
          isKilled = true;
          await docker('kill', (await containers('player'))[0]!);
        }
      }
      expect(isKilled).toBe(true);
      expect(await containers('player')).toHaveLength(2);
      expect(await at.table(table)).toMatchObject({ stage: 'over' });
      for (const queue of ['gamemaster', 'chatroom', 'player', 'llm-gateway'])
        expect([queue, await compose('run', '--rm', '-T', 'maw', 'dead', queue, '--json')]).toEqual([queue, '']);
    },
    15 * MINUTE,
  );

  it(
    'restores a backup beside the live database, finds it good, and removes what it restored',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'maw-backup-'));
      const dump = join(folder, 'maw.dump');
      // In a shell: a dump is no text.
      const typed = async (command: string) =>
        (await promisify(execFile)('/bin/sh', ['-c', command], { cwd: root, env: { ...process.env, ...env } })).stdout;
      try {
        const [postgres] = await containers('postgres');
        await typed(`docker exec ${postgres!} pg_dump -U postgres -Fc maw > ${dump}`);
        expect(await typed(`infra/docker/restore-test.sh ${dump}`)).toMatch(/^This backup can be restored: \d+ tables?, \d+ events/m);
        expect(await compose('exec', '-T', 'postgres', 'psql', '-U', 'postgres', '-Atc', 'select datname from pg_database')).not.toContain(
          'restore_test',
        );
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    5 * MINUTE,
  );

  it(
    'stops cleanly and leaves nothing behind',
    async () => {
      const stopped = (await Promise.all(SERVICES.map((service) => containers(service)))).flat();
      expect(stopped).toHaveLength(SERVICES.length + 1);
      await compose('stop');
      const codes = await Promise.all(stopped.map(async (id) => (await inspected(id)).State.ExitCode));
      expect(codes).toEqual(stopped.map(() => 0));
      await compose('down', '-v', '--remove-orphans');
      expect(await docker('ps', '-aq', ...ofProject)).toBe('');
      expect(await docker('volume', 'ls', '-q', ...ofProject)).toBe('');
      expect(await docker('network', 'ls', '-q', ...ofProject)).toBe('');
    },
    5 * MINUTE,
  );
});

interface Inspected {
  readonly State: { readonly ExitCode: number; readonly Health?: { readonly Status: string } };
  readonly Config: { readonly User: string; readonly Env: readonly string[] };
  readonly HostConfig: { readonly ReadonlyRootfs: boolean; readonly CapDrop: readonly string[] };
  readonly Mounts: readonly { readonly Destination: string; readonly RW: boolean }[];
}

const seconds = (since: number): string => `${((Date.now() - since) / 1_000).toFixed(1)} s`;
const mb = (bytes: string): string => `${(Number(bytes) / 1e6).toFixed(0)} MB`;

/** What a server sends first; undefined while nothing listens behind the port. */
const firstPacket = (port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(undefined)).once('close', () => resolve(undefined));
    socket.once('data', (data) => {
      resolve(data.toString());
      socket.destroy();
    });
  });

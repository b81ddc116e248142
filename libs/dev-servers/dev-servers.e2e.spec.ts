import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { connect } from 'amqplib';
import { Client } from 'pg';
import { readDevServersConfig } from './config.ts';
import { type DevServers, type DevServersOptions, startDevServers } from './dev-servers.ts';
import { findPostgres, findRabbitmq } from './local/find-programs.ts';

jest.setTimeout(600_000);

const installed = async () => {
  const { path } = readDevServersConfig();
  await Promise.all([findRabbitmq(path), findPostgres(path)]);
  return true;
};
/** Elsewhere they are skipped: they are about servers that are installed. */
const here = (await installed().catch(() => false)) ? describe : describe.skip;

let given: Record<string, string | undefined>;
let folder: string;
beforeEach(() => {
  given = { AMQP_URL: process.env['AMQP_URL'], DATABASE_URL: process.env['DATABASE_URL'], TMPDIR: process.env['TMPDIR'] };
  for (const name of Object.keys(given)) delete process.env[name];
  folder = mkdtempSync(join(tmpdir(), 'maw-lane-'));
  // The servers' accounts have to pass through.
  execFileSync('chmod', ['755', folder]);
});
const opened: DevServers[] = [];
const open = async (options: DevServersOptions) => {
  const lane = await startDevServers({ allowDocker: false, allowInstall: false, log: () => undefined, ...options });
  opened.push(lane);
  return lane;
};

afterEach(async () => {
  for (const lane of opened.splice(0)) await lane.close();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** The command lines of all processes that name this folder, in their arguments or their environment. */
function processesOf(path: string): readonly string[] {
  const lines = execFileSync('ps', ['axeww', '-o', 'pid=,stat=,args=']).toString().split('\n');
  return lines.filter((line) => line.includes(path) && !/^\s*\d+\s+Z/.test(line) && !line.includes(' ps axeww'));
}

async function hasOneMessage(url: string, queue: string, first: boolean): Promise<string | undefined> {
  const connection = await connect(url, { noDelay: true });
  const channel = await connection.createConfirmChannel();
  await channel.assertQueue(queue, { durable: true });
  if (first) {
    channel.sendToQueue(queue, Buffer.from('kept'), { persistent: true });
    await channel.waitForConfirms();
  }
  const message = await channel.get(queue, { noAck: false });
  const text = message ? message.content.toString() : undefined;
  await connection.close();
  return text;
}

async function rows(url: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const result = await client.query(sql);
  await client.end();
  return result.rows;
}

here('installed development servers', () => {
  it('starts working servers and leaves no process or file behind', async () => {
    process.env['TMPDIR'] = folder;
    const lane = await open({});
    expect(lane.missing).toEqual([]);
    expect(lane.describe).toEqual([
      expect.stringMatching(/^RabbitMQ \d+\.\d+/),
      expect.stringMatching(/^PostgreSQL \d+\.\d+ with(out)? pgvector/),
    ]);
    expect(await hasOneMessage(lane.amqpUrl!, 'letters', true)).toBe('kept');
    expect(await rows(lane.databaseUrl!, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(processesOf(folder).length).toBeGreaterThan(2);
    await lane.close();
    await lane.close();
    expect(readdirSync(folder)).toEqual([]);
    while (processesOf(folder).length) await after(50);
  });

  it('keeps its data in the data folder over a restart', async () => {
    const keep = join(folder, 'kept');
    const first = await open({ dataFolder: keep });
    await hasOneMessage(first.amqpUrl!, 'letters', true);
    await rows(first.databaseUrl!, "create table word (text text); insert into word values ('kept')");
    await first.close();
    const second = await open({ dataFolder: keep });
    expect(await hasOneMessage(second.amqpUrl!, 'letters', false)).toBe('kept');
    expect(await rows(second.databaseUrl!, 'select * from word')).toEqual([{ text: 'kept' }]);
    await second.close();
    while (processesOf(keep).length) await after(50);
  });

  it('stops when its process is killed', async () => {
    const program = `
      const { startDevServers } = await import(${JSON.stringify(new URL('dev-servers.ts', import.meta.url).href)});
      await startDevServers({ allowDocker: false, allowInstall: false });
      console.log('open');
      setInterval(() => undefined, 1_000);`;
    const env = { ...process.env, TMPDIR: folder };
    const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await new Promise((resolve) => void createInterface({ input: child.stdout }).once('line', resolve));
    expect(processesOf(folder).length).toBeGreaterThan(2);
    child.kill('SIGKILL');
    while (processesOf(folder).length || readdirSync(folder).length) await after(50);
    expect(existsSync(folder)).toBe(true);
  });
});

describe('startDevServers without servers', () => {
  it('reports each missing server with reason and remedy', async () => {
    process.env['AMQP_URL'] = 'amqp://127.0.0.1:1';
    const said: string[] = [];
    const lane = await open({ database: false, log: (line) => said.push(line) });
    expect(lane).toMatchObject({
      describe: [],
      missing: [expect.stringMatching(/^no RabbitMQ: set AMQP_URL, .* Tried: AMQP_URL: .*ECONNREFUSED/)],
    });
    expect(lane.amqpUrl).toBeUndefined();
    expect(said).toContain(lane.missing[0]);
    await lane.close();
  });

  it('starts nothing when nothing is needed', async () => {
    expect(await open({ broker: false, database: false })).toMatchObject({ describe: [], missing: [] });
  });
});

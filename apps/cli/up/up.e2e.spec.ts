import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import amqp from 'amqplib';
import { describeBroker } from '@maw/bus/rabbitmq/broker-url.ts';
import { deadLetterQueueOf } from '@maw/bus/core/topology.ts';
import { type Simulator, startSimulator } from '@maw/ollama-sim/simulator.ts';
import { lockFolder } from '@maw/store/driver/folder-lock.ts';
import { testDatabase } from '@maw/store/test-database.suite.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { NOTHING_NAMED, runMawHeard, runMawReached } from '../command.suite.ts';

// `maw up` on the broker of the tests and an empty database, and the commands that find it by the note it leaves.

jest.setTimeout(600_000);

const amqpUrl = process.env['AMQP_URL'];
const isPossible = amqpUrl !== undefined && process.env['DATABASE_URL'] !== undefined;
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = isPossible ? describe : describe.skip;
const SERVICES = ['gamemaster', 'chatroom', 'llm-gateway', 'player', 'player-2', 'web', 'contest'];
const main = join(import.meta.dirname, '../main.ts');

interface Note {
  readonly url: string;
  readonly token: string;
  readonly amqpUrl: string;
  readonly databaseUrl: string;
  readonly gateway: { readonly url: string; readonly key: string };
}

here(`maw up${isPossible ? '' : ' (skipped: AMQP_URL or DATABASE_URL is not set)'}`, () => {
  let cwd: string;
  let sim: Simulator;
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let system: ReturnType<typeof start>;
  let note: Note;
  const started: ChildProcess[] = [];
  /** What the dead letters of this spec are called. */
  const letter = `up-${randomUUID()}`;

  function start() {
    const env = { ...process.env, ...NOTHING_NAMED, AMQP_URL: amqpUrl, DATABASE_URL: database.url, OLLAMA_HOST: sim.url };
    const args = ['--no-warnings', main, 'up', '--port', '0', '--players', '2', '--model', 'simulated'];
    const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    started.push(child);
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (piece: string) => (said.out += piece));
    child.stderr.setEncoding('utf8').on('data', (piece: string) => (said.err += piece));
    const exited = once(child, 'close').then(([code]) => code as number | null);
    /** Its own lines; the others are those of the services. */
    const lines = () => said.out.split('\n').filter((line) => line.startsWith('maw: '));
    return { child, said, exited, lines };
  }
  const hasEnded = ({ child }: typeof system) => child.exitCode !== null || child.signalCode !== null;
  const noteFile = () => join(cwd, '.maw', 'door.json');
  const keysFile = () => join(cwd, '.maw', 'gateway-keys.json');
  const processes = (): readonly (readonly [string, number])[] =>
    [
      ...system
        .lines()
        .at(-1)!
        .matchAll(/([\w-]+) (\d+)/g),
    ].map(([, name, pid]) => [name!, Number(pid)] as const);
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  /** Another command beside it, to which nothing is named. */
  const beside = (...args: readonly string[]) => runMawReached(args, { cwd, env: NOTHING_NAMED });

  beforeAll(async () => {
    cwd = await mkdtemp(join(tmpdir(), 'maw-up-'));
    sim = await startSimulator();
    database = await testDatabase();
    for (;;) {
      system = start();
      const isUp = await pollUntil(
        'the services',
        () => (system.said.out.includes('maw: processes ') ? 'yes' : hasEnded(system) ? 'no' : undefined),
        { timeoutMs: 600_000 },
      );
      if (isUp === 'yes') break;
      await system.exited; // and has said all it had to say
      // A busy machine is slow, not wrong; anything else it says is.
      if (!/within a minute|no good answer within|time(d ?)?-?out/i.test(system.said.err) || started.length > 8)
        throw new Error(`it ended:\n${system.said.out}\n${system.said.err}`);
    }
    await pollUntil('the whole line', () => /maw: processes .*\n/.test(system.said.out), { timeoutMs: 600_000 });
  });
  afterAll(async () => {
    for (const child of started.filter((each) => each.exitCode === null && each.signalCode === null)) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    }
    await sim?.close();
    await database?.close();
    if (cwd) await rm(cwd, { recursive: true, force: true });
    await withoutOurs();
  });

  /** Takes what this spec has sent out of the dead letters of the broker, and leaves what is somebody else's. */
  async function withoutOurs(): Promise<void> {
    const model = await amqp.connect(amqpUrl!);
    const channel = await model.createChannel();
    for (let got = await channel.get(deadLetterQueueOf('gamemaster')); got; got = await channel.get(deadLetterQueueOf('gamemaster')))
      if (got.properties.messageId === letter) channel.ack(got);
    await channel.close(); // the rest goes back
    await model.close();
  }

  it('runs each service as a process, prints the URL and writes the token to a file', async () => {
    note = JSON.parse(await readFile(noteFile(), 'utf8')) as Note;
    expect(note).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      token: expect.any(String),
      amqpUrl,
      databaseUrl: database.url,
      gateway: { url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), key: expect.any(String) },
    });
    expect([(await stat(noteFile())).mode & 0o777, (await stat(keysFile())).mode & 0o777]).toEqual([0o600, 0o600]);
    expect(system.lines().slice(0, 1)).toEqual([`maw: simulated:latest plays, on the Ollama server 0.33.0 at ${sim.url}.`]);
    expect(system.lines().slice(-5)).toEqual([
      `maw: the web service answers at ${note.url}`,
      `maw: in a browser it is a page, which asks for a token: ${note.url}`,
      `maw: the administrator's token is in .maw/door.json; ./maw play --at ${note.url} --human NAME takes a seat`,
      `maw: models can be asked at ${note.gateway.url}/v1; ./maw gateway status shows the state of the gateway`,
      expect.stringMatching(/^maw: processes /),
    ]);
    expect(processes().map(([name]) => name)).toEqual(SERVICES);
    expect(processes().filter(([, pid]) => !isAlive(pid))).toEqual([]);
    for (const secret of [note.token, note.gateway.key, new URL(amqpUrl!).password])
      if (secret) expect(system.said.out + system.said.err).not.toContain(secret);
    expect((await fetch(`${note.url}/tables`, { headers: { Authorization: `Bearer ${note.token}` } })).status).toBe(200);
  });

  it('is found healthy by maw doctor', async () => {
    const { code, out, err } = await runMawHeard(['doctor'], { cwd, env: { ...NOTHING_NAMED, OLLAMA_HOST: sim.url } });
    expect([code, err]).toEqual([0, '']);
    expect(out.split('\n')).toEqual([
      `ok  Node: ${process.version}`,
      expect.stringMatching(
        new RegExp(`^ok {2}RabbitMQ: RabbitMQ \\d\\S* at amqps?://${describeBroker(amqpUrl!).replaceAll('.', '\\.')}$`),
      ),
      expect.stringMatching(/^ok {2}PostgreSQL: \d.* at postgres(ql)?:\/\/.*\/maw_test_\d+_\d+, (no pgvector|pgvector \d\S*)$/),
      `ok  Ollama: 0.33.0 at ${sim.url}: simulated:latest, simulated-thinking:latest`,
      `ok  Web service: open at ${note.url}`,
      '',
    ]);
  });

  it('lets maw doctor report a wrong login and a missing database', async () => {
    const [broker, sql] = [new URL(amqpUrl!), new URL(database.url)];
    broker.password = 'open-sesame';
    sql.pathname = '/maw_test_nobody';
    const env = { ...NOTHING_NAMED, OLLAMA_HOST: sim.url, AMQP_URL: broker.href, DATABASE_URL: sql.href };
    const { code, out } = await runMawHeard(['doctor', '--json'], { cwd, env });
    const [, amqpSays, sqlSays] = JSON.parse(out) as readonly { readonly isWell: boolean; readonly says: string; readonly do: string }[];
    expect([code, amqpSays!.isWell, sqlSays!.isWell]).toEqual([1, false, false]);
    expect(amqpSays!.says).toMatch(/^nothing usable at amqps?:\/\/.* \(.*ACCESS.REFUSED/);
    expect(amqpSays!.do).toMatch(/^set AMQP_URL=/);
    expect(sqlSays!.says).toMatch(/^nothing usable at postgres.*\/maw_test_nobody \(database "maw_test_nobody" does not exist\)$/);
    expect(sqlSays!.do).toMatch(/^set DATABASE_URL=/);
    expect(out).not.toContain('open-sesame');
  });

  it('is found by maw dead, which lists and resends on its broker', async () => {
    const model = await amqp.connect(amqpUrl!);
    const channel = await model.createConfirmChannel();
    channel.sendToQueue('gamemaster', Buffer.from('no message at all'), { messageId: letter, persistent: true });
    await channel.waitForConfirms();
    await model.close();
    const lies = async () => {
      const { code, out } = await beside('dead', 'gamemaster', '--json', '--limit', '1000');
      expect(code).toBe(0);
      const letters = out.split('\n').filter(Boolean);
      return letters.map((line) => JSON.parse(line) as { id: string; at: number }).find(({ id }) => id === letter);
    };
    const first = await pollUntil('the letter that the gamemaster could not read', lies, { timeoutMs: 600_000 });
    expect(first).toMatchObject({ type: 'unknown', queue: 'gamemaster', reason: 'unreadable', attempts: 0, body: 'no message at all' });
    // Letters that were looked at are back a moment later.
    const sent = await pollUntil(
      'the letter being sent again',
      async () => {
        const run = await beside('dead', 'gamemaster', '--resend', letter);
        return run.err.includes('no dead letter of') ? undefined : run;
      },
      { timeoutMs: 600_000 },
    );
    expect(sent).toMatchObject({ code: 0, out: `1 sent to gamemaster again: ${letter}\n`, err: '' });
    const again = await pollUntil('the letter once more', lies, { timeoutMs: 600_000 });
    expect(again.at).toBeGreaterThanOrEqual(first.at);
    expect(await beside('dead', 'nobody')).toMatchObject({
      code: 1,
      err: `maw: no queue nobody.dead on the broker at ${describeBroker(amqpUrl!)}: it exists once its service has started\n`,
    });
  });

  it('rejects a second system in its folder, naming the process; the first is unaffected', async () => {
    const keys = await readFile(keysFile(), 'utf8');
    const second = start();
    expect(await second.exited).toBe(1);
    const { pid } = system.child;
    expect(second.said).toEqual({
      out: '',
      err: `maw: The folder ${join(cwd, '.maw')} is in use by process ${pid}. Stop that process (kill ${pid}) or use another folder.\n`,
    });
    expect(hasEnded(system)).toBe(false);
    expect(JSON.parse(await readFile(noteFile(), 'utf8'))).toEqual(note);
    expect(await readFile(keysFile(), 'utf8')).toBe(keys);
    expect(processes().filter(([, each]) => !isAlive(each))).toEqual([]);
  });

  it('stops all it started at a signal, and removes its connection file and keys', async () => {
    const all = processes();
    system.child.kill('SIGTERM');
    expect(await system.exited).toBe(0);
    expect(system.lines().at(-1)).toBe('maw: stopping');
    expect(system.said.err).toBe('');
    expect(all.filter(([, pid]) => isAlive(pid))).toEqual([]);
    expect([existsSync(noteFile()), existsSync(keysFile())]).toEqual([false, false]);
    for (const url of [note.url, note.gateway.url]) await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
    await (await lockFolder(join(cwd, '.maw'))).release();
    expect(await beside('dead', 'gamemaster')).toMatchObject({
      code: 1,
      err: 'maw: which broker? Set AMQP_URL, or name the folder of a running ./maw up with --data (.maw is not one)\n',
    });
  });
});

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pickAccount } from './account.ts';
import { pollUntilReady, retryOnPortConflict } from '../start-supervised.ts';
import { serverEnvironment, readDevServersConfig } from '../config.ts';
import { createServerFolder, readOrCreatePassword } from './folder.ts';
import { findPostgres, newestFirst } from './find-programs.ts';
import { freePorts } from '../ports.ts';
import { runProgram } from './run-program.ts';
import { errorMessage } from '../strategy.ts';

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'maw-machine-')));
});
afterEach(() => rmSync(folder, { recursive: true }));

const program = (path: string) => {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), '');
  chmodSync(join(folder, path), 0o755);
};

describe('the environment', () => {
  it('names the servers and images; what is empty is not there', () => {
    expect(readDevServersConfig({ AMQP_URL: '', DATABASE_URL: 'postgres://x', MAW_RABBITMQ_IMAGE: 'mine:1', PATH: '/a::/b' })).toEqual({
      amqpUrl: undefined,
      databaseUrl: 'postgres://x',
      rabbitmqImage: 'mine:1',
      postgresImage: 'pgvector/pgvector:pg17',
      ryukImage: 'testcontainers/ryuk:0.14.0',
      path: ['/a', '/b'],
      tls: expect.anything(),
    });
  });

  it('of a server of our own has nothing that would lead it to the data or node of another', () => {
    process.env['RABBITMQ_NODENAME'] = 'other@host';
    process.env['PGDATA'] = '/elsewhere';
    try {
      const env = serverEnvironment({ HOME: folder });
      expect(env).toMatchObject({ HOME: folder, PATH: process.env['PATH'] });
      expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['RABBITMQ_NODENAME']));
      expect(Object.keys(env)).not.toEqual(expect.arrayContaining(['PGDATA']));
    } finally {
      delete process.env['RABBITMQ_NODENAME'];
      delete process.env['PGDATA'];
    }
  });
});

describe('PostgreSQL', () => {
  it('is found behind a link on the path, where its initdb is', async () => {
    program('15/bin/postgres');
    program('15/bin/initdb');
    mkdirSync(join(folder, 'bin'));
    symlinkSync(join(folder, '15/bin/postgres'), join(folder, 'bin/postgres'));
    expect(await findPostgres([join(folder, 'bin')])).toEqual({
      postgres: join(folder, '15/bin/postgres'),
      initdb: join(folder, '15/bin/initdb'),
    });
  });

  it('without initdb is passed over for one further on', async () => {
    program('client/postgres');
    program('server/postgres');
    program('server/initdb');
    expect((await findPostgres([join(folder, 'client'), join(folder, 'server')])).postgres).toBe(join(folder, 'server/postgres'));
  });

  it('is the newest by number, not by letter', () => {
    expect(['/p/9/bin', '/p/17/bin', '/p/15/bin'].toSorted(newestFirst)).toEqual(['/p/17/bin', '/p/15/bin', '/p/9/bin']);
  });
});

describe('an account', () => {
  const passwd = 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65533::/:/bin/false\npostgres:x:101:104:,,,:/var:/bin/sh\n';

  it('is the first that is wanted, not the first in the file', () => {
    expect(pickAccount(passwd, ['postgres', 'nobody'])).toEqual({ name: 'postgres', uid: 101, gid: 104 });
    expect(pickAccount(passwd, ['rabbitmq', 'nobody'])).toEqual({ name: 'nobody', uid: 65534, gid: 65533 });
  });

  it('may be missing', () => {
    expect(pickAccount(passwd, ['rabbitmq'])).toBeUndefined();
  });
});

describe('a folder', () => {
  it('is new each time, and for its account alone, unless it is kept', async () => {
    const [one, other] = [await createServerFolder('x', undefined, undefined), await createServerFolder('x', undefined, undefined)];
    expect(one).not.toBe(other);
    expect(statSync(one).mode & 0o777).toBe(0o700);
    for (const each of [one, other]) rmSync(each, { recursive: true });
    expect(await createServerFolder('x', join(folder, 'kept'), undefined)).toBe(join(folder, 'kept/x'));
    expect(statSync(join(folder, 'kept/x')).mode & 0o777).toBe(0o700);
  });

  it('keeps its password', async () => {
    expect(await readOrCreatePassword(folder, () => 'first')).toBe('first');
    expect(await readOrCreatePassword(folder, () => 'second')).toBe('first');
    expect(statSync(join(folder, 'password')).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(folder, 'password'), 'utf8')).toBe('first');
  });
});

describe('ports', () => {
  it('are free, each another, and none that an outgoing connection may be given', async () => {
    const ports = await freePorts(3);
    expect(new Set(ports).size).toBe(3);
    expect(ports.filter((port) => port < 15_000 || port >= 32_000)).toEqual([]);
    const servers = ports.map((port) => createServer().listen(port, '127.0.0.1'));
    await Promise.all(
      servers.map((server) => new Promise((resolve, reject) => void server.once('listening', resolve).once('error', reject))),
    );
    for (const server of servers) server.close();
  });
});

const refused = () => Promise.reject(new Error('refused'));

describe('waiting for a server', () => {
  it('asks until it answers', async () => {
    let asked = 0;
    const ask = async () => {
      if (++asked < 3) throw new Error('not yet');
      return asked;
    };
    expect(await pollUntilReady(ask, 60_000)).toBe(3);
  });

  it('ends with the last reason when the time is over, and at once when the server is', async () => {
    await expect(pollUntilReady(refused, 0)).rejects.toThrow('refused');
    await expect(pollUntilReady(refused, 60_000, () => 'it ended by itself')).rejects.toThrow('it ended by itself');
  });

  it('begins again when a port was taken, but not for ever, and for no other reason', async () => {
    let opened = 0;
    const opening = (message: string) => () => Promise.reject(new Error(`${message} ${++opened}`));
    await expect(retryOnPortConflict(opening('{error,eaddrinuse}'))).rejects.toThrow('3');
    opened = 0;
    await expect(retryOnPortConflict(opening('no space left'))).rejects.toThrow('1');
  });
});

describe('a program', () => {
  it('is run to its end, with all it said', async () => {
    expect(await runProgram('/bin/sh', ['-c', 'echo out; echo err >&2; exit 3'])).toEqual({
      code: 3,
      said: expect.stringMatching(/out[^]*err|err[^]*out/),
    });
  });

  it('that is not there has the code of a shell', async () => {
    expect((await runProgram('/not/there', [])).code).toBe(127);
  });
});

describe('a reason', () => {
  it('is told also when the error has none of its own', () => {
    expect(errorMessage(new AggregateError([new Error('refused by ::1'), new Error('refused by 127.0.0.1')]))).toBe(
      'refused by ::1, refused by 127.0.0.1',
    );
    expect(errorMessage('word')).toBe('word');
  });
});

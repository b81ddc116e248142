import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { brokerUsers } from '@maw/bus/rabbitmq/definitions.ts';
import { runMaw } from '../command.suite.ts';

describe('maw definitions', () => {
  let cwd: string;
  beforeEach(() => {
    cwd = mkdtempSync(join(tmpdir(), 'maw-definitions-'));
  });
  afterEach(() => rmSync(cwd, { recursive: true }));

  interface Defined {
    readonly vhosts: readonly { name: string }[];
    readonly users: readonly { name: string; password_hash: string }[];
    readonly queues: readonly { vhost: string }[];
  }

  it('prints users with salted password hashes, in the given virtual host', async () => {
    for (const user of brokerUsers) writeFileSync(join(cwd, user), `opensesame of ${user}\n`);
    const { code, out } = await runMaw(['definitions', '--passwords', cwd, '--vhost', '/games'], { cwd });
    expect(code).toBe(0);
    expect(out).not.toMatch('opensesame');
    const { vhosts, users, queues } = JSON.parse(out) as Defined;
    expect(vhosts).toEqual([{ name: '/games' }]);
    expect(new Set(queues.map(({ vhost }) => vhost))).toEqual(new Set(['/games']));
    expect(users.map(({ name }) => name)).toEqual(brokerUsers);
    for (const { name, password_hash: kept } of users) {
      const bytes = Buffer.from(kept, 'base64');
      const hash = createHash('sha256').update(bytes.subarray(0, 4)).update(`opensesame of ${name}`).digest();
      expect(bytes.subarray(4).equals(hash)).toBe(true);
    }
    expect(new Set(users.map(({ password_hash: kept }) => kept.slice(0, 5))).size).toBeGreaterThan(1);
  });

  it('prints users without passwords when none are given', async () => {
    const { code, out } = await runMaw(['definitions'], { cwd });
    expect(code).toBe(0);
    expect((JSON.parse(out) as Defined).users.map(({ password_hash: kept }) => kept)).toEqual(brokerUsers.map(() => ''));
  });

  it('names every password that is missing, and prints nothing', async () => {
    for (const user of brokerUsers.slice(2)) writeFileSync(join(cwd, user), 'x');
    writeFileSync(join(cwd, brokerUsers[1]!), '\n');
    const { code, out, err } = await runMaw(['definitions', '--passwords', cwd], { cwd });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`${join(cwd, brokerUsers[0]!)} (ENOENT), ${join(cwd, brokerUsers[1]!)} (empty)`);
    expect(err).not.toContain(join(cwd, brokerUsers[2]!));
  });
});

describe('maw migrate', () => {
  it('needs a database', async () => {
    const { code, err } = await runMaw(['migrate'], { cwd: tmpdir(), env: { DATABASE_URL: '' } });
    expect([code, err]).toEqual([1, expect.stringMatching(/which database\? Set DATABASE_URL .* owns the tables/)]);
  });

  it('explains a certificate error', async () => {
    const env = { DATABASE_URL: 'postgres://db/maw?sslmode=verify-full', DATABASE_CA_FILE: '/nowhere/ca.pem' };
    const { code, lines } = await runMaw(['migrate'], { cwd: tmpdir(), env });
    expect(code).toBe(1);
    expect(lines.at(-1)).toBe('DATABASE_CA_FILE: the file cannot be read: ENOENT');
  });
});

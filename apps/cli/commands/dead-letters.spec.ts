import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { NOTHING_NAMED, runMaw } from '../command.suite.ts';
import { writeConnectionFile } from '../clients/connection-file.ts';

// What `maw dead` says when there is no broker to ask; the rest is in dead.int.spec.ts.

jest.setTimeout(600_000);

const PASSWORD = 'open-sesame';
/** Nobody listens there, on anybody's machine. */
const CLOSED = '127.0.0.1:2';
const NO_CONNECTION = `maw: no connection to the broker at ${CLOSED}: connect ECONNREFUSED ${CLOSED}; is it running, and is this its address?\n`;

const cwd = temporaryFolder();
beforeAll(async () => {
  await writeConnectionFile(join(cwd, 'gone'), { url: `http://${CLOSED}`, token: 't', amqpUrl: `amqp://me:${PASSWORD}@${CLOSED}` });
});

const dead = async (env: Record<string, string>, ...args: readonly string[]) => {
  const { code, out, err } = await runMaw(['dead', ...args], { cwd, env: { ...NOTHING_NAMED, ...env } });
  expect(out + err).not.toContain(PASSWORD);
  expect(out).toBe('');
  return [code, err];
};

describe('maw dead without a broker', () => {
  it('asks for a broker when neither AMQP_URL nor a data folder names one', async () => {
    const error = 'maw: which broker? Set AMQP_URL, or name the folder of a running ./maw up with --data (.maw is not one)\n';
    for (const more of [['--json'], ['--resend', 'x']]) expect(await dead({}, 'gamemaster', ...more)).toEqual([1, error]);
  });

  it('names the address of an unreachable broker, from AMQP_URL or a data folder', async () => {
    expect(await dead({ AMQP_URL: `amqp://me:${PASSWORD}@${CLOSED}` }, 'gamemaster')).toEqual([1, NO_CONNECTION]);
    expect(await dead({}, 'gamemaster', '--data', 'gone', '--all')).toEqual([1, NO_CONNECTION]);
  });

  it('drops nothing without a database for the audit log', async () => {
    const env = { AMQP_URL: `amqp://me:${PASSWORD}@${CLOSED}` };
    expect(await dead(env, 'gamemaster', '--drop', 'x')).toEqual([1, expect.stringMatching(/^maw: which store\? Set DATABASE_URL/)]);
  });

  it('checks the broker URL and the arguments before it connects', async () => {
    const [odd, rest] = [{ AMQP_URL: `amqp://%zz:${PASSWORD}@${CLOSED}` }, { AMQP_URL: '' }];
    const wrong: readonly (readonly [Record<string, string>, readonly string[], RegExp])[] = [
      [{ AMQP_URL: PASSWORD }, ['gamemaster'], /^maw: AMQP_URL is not a broker URL: write amqp:\/\/user:password@host:5672.*\n$/],
      [odd, ['gamemaster'], /^maw: AMQP_URL has an invalid % escape in its user or password: write % as %25\n$/],
      [rest, [], /missing required argument 'queue'/],
      [rest, ['gamemaster', '--limit', '0'], /expected a whole number from 1 to 1000/],
      [rest, ['gamemaster', '--limit', '1001'], /expected a whole number from 1 to 1000/],
      [rest, ['gamemaster', '--resend'], /option '--resend <id>' argument missing/],
      [rest, ['gamemaster', 'chatroom'], /too many arguments/],
      [rest, ['gamemaster', '--drop'], /option '--drop <id>' argument missing/],
      [rest, ['gamemaster', '--drop', 'x', '--resend', 'y'], /^maw: --resend and --all send letters again, .* remove them: one of them\n$/],
      [rest, ['gamemaster', '--drop-unreadable', '--all'], /^maw: --resend and --all send letters again, .* remove them: one of them\n$/],
      [rest, ['gamemaster', '--drop-unreadable', '--drop', 'x'], /^maw: --drop-unreadable and --drop exclude each other\n$/],
    ];
    await Promise.all(wrong.map(async ([env, args, error]) => expect(await dead(env, ...args)).toEqual([1, expect.stringMatching(error)])));
  });
});

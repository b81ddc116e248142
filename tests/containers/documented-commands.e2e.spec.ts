import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { engineHere } from '@maw/tests/equipment/containers/engine.ts';
import { type TypedCommands, typedCommands } from '@maw/tests/equipment/containers/typed-commands.ts';
import { markedBlocks, readPage } from '../docs/code-blocks.ts';

// The blocks of docs/operations.md that are marked `sh container`, as they are written and in their order: start, backup, restore on a machine that has
// lost everything, upgrade, rollback, and the test of a backup.
const MINUTE = 60_000;
const SERVICES = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'contest'];
const blocks = markedBlocks(readPage('docs/operations.md'), 'container');
const found = await engineHere();
const missing = typeof found === 'string' ? found : '';
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = missing ? describe.skip : describe;

here(`the container commands of the manual${missing ? ` (not run here: ${missing})` : ''}`, () => {
  let manual: TypedCommands;
  /** That of an administrator, which was generated, and one that was issued. */
  const tokens: string[] = [];
  const meOf = async (token: string): Promise<unknown> => {
    const response = await fetch(`${manual.webUrl}/me`, { headers: { authorization: `Bearer ${token}` } });
    return response.ok ? response.json() : response.status;
  };

  beforeAll(async () => void (manual = await typedCommands('maw-manual', {})), MINUTE);
  afterAll(() => manual?.close(), 5 * MINUTE);

  /** What happens to the system before a block is typed. */
  async function before(text: string): Promise<void> {
    if (!text.includes('tar -xf')) return;
    const [admin] = tokens;
    const response = await fetch(`${manual.webUrl}/tokens`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'admin', name: 'Ann' }),
    });
    tokens.push(((await response.json()) as { token: string }).token);
    // The disk of the machine is gone: containers, tables and secrets.
    await manual.type('docker compose down -v');
  }

  /** What a block must have done, beyond its exit code. */
  async function check(text: string, output: string): Promise<void> {
    if (text.includes('admin-token')) tokens.push(output.trim().split('\n').at(-1)!);
    if (text.includes('tar -cf')) {
      const listed = await manual.type('tar -tf secrets.tar');
      expect(listed).toMatch(/^\.\/web-secret$/m);
    }
    if (text.includes('tar -xf')) {
      expect(output).toMatch(/^\d+ tables?, \d+ events, nothing is wrong$/m);
      await manual.type('until docker compose exec -T web busybox wget -q -O /dev/null http://127.0.0.1:9000/readyz; do sleep 1; done');
      const known = await Promise.all(tokens.map(meOf));
      expect(known).toEqual([expect.objectContaining({ role: 'admin' }), expect.objectContaining({ role: 'admin', name: 'Ann' })]);
    }
    if (text.includes('restore-test.sh')) expect(output).toMatch(/^This backup can be restored: \d+ tables?, \d+ events/m);
    const version = /MAW_IMAGE=.*:(\d+\.\d+\.\d+)\//.exec(text)?.[1];
    if (version !== undefined) expect(await manual.versionsOf(SERVICES)).toEqual(SERVICES.map(() => version));
    for (const [, file] of text.matchAll(/> (\w+\.\w+)/g)) expect((await stat(join(manual.folder, file!))).size).toBeGreaterThan(0);
  }

  it.each(blocks.map(({ line, text }) => [line, text] as const))(
    'at line %i do what they are for',
    async (_, text) => {
      await before(text);
      await check(text, await manual.type(text));
    },
    30 * MINUTE,
  );

  it('include backup, restore, upgrade and rollback', () => {
    const parts = ['pg_dump', 'pg_restore', 'docker compose build\n', '# the version of before', 'restore-test.sh'];
    expect(parts.filter((part) => !blocks.some(({ text }) => text.includes(part)))).toEqual([]);
  });
});

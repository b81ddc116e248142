import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { engineHere } from '@maw/tests/equipment/containers/engine.ts';
import { repositoryFiles, root } from '@maw/tests/equipment/source/repository.ts';
import { markedBlocks, readPage } from '../docs/code-blocks.ts';

// The blocks of docs/operations.md that are marked `sh container`, as they are written and in their order, in a copy of the repository and under a project
// name and at ports of their own.
const MINUTE = 60_000;
const blocks = markedBlocks(readPage('docs/operations.md'), 'container');
const found = await engineHere();
const missing = typeof found === 'string' ? found : '';
// oxlint-disable-next-line jest/no-disabled-tests -- it says by its name what is missing
const here = missing ? describe.skip : describe;

// Docker Compose 2, or docker-compose 1.29 under its name.
const COMPOSE = `docker() {
  if [ "$1" != compose ] || command docker compose version >/dev/null 2>&1; then command docker "$@"; else shift; docker-compose "$@"; fi
}
`;

here(`the container commands of the manual${missing ? ` (not run here: ${missing})` : ''}`, () => {
  const project = `maw-manual-${process.pid}`;
  const adminToken = 'the-administrator-of-the-manual';
  let folder: string;
  let env: NodeJS.ProcessEnv;

  const type = (script: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', COMPOSE + script], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
      child.once('error', reject);
      child.once('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`exit code ${code}:\n${script}\n${output}`))));
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'maw-manual-'));
    for (const path of repositoryFiles()) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await cp(join(root, path), join(folder, path));
    }
    const ports = await freePorts(2);
    env = {
      ...process.env,
      COMPOSE_DOCKER_CLI_BUILD: '0',
      COMPOSE_PROJECT_NAME: project,
      MAW_IMAGE: `localhost/maw:${project}`,
      MAW_ADMIN_TOKEN: adminToken,
      WEB_HOST_PORT: String(ports[0]),
      RABBITMQ_HOST_PORT: String(ports[1]),
    };
  }, MINUTE);

  afterAll(async () => {
    await type('docker compose down -v --remove-orphans').catch(() => undefined);
    await type(`docker image rm -f localhost/maw:${project}`).catch(() => undefined);
    await rm(folder, { recursive: true, force: true });
  }, 5 * MINUTE);

  it.each(blocks.map(({ line, text }) => [line, text] as const))(
    'at line %i run without an error',
    async (_, text) => {
      const output = await type(text);
      if (text.includes('admin-token')) expect(output).toContain(adminToken);
      if (text.includes('restore-test.sh')) expect(output).toMatch(/^This backup can be restored: \d+ tables?, \d+ events/m);
      for (const [, file] of text.matchAll(/> (\S+)/g)) expect((await stat(join(folder, file!))).size).toBeGreaterThan(0);
    },
    30 * MINUTE,
  );
});

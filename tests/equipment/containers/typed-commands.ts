import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePorts } from '@maw/dev-servers/ports.ts';
import { repositoryFiles, root } from '../source/repository.ts';

// Docker Compose 2, or docker-compose 1.29 under its name.
const COMPOSE = `docker() {
  if [ "$1" != compose ] || command docker compose version >/dev/null 2>&1; then command docker "$@"; else shift; docker-compose "$@"; fi
}
`;

/** A copy of the repository, in which container commands are typed as they stand in the pages: images, project and ports have names of their own. */
export interface TypedCommands {
  readonly folder: string;
  readonly project: string;
  readonly webUrl: string;
  readonly prometheusUrl: string;
  /**
   * What a script prints, on either output, in the order in which it comes.
   * @throws Error with the output when the exit code is another
   */
  type(script: string, code?: number): Promise<string>;
  /** The names of the images that the containers of these services run, such as `0.1.0`. */
  versionsOf(services: readonly string[]): Promise<readonly string[]>;
  /** Removes the containers, their volumes, the images and the folder. */
  close(): Promise<void>;
}

/** @param settings variables that override those of `.env` */
export async function typedCommands(name: string, settings: Readonly<Record<string, string>>): Promise<TypedCommands> {
  const project = `${name}-${process.pid}`;
  const folder = await mkdtemp(join(tmpdir(), `${name}-`));
  for (const path of repositoryFiles()) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(root, path), join(folder, path));
  }
  // Not by the environment, which .env could not change then.
  const example = await readFile(join(folder, '.env.example'), 'utf8');
  const image = `localhost/${project}`;
  await writeFile(join(folder, '.env.example'), example.replace(/^MAW_IMAGE=.*:/m, `MAW_IMAGE=${image}:`));
  const ports = (await freePorts(3)).map(String);
  const env = {
    ...process.env,
    COMPOSE_DOCKER_CLI_BUILD: '0',
    COMPOSE_PROJECT_NAME: project,
    WEB_HOST_PORT: ports[0],
    RABBITMQ_HOST_PORT: ports[1],
    PROMETHEUS_HOST_PORT: ports[2],
    ...settings,
  };

  const type = (script: string, code = 0) => typed(script, { folder, env, code });

  return {
    folder,
    project,
    webUrl: `http://127.0.0.1:${ports[0]}`,
    prometheusUrl: `http://127.0.0.1:${ports[2]}`,
    type,
    async versionsOf(services) {
      const format = `'{{.Image}} {{.Label "com.docker.compose.service"}}'`;
      const listed = await type(`docker ps --filter label=com.docker.compose.project=${project} --format ${format}`);
      const running = listed
        .trim()
        .split('\n')
        .map((line) => line.split(' '));
      return services.map(
        (service) =>
          running
            .find(([, each]) => each === service)?.[0]
            ?.split(':')
            .at(-1) ?? 'not running',
      );
    },
    async close() {
      await type('docker compose down -v --remove-orphans').catch(() => undefined);
      await type(`docker image ls -q ${image} | sort -u | xargs -r docker image rm -f`).catch(() => undefined);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function typed(
  script: string,
  { folder, env, code }: { readonly folder: string; readonly env: NodeJS.ProcessEnv; readonly code: number },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', COMPOSE + script], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
    child.once('error', reject);
    child.once('close', (got) => (got === code ? resolve(output) : reject(new Error(`exit code ${got}:\n${script}\n${output}`))));
  });
}

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { root } from '../source/repository.ts';
import { dotEnv } from './compose-file.ts';

const run = promisify(execFile);
/** How long an image may take to arrive. */
const PULL_MS = 300_000;
const BASES: readonly string[] = ['NODE_IMAGE', 'RABBITMQ_IMAGE', 'POSTGRES_IMAGE'];

/** A Docker engine with what the composed system is made of. */
export interface Engine {
  /** Docker Compose 2, or docker-compose 1.29. */
  compose(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string>;
  docker(...args: string[]): Promise<string>;
}

const docker = async (...args: string[]): Promise<string> => (await run('docker', args, { maxBuffer: 64e6 })).stdout.trim();

/**
 * The engine of this machine, or why there is none for us. Base images are fetched where they can be had.
 * @param more variables with images that the caller needs, besides those of the system
 * @param wanted `no`: none is looked for; `must`: where there is none, that is a fault and no reason to leave anything out
 * @throws Error that says what is missing, with `must`; and for a word that means nothing
 */
export async function engineHere(
  wanted = process.env['MAW_CONTAINERS'],
  env = process.env,
  more: readonly string[] = [],
): Promise<Engine | string> {
  if (wanted === 'no') return 'MAW_CONTAINERS=no';
  if (wanted !== undefined && !['', 'must'].includes(wanted)) throw new Error(`MAW_CONTAINERS is ${wanted}: say no, or must, or nothing`);
  const found = await lookFor(env, [...BASES, ...more]);
  if (typeof found === 'string' && wanted === 'must') throw new Error(`MAW_CONTAINERS=must, and ${found}`);
  return found;
}

async function lookFor(env: NodeJS.ProcessEnv, images: readonly string[]): Promise<Engine | string> {
  const works = (command: string, ...args: string[]): Promise<boolean> =>
    run(command, args, { env }).then(
      () => true,
      () => false,
    );
  if (!(await works('docker', 'info'))) return 'no Docker engine answers';
  const isTwo = await works('docker', 'compose', 'version');
  if (!isTwo && !(await works('docker-compose', 'version'))) return 'there is neither docker compose nor docker-compose';
  for (const name of images) {
    const image = env[name] || dotEnv[name]!;
    if (await works('docker', 'image', 'inspect', image)) continue;
    const isFetched = await run('docker', ['pull', '-q', image], { timeout: PULL_MS, env }).then(
      () => true,
      () => false,
    );
    if (!isFetched) return `the image ${image} is not here and cannot be fetched`;
  }
  const [command, first] = isTwo ? (['docker', ['compose']] as const) : (['docker-compose', []] as const);
  return {
    docker,
    async compose(args, own) {
      // The old one would call the docker command to build, with whatever builder that has.
      const builder = isTwo ? {} : { COMPOSE_DOCKER_CLI_BUILD: '0' };
      try {
        const { stdout } = await run(command, [...first, ...args], { cwd: root, env: { ...env, ...builder, ...own }, maxBuffer: 64e6 });
        return stdout.trim();
      } catch (error) {
        const { stdout, stderr } = error as { stdout?: string; stderr?: string };
        throw new Error(`docker compose ${args.join(' ')}: ${String(stderr || stdout || error).slice(-3_000)}`, { cause: error });
      }
    },
  };
}

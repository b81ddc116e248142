import { type DevServers, startDevServers } from '@maw/dev-servers/dev-servers.ts';
import { needsOf } from './needs.ts';
import type { Options } from './options.ts';
import { type Outcome, oneSkipped } from './tally.ts';

/** The servers that the suites of a run need, or why there are none. */
export interface Servers {
  /** AMQP_URL and DATABASE_URL of the servers that were found or started. */
  readonly env: Record<string, string>;
  /** Separates the suites that can run from those that cannot, which get an outcome each. */
  sort(
    specs: readonly string[],
    relative: (path: string) => string,
  ): { readonly able: readonly string[]; readonly skipped: readonly Outcome[] };
  /** Whether a suite uses the servers of the run, which no other suite may use meanwhile. */
  isShared(spec: string): boolean;
  close(): Promise<void>;
}

/** Finds or starts the servers that these suites need, and no others. */
export async function serversFor(specs: readonly string[], options: Options, start = startDevServers): Promise<Servers> {
  const needs = new Map(specs.map((spec) => [spec, needsOf(spec)]));
  const all = [...needs.values()];
  const wanted = { broker: all.some((each) => each.broker), database: all.some((each) => each.database) };
  const servers: DevServers | undefined =
    wanted.broker || wanted.database ? await start({ ...wanted, allowDocker: options.docker, allowInstall: options.install }) : undefined;
  const noContainers = all.some((each) => each.containers) ? await whyNoContainers(options) : undefined;
  const noEngine = all.some((each) => each.engine) ? await whyNoEngine() : undefined;
  const noPrograms = all.some((each) => each.real) ? await whyNoPrograms() : undefined;
  const reasonFor = (spec: string): string | undefined => {
    const need = needs.get(spec);
    if (need?.broker && !servers?.amqpUrl) return servers?.missing.find((line) => line.includes('RabbitMQ')) ?? 'no RabbitMQ';
    if (need?.database && !servers?.databaseUrl) return servers?.missing.find((line) => line.includes('PostgreSQL')) ?? 'no PostgreSQL';
    if (need?.containers) return noContainers;
    if (need?.real) return noPrograms;
    return need?.engine ? noEngine : undefined;
  };
  return {
    env: { ...(servers?.amqpUrl && { AMQP_URL: servers.amqpUrl }), ...(servers?.databaseUrl && { DATABASE_URL: servers.databaseUrl }) },
    sort: (some, relative) => ({
      able: some.filter((spec) => !reasonFor(spec)),
      skipped: some.flatMap((spec) => {
        const reason = reasonFor(spec);
        return reason ? [oneSkipped(`${relative(spec)}: ${reason}`)] : [];
      }),
    }),
    isShared: (spec) => needs.get(spec)!.broker || needs.get(spec)!.database,
    close: async () => servers?.close(),
  };
}

async function whyNoContainers({ docker }: Options): Promise<string | undefined> {
  if (!docker) return '--no-docker';
  const { engineHere } = await import('../containers/engine.ts');
  // Where containers are required, the suite runs anyway and fails with what is missing.
  const found = await engineHere().catch(() => undefined);
  return typeof found === 'string' ? found : undefined;
}

async function whyNoEngine(): Promise<string | undefined> {
  const { findModelServer } = await import('../../engine/model-server.ts');
  const found = await findModelServer();
  if (typeof found === 'string') return found;
  await found.close();
  return undefined;
}

async function whyNoPrograms(): Promise<string | undefined> {
  const { areRequired, whatIsMissing } = await import('../servers/real-programs.ts');
  // Where they are required, the suite runs anyway and fails with what is missing.
  return areRequired() ? undefined : whatIsMissing();
}

import { type DevServers, startDevServers } from '@maw/cli/dev-servers/dev-servers.ts';
import { needsOf } from './needs.ts';
import type { Options } from './options.ts';
import { type Outcome, oneSkipped } from './tally.ts';

/** The servers the suites of a run need, or why there are none. */
export interface Servers {
  /** AMQP_URL, DATABASE_URL: of those that could be had. */
  readonly env: Record<string, string>;
  /** Parts the suites that can run from those that cannot, with an outcome for each of the latter. */
  sort(
    specs: readonly string[],
    relative: (path: string) => string,
  ): { readonly able: readonly string[]; readonly skipped: readonly Outcome[] };
  close(): Promise<void>;
}

/** Finds what these suites need; nothing is started that none of them needs. */
export async function serversFor(specs: readonly string[], options: Options, open = startDevServers): Promise<Servers> {
  const needs = new Map(specs.map((spec) => [spec, needsOf(spec)]));
  const all = [...needs.values()];
  const wanted = { broker: all.some((each) => each.broker), database: all.some((each) => each.database) };
  const lane: DevServers | undefined =
    wanted.broker || wanted.database ? await open({ ...wanted, docker: options.docker, install: options.install }) : undefined;
  const noEngine = all.some((each) => each.containers) ? await whyNoEngine(options) : undefined;
  const reasonFor = (spec: string): string | undefined => {
    const need = needs.get(spec);
    if (need?.broker && !lane?.amqpUrl) return lane?.missing.find((line) => line.includes('RabbitMQ')) ?? 'no RabbitMQ';
    if (need?.database && !lane?.databaseUrl) return lane?.missing.find((line) => line.includes('PostgreSQL')) ?? 'no PostgreSQL';
    if (need?.containers) return noEngine;
    return undefined;
  };
  return {
    env: { ...(lane?.amqpUrl && { AMQP_URL: lane.amqpUrl }), ...(lane?.databaseUrl && { DATABASE_URL: lane.databaseUrl }) },
    sort: (some, relative) => ({
      able: some.filter((spec) => !reasonFor(spec)),
      skipped: some.flatMap((spec) => {
        const reason = reasonFor(spec);
        return reason ? [oneSkipped(`${relative(spec)}: ${reason}`)] : [];
      }),
    }),
    close: async () => lane?.close(),
  };
}

async function whyNoEngine({ docker }: Options): Promise<string | undefined> {
  if (!docker) return '--no-docker';
  const { engineHere } = await import('../../tests/containers/engine.ts');
  // Where there must be one, the suite is run all the same, and fails with what is missing.
  const found = await engineHere().catch(() => undefined);
  return typeof found === 'string' ? found : undefined;
}

import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { ServiceReport } from '@maw/aiwolf/report.ts';
import type { ServerTerms } from '@maw/aiwolf/terms.ts';
import { unlessAborted } from '@maw/async/abort.ts';
import { networkAddresses } from '@maw/http/address.ts';
import { pgliteStore } from '@maw/store/pglite.ts';
import type { Store } from '@maw/store/store.ts';
import { isSystemRunning, writeConnectionFile } from '../../clients/connection-file.ts';
import type { CliConfig } from '../../config.ts';
import { type InProcessSystem, startInProcessSystem } from '../../in-process-system.ts';
import { chooseModels, type Models } from '../../models.ts';
import { say } from '../../output.ts';
import { prepareFolder } from '../../prepare-folder.ts';
import { createPaint } from '../../transcript.ts';
import { createGameLogs } from './game-logs.ts';
import { type HostOptions, type Hosting, readHosting } from './host-options.ts';
import { createHostReport } from './host-report.ts';
import { followTables } from './hosted-tables.ts';

/** Where no mind needs a model. */
const NO_MODELS: Models = { url: undefined, model: undefined, sim: {}, says: 'No model plays.' };

/**
 * `maw aiwolf host`: a server for outside agents in this process, until all games are played.
 * @returns the exit code: 130 when it was interrupted
 * @throws Error for options that do not do, and for a port or a folder that is in use
 */
export async function hostAgents(options: HostOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const hosting = await readHosting(options);
  const { terms } = hosting;
  await checkAddress(terms);
  await prepareFolder(options.data, '--data');
  if (options.logs !== undefined) await prepareFolder(options.logs, '--logs');
  const models = hosting.usesModel ? await chooseModels(config.ollamaHost, options.model, undefined) : NO_MODELS;
  const paint = createPaint(config.isColour && !options.json);
  const report = createHostReport({ isJson: options.json, paint, games: options.games, agents: terms.agents, standIn: options.standIn });
  const store = await openStore(options, hosting);
  const logs = options.logs === undefined ? undefined : createGameLogs(options.logs, terms);
  const early: ServiceReport[] = [];
  let take = (each: ServiceReport): void => void early.push(each);
  const system = await startInProcessSystem({
    store,
    port: 0,
    models,
    recipes: hosting.recipes,
    aiwolf: { servers: [terms], report: (each) => take(each) },
    maxWaitMs: Math.min(10_000, terms.answerMs / 5),
    logLevel: 'error',
    otlp: config.otlp,
  });
  try {
    const { finished, servers } = system.aiwolf!;
    const { url } = servers[0]!;
    const tables = followTables({ web: system.web, report, logs, fill: `(${options.fill})`, finished, signal });
    const file = await connectionFile(options.data, system);
    tellWhere(report.note, options, terms, url);
    if (options.json) say(JSON.stringify({ type: 'listening', url }));
    take = tables.take;
    for (const each of early) take(each);
    await unlessAborted(tables.played(), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    await file?.remove();
    if (signal.aborted && tables.isPlaying())
      report.note(`The set is kept in ${options.data}: the same command goes on with it, and --new begins another.`);
  } finally {
    await system.close();
    report.print();
    await logs?.close();
  }
  return signal.aborted ? 130 : 0;
}

/** Opens the database, and gives up what was not played to its end where that is wished. @throws Error when it cannot be gone on with */
async function openStore({ data, new: isNew }: HostOptions, { terms: { division } }: Hosting): Promise<Store> {
  const store = await pgliteStore({ folder: join(data, 'tables') });
  const running = await store.agentSets.running();
  if (isNew) for (const { id } of running) await store.agentSets.end(id, Date.now());
  const other = running.find((set) => set.division !== division);
  if (isNew || !other) return store;
  await store.close();
  throw new Error(
    `${data} keeps a set of the ${NAME_OF[other.division]} division that is not over: go on with it, give it up with --new, or name another folder with --data`,
  );
}

const NAME_OF = { protocol: 'protocol', natural: 'natural-language' } as const;

/** @throws Error that says why the address cannot be listened on */
async function checkAddress({ host, port }: ServerTerms): Promise<void> {
  const probe = createServer().listen({ host, port });
  try {
    await once(probe, 'listening');
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: string };
    throw new Error(`${host}:${port} ${REASONS[code ?? ''] ?? message}; choose another with --port (0 takes a free one) or --host`, {
      cause: error,
    });
  } finally {
    probe.close();
  }
}

const REASONS: { readonly [code: string]: string } = {
  EADDRINUSE: 'is in use',
  EACCES: 'needs more rights than you have',
  EADDRNOTAVAIL: 'is no address of this machine',
  ENOTFOUND: 'is no address',
};

/** Tells other commands where the system is, unless another one runs in the folder. */
async function connectionFile(data: string, { web, adminToken, gateway }: InProcessSystem) {
  if (await isSystemRunning(data)) return undefined;
  return writeConnectionFile(data, { url: web.at, token: adminToken, ...(gateway ? { gateway } : {}) });
}

/** Says how agents connect. */
function tellWhere(note: (text: string) => void, { division, games }: HostOptions, terms: ServerTerms, url: string): void {
  const { agents, players, fill } = terms;
  const { hostname, port } = new URL(url.replace(/^tcp:/, 'http:'));
  const reached = hostname === '0.0.0.0' ? (networkAddresses()[0] ?? '127.0.0.1') : hostname;
  const address = url.replace('0.0.0.0', reached);
  const game = division === 'protocol' ? `a set of ${games} games` : 'a game';
  const rest = players - agents;
  const filled = rest ? `; ${fill.recipe} takes the other ${rest === 1 ? 'seat' : `${rest} seats`}` : '';
  note(
    `${address} waits for agents of the ${NAME_OF[terms.division]} division: ${agents} of them start ${game} of ${players} players${filled}.`,
  );
  note('Connect yours from another terminal, for instance:');
  const hasTokens = terms.division === 'natural' && terms.secret !== undefined;
  for (const line of division === 'protocol'
    ? [
        `java -cp 'lib/*:my-agent.jar' org.aiwolf.common.bin.ClientStarter -h ${reached} -p ${port} -c my.Player`,
        `python start.py -h ${reached} -p ${port} -n my-agent`,
        `./maw aiwolf join ${address} --seats ${agents}`,
      ]
    : [
        `aiwolf-nlp-agent: in its config.yml, web_socket.url: ${address}${hasTokens ? ', and web_socket.token' : ''}`,
        `./maw aiwolf join '${address}${hasTokens ? '?token=TOKEN' : ''}' --seats ${agents} --team my-team`,
      ])
    note(`  ${line}`);
  if (hasTokens) note('Each team needs a token: HMAC, signed with the secret, with the claims team (its name) and role (PLAYER).');
  note('Ctrl-C stops.');
}

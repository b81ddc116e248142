import { join } from 'node:path';
import { createGameLogs } from '@maw/aiwolf/server/game-logs.ts';
import type { ServiceReport } from '@maw/aiwolf/server/report.ts';
import { PEOPLE_LOBBY_MS, type ServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import { unlessAborted } from '@maw/async/abort.ts';
import { networkAddresses } from '@maw/http/address.ts';
import { isLoopback } from '@maw/service/loopback.ts';
import { pgliteStore } from '@maw/store/pglite.ts';
import type { AgentSet } from '@maw/store/ports/agent-sets.ts';
import type { Store } from '@maw/store/store.ts';
import { type HostOptions, readHosting } from './host-options.ts';
import { createHostReport, type HostReport } from './host-report.ts';
import { followTables } from './hosted-tables.ts';
import { checkAddress, isSystemRunning, writeConnectionFile } from '../../clients/connection-file.ts';
import type { CliConfig } from '../../config.ts';
import { builtConsole } from '../../console.ts';
import { type InProcessSystem, startInProcessSystem } from '../../in-process-system.ts';
import { chooseModels, type Models, requireModel } from '../../models.ts';
import { aside, counted, say } from '../../output.ts';
import { type Inviting, printInvitations, stayOpen } from '../../play/seats/invitations.ts';
import { prepareFolder } from '../../prepare-folder.ts';
import { createPaint } from '../../transcript.ts';

/** A host may wait for agents for days, and each heartbeat costs. Its questions stay open for longer than an outage that is not noticed. */
const HEARTBEAT_MS = 5_000;

/** Where no mind needs a model. */
const NO_MODELS: Models = { servers: [], model: undefined, says: 'No model plays.' };

/**
 * `maw aiwolf host`: a server for outside agents in this process, until all games are played.
 * @returns the exit code: 130 when it was interrupted
 * @throws Error for options that do not do, and for a port or a folder that is in use
 */
export async function hostAgents(options: HostOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const hosting = readHosting(options);
  const { terms } = hosting;
  await checkAddress(terms, '--port (0 takes a free one) or --host');
  await prepareFolder(options.data, '--data');
  if (options.logs !== undefined) await prepareFolder(options.logs, '--logs');
  const models = hosting.usesModel ? await chooseModels(config.all, { model: options.model }, undefined) : NO_MODELS;
  requireModel(models, `--fill ${options.fill}`);
  const consoleDir = options.web ? await builtConsole(aside) : await builtConsole(buildsNothing).catch(() => undefined);
  const isOnNetwork = terms.people > 0 && !isLoopback(terms.host);
  const store = await pgliteStore({ folder: join(options.data, 'tables') });
  const sets = await setsOf(store, options, terms);
  const early: ServiceReport[] = [];
  let take = (each: ServiceReport): void => void early.push(each);
  const system = await startInProcessSystem({
    store,
    port: 0,
    isOnNetwork,
    consoleDir,
    models,
    recipes: hosting.recipes,
    aiwolf: { servers: [terms], isNew: options.new, report: (each) => take(each) },
    maxWaitMs: Math.min(10_000, Math.ceil(terms.answerMs / 5)),
    heartbeatMs: HEARTBEAT_MS,
    logLevel: 'error',
    otlp: config.otlp,
  });
  const before = playedBefore(system, terms);
  const report = newReport(options, config, terms, { ...sets, before });
  const logs = options.logs === undefined ? undefined : createGameLogs(options.logs, terms);
  const file = await connectionFile(options.data, system);
  try {
    for (const { id } of sets.givenUp) await system.web.abort(id).catch(() => undefined); // its table may be over, or never have been opened
    const { finished, servers } = system.aiwolf!;
    const inviting = { web: system.web, note: report.note, isOnNetwork, isForPage: options.web ?? false };
    const invite = terms.people ? inviter(inviting) : undefined;
    const tables = followTables({ web: system.web, report, logs, fill: `(${options.fill})`, finished, invite, signal });
    if (hosting.usesModel) report.note(models.says);
    tellWhere(report.note, { ...sets, before }, terms, servers[0]!.url);
    report.note(watchingAt(system, consoleDir, options.data));
    report.note('Ctrl-C stops.');
    if (options.json) say(JSON.stringify({ type: 'listening', url: servers[0]!.url }));
    take = tables.take;
    for (const each of early) take(each);
    await unlessAborted(tables.played(), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    const isInterrupted = signal.aborted;
    if (isInterrupted && (tables.isPlaying() || report.isMidway()))
      report.note(`The set is kept in ${options.data}: the same command goes on with it, and --new begins another.`);
    if (terms.people && !isInterrupted) await stayOpen({ note: report.note, signal });
    return isInterrupted ? 130 : 0;
  } finally {
    await file?.remove();
    await system.close();
    report.print();
    await logs?.close();
  }
}

/** Without --web nobody waits for a page to be built: it is there only if it was built before. */
function buildsNothing(): void {
  throw new Error('the page is not built');
}

/** Says where the tables can be watched. Whoever has the token in the address sees and does everything. */
const watchingAt = ({ web, adminToken }: InProcessSystem, page: string | undefined, data: string): string =>
  page === undefined
    ? `Watch with ./maw watch TABLE --data ${data} (from ${web.at}); --web shows a page there.`
    : `Watch at ${web.at}/#token=${adminToken}`;

function newReport(
  { json: isJson, standIn }: HostOptions,
  { isColour }: CliConfig,
  { agents, people }: ServerTerms,
  { games, before }: Sets & { readonly before: number },
): HostReport {
  return createHostReport({ isJson, paint: createPaint(isColour && !isJson), games, before, agents, isFull: !people, standIn });
}

/** Prints the invitations to a table, in lines of their own. */
function inviter({ note, ...inviting }: Inviting): (set: string) => Promise<void> {
  const noteLines = (text: string): void => text.split('\n').forEach(note);
  return (set) => printInvitations({ ...inviting, note: noteLines }, set);
}

/** The sets that were not played to their end. */
interface Sets {
  readonly goingOn: readonly AgentSet[];
  readonly givenUp: readonly AgentSet[];
  /** How many games are played. */
  readonly games: number;
}

/** Gives up with --new what was not played to its end. @throws Error when this server cannot go on with it */
async function setsOf(store: Store, { data, new: isNew, games }: HostOptions, { division }: ServerTerms): Promise<Sets> {
  const running = await store.agentSets.running();
  if (isNew) {
    for (const { id } of running) await store.agentSets.end(id, Date.now());
    return { goingOn: [], givenUp: running, games };
  }
  const other = running.find((set) => set.division !== division);
  if (!other) return { goingOn: running, givenUp: [], games: Number(running[0]?.terms['games'] ?? games) };
  await store.close();
  throw new Error(
    `${data} keeps a set of the ${NAME_OF[other.division]} division that is not over: go on with it, give it up with --new, or name another folder with --data`,
  );
}

const NAME_OF = { protocol: 'protocol', natural: 'natural-language' } as const;

/** Games that ended before this start: those of a set of the protocol division are at one table, which is followed from its beginning. */
function playedBefore({ aiwolf }: InProcessSystem, { division }: ServerTerms): number {
  const { begun, running } = aiwolf!.progress().servers[0]!;
  return division === 'natural' ? begun - running : 0;
}

/** Tells other commands where the system is, unless another one runs in the folder. */
async function connectionFile(data: string, { web, adminToken, gateway }: InProcessSystem) {
  if (await isSystemRunning(data)) return undefined;
  return writeConnectionFile(data, { url: web.at, token: adminToken, ...(gateway ? { gateway } : {}) });
}

/** Says how long people are waited for. */
function waitForPeople({ people, fill }: ServerTerms): string {
  const [seats, them] =
    people === 1 ? ['One seat is for a person, who is', 'the person'] : [`${people} seats are for people, who are`, 'them'];
  const minutes = PEOPLE_LOBBY_MS / 60_000;
  return `${seats} invited here once the agents are there. The Lobby waits ${minutes} minutes for ${them}; then ${fill.recipe} plays instead.`;
}

/** Says how agents connect. */
function tellWhere(
  note: (text: string) => void,
  { goingOn, games, before }: Sets & { readonly before: number },
  terms: ServerTerms,
  url: string,
): void {
  const { agents, people, players, fill, division } = terms;
  const { hostname, port } = new URL(url.replace(/^tcp:/, 'http:'));
  const reached = hostname === '0.0.0.0' ? (networkAddresses()[0] ?? '127.0.0.1') : hostname;
  const address = url.replace('0.0.0.0', reached);
  const teams = { any: '', teams: ', each of another team', self: ', all of one team' }[terms.match];
  const wanted = agents === 1 ? 'an agent' : `${agents} agents${teams}`;
  const game = division === 'protocol' ? `a set of ${counted(games, 'game')}` : 'a game';
  const rest = players - agents - people;
  const filled = rest ? `, with ${fill.recipe} at the other ${rest === 1 ? 'seat' : `${rest} seats`}` : '';
  const names = goingOn.flatMap((set) => set.agents.map(({ name }) => name));
  if (names.length)
    note(`${address} goes on with what was not played to its end: ${names.join(', ')} return by the same names. (--new gives it up.)`);
  else
    note(`${address} waits for ${wanted}, in the ${NAME_OF[terms.division]} division; then ${game} of ${players} players begins${filled}.`);
  if (people && !names.length) note(waitForPeople(terms));
  if (before) note(`${before} of ${games} games were played before. (--new begins again with the first.)`);
  note('Connect yours from another terminal, for instance:');
  const hasTokens = terms.division === 'natural' && terms.secret !== undefined;
  for (const line of division === 'protocol'
    ? [
        `java -cp 'lib/*:my-agent.jar' org.aiwolf.common.bin.ClientStarter -h ${reached} -p ${port} -c my.Player`,
        `python start.py -h ${reached} -p ${port} -n my-agent`,
        `./maw aiwolf join ${address} --seats ${agents}`,
      ]
    : [
        `aiwolf-nlp-agent: in its config/config.yml, web_socket.url: ${address}${hasTokens ? ', and web_socket.token' : ''}`,
        `./maw aiwolf join '${address}${hasTokens ? '?token=TOKEN' : ''}' --seats ${terms.match === 'teams' ? 1 : agents} --team my-team`,
      ])
    note(`  ${line}`);
  if (hasTokens) note('Each team needs a token: ./maw aiwolf token my-team --secret-file FILE prints it.');
}

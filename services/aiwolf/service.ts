import type { Bus, Subscription } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import type { AgentSets } from '@maw/store/ports/agent-sets.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { requestClient } from '@maw/bus/request-client.ts';
import type { AgentConnection, AgentServer } from './connections/agent-connection.ts';
import { startLineServer } from './connections/line-server.ts';
import { startMessageServer } from './connections/message-server.ts';
import { type AiwolfServiceOptions, defaultOptions } from './defaults.ts';
import type { Reporter } from '@maw/aiwolf/server/report.ts';
import { FaultBook } from './seats/faults.ts';
import { contestServers, faultsAt, openForContest } from './sets/contest-tables.ts';
import { admit, dismiss, type AgentQueue, isExhausted, isFinished, newAgentQueue, NO_MORE_SETS } from './sets/agent-queue.ts';
import { type Progress, progressOf } from './sets/progress.ts';
import { restoreSets } from './sets/restore-sets.ts';
import { attach, beginSets, type SetsState, withOwnName } from './sets/run-sets.ts';
import type { ServerTerms } from '@maw/aiwolf/server/server-terms.ts';

/** Starts a server of either division. `onAgent` is called with each agent that has told its name. */
export type StartServer = (terms: ServerTerms, onAgent: (connection: AgentConnection) => void) => Promise<AgentServer>;

export interface AiwolfDeps {
  readonly bus: Bus;
  now(): number;
  readonly log: Log;
  readonly sets: AgentSets;
  readonly servers: readonly ServerTerms[];
  readonly options?: Partial<AiwolfServiceOptions>;
  /** Servers count their tables from the beginning; otherwise they go on with their count. */
  readonly isNew?: boolean;
  readonly report?: Reporter;
  /** Default: TCP for the protocol division, WebSocket for the other. */
  readonly startServer?: StartServer;
}

export interface AiwolfService {
  /** In the order of their terms. */
  readonly servers: readonly AgentServer[];
  progress(): Progress;
  /** Resolves once every server has played all its sets; never where one plays without end. */
  readonly finished: Promise<void>;
  /** Stops listening and hangs up. Sets that run go on after the next start. */
  close(): Promise<void>;
}

/** Starts the servers for outside agents, and goes on with the sets that have not ended. @throws Error when an address cannot be listened on */
export async function aiwolf(deps: AiwolfDeps): Promise<AiwolfService> {
  const { bus, now, log, report, startServer = defaultServer(deps) } = deps;
  const options = { ...defaultOptions, ...deps.options };
  const abort = new AbortController();
  const closing = abort.signal;
  const finished = Promise.withResolvers<void>();
  const state: SetsState = {
    ...options,
    queues: deps.servers.map(newAgentQueue),
    running: new Map(),
    opening: new Map(),
    tasks: new Set(),
    sets: deps.sets,
    faults: new FaultBook({ sets: deps.sets, log, now, report }),
    ask: requestClient({ bus, service: 'aiwolf', now, log, closing, ...options }),
    now,
    log,
    report,
    closing,
    queueChanged: (queue) => void closeWhenFinished(state, queue, finished.resolve),
  };
  const subscription = await bus.subscribe(['table.moved', 'room.line'], async ({ type, subject, data }) => {
    const set = state.running.get(subject);
    if (!set) return;
    const said = type === 'room.line' ? (data as { readonly said?: { readonly by?: number } }).said : undefined;
    if (said && set.seats.some(({ seat, play }) => seat === said.by && !play.hasStandIn)) return; // its answer was counted before
    set.isStale = true;
    set.notifier.notify();
  });
  let consumer: Subscription | undefined;
  const close = async (): Promise<void> => {
    const stopped = consumer?.stop();
    abort.abort(new Error('the service closes; its sets go on after the next start'));
    await subscription.stop();
    await stopped;
    await Promise.all(state.queues.map(async ({ server }) => server?.close()));
    await Promise.allSettled(state.tasks);
    await state.faults.store().catch(() => undefined); // said in the log
  };
  try {
    await restoreSets(state, { awaitedUntil: now() + options.graceMs, isNew: deps.isNew ?? false });
    for (const queue of state.queues) queue.server = await startServer(queue.terms, (connection) => welcome(state, queue, connection));
    consumer = await bus.consume('aiwolf', TYPES, { concurrency: 16 }, (message) => answer(state, message));
  } catch (error) {
    await close();
    throw error;
  }
  for (const queue of state.queues) state.queueChanged(queue);
  return { servers: state.queues.map(({ server }) => server!), progress: () => progressOf(state), finished: finished.promise, close };
}

const TYPES = ['agents.open', 'agents.faults', 'agents.servers'] as const;

async function answer(state: SetsState, message: Message<(typeof TYPES)[number]>): Promise<Reply> {
  switch (message.type) {
    case 'agents.open':
      return { performative: 'agree', data: await openForContest(state, message) };
    case 'agents.faults':
      return { performative: 'inform', data: await faultsAt(state, message) };
    case 'agents.servers':
      return { performative: 'inform', data: contestServers(state) };
  }
}

const defaultServer =
  ({ log, now }: AiwolfDeps): StartServer =>
  (terms, onAgent) => {
    const { host, port, perAddress } = terms;
    const options = { host, port, onAgent, log, now, ...(perAddress === undefined ? {} : { maxPerAddress: perAddress }) };
    return terms.division === 'protocol' ? startLineServer(options) : startMessageServer({ ...options, secret: terms.secret });
  };

/** An agent goes on at the seat that it has left, or waits for a set. Of agents of one name, the later get numbers. */
function welcome(state: SetsState, queue: AgentQueue, told: AgentConnection): void {
  const connection = withOwnName(state, queue, told);
  const about = { server: queue.index, agent: connection.name };
  void countConnection(state, queue, connection);
  if (attach(state, queue, connection)) return;
  if (isExhausted(queue)) {
    state.log.info(about, 'an agent came after the last set had begun');
    void connection.close(NO_MORE_SETS);
    return;
  }
  admit(queue, connection);
  beginSets(state, queue);
}

async function countConnection(
  { report }: SetsState,
  { terms: { division }, index }: AgentQueue,
  { name, closed }: AgentConnection,
): Promise<void> {
  const about = { server: index, agent: name };
  report?.({ type: 'connected', ...about });
  metrics.agentsConnected.inc({ division });
  await closed;
  metrics.agentsConnected.dec({ division });
  report?.({ type: 'disconnected', ...about });
}

/** Closes a server that has played all its sets. */
async function closeWhenFinished(state: SetsState, queue: AgentQueue, allFinished: () => void): Promise<void> {
  if (isExhausted(queue)) dismiss(queue);
  if (!isFinished(queue)) return;
  await queue.server?.close();
  if (state.queues.every(isFinished)) allFinished();
}

import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { DELAYS_MS } from '@maw/bus/retries.ts';
import { deadLetterQueueOf, delayQueueOf, queuesOf, serviceQueues } from '@maw/bus/core/topology.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import { TABLE_AUDITS } from '../chaos/audit/table-audits.ts';
import { queuesEmpty } from '../chaos/audit/system-audits.ts';
import { type LoadBalancer, startLoadBalancer } from '../chaos/network/load-balancer.ts';
import { type RequestRecorder, requestRecorder } from '../chaos/audit/request-recorder.ts';
import { type RabbitmqCluster, type Node, NODES, type Quorum, startCluster } from './rabbitmq-cluster.ts';
import { deadLetters, evidenceOf, queueLengths, unrouted } from '../chaos/audit/evidence.ts';
import { type TableDriver, tableDriver } from '../chaos/table-driver.ts';
import { startDatabase, whyNoServers } from './restartable-server.ts';
import { type Terms, termsOf } from '../chaos/table-terms.ts';
import { startSupervisedSystem, type SupervisedSystem } from '../chaos/supervised-system.ts';
import { startFaultProxy } from '../chaos/network/fault-proxy.ts';

const minute = 60_000;
/** A busy machine is slow. */
const FACT_MS = 10 * minute;
const LOOK_MS = 500;
/** `rabbitmqctl` starts a virtual machine each time, on a processor that the nodes need. */
const LOOK_AT_QUEUES_MS = 3_000;
/** Tables at once. */
const TABLES = 3;
/** Events before a node dies, and while it is dead. */
const EVENTS = 30;
const MAX_TABLES = 10_000;
const why = await whyNoServers();

/** Minds that need no model. */
const termsFor = (seed: string, n: number): Terms => {
  const terms = termsOf(seed, n);
  return { ...terms, seats: terms.seats.map(() => ({ kind: 'mind', recipe: 'rules' })) };
};

const until = (what: string, fact: () => Promise<boolean>, everyMs = LOOK_MS): Promise<true> =>
  pollUntil(what, fact, { timeoutMs: FACT_MS, everyMs, retryErrors: true });

interface Stage {
  readonly cluster: RabbitmqCluster;
  readonly balancer: LoadBalancer;
  readonly recorder: RequestRecorder;
  readonly system: SupervisedSystem;
  readonly store: Store;
  readonly driver: TableDriver;
  /** Events seen on each tape. */
  readonly counts: Map<string, number>;
  /** Processes that died by themselves. */
  readonly deaths: readonly string[];
}

const closing: (() => Promise<unknown>)[] = [];
const closed = <T extends { close(): Promise<void> }>(part: T): T => {
  closing.push(() => part.close());
  return part;
};
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
}, FACT_MS);

async function setUp(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'maw-cluster-'));
  closing.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await chmod(folder, 0o755); // the database runs as another user
  const starting = [startCluster().then(closed), startDatabase(folder).then(closed)] as const;
  await Promise.allSettled(starting);
  const [cluster, database] = await Promise.all(starting);
  const [one, two, three] = NODES;
  const balancer = closed(await startLoadBalancer([cluster.urlOf(one), cluster.urlOf(two), cluster.urlOf(three)]));
  const storeProxy = closed(await startFaultProxy(database.url()));
  const recorder = requestRecorder(Date.now);
  const deaths: string[] = [];
  const say = (process: string, line: string): void => {
    if (/"message":"died /.test(line)) deaths.push(`${process}: ${line}`);
  };
  const broker = { url: () => balancer.url };
  const system = closed(await startSupervisedSystem({ broker, database, replicas: 1, recorder, base: process.env, storeProxy, say }));
  const store = closed(await postgresStore({ url: database.url(), poolSize: 4, service: 'chaos' }));
  await until('all services are ready', () => system.isReady());
  const driver = tableDriver({ system, store, seed: 'cluster', signal: new AbortController().signal, terms: termsFor });
  closing.push(async () => driver.stop());
  return { cluster, balancer, recorder, system, store, driver, counts: new Map(), deaths };
}

/** Events on all tapes. */
async function written({ store, driver, counts }: Stage): Promise<number> {
  for (const table of driver.opened) {
    const known = counts.get(table) ?? 0;
    counts.set(table, known + (await store.tapes.read(table, known)).length);
  }
  return [...counts.values()].reduce((sum, many) => sum + many, 0);
}

/** Keeps a constant number of tables in play during `work`, then waits for their ends. */
async function playWhile(driver: TableDriver, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  let next = 0;
  const seat = async (): Promise<void> => {
    do await driver.play(next++);
    while (!isDone);
  };
  const playing = Promise.all(Array.from({ length: TABLES }, seat));
  playing.catch(() => undefined); // awaited below
  await work().finally(() => (isDone = true));
  await playing;
}

/** The node that leads the most queues. */
function leading(quorums: readonly Quorum[], nodes: readonly Node[]): Node {
  const led = (node: Node): number => quorums.filter(({ leader }) => leader === node).length;
  return nodes.toSorted((a, b) => led(b) - led(a))[0]!;
}

/** Kills a node during games. Resolves once all clients are connected to the others, games go on, and others lead its queues. */
async function lose(stage: Stage, node: Node): Promise<void> {
  const { cluster, balancer, driver, system } = stage;
  const connected = (): number => NODES.reduce((sum, one) => sum + balancer.connections(cluster.urlOf(one)), 0);
  const here = (): number => balancer.connections(cluster.urlOf(node));
  await until(`tables are played, and somebody is connected to ${node}`, async () => here() > 0 && driver.playing() > 0);
  await cluster.kill(node);
  const before = await written(stage);
  const isBack = async () => here() === 0 && connected() >= system.processes.size && (await system.isReady());
  await until(`all are connected without ${node}`, isBack);
  await until(`the games go on without ${node}`, async () => (await written(stage)) >= before + EVENTS);
  const isLed = async () => (await cluster.quorums()).every(({ leader }) => leader !== undefined && leader !== node);
  await until(`others lead all queues without ${node}`, isLed, LOOK_AT_QUEUES_MS);
}

/** Their queues are there for those who send to them; those of their retries come with them. */
const NOT_STARTED: readonly string[] = ['contest', 'aiwolf'];

(why === undefined ? describe : describe.skip)('a cluster of three brokers', () => {
  it(
    'loses one node and later another during games, and no message is lost',
    async () => {
      const stage = await setUp();
      const { cluster, balancer, recorder, system, store, driver, deaths } = stage;

      // Queues are replicated on all three nodes.
      let declared: readonly Quorum[] = [];
      await until('the queues are there', async () => (declared = await cluster.quorums()).length > 0, LOOK_AT_QUEUES_MS);
      const should = serviceQueues.flatMap((one) => [
        ...queuesOf(one),
        deadLetterQueueOf(one.queue),
        ...(NOT_STARTED.includes(one.queue) ? [] : DELAYS_MS.map((ms) => delayQueueOf(one.queue, ms))),
      ]);
      expect(declared.map(({ queue }) => queue).toSorted()).toEqual([...should, 'unrouted'].toSorted());
      const all = NODES.toSorted();
      for (const { queue, members } of declared) expect({ queue, members: members.toSorted() }).toEqual({ queue, members: all });

      await playWhile(driver, async () => {
        await until('all tables are in the middle of a game', async () => driver.playing() === TABLES && (await written(stage)) >= EVENTS);
        let before: readonly Quorum[] = [];
        await until('the queues are told', async () => (before = await cluster.quorums()).length > 0, LOOK_AT_QUEUES_MS);
        const first = leading(before, NODES);
        expect(before.filter(({ leader }) => leader === first)).not.toEqual([]);
        await lose(stage, first);
        await cluster.start(first);
        let now = before;
        const isWhole = async (): Promise<boolean> => {
          now = await cluster.quorums();
          return now.every(({ leader, online }) => leader !== undefined && online.length === NODES.length);
        };
        await until(`${first} has its share of all queues again`, isWhole, LOOK_AT_QUEUES_MS);
        const others = NODES.filter((node) => node !== first);
        await lose(stage, leading(now, others));
      });
      expect(cluster.up()).toHaveLength(NODES.length - 1);

      // A client whose request timed out has opened another table: all are audited.
      await until('all tables are over', async () => !(await store.tapes.list({ limit: MAX_TABLES, isOver: false })).length);
      const tables = (await store.tapes.list({ limit: MAX_TABLES })).map(({ table }) => table);
      expect(tables).toEqual(expect.arrayContaining([...driver.opened]));
      await until('no queue has anything', async () => !queuesEmpty(await queueLengths(balancer.url)).length);
      const audited = async (): Promise<readonly string[]> => {
        const found: string[] = [];
        for (const table of tables) {
          const evidence = await evidenceOf(store, recorder, table, []);
          found.push(...Object.entries(TABLE_AUDITS).flatMap(([name, audit]) => audit(evidence).map((wrong) => `${name}: ${wrong}`)));
        }
        return found;
      };
      // Rooms are archived some time after the end of a table.
      await until('all tapes and rooms are as they should be', async () => !(await audited()).length).catch(() => undefined);
      expect(await audited()).toEqual([]);
      expect(driver.unopened).toEqual([]);
      expect(await deadLetters(balancer.url, [])).toEqual([]);
      expect(deaths).toEqual([]);
      await system.close(); // unacknowledged messages return to their queues
      expect(queuesEmpty([...(await queueLengths(balancer.url)), ...(await unrouted(balancer.url))])).toEqual([]);
    },
    40 * minute,
  );
});

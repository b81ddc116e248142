import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { deadLetterQueueOf, delayQueueOf, RETRY_MS, serviceQueues } from '@maw/bus/core/topology.ts';
import { postgresStore } from '@maw/store/postgres.ts';
import type { Store } from '@maw/store/store.ts';
import { TABLE_AUDITS } from '../chaos/audit/table-audits.ts';
import { queuesEmpty } from '../chaos/audit/system-audits.ts';
import { type LoadBalancer, startLoadBalancer } from '../chaos/network/load-balancer.ts';
import { type RequestRecorder, requestRecorder as newChronicle } from '../chaos/audit/request-recorder.ts';
import { type RabbitmqCluster, type Node, NODES, type Quorum, startCluster } from './rabbitmq-cluster.ts';
import { deadLetters, evidenceOf, queueLengths, unrouted } from '../chaos/audit/evidence.ts';
import { type TableDriver, tableDriver } from '../chaos/table-driver.ts';
import { startDatabase, whyNoServers } from './restartable-server.ts';
import { type Terms, termsOf } from '../chaos/table-terms.ts';
import { startSupervisedSystem, type SupervisedSystem } from '../chaos/supervised-system.ts';
import { startFaultProxy } from '../chaos/network/fault-proxy.ts';

const minute = 60_000;
/** How long a fact is waited for, on a machine that has far too much to do. */
const FACT_MS = 10 * minute;
const LOOK_MS = 500;
/** How many tables are played at once. */
const TABLES = 3;
/** So many events are on tapes before a node dies, and so many more must come while it is dead. */
const EVENTS = 60;
const MOST_TABLES = 10_000;
const why = await whyNoServers();

/** A table of the storm with minds that need no model. */
const termsFor = (seed: string, n: number): Terms => {
  const terms = termsOf(seed, n);
  return { ...terms, seats: terms.seats.map(() => ({ kind: 'mind', recipe: 'rules' })) };
};

/** Waits for a fact. Who cannot be asked just now is asked again. */
async function until(fact: () => Promise<boolean>, what: string): Promise<void> {
  let cause: unknown;
  const isSo = () => fact().catch((error: unknown) => void (cause = error));
  for (const deadline = Date.now() + FACT_MS; !(await isSo()); await after(LOOK_MS))
    if (Date.now() > deadline) throw new Error(`it never came: ${what}`, { cause });
}

interface Stage {
  readonly cluster: RabbitmqCluster;
  readonly balancer: LoadBalancer;
  readonly chronicle: RequestRecorder;
  readonly town: SupervisedSystem;
  readonly store: Store;
  readonly hall: TableDriver;
  /** How many events were seen on the tape of each table. */
  readonly counts: Map<string, number>;
  /** Processes that ended by themselves. */
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
  await chmod(folder, 0o755); // the database runs as a user of its own
  const starting = [startCluster().then(closed), startDatabase(folder).then(closed)] as const;
  await Promise.allSettled(starting);
  const [cluster, database] = await Promise.all(starting);
  const [one, two, three] = NODES;
  const balancer = closed(await startLoadBalancer([cluster.urlOf(one), cluster.urlOf(two), cluster.urlOf(three)]));
  const ours = closed(await startFaultProxy(database.url()));
  const chronicle = newChronicle(Date.now);
  const deaths: string[] = [];
  const say = (process: string, line: string): void => {
    if (/"message":"died /.test(line)) deaths.push(`${process}: ${line}`);
  };
  const broker = { url: () => balancer.url };
  const town = closed(await startSupervisedSystem({ broker, database, replicas: 2, chronicle, base: process.env, ours, say }));
  const store = closed(await postgresStore({ url: database.url(), poolSize: 4, service: 'storm' }));
  await until(() => town.isReady(), 'all services are ready');
  const hall = tableDriver({ town, store, seed: 'cluster', signal: new AbortController().signal, terms: termsFor });
  closing.push(async () => hall.empty());
  return { cluster, balancer, chronicle, town, store, hall, counts: new Map(), deaths };
}

/** How many events are on the tapes of all tables. */
async function written({ store, hall, counts }: Stage): Promise<number> {
  for (const table of hall.opened) {
    const known = counts.get(table) ?? 0;
    counts.set(table, known + (await store.tapes.read(table, known)).length);
  }
  return [...counts.values()].reduce((sum, many) => sum + many, 0);
}

/** Plays tables, at so many places one after another, while something is done, and then until they are over. */
async function playWhile(hall: TableDriver, work: () => Promise<void>): Promise<void> {
  let isDone = false;
  let next = 0;
  const seat = async (): Promise<void> => {
    do await hall.play(next++);
    while (!isDone);
  };
  const playing = Promise.all(Array.from({ length: TABLES }, seat));
  playing.catch(() => undefined); // it is waited for below
  await work().finally(() => (isDone = true));
  await playing;
}

/** The one of these nodes that leads the most queues. */
function leading(quorums: readonly Quorum[], nodes: readonly Node[]): Node {
  const led = (node: Node): number => quorums.filter(({ leader }) => leader === node).length;
  return nodes.toSorted((a, b) => led(b) - led(a))[0]!;
}

/** Kills a node while tables are played. Resolves when its connections are with the others, the games have gone on, and others lead its queues. */
async function lose(stage: Stage, node: Node): Promise<void> {
  const { cluster, balancer, hall, town } = stage;
  const connected = (): number => NODES.reduce((sum, one) => sum + balancer.connections(cluster.urlOf(one)), 0);
  const here = (): number => balancer.connections(cluster.urlOf(node));
  // Otherwise it would show nothing.
  await until(async () => here() > 0 && hall.playing() > 0, `tables are played, and somebody is connected to ${node}`);
  await cluster.kill(node);
  const before = await written(stage);
  const isBack = async () => here() === 0 && connected() >= town.processes.size && (await town.isReady());
  await until(isBack, `all are connected without ${node}`);
  await until(async () => (await written(stage)) >= before + EVENTS, `the games go on without ${node}`);
  const isLed = async () => (await cluster.quorums()).every(({ leader }) => leader !== undefined && leader !== node);
  await until(isLed, `others lead all queues without ${node}`);
}

(why === undefined ? describe : describe.skip)('a cluster of three brokers', () => {
  it(
    'loses a node in the middle of games, and later another, and they go on and end with nothing lost',
    async () => {
      const stage = await setUp();
      const { cluster, balancer, chronicle, town, store, hall, deaths } = stage;

      // What is declared through any of them lies on all three.
      let declared: readonly Quorum[] = [];
      await until(async () => (declared = await cluster.quorums()).length > 0, 'the queues are there');
      const should = serviceQueues.flatMap(({ queue }) => [
        queue,
        deadLetterQueueOf(queue),
        ...RETRY_MS.map((ms) => delayQueueOf(queue, ms)),
      ]);
      expect(declared.map(({ queue }) => queue).toSorted()).toEqual([...should, 'unrouted'].toSorted());
      const all = NODES.toSorted();
      for (const { queue, members } of declared) expect({ queue, members: members.toSorted() }).toEqual({ queue, members: all });

      await playWhile(hall, async () => {
        await until(async () => hall.playing() === TABLES && (await written(stage)) >= EVENTS, 'all tables are in the middle of a game');
        let before: readonly Quorum[] = [];
        await until(async () => (before = await cluster.quorums()).length > 0, 'the queues are told');
        const first = leading(before, NODES);
        expect(before.filter(({ leader }) => leader === first)).not.toEqual([]);
        await lose(stage, first);
        await cluster.start(first);
        let now = before;
        const isWhole = async (): Promise<boolean> => {
          now = await cluster.quorums();
          return now.every(({ leader, online }) => leader !== undefined && online.length === NODES.length);
        };
        await until(isWhole, `${first} has its share of all queues again`);
        const others = NODES.filter((node) => node !== first);
        await lose(stage, leading(now, others));
      });
      expect(cluster.up()).toHaveLength(NODES.length - 1);

      // Whoever was not told in time that a table was opened has opened another: all there are, are looked at.
      await until(async () => !(await store.tapes.list({ limit: MOST_TABLES, isOver: false })).length, 'all tables are over');
      const tables = (await store.tapes.list({ limit: MOST_TABLES })).map(({ table }) => table);
      expect(tables).toEqual(expect.arrayContaining([...hall.opened]));
      await until(async () => !queuesEmpty(await queueLengths(balancer.url)).length, 'no queue has anything');
      const audited = async (): Promise<readonly string[]> => {
        const found: string[] = [];
        for (const table of tables) {
          const evidence = await evidenceOf(store, chronicle, table, []);
          found.push(...Object.entries(TABLE_AUDITS).flatMap(([name, audit]) => audit(evidence).map((wrong) => `${name}: ${wrong}`)));
        }
        return found;
      };
      // Rooms are archived some time after their table is over.
      await until(async () => !(await audited()).length, 'all tapes and rooms are as they should be').catch(() => undefined);
      expect(await audited()).toEqual([]);
      expect(hall.unopened).toEqual([]);
      expect(await deadLetters(balancer.url, [])).toEqual([]);
      expect(deaths).toEqual([]);
      await town.close(); // what somebody still has in hand goes back to its queue
      expect(queuesEmpty([...(await queueLengths(balancer.url)), ...(await unrouted(balancer.url))])).toEqual([]);
    },
    40 * minute,
  );
});

import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { type Account, accountToRunAs } from '@maw/dev-servers/local/account.ts';
import { pollUntilReady, startSupervised } from '@maw/dev-servers/start-supervised.ts';
import { brokerVersion } from '@maw/dev-servers/broker.ts';
import { serverEnvironment, readDevServersConfig } from '@maw/dev-servers/config.ts';
import { createServerFolder, writePrivateFile } from '@maw/dev-servers/local/folder.ts';
import { startSupervisor, type Supervisor, type SupervisedProcess } from '@maw/dev-servers/supervisor/supervisor.ts';
import { findRabbitmq, type RabbitmqPrograms } from '@maw/dev-servers/local/find-programs.ts';
import { runProgram } from '@maw/dev-servers/local/run-program.ts';
import { lastingPorts } from './reserved-ports.ts';

export const NODES = ['one@localhost', 'two@localhost', 'three@localhost'] as const;
export type Node = (typeof NODES)[number];

/** A quorum queue, as a node of its cluster says. */
export interface Quorum {
  readonly queue: string;
  /** Undefined while there is none. */
  readonly leader: Node | undefined;
  readonly members: readonly Node[];
  /** Those that run. */
  readonly online: readonly Node[];
}

/** Three nodes of RabbitMQ that are one cluster. Each keeps its ports while it is dead. */
export interface RabbitmqCluster {
  urlOf(node: Node): string;
  /** The nodes that were started and not killed. */
  up(): readonly Node[];
  /** Ends a node and whatever it has started with SIGKILL. What it has written stays. */
  kill(node: Node): Promise<void>;
  /** Starts it again on what it had. Resolves when it lets us in. @throws Error when it does not, with the end of its log */
  start(node: Node): Promise<void>;
  /** All quorum queues of the cluster, as a node that is up says. */
  quorums(): Promise<readonly Quorum[]>;
  /** Ends everything and removes the folder. Twice does no harm. */
  close(): Promise<void>;
}

/** How long a node may take to let us in on a machine that has far too much to do. */
const START_MS = 600_000;

/** The cluster while it runs. */
interface Running {
  readonly ground: Ground;
  /** Runs epmd, and removes the folder in the end. */
  readonly together: Supervisor;
  /** The supervisors of the nodes that were started and not killed. */
  readonly guards: Map<Node, Supervisor>;
}

/**
 * Starts a cluster of our own on 127.0.0.1: its own epmd, cookie, user and folder. What was started is gone when it cannot be completed.
 * @throws Unavailable where RabbitMQ is not installed; Error when a node does not start, or they are not one cluster
 */
export async function startCluster(): Promise<RabbitmqCluster> {
  const cluster = await prepare();
  try {
    await form(cluster);
  } catch (error) {
    await closeCluster(cluster);
    throw error;
  }
  return {
    urlOf: (node) => urlOf(cluster.ground, node),
    up: () => nodesUp(cluster),
    kill: (node) => killNode(cluster, node),
    start: (node) => startNode(cluster, node),
    close: () => closeCluster(cluster),
    quorums: () => quorumsOf(cluster),
  };
}

/** Makes the folder and reserves the ports. Starts no server. */
async function prepare(): Promise<Running> {
  const programs = await findRabbitmq(readDevServersConfig().path);
  const account = await accountToRunAs(['rabbitmq', 'nobody']);
  const folder = await createServerFolder('rabbitmq-cluster', undefined, account);
  const together = startSupervisor({ removeFolder: folder });
  const password = randomBytes(16).toString('hex');
  const ports = await lastingPorts(1 + 2 * NODES.length, diceOf(password, 'ports'));
  const ground: Ground = { programs, account, folder, epmd: ports[0]!, password, ports: new Map() };
  for (const [i, node] of NODES.entries()) ground.ports.set(node, { amqp: ports[1 + 2 * i]!, distribution: ports[2 + 2 * i]! });
  return { ground, together, guards: new Map() };
}

/** Writes the configuration and starts all nodes. @throws Error when a node does not start, or they are not one cluster */
async function form(cluster: Running): Promise<void> {
  const { ground, together } = cluster;
  const { folder, account } = ground;
  await writePrivateFile(join(folder, '.erlang.cookie'), randomBytes(16).toString('hex'), account);
  for (const [file, text] of configOf(ground)) await writePrivateFile(join(folder, file), text, account);
  together.add({ processes: [epmdOf(ground)] });
  // The first by itself, so that the others have one to join and none begins a cluster of its own.
  await startNode(cluster, NODES[0]);
  const others = await Promise.allSettled(NODES.slice(1).map((node) => startNode(cluster, node)));
  for (const other of others) if (other.status === 'rejected') throw other.reason;
  const { running_nodes: found } = await ask<{ running_nodes: readonly Node[] }>(ground, NODES[0], 'cluster_status');
  if (found.length !== NODES.length) throw new Error(`three nodes were started, and are no cluster: ${found.join(', ')} run as one`);
}

const urlOf = ({ password, ports }: Ground, node: Node): string => `amqp://maw:${password}@127.0.0.1:${ports.get(node)!.amqp}`;

const nodesUp = ({ guards }: Running): readonly Node[] => NODES.filter((node) => guards.has(node));

async function startNode({ ground, guards }: Running, node: Node): Promise<void> {
  if (guards.has(node)) return;
  const guarded = startSupervisor();
  guards.set(node, guarded);
  const ward = wardOf(ground, node);
  await startSupervised(
    guarded,
    ward.log,
    () => undefined,
    async (over) => {
      guarded.add({ processes: [ward] });
      return pollUntilReady(() => brokerVersion(urlOf(ground, node)), START_MS, over);
    },
  );
}

async function killNode({ guards }: Running, node: Node): Promise<void> {
  const guarded = guards.get(node);
  guards.delete(node);
  await guarded?.stop();
}

async function closeCluster(cluster: Running): Promise<void> {
  await Promise.all(NODES.map((node) => killNode(cluster, node)));
  await cluster.together.stop();
}

/** Asks a node something that is answered in JSON. @throws Error when it does not answer */
async function ask<T>(ground: Ground, node: Node, ...args: readonly string[]): Promise<T> {
  const { programs, account } = ground;
  const command = join(dirname(await realpath(programs.server)), 'rabbitmqctl');
  const all = ['--silent', '--timeout', `${START_MS / 1_000}`, '--node', node, '--formatter', 'json', ...args];
  const { code, output } = await runProgram(command, all, { env: environmentOf(ground, node), account });
  if (code !== 0) throw new Error(`rabbitmqctl ${args.join(' ')} at ${node} failed with ${code}: ${output}`);
  return JSON.parse(output) as T;
}

async function quorumsOf(cluster: Running): Promise<readonly Quorum[]> {
  const columns = ['name', 'type', 'leader', 'members', 'online'];
  const all = await ask<readonly Listed[]>(cluster.ground, nodesUp(cluster)[0]!, 'list_queues', ...columns);
  return all.flatMap(({ name, type, leader, members, online }) =>
    type === 'quorum' ? [{ queue: name, leader: leader || undefined, members: members || [], online: online || [] }] : [],
  );
}

/** A line of `list_queues`; what there is not is the empty string. */
interface Listed {
  readonly name: string;
  readonly type: string;
  readonly leader: Node | '';
  readonly members: readonly Node[] | '';
  readonly online: readonly Node[] | '';
}

/** What all nodes run with. */
interface Ground {
  readonly programs: RabbitmqPrograms;
  readonly account: Account | undefined;
  readonly folder: string;
  readonly epmd: number;
  readonly password: string;
  readonly ports: Map<Node, { readonly amqp: number; readonly distribution: number }>;
}

function configOf({ password, ports }: Ground): readonly (readonly [file: string, text: string])[] {
  const settings = (node: Node): readonly string[] => [
    `listeners.tcp.1 = 127.0.0.1:${ports.get(node)!.amqp}`,
    'default_user = maw',
    `default_pass = ${password}`,
    'disk_free_limit.absolute = 50MB',
    'raft.wal_max_size_bytes = 32000000',
    // As infra/k8s/overlays/production has it.
    'cluster_partition_handling = pause_minority',
    'cluster_formation.peer_discovery_backend = classic_config',
    `cluster_formation.classic_config.nodes.1 = ${NODES[0]}`,
  ];
  return [
    ...NODES.map((node) => [`${node}.conf`, `${settings(node).join('\n')}\n`] as const),
    ['enabled_plugins', '[].\n'],
    ['rabbitmq-env.conf', ''], // otherwise the machine's is read
  ];
}

function environmentOf({ programs, folder, epmd, ports }: Ground, node: Node): Record<string, string> {
  const { amqp, distribution } = ports.get(node)!;
  const near = '-kernel inet_dist_use_interface {127,0,0,1}';
  return serverEnvironment({
    HOME: folder, // where the cookie is
    PATH: [programs.erlang, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(':'),
    ERL_EPMD_PORT: `${epmd}`,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: node,
    RABBITMQ_NODE_PORT: `${amqp}`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_DIST_PORT: `${distribution}`,
    // One scheduler, and none that spins while it waits: three nodes on a small machine.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: `+S 1:1 +sbwt none +sbwtdcpu none +sbwtdio none ${near}`,
    RABBITMQ_CTL_ERL_ARGS: near,
    RABBITMQ_CONFIG_FILE: join(folder, `${node}.conf`),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'rabbitmq-env.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(folder, `${node}.pid`),
  });
}

const runAs = (account: Account | undefined) => (account ? { uid: account.uid, gid: account.gid } : {});

function wardOf(ground: Ground, node: Node): SupervisedProcess {
  const { programs, folder, account } = ground;
  const log = join(folder, `${node}.log`);
  return {
    name: node,
    command: programs.server,
    args: [],
    env: environmentOf(ground, node),
    folder,
    log,
    stopSignal: 'SIGKILL',
    ...runAs(account),
  };
}

/** In the foreground, because the one that erl starts by itself would outlive us all. */
function epmdOf(ground: Ground): SupervisedProcess {
  const { programs, folder, epmd, account } = ground;
  const args = ['-port', `${epmd}`, '-address', '127.0.0.1'];
  const env = environmentOf(ground, NODES[0]);
  return {
    name: 'epmd',
    command: programs.epmd,
    args,
    env,
    folder,
    log: join(folder, 'epmd.log'),
    stopSignal: 'SIGKILL',
    ...runAs(account),
  };
}

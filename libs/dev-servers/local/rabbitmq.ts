import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Account, accountToRunAs } from './account.ts';
import { pollUntilReady, startSupervised } from '../start-supervised.ts';
import { serverEnvironment } from '../config.ts';
import { createServerFolder, readOrCreatePassword, writePrivateFile } from './folder.ts';
import { startSupervisor, type SupervisedProcess } from '../supervisor/supervisor.ts';
import type { Log, DevServer } from '../strategy.ts';
import type { RabbitmqPrograms } from './find-programs.ts';
import { freePorts } from '../ports.ts';

interface Ports {
  readonly amqp: number;
  readonly distribution: number;
  readonly epmd: number;
}

/** Starts a private RabbitMQ on 127.0.0.1, with its own node, cookie, epmd, folders and user. */
export async function startRabbitmq(
  programs: RabbitmqPrograms,
  version: (url: string) => Promise<string>,
  dataFolder: string | undefined,
  log: Log,
  plugins: readonly string[] = [],
): Promise<DevServer> {
  const account = await accountToRunAs(['rabbitmq', 'nobody']);
  const folder = await createServerFolder('rabbitmq', dataFolder, account);
  const supervisor = startSupervisor(dataFolder ? {} : { removeFolder: folder });
  const [amqp = 0, distribution = 0, epmd = 0] = await freePorts(3);
  let url = '';
  const serverVersion = await startSupervised(supervisor, join(folder, 'output.log'), log, async (failure) => {
    const password = await readOrCreatePassword(folder, () => randomBytes(16).toString('hex'), account);
    await configure(folder, password, { amqp, plugins }, account);
    supervisor.add({ processes: serverProcesses(programs, folder, { amqp, distribution, epmd }, account, dataFolder !== undefined) });
    url = `amqp://maw:${password}@127.0.0.1:${amqp}`;
    return pollUntilReady(() => version(url), 120_000, failure);
  });
  return {
    url,
    describe: `RabbitMQ ${serverVersion}, our own on 127.0.0.1:${amqp}, from ${programs.server}`,
    close: () => supervisor.stop(),
  };
}

interface Settings {
  readonly amqp: number;
  readonly plugins: readonly string[];
}

async function configure(folder: string, password: string, { amqp, plugins }: Settings, account: Account | undefined): Promise<void> {
  const settings = [
    `listeners.tcp.1 = 127.0.0.1:${amqp}`,
    'default_user = maw',
    `default_pass = ${password}`,
    'disk_free_limit.absolute = 50MB',
  ];
  await writePrivateFile(join(folder, 'rabbitmq.conf'), `${settings.join('\n')}\n`, account);
  await writePrivateFile(join(folder, 'enabled_plugins'), `[${plugins.join(',')}].\n`, account);
  // An empty file, because otherwise that of the machine is read.
  await writePrivateFile(join(folder, 'rabbitmq-env.conf'), '', account);
}

function serverProcesses(
  programs: RabbitmqPrograms,
  folder: string,
  ports: Ports,
  account: Account | undefined,
  isKept: boolean,
): readonly SupervisedProcess[] {
  const env = serverEnvironment({
    HOME: folder,
    PATH: [programs.erlang, '/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(':'),
    ERL_EPMD_PORT: `${ports.epmd}`,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: 'maw@localhost',
    RABBITMQ_NODE_PORT: `${ports.amqp}`,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_DIST_PORT: `${ports.distribution}`,
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'rabbitmq-env.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: join(folder, 'pid'),
  });
  const common = { env, folder, log: join(folder, 'output.log'), ...(account && { uid: account.uid, gid: account.gid }) };
  return [
    // In the foreground: an epmd started by erl would outlive this process.
    { ...common, name: 'epmd', command: programs.epmd, args: ['-port', `${ports.epmd}`, '-address', '127.0.0.1'], stopSignal: 'SIGKILL' },
    { ...common, name: 'RabbitMQ', command: programs.server, args: [], stopSignal: isKept ? 'SIGTERM' : 'SIGKILL' },
  ];
}

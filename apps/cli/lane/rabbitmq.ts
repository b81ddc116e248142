import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Account, accountToRunAs } from './account.ts';
import { answering, underGuard } from './answering.ts';
import { environmentFor } from './config.ts';
import { folderFor, passwordIn, secretly } from './folder.ts';
import { guard, type Ward } from './guarded.ts';
import type { Say } from './kind.ts';
import type { RabbitmqPrograms } from './path.ts';
import { freePorts } from './ports.ts';
import type { Found } from './way.ts';

interface Ports {
  readonly amqp: number;
  readonly distribution: number;
  readonly epmd: number;
}

/** Starts a RabbitMQ of our own on 127.0.0.1: its own node, cookie, epmd, folders and user. */
export async function startRabbitmq(
  programs: RabbitmqPrograms,
  version: (url: string) => Promise<string>,
  keep: string | undefined,
  say: Say,
  plugins: readonly string[] = [],
): Promise<Found> {
  const account = await accountToRunAs(['rabbitmq', 'nobody']);
  const folder = await folderFor('rabbitmq', keep, account);
  const guarded = guard(keep ? {} : { remove: folder });
  const [amqp = 0, distribution = 0, epmd = 0] = await freePorts(3);
  let url = '';
  const is = await underGuard(guarded, join(folder, 'output.log'), say, async (over) => {
    const password = await passwordIn(folder, () => randomBytes(16).toString('hex'), account);
    await configure(folder, password, { amqp, plugins }, account);
    guarded.add({ wards: wards(programs, folder, { amqp, distribution, epmd }, account, keep !== undefined) });
    url = `amqp://maw:${password}@127.0.0.1:${amqp}`;
    return answering(() => version(url), 120_000, over);
  });
  return { url, describe: `RabbitMQ ${is}, our own on 127.0.0.1:${amqp}, from ${programs.server}`, close: () => guarded.stop() };
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
  await secretly(join(folder, 'rabbitmq.conf'), `${settings.join('\n')}\n`, account);
  await secretly(join(folder, 'enabled_plugins'), `[${plugins.join(',')}].\n`, account);
  // An empty one of our own, because otherwise the machine's is read.
  await secretly(join(folder, 'rabbitmq-env.conf'), '', account);
}

function wards(programs: RabbitmqPrograms, folder: string, ports: Ports, account: Account | undefined, kept: boolean): readonly Ward[] {
  const env = environmentFor({
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
  const ward = { env, folder, log: join(folder, 'output.log'), ...(account && { uid: account.uid, gid: account.gid }) };
  return [
    // In the foreground, because the one that erl starts by itself would outlive us all.
    { ...ward, name: 'epmd', command: programs.epmd, args: ['-port', `${ports.epmd}`, '-address', '127.0.0.1'], stop: 'SIGKILL' },
    { ...ward, name: 'RabbitMQ', command: programs.server, args: [], stop: kept ? 'SIGTERM' : 'SIGKILL' },
  ];
}

import { createHash, randomBytes } from 'node:crypto';
import { contracts } from '@maw/contracts/contracts.ts';
import { usersFor } from './permissions.ts';
import { delaysPlan, joined, wholePlan } from './plan.ts';
import { RETRY_MS, serviceQueues } from '../core/topology.ts';

export interface DefinitionsOptions {
  /** The virtual host that everything lies in. */
  readonly vhost: string;
  /** The password of a user; undefined leaves it without one, and then nobody is let in under its name. */
  readonly passwordOf?: (user: string) => string | undefined;
}

/**
 * What a RabbitMQ broker is to import (`load_definitions`, `rabbitmqctl import_definitions`): virtual host, users, permissions, exchanges, queues and
 * bindings, from the contracts. It holds no passwords, only their salted hashes. Importing again changes nothing but these.
 */
export function definitions({ vhost, passwordOf = () => undefined }: DefinitionsOptions) {
  const names = { prefix: '' };
  const users = usersFor(contracts.all);
  const plan = joined([wholePlan(names), ...serviceQueues.map(({ queue }) => delaysPlan({ queue, delaysMs: RETRY_MS }, names))]);
  return {
    vhosts: [{ name: vhost }],
    users: users.map(({ name, tags }) => ({
      name,
      password_hash: hashOf(passwordOf(name)),
      hashing_algorithm: 'rabbit_password_hashing_sha256',
      tags,
    })),
    permissions: users.map(({ name, permission }) => ({ user: name, vhost, ...permission })),
    topic_permissions: users.flatMap(({ name, topics }) =>
      topics.map(({ exchange, write, read }) => ({ user: name, vhost, exchange, write, read })),
    ),
    exchanges: plan.exchanges.map(({ name, type, arguments: args }) => ({
      name,
      vhost,
      type,
      durable: true,
      auto_delete: false,
      internal: false,
      arguments: args,
    })),
    queues: plan.queues.map(({ name, arguments: args }) => ({ name, vhost, durable: true, auto_delete: false, arguments: args })),
    bindings: plan.bindings.map(({ exchange, queue, key }) => ({
      source: exchange,
      vhost,
      destination: queue,
      destination_type: 'queue',
      routing_key: key,
      arguments: {},
    })),
  };
}

/** As RabbitMQ keeps passwords: four bytes of salt, then the SHA-256 of salt and password. An empty hash fits none. */
function hashOf(password: string | undefined): string {
  if (password === undefined) return '';
  const salt = randomBytes(4);
  const hash = createHash('sha256').update(salt).update(password, 'utf8').digest();
  return Buffer.concat([salt, hash]).toString('base64');
}

/** The names of all users, for whom passwords are needed. */
export const brokerUsers: readonly string[] = usersFor(contracts.all).map(({ name }) => name);

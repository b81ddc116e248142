import { createHash, randomBytes } from 'node:crypto';
import { contracts } from '@maw/contracts/contracts.ts';
import { usersFor } from './permissions.ts';
import { delaysPlan, mergePlans, fullPlan } from './broker-topology.ts';
import { DELAYS_MS } from '../retries.ts';
import { serviceQueues } from '../core/topology.ts';

export interface DefinitionsOptions {
  readonly vhost: string;
  /** Undefined: the user has no password and cannot log in. */
  readonly passwordOf?: (user: string) => string | undefined;
}

/**
 * RabbitMQ definitions to import (`load_definitions`, `rabbitmqctl import_definitions`): virtual host, users, permissions, exchanges, queues
 * and bindings, derived from the contracts. Passwords are salted hashes; importing again changes nothing else.
 */
export function definitions({ vhost, passwordOf = () => undefined }: DefinitionsOptions) {
  const names = { prefix: '' };
  const users = usersFor(contracts.all);
  const plan = mergePlans([fullPlan(names), ...serviceQueues.map(({ queue }) => delaysPlan({ queue, delaysMs: DELAYS_MS }, names))]);
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

/** RabbitMQ's format: four bytes of salt, then the SHA-256 of salt and password. An empty hash matches no password. */
function hashOf(password: string | undefined): string {
  if (password === undefined) return '';
  const salt = randomBytes(4);
  const hash = createHash('sha256').update(salt).update(password, 'utf8').digest();
  return Buffer.concat([salt, hash]).toString('base64');
}

/** The names of all users: each needs a password. */
export const brokerUsers: readonly string[] = usersFor(contracts.all).map(({ name }) => name);

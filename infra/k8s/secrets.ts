/**
 * Makes every secret that the manifests name and that is nobody else's to make, with new passwords, as one list in JSON:
 *
 *     node infra/k8s/secrets.ts --tls | kubectl create -f -
 *
 * `create`, which refuses to write over what is there: new passwords would lock everybody out. For a new version, or with `--tls` from now on, what
 * is there is kept, and only what has changed is other:
 *
 *     kubectl -n maw get secrets -o json | node infra/k8s/secrets.ts --tls --keep | kubectl apply -f -
 */
import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { brokerUsers, definitions } from '@maw/bus/rabbitmq/definitions.ts';

export interface SecretsAsked {
  readonly namespace: string;
  /** Whether the broker is reached by encrypted connections only (the component broker-tls). */
  readonly isTls: boolean;
  /** host:port of the database; without it that of the component postgres. */
  readonly databaseHost?: string | undefined;
  /** What is there: the values by key, by secret. Passwords, tokens and keys in it are kept. */
  readonly kept?: Kept | undefined;
}

type Kept = ReadonlyMap<string, Readonly<Record<string, string>>>;

interface Secret {
  readonly apiVersion: 'v1';
  readonly kind: 'Secret';
  readonly type: 'Opaque' | 'kubernetes.io/basic-auth';
  readonly metadata: { readonly name: string; readonly namespace: string; readonly labels?: Readonly<Record<string, string>> };
  readonly stringData: Readonly<Record<string, string>>;
}

/** The roles of infra/postgres/roles.sql, by the secret that holds their address and its key. */
const addresses: Readonly<Record<string, string>> = {
  'gamemaster': 'maw_gamemaster',
  'chatroom': 'maw_chatroom',
  'player': 'maw_player',
  'llm-gateway': 'maw_llm_gateway',
  'web': 'maw_web',
  'aiwolf': 'maw_aiwolf',
  'contest': 'maw_contest',
  'migrate': 'maw_owner',
  'retention': 'maw_keeper',
  'tools': 'maw_reader',
};
const roles = Object.values(addresses);
const services = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'aiwolf', 'contest'];

/** @param chance a new password of 32 bytes, for URLs; the same for no two calls */
export function secrets(
  { namespace, isTls, databaseHost = 'postgres-rw:5432', kept = new Map() }: SecretsAsked,
  chance = () => randomBytes(32).toString('base64url'),
): readonly Secret[] {
  const old = (name: string, key: string): string | undefined => kept.get(name)?.[key];
  const ofUser = new Map(brokerUsers.map((user) => [user, passwordIn(old(...addressOf(user))) ?? chance()]));
  const ofRole = new Map(roles.map((role) => [role, old(secretOf(role), 'password') ?? chance()]));
  const broker = (user: string) => `${isTls ? 'amqps' : 'amqp'}://${user}:${ofUser.get(user)}@rabbitmq:${isTls ? 5671 : 5672}/maw`;
  const database = (role: string) => `postgres://${role}:${ofRole.get(role)}@${databaseHost}/maw?sslmode=verify-full`;
  const secret = (name: string, stringData: Secret['stringData'], more: Partial<Pick<Secret, 'type'>> & { isReloaded?: boolean } = {}) => ({
    apiVersion: 'v1' as const,
    kind: 'Secret' as const,
    type: more.type ?? ('Opaque' as const),
    // The operator of PostgreSQL takes over a password that was changed here.
    metadata: { name, namespace, ...(more.isReloaded ? { labels: { 'cnpg.io/reload': 'true' } } : {}) },
    stringData,
  });
  const gatewayKeys =
    old('llm-gateway', 'gateway-keys.json') ?? JSON.stringify([{ key: chance(), agent: 'operator', tenant: 'operators', admin: true }]);
  const more: Readonly<Record<string, Secret['stringData']>> = {
    'llm-gateway': { 'gateway-keys.json': gatewayKeys },
    'web': { 'web-secret': old('web', 'web-secret') ?? chance(), 'admin-token': old('web', 'admin-token') ?? chance() },
  };
  const databaseOf = (name: string) => (addresses[name] ? { 'database-url': database(addresses[name]) } : {});
  const management = `http${isTls ? 's' : ''}://monitoring:${ofUser.get('monitoring')}@rabbitmq.${namespace}.svc:${isTls ? 15671 : 15672}/maw`;
  return [
    ...services.map((name) => secret(name, { 'amqp-url': broker(name), ...databaseOf(name), ...more[name] })),
    secret('migrate', databaseOf('migrate')),
    secret('retention', databaseOf('retention')),
    secret('tools', { 'amqp-url': broker('operator'), 'gateway-key': administratorOf(gatewayKeys), ...databaseOf('tools') }),
    secret('metrics', { token: old('metrics', 'token') ?? chance() }),
    ...roles.map((role) =>
      secret(secretOf(role), { username: role, password: ofRole.get(role)! }, { type: 'kubernetes.io/basic-auth', isReloaded: true }),
    ),
    secret('rabbitmq-definitions', {
      'definitions.json': JSON.stringify(definitions({ vhost: 'maw', passwordOf: (user) => ofUser.get(user) })),
    }),
    secret('rabbitmq-monitoring', { 'http-url': management, ...(isTls ? { tls: 'enable' } : {}) }),
  ];
}

/** The secret and the key in which the password of a user of the broker stands. */
function addressOf(user: string): readonly [name: string, key: string] {
  if (user === 'monitoring') return ['rabbitmq-monitoring', 'http-url'];
  return [user === 'operator' ? 'tools' : user, 'amqp-url'];
}

/** The first key in a file of keys that may administer the gateway; empty when somebody has taken it out. */
const administratorOf = (keys: string): string =>
  (JSON.parse(keys) as readonly { readonly key: string; readonly admin?: boolean }[]).find(({ admin }) => admin === true)?.key ?? '';

const secretOf = (role: string) => `postgres-${role.replaceAll('_', '-')}`;

const passwordIn = (address: string | undefined) => (address === undefined ? undefined : decodeURIComponent(new URL(address).password));

/** What `kubectl get secrets -o json` says. @throws Error when it is something else */
export function keptIn(json: string): Kept {
  const { kind, items } = JSON.parse(json) as { kind?: string; items?: { metadata: { name: string }; data?: Record<string, string> }[] };
  if (kind !== 'List' || items === undefined)
    throw new Error('--keep reads what `kubectl get secrets -o json` says, and this is something else');
  return new Map(
    items.map(({ metadata, data = {} }) => [
      metadata.name,
      Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')])),
    ]),
  );
}

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'namespace': { type: 'string', default: 'maw' },
      'tls': { type: 'boolean', default: false },
      'database-host': { type: 'string' },
      'keep': { type: 'boolean', default: false },
    },
  });
  const kept = values.keep ? keptIn(await text(process.stdin)) : undefined;
  const items = secrets({ namespace: values.namespace, isTls: values.tls, databaseHost: values['database-host'], kept });
  process.stdout.write(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items }, undefined, 2)}\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main(process.argv.slice(2)).catch((error: Error) => {
    process.stderr.write(
      `secrets: ${error.message}\nusage: node infra/k8s/secrets.ts [--tls] [--keep] [--namespace maw] [--database-host HOST:PORT]\n`,
    );
    process.exitCode = 2;
  });
}

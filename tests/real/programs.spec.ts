import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { dotEnv } from '../equipment/containers/compose-file.ts';
import { areRequired, findProgram, whatIsMissing } from '../equipment/servers/real-programs.ts';
import { root } from '../equipment/source/repository.ts';

interface Manifest {
  readonly dist: { readonly version: string };
  readonly extensions?: readonly { readonly gomod: string }[];
  readonly receivers: readonly { readonly gomod: string }[];
  readonly processors: readonly { readonly gomod: string }[];
  readonly exporters: readonly { readonly gomod: string }[];
}
const yaml = (path: string): unknown => parse(readFileSync(join(root, path), 'utf8'));
const script = readFileSync(join(root, 'tests/real/get.sh'), 'utf8');

describe.each(['traces', 'logs'])('the collector that is built for %s.yaml', (name) => {
  const { dist, ...parts } = yaml(`tests/real/otelcol-${name}.yaml`) as Manifest;

  it('has exactly the components that the file names', () => {
    const config = yaml(`infra/otel-collector/${name}.yaml`) as Record<string, object | undefined>;
    for (const kind of ['extensions', 'receivers', 'processors', 'exporters'] as const) {
      // A module is called as its component, with the kind at its end: the exporter otlp_grpc is otlpexporter.
      const built = (parts[kind] ?? []).map(({ gomod }) => gomod.split(' ')[0]!.split('/').at(-1)!);
      const named = Object.keys(config[kind] ?? {}).map((each) => each.replace(/_grpc$/, '').replaceAll('_', ''));
      expect([kind, built.map((each) => each.replace(/(receiver|processor|exporter)$/, '')).toSorted()]).toEqual([kind, named.toSorted()]);
    }
  });

  it('is of one version, which the script says', () => {
    const versions = Object.values(parts).flatMap((some) => (some as Manifest['receivers']).map(({ gomod }) => gomod.split(' ')[1]));
    expect(new Set(versions)).toEqual(new Set([`v${dist.version}`]));
    expect(script).toContain(`\n${name.toUpperCase()}=v${dist.version}`);
  });
});

it('builds the collector of traces at the version that compose has', () => {
  const { dist } = yaml('tests/real/otelcol-traces.yaml') as Manifest;
  expect(dotEnv['OTEL_COLLECTOR_IMAGE']).toMatch(new RegExp(`:${dist.version.replaceAll('.', '[.]')}$`));
});

describe('the programs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'maw-programs-'));
    mkdirSync(join(folder, 'bin'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
  const write = (path: string) => {
    writeFileSync(join(folder, path), '');
    chmodSync(join(folder, path), 0o755);
    return join(folder, path);
  };

  it('are found on the path before those of the script, by any of their names', () => {
    const env = { PATH: folder, MAW_REAL: folder };
    expect(findProgram(['alertmanager'], env)).toBeUndefined();
    const built = write('bin/prometheus-alertmanager');
    expect(findProgram(['alertmanager', 'prometheus-alertmanager'], env)).toBe(built);
    const onPath = write('alertmanager');
    expect(findProgram(['alertmanager', 'prometheus-alertmanager'], env)).toBe(onPath);
  });

  it('are named where they are missing, with what gets them', () => {
    write('bin/jaeger');
    const missing = whatIsMissing({ PATH: '', MAW_REAL: folder });
    expect(missing).toMatch(/^there is no otelcol-traces, no otelcol-logs, no prometheus, no alertmanager\b.*tests\/real\/get[.]sh/);
    expect(missing).not.toContain('jaeger');
  });

  it('are required in CI where Go can build them, and nowhere else', () => {
    expect(areRequired({ CI: 'true', PATH: folder, MAW_REAL: folder })).toBe(false);
    write('go');
    expect(areRequired({ CI: 'true', PATH: folder, MAW_REAL: folder })).toBe(true);
    expect(areRequired({ PATH: folder, MAW_REAL: folder })).toBe(false);
    expect(areRequired({ CI: 'true', PATH: folder, MAW_REAL: 'none' })).toBe(false);
  });
});

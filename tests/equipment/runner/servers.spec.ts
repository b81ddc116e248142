import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DevServers, DevServersOptions } from '@maw/dev-servers/dev-servers.ts';
import { readOptions } from './options.ts';
import { serversFor } from './servers.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maw-servers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const spec = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const [AMQP, DATABASE] = ["process.env['AMQP_URL']", "process.env['DATABASE_URL']"];
const devServers = (parts: Partial<DevServers>): DevServers => ({ describe: [], missing: [], close: async () => undefined, ...parts });

describe('serversFor', () => {
  it('starts nothing when no suite needs a server', async () => {
    const asked: DevServersOptions[] = [];
    const servers = await serversFor([spec('a.e2e.spec.ts', '')], readOptions([]), async (options = {}) => {
      asked.push(options);
      return devServers({});
    });
    expect(asked).toEqual([]);
    expect(servers.env).toEqual({});
    expect(servers.sort([join(folder, 'a.e2e.spec.ts')], basename)).toEqual({ able: [join(folder, 'a.e2e.spec.ts')], skipped: [] });
  });

  it('starts only the needed servers, in the allowed ways', async () => {
    const asked: DevServersOptions[] = [];
    await serversFor([spec('a.int.spec.ts', AMQP)], readOptions(['--no-docker']), async (options = {}) => {
      asked.push(options);
      return devServers({});
    });
    expect(asked).toEqual([{ broker: true, database: false, allowDocker: false, allowInstall: true }]);
  });

  it('passes servers by environment and skips suites that lack one', async () => {
    const [both, amqp, sql] = [spec('both.int.spec.ts', ''), spec('amqp.int.spec.ts', AMQP), spec('sql.int.spec.ts', DATABASE)];
    const servers = await serversFor([both, amqp, sql], readOptions([]), async () =>
      devServers({ databaseUrl: 'postgres://here', missing: ['no RabbitMQ: none here'] }),
    );
    expect(servers.env).toEqual({ DATABASE_URL: 'postgres://here' });
    const { able, skipped } = servers.sort([both, amqp, sql], basename);
    expect(able).toEqual([sql]);
    expect(skipped.map((each) => [each.skipped, ...each.notes])).toEqual([
      [1, 'skipped: both.int.spec.ts: no RabbitMQ: none here'],
      [1, 'skipped: amqp.int.spec.ts: no RabbitMQ: none here'],
    ]);
  });

  it('are shared by suites that read where they are, or import a suite file that does', async () => {
    spec('fixture.suite.ts', AMQP);
    const specs = [
      spec('reads.e2e.spec.ts', DATABASE),
      spec('imports.e2e.spec.ts', "import './fixture.suite.ts'"),
      spec('package.e2e.spec.ts', "import '@maw/store/test-database.suite.ts'"),
      spec('own.e2e.spec.ts', "const env = { AMQP_URL: 'amqp://of.its.own' }"),
    ];
    const servers = await serversFor(specs, readOptions([]), async () => devServers({}));
    expect(specs.map(servers.isShared)).toEqual([true, true, true, false]);
  });

  it('skips container suites with --no-docker', async () => {
    mkdirSync(join(folder, 'containers'));
    spec('containers/engine.ts', '');
    const [contained, plain] = [spec('containers/a.e2e.spec.ts', "import './engine.ts'"), spec('b.e2e.spec.ts', '')];
    const servers = await serversFor([contained, plain], readOptions(['--no-docker']));
    const { able, skipped } = servers.sort([contained, plain], basename);
    expect([able, skipped.map(({ notes }) => notes)]).toEqual([[plain], [['skipped: a.e2e.spec.ts: --no-docker']]]);
  });

  it('runs container suites without an engine when MAW_CONTAINERS is must', async () => {
    mkdirSync(join(folder, 'containers'));
    spec('containers/engine.ts', '');
    const contained = spec('containers/a.e2e.spec.ts', "import './engine.ts'");
    const [before, path] = [process.env['MAW_CONTAINERS'], process.env['PATH']];
    try {
      process.env['PATH'] = folder; // no docker is there
      const sorted: Record<string, unknown> = {};
      for (const wanted of ['', 'must']) {
        process.env['MAW_CONTAINERS'] = wanted;
        const servers = await serversFor([contained], readOptions([]));
        const { able, skipped } = servers.sort([contained], basename);
        sorted[wanted] = [able, skipped.flatMap(({ notes }) => notes)];
      }
      expect(sorted).toEqual({ '': [[], ['skipped: a.e2e.spec.ts: no Docker engine answers']], 'must': [[contained], []] });
    } finally {
      process.env['PATH'] = path;
      if (before === undefined) delete process.env['MAW_CONTAINERS'];
      else process.env['MAW_CONTAINERS'] = before;
    }
  });

  it('names what is missing of the programs of tests/real, and runs their suites anyway in CI where Go can build them', async () => {
    mkdirSync(join(folder, 'real'));
    spec('real/programs.ts', '');
    const real = spec('real/a.e2e.spec.ts', "import './programs.ts'");
    spec('go', '');
    chmodSync(join(folder, 'go'), 0o755);
    const before = { ...process.env };
    try {
      Object.assign(process.env, { PATH: folder, MAW_REAL: folder });
      const sorted: unknown[] = [];
      for (const ci of ['', 'true']) {
        process.env['CI'] = ci;
        const { able, skipped } = (await serversFor([real], readOptions([]))).sort([real], basename);
        sorted.push([able, skipped.flatMap(({ notes }) => notes)]);
      }
      const named = expect.stringMatching(/^skipped: a[.]e2e[.]spec[.]ts: there is no otelcol-traces,.*tests[/]real[/]get[.]sh/);
      expect(sorted).toEqual([
        [[], [named]],
        [[real], []],
      ]);
    } finally {
      for (const name of ['PATH', 'MAW_REAL', 'CI']) {
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
      }
    }
  });
});

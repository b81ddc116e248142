import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { root as ours } from '../source/repository.ts';

jest.setTimeout(600_000);

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'maw-run-'));
  symlinkSync(join(ours, 'node_modules'), join(root, 'node_modules'));
  write('package.json', '{ "type": "module" }');
  write('jest.config.js', readFileSync(join(ours, 'jest.config.js'), 'utf8').replace("'./tests", `'${join(ours, 'tests')}`));
});
afterEach(() => rmSync(root, { recursive: true }));

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const suite = (...tests: string[]) => ["import { it } from '@jest/globals';", ...tests].join('\n');

interface Ended {
  readonly code: number | null;
  readonly lines: readonly string[];
  readonly err: string;
}

/** Starts the runner in a small repository of its own. */
function start(args: readonly string[]): { child: ChildProcess; ended: Promise<Ended> } {
  const program = `
    const { runTests } = await import(${JSON.stringify(join(ours, 'tests/equipment/runner/main.ts'))});
    process.exit(await runTests(${JSON.stringify(args)}, ${JSON.stringify(root)}));`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (part: Buffer) => (out += part.toString()));
  child.stderr.on('data', (part: Buffer) => (err += part.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => resolve({ code, lines: out.trimEnd().split('\n'), err }));
  });
  return { child, ended };
}
const run = (...args: string[]) => start(args).ended;

describe('runTests', () => {
  it('exits with 0 and prints the counts as its last line', async () => {
    write('a.spec.ts', suite("it('is', () => {});", "it.skip('is not', () => {});"));
    write('b.e2e.spec.ts', suite("it('is', () => {});"));
    const { code, lines } = await run('--all', '--only', 'unit,e2e');
    expect(lines.at(-1)).toBe('2 passed, 0 failed, 1 skipped');
    expect(code).toBe(0);
  });

  it('fails for a failed test, printed in full, and for a broken suite', async () => {
    write('a.spec.ts', suite("it('breaks', () => { throw new Error('no'); });", "it('is', () => {});"));
    write('b.spec.ts', "import './not-there.ts';");
    const { code, lines, err } = await run('--only', 'unit');
    expect(err).toMatch(/^FAILED a\.spec\.ts\n[^]*no\n[^]*a\.spec\.ts:\d+/m);
    expect(lines).toContainEqual(expect.stringMatching(/^failed: b\.spec\.ts did not run to its end: .*not-there/));
    expect(lines.at(-1)).toBe('1 passed, 2 failed, 0 skipped');
    expect(code).toBe(1);
  });

  it('fails when the repository has no unit test', async () => {
    write('b.e2e.spec.ts', suite("it('is', () => {});"));
    const { code, lines } = await run('--all', '--only', 'unit,e2e');
    expect(lines.at(-1)).toBe('1 passed, 1 failed, 0 skipped');
    expect(code).toBe(1);
  });

  it('fails when no test matches the path or pattern', async () => {
    write('a.spec.ts', suite("it('is', () => {});"));
    expect((await run('-t', 'other')).code).toBe(1);
    expect((await run('elsewhere/')).code).toBe(1);
    expect((await run('a.spec', '-t', 'is')).code).toBe(0);
  });

  it('exits with 2 for an unknown option', async () => {
    expect(await run('--speed')).toMatchObject({ code: 2, lines: [''], err: expect.stringContaining('unknown option --speed') });
  });

  it('stops everything it started when it is interrupted', async () => {
    write(
      'a.spec.ts',
      suite(
        "it('hangs', () => new Promise((r) => setTimeout(r, 600_000)), 600_000);",
        `import { writeFileSync } from 'node:fs';`,
        `writeFileSync(${JSON.stringify(join(root, 'pid'))}, String(process.pid));`,
      ),
    );
    const { child, ended } = start(['--only', 'unit']);
    while (!existsSync(join(root, 'pid')) || !readFileSync(join(root, 'pid'), 'utf8')) await after(50);
    const pid = Number(readFileSync(join(root, 'pid'), 'utf8'));
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    while (lives(pid)) await after(50);
  });
});

/** Whether the process runs; a zombie does not. */
function lives(pid: number): boolean {
  try {
    return (
      process.kill(pid, 0) && !/^State:\s+Z/m.test(existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, 'utf8') : '')
    );
  } catch {
    return false;
  }
}

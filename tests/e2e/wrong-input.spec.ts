import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { runMaw } from '@maw/cli/command.suite.ts';
import { readCliConfig } from '@maw/cli/config.ts';
import { createProgram } from '@maw/cli/program.ts';

// Wrong input of every command, made from the table of commands: one clear line, or one for each mistake, and never a stack or a raw escape.

jest.setTimeout(600_000);

const ESCAPES = '\u001b]0;PWNED\u0007\u001b[2J';
const NOTHING = '127.0.0.1:2';
/** Started by the launcher, not by the program. */
const OF_LAUNCHER = ['test', 'bench'];

interface Slot {
  /** The name of the option with its dashes, or of the argument. */
  readonly flag: string;
  readonly takes: string;
  readonly isParsed: boolean;
}

interface Leaf {
  readonly path: readonly string[];
  readonly args: readonly Slot[];
  readonly options: readonly Slot[];
  readonly needed: readonly Slot[];
}

type Program = ReturnType<typeof createProgram>;

const leavesOf = (program: Program, path: readonly string[] = []): readonly Leaf[] => {
  if (program.commands.length) return program.commands.flatMap((each) => leavesOf(each as Program, [...path, each.name()]));
  const options = program.options.map((each) => ({
    flag: each.long!,
    takes: /[<[]([^>\]]*)/.exec(each.flags)?.[1] ?? '',
    isParsed: each.parseArg !== undefined,
    isNeeded: each.mandatory,
  }));
  const args = program.registeredArguments
    .filter(({ required }) => required)
    .map((each) => ({ flag: '', takes: each.name(), isParsed: false }));
  return [{ path, args, options: options.filter(({ takes }) => takes), needed: options.filter(({ isNeeded }) => isNeeded) }];
};

const leaves = leavesOf(
  createProgram({ config: readCliConfig({}), signal: new AbortController().signal, finish: async () => undefined }, true),
).filter(({ path }) => !OF_LAUNCHER.includes(path[0]!));

/** What a needed option or argument has while another one is wrong. */
const FINE: Readonly<Record<string, string>> = {
  role: 'admin',
  division: 'protocol',
  server: NOTHING,
  game: 'guessing',
  seat: '1',
  n: '5',
  queue: 'gamemaster',
};
const fineFor = ({ flag, takes }: Slot): string => FINE[flag.replace('--', '')] ?? FINE[takes] ?? 'absent.csv';

const isFile = ({ takes }: Slot): boolean => /^(?:file|results|path|dump|folder)(?:\.\.\.)?$/.test(takes);
/** What a command writes: these are wrong when they cannot be written. */
const isWritten = ({ path }: Leaf, { flag, takes }: Slot): boolean =>
  /^--(?:out|transcript|export|plots|logs|passwords)$/.test(flag) ||
  (flag === '' && takes === 'file' && /^(?:dataset (?:import|build|record|talk-3)|context save|experience export)$/.test(path.join(' '))) ||
  path.join(' ') === 'prepare';

let cwd: string;
let busy: Server;
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'maw-wrong-'));
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(cwd, name), content);
  mkdirSync(join(cwd, 'folder.csv'));
  put('empty.csv', '');
  put('long.csv', 'x'.repeat(30_000_000));
  put(
    'binary.csv',
    Uint8Array.from({ length: 5_000 }, (_, i) => (i * 7919) % 256),
  );
  put('other.csv', `<!doctype html>\n<title>${ESCAPES}</title>\n${ESCAPES}hello: x\n`);
  put('yaml.csv', `${ESCAPES}: [*a]\n? ${ESCAPES}\n`);
  put('locked.csv', '{}');
  chmodSync(join(cwd, 'locked.csv'), 0);
  busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
});
afterAll(() => {
  busy.close();
  rmSync(cwd, { recursive: true, force: true });
});

const READ = ['absent.csv', 'folder.csv', 'empty.csv', 'long.csv', 'binary.csv', 'other.csv', 'yaml.csv', 'locked.csv', `${ESCAPES}.csv`];
const WRITTEN = ['empty.csv/x/y', 'folder.csv/absent/x'];

/** A folder that is written is made; a secret is any text. */
const valuesFor = (leaf: Leaf, slot: Slot): readonly string[] => {
  if (isWritten(leaf, slot)) return slot.takes === 'folder' ? WRITTEN.slice(0, 1) : WRITTEN;
  return slot.flag === '--secret-file' ? READ.filter((name) => !/^(?:other|yaml|locked)/.test(name)) : READ;
};

interface Case {
  readonly args: readonly string[];
  readonly env?: Record<string, string>;
}

/** A command line with one slot wrong. */
const lineWith = (leaf: Leaf, slot: Slot | undefined, value: string): readonly string[] => {
  const args = leaf.args.map((each) => (each === slot ? value : fineFor(each)));
  const needed = leaf.needed.filter(({ flag }) => flag !== slot?.flag).flatMap((each) => [each.flag, fineFor(each)]);
  return [
    ...leaf.path,
    ...args,
    ...needed,
    ...(slot && slot.flag ? [slot.flag, value] : []),
    ...(leaf.path[1] === 'record' ? ['--games', '1'] : []),
  ];
};

const casesOf = (leaf: Leaf): readonly Case[] => {
  const slots = [...leaf.args, ...leaf.options];
  const has = (flag: string): boolean => leaf.options.some((each) => each.flag === flag);
  const at = has('--at') ? ['--at', `http://${NOTHING}`] : [];
  const env = { DATABASE_URL: `postgres://me:secret@${NOTHING}/x`, AMQP_URL: `amqp://${NOTHING}` };
  const files = slots.filter((slot) => isFile(slot) && slot.flag !== '--data');
  const wrong = files.flatMap((slot) => valuesFor(leaf, slot).map((value) => ({ args: [...lineWith(leaf, slot, value), ...at], env })));
  const types = slots.filter(({ isParsed }) => isParsed).map((slot) => ({ args: [...lineWith(leaf, slot, `none${ESCAPES}`), ...at], env }));
  const unknown = [
    { args: [...lineWith(leaf, undefined, ''), `--none${ESCAPES}`] },
    { args: [...leaf.path, ...leaf.args.map(fineFor), 'a', 'b', ESCAPES] },
  ];
  const dead =
    has('--at') && leaf.path[0] !== 'demo'
      ? ['http://127.0.0.1:2', 'nonsense', ESCAPES].map((value) => ({ args: [...lineWith(leaf, undefined, ''), '--at', value] }))
      : [];
  const { port } = busy.address() as AddressInfo;
  const isHost = /^(?:up|aiwolf host)$/.test(leaf.path.join(' '));
  const used = isHost ? [{ args: [...lineWith(leaf, undefined, ''), '--port', String(port), '--data', 'own'] }] : [];
  return [...wrong, ...types, ...unknown, ...dead, ...used];
};

/** Where what is given is no mistake: `demo` waits for a system that starts later. */
const IS_FINE = /^(?:demo|minds list|rules|definitions)/;

it.each(leaves.map((leaf) => [leaf.path.join(' '), leaf] as const))(
  'maw %s answers each wrong input with a clear line',
  async (name, leaf) => {
    const bad: unknown[] = [];
    for (const { args, env } of casesOf(leaf)) {
      const { code, err, lines } = await runMaw(args, { cwd, signal: AbortSignal.timeout(300_000), ...(env && { env }) });
      const isClear =
        lines.length > 0 && lines.length <= 40 && lines.every((line) => line.length <= 560) && !/^\s+at .*:\d+|Error:/m.test(err);
      const isSafe = !/[^\P{Cc}\n]/u.test(err);
      if ((code === 0 && !IS_FINE.test(name)) || (code !== 0 && !isClear) || !isSafe)
        bad.push({ args: args.join(' '), code, err: err.slice(0, 600) });
    }
    expect(bad).toEqual([]);
  },
);

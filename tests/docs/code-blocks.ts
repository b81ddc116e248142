import { repositoryFiles, root } from '../equipment/source/repository.ts';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A fenced block of a page: its language, the words after it, and the line of its first fence, from 1. Indentation of the fences is taken off. */
export interface CodeBlock {
  readonly line: number;
  readonly language: string;
  readonly info: string;
  readonly text: string;
}

export function codeBlocksOf(markdown: string): readonly CodeBlock[] {
  return [...markdown.matchAll(/^( *)```([^\s`]*)[ \t]*(.*)\n([^]*?)^\1```$/gm)].map(
    ({ index, 1: indentation = '', 2: language = '', 3: info = '', 4: text = '' }) => ({
      line: markdown.slice(0, index).split('\n').length,
      language,
      info: info.trim(),
      text: text.replaceAll(new RegExp(`^${indentation}`, 'gm'), ''),
    }),
  );
}

/** Who runs a shell block, by its mark: the first word after `sh`. Blocks that nobody runs say why: `sh not-run: REASON`. */
export const RUNNERS = {
  run: 'tests/docs/code-blocks.spec.ts',
  gateway: 'tests/docs/gateway.spec.ts',
  http: 'tests/docs/http.spec.ts',
  container: 'tests/containers/documented-commands.e2e.spec.ts', // of docs/operations.md; of docs/alerts.md runbooks.e2e.spec.ts
  agents: 'tests/aiwolf/documented-agents.e2e.spec.ts',
  program: 'tests/agents/documented-programs.e2e.spec.ts',
} as const;

const NOT_RUN = /^not-run: (\S.{5,})$/;

/** What is wrong with the mark of a block, if it is one of a shell. */
export function faultOf({ language, info }: CodeBlock): string | undefined {
  if (!language) return 'has no language; write "text" for what is no code';
  if (/^(bash|console|shell|shell-session|zsh)$/.test(language)) return `is in ${language}: write sh, without prompts`;
  if (language !== 'sh' || Object.hasOwn(RUNNERS, info) || NOT_RUN.test(info)) return undefined;
  return `needs a mark: ${Object.keys(RUNNERS).join(', ')}, or not-run: REASON`;
}

/** Why a block is not run; undefined for one that is. */
export const reasonNotRun = ({ language, info }: CodeBlock): string | undefined =>
  language === 'sh' ? NOT_RUN.exec(info)?.[1] : undefined;

/** Every page for people, by its path from the root. Prompts of recipes are none. */
export const documentation = repositoryFiles().filter(
  (path) => path.endsWith('.md') && (!path.startsWith('recipes/') || path.endsWith('README.md')),
);

export const readPage = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The shell blocks of a page with this mark. */
export const markedBlocks = (markdown: string, mark: keyof typeof RUNNERS): readonly CodeBlock[] =>
  codeBlocksOf(markdown).filter(({ language, info }) => language === 'sh' && info === mark);

/** Whether a page has a block that plays with a model, or in real time, or about a table that was played: these take a minute. */
export const takesLong = (markdown: string): boolean =>
  markedBlocks(markdown, 'run').some(({ text }) => /maw (play|aiwolf)\b|--model\b|\bTABLE\b/.test(text));

const run = promisify(execFile);

/**
 * Runs the blocks of a page that are marked `sh run`, one after the other, each in a shell of its own, all in one empty folder. Blocks with a file name after
 * their language, such as `json game.json`, are written to that folder first. Series of games are shortened to two games each. The simulator answers for models, and no system but what the blocks start. Where a block says TABLE it means the newest table of its data folder; in the default
 * folder one is played for it first.
 * @returns what each block printed
 * @throws Error of the first command that fails, with its output
 */
export async function runCodeBlocks(markdown: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'maw-docs-'));
  try {
    for (const { info, text } of codeBlocksOf(markdown)) if (/^[\w-]+\.\w+$/.test(info)) await writeFile(join(folder, info), text);
    const printed: string[] = [];
    for (const { text } of markedBlocks(markdown, 'run')) {
      const script = text.replaceAll(/--games \d+/g, '--games 2').replaceAll(/--model llama3\.1/g, '--model sim');
      const table = /\bTABLE\b/.test(script) ? await newestTable(/--data (\S+)/.exec(script)?.[1], folder) : '';
      printed.push(await runShell(script.replaceAll(/\bTABLE\b(\.\.\.)?/g, table), folder));
    }
    return printed;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function newestTable(data: string | undefined, cwd: string): Promise<string> {
  if (data === undefined) await runShell('./maw simulate --rules onuw --minds react --model sim --games 1', cwd);
  const [table] = (await runShell(`./maw tables${data === undefined ? '' : ` --data ${data}`}`, cwd)).split(' ');
  return table!;
}

/** What a script printed, on either output. */
async function runShell(script: string, cwd: string): Promise<string> {
  const ours = /^(MAW_|OLLAMA|AMQP_|DATABASE_|MODEL$|JEST_|NODE_OPTIONS$)/;
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)));
  const running = run('bash', ['--norc', '-euo', 'pipefail', '-c', script.replaceAll('./maw ', `${join(root, 'maw')} `)], {
    cwd,
    timeout: 900_000,
    maxBuffer: 64e6,
    env: { ...env, OLLAMA_HOST: '127.0.0.1:9' },
  });
  running.child.stdin?.end();
  const { stdout, stderr } = await running;
  return stdout + stderr;
}

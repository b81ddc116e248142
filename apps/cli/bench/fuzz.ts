import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { fromData, fuzz, type Fuzzed } from '../../../tests/fuzz/fuzz.ts';
import { machine } from './figures.ts';

const USAGE = `maw bench fuzz [--messages N] [--seed S] [--again FILE] [--json]

  --messages N   mutated and random messages on every queue (100000), and an HTTP request for every twenty of them
  --seed S       the same seed sends the same ones
  --again FILE   sends the messages of a file instead: the lines that were printed with a failure
`;
const PROGRESS_MS = 5_000;
const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

/**
 * `maw bench fuzz`: sends mutated and random messages and HTTP requests to all services of one process, on a bus in memory, while a table of
 * every rule set waits at a question. Returns the exit code: 1 when something was not as it must be.
 */
export async function runFuzz(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readFuzz(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  const { messages, seed, again, json } = asked;
  say(`${machine()}; ${again?.length ?? messages} messages, seed ${seed}`);
  let told = performance.now();
  let shown = 0;
  const heard = (so: Fuzzed): void => {
    for (const line of so.wrong.slice(shown)) process.stderr.write(`${line}\n`);
    shown = so.wrong.length;
    if (performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    say(
      `${so.letters} messages, ${so.requests} requests, ${((1000 * so.letters) / so.ms).toFixed(0)} messages/s${so.wrong.length ? `, ${so.wrong.length} WRONG` : ''}`,
    );
  };
  const done = await fuzz({ seed, letters: messages, signal, heard, ...(again ? { again } : {}) });
  for (const line of done.wrong.slice(shown)) process.stderr.write(`${line}\n`);
  process.stdout.write(
    json
      ? `${JSON.stringify({ bench: 'fuzz', seed, ...done, wrong: done.wrong.length })}\n`
      : `\n### fuzz\n\n${machine()}\n\n${table(done)}\n`,
  );
  if (signal.aborted) return 130;
  return done.wrong.length ? 1 : 0;
}

const counts = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const table = ({ letters, requests, outcomes, statuses, heap, ms, wrong }: Fuzzed): string =>
  [
    '| what | how much |',
    '| --- | --- |',
    `| messages | ${letters} |`,
    `| what came of them, and of what followed | ${counts(outcomes)} |`,
    `| HTTP requests | ${requests} |`,
    `| statuses of the answers | ${counts(statuses)} |`,
    `| heap after a quarter, and at the end | ${heap.quarter.toFixed(1)} MiB, ${heap.end.toFixed(1)} MiB |`,
    `| time | ${(ms / 1000).toFixed(1)} s |`,
    `| not as it must be | ${wrong.length} |`,
  ].join('\n');

interface Fuzz {
  readonly messages: number;
  readonly seed: string;
  readonly again: ReturnType<typeof fromData>[] | undefined;
  readonly json: boolean;
}

/** What is to be sent; a sentence when that cannot be. */
export function readFuzz(args: readonly string[]): Fuzz | string {
  const text = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { messages: text, seed: text, again: text, json: { type: 'boolean', default: false } },
    });
    const messages = Number(values.messages ?? 100_000);
    if (!Number.isSafeInteger(messages) || messages < 1) return '--messages: a whole number from 1 is wanted.';
    return {
      messages,
      seed: values.seed ?? 'fuzz',
      again: values.again === undefined ? undefined : lettersIn(values.again),
      json: values.json,
    };
  } catch (error) {
    return (error as Error).message;
  }
}

/** @throws Error when the file cannot be read, or holds no letters */
function lettersIn(file: string): ReturnType<typeof fromData>[] {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"n":'));
  if (!lines.length) throw new Error(`${file} holds no messages: give the lines that were printed with a failure`);
  return lines.map(fromData);
}

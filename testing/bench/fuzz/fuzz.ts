import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type Fuzzed, TOWN, visitsOf } from '../../fuzz/fuzz.ts';
import { fromData } from '../../fuzz/random-message.ts';
import { machine } from '../figures.ts';
import { runFuzzWorkers, type Underway } from './worker-pool.ts';

const USAGE = `maw bench fuzz [--messages N] [--seed S] [--from N] [--town N] [--jobs N] [--json] | --again FILE

  --messages N   mutated and random messages 0 to N-1 (100000), on every queue, and an HTTP request for every twenty of them
  --seed S       the same seed sends the same ones
  --from N       begin with this message, the first of a town: go on where it was interrupted
  --town N       so many are sent to one town of services before it is audited, closed and weighed (${TOWN})
  --jobs N       so many processes at once, each with a town of its own (1)
  --again FILE   sends the messages of a file instead: the lines that were printed with a failure
`;
const PROGRESS_MS = 5_000;
/** Failures that are printed with the letters of their batch; of more, the numbers say which letters it were. */
const MOST_SHOWN = 10;
const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);

/**
 * `maw bench fuzz`: sends mutated and random messages and HTTP requests to all services of one process, on a bus in memory, while a table of
 * every rule set waits at a question: town after town. Returns the exit code: 1 when something was not as it must be.
 */
export async function runFuzz(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readFuzz(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  const { messages, from, town, jobs, seed, again, json } = asked;
  const all = again?.length ?? Math.max(0, messages - from);
  say(`${machine()}; ${all} messages${from ? ` from ${from}` : ''}, seed ${seed}, ${jobs} at once`);
  if (from !== asked.askedFrom) say(`begins with message ${from}, the first of the town of ${asked.askedFrom}`);
  const [began, shown] = [performance.now(), { wrong: 0, batches: 0 }];
  let told = began;
  const show = (wrong: readonly string[]): void => {
    for (const line of wrong) process.stderr.write(`${shown.batches < MOST_SHOWN ? line : line.split('\n', 1)[0]}\n`);
    shown.wrong += wrong.length;
    if (wrong.length) shown.batches++;
  };
  const heard = (so: Underway, wrong: readonly string[]): void => {
    show(wrong);
    if (performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    const rate = ((1000 * so.letters) / (told - began)).toFixed(0);
    const held = so.mib.length ? `, ${so.mib.map((mib) => mib.toFixed(1)).join(' and ')} MiB after the last` : '';
    say(`${so.letters} of ${all} messages, ${rate}/s, ${so.towns} towns${held}${shown.wrong ? `, ${shown.wrong} WRONG` : ''}`);
  };
  const visits = visitsOf({ seed, letters: messages, from, town, ...(again ? { again } : {}) });
  const { next, ...done } = await runFuzzWorkers(visits, { size: jobs, signal, heard });
  show(done.wrong.slice(shown.wrong));
  process.stdout.write(
    json
      ? `${JSON.stringify({ bench: 'fuzz', seed, from, ...done, wrong: done.wrong.length })}\n`
      : `\n### fuzz${next === undefined ? '' : ', as far as it came'}\n\n${machine()}\n\n${table(done)}\n`,
  );
  if (next !== undefined) say(`stopped after ${done.letters} of ${all} messages; go on with: ./maw bench fuzz ${goingOn(args, next)}`);
  if (signal.aborted) return 130;
  return done.wrong.length ? 1 : 0;
}

/** The same arguments, from the first message of a town. */
export function goingOn(args: readonly string[], next: number): string {
  const kept = args.filter((arg, i) => !/^--from\b/.test(arg) && args[i - 1] !== '--from');
  return [...kept, '--from', String(next)].join(' ');
}

const counts = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

const range = (of: readonly number[]): string =>
  of.length ? `${Math.min(...of).toFixed(1)} to ${Math.max(...of).toFixed(1)} MiB` : 'none';

const table = ({ letters, requests, towns, outcomes, reasons, statuses, weights, ms, wrong }: Fuzzed): string => {
  const all = weights.flat();
  const rows: readonly (readonly [string, string | number])[] = [
    ['messages', letters],
    ['towns that were audited and closed', towns],
    ['what came of them, and of what followed', counts(outcomes)],
    ['why they were buried or dropped', counts(reasons)],
    ['HTTP requests', requests],
    ['statuses of the answers', counts(statuses)],
    ...weights.map((mine, i): readonly [string, string] => [
      `heap and buffers after each town was closed${weights.length > 1 ? `, process ${i + 1}` : ''}`,
      `${mine.map(({ closed }) => closed.mib.toFixed(1)).join(', ')} MiB`,
    ]),
    ['words in labels, open handles, listeners after the last', weights.flatMap((mine) => mine.slice(-1).map(shortOf)).join(' and ')],
    ['of one town, when all was sent: kept by the store in memory', range(all.map(({ full, emptied }) => full.mib - emptied.mib))],
    ['more than at its opening: kept by its services', range(all.map(({ opened, emptied }) => emptied.mib - opened.mib))],
    ['time, rate', `${(ms / 1000).toFixed(1)} s, ${((1000 * letters) / ms).toFixed(0)} messages/s`],
    ['not as it must be', wrong.length],
  ];
  return ['| what | how much |', '| --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
};

const shortOf = ({ closed: { labels, open, listeners } }: Fuzzed['weights'][number][number]): string => `${labels}, ${open}, ${listeners}`;

interface Fuzz {
  readonly messages: number;
  /** The first of the town of the one it was asked to begin with. */
  readonly from: number;
  readonly askedFrom: number;
  readonly town: number;
  readonly jobs: number;
  readonly seed: string;
  readonly again: ReturnType<typeof fromData>[] | undefined;
  readonly json: boolean;
}

const text = { type: 'string' } as const;
const OPTIONS = {
  messages: text,
  seed: text,
  from: text,
  town: text,
  jobs: text,
  again: text,
  json: { type: 'boolean', default: false },
} as const;

/** What is to be sent; a sentence when that cannot be. */
export function readFuzz(args: readonly string[]): Fuzz | string {
  try {
    const { values } = parseArgs({ args: [...args], options: OPTIONS });
    const number = (name: 'messages' | 'from' | 'town' | 'jobs', usual: number, least: number): number => {
      const given = Number(values[name] ?? usual);
      if (!Number.isSafeInteger(given) || given < least) throw new Error(`--${name}: a whole number from ${least} is wanted.`);
      return given;
    };
    const [messages, from, town] = [number('messages', 100_000, 1), number('from', 0, 0), number('town', TOWN, 1)];
    if (from >= messages) throw new Error(`--from: ${messages} messages end before ${from}; --messages counts from the very first.`);
    return {
      messages,
      from: from - (from % town),
      askedFrom: from,
      town,
      jobs: number('jobs', 1, 1),
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

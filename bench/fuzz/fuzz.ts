import { readFileSync } from 'node:fs';
import { type FuzzResult, SESSION_SIZE, sessionsOf } from '@maw/tests/equipment/fuzz/fuzz.ts';
import type { Weight } from '@maw/tests/equipment/fuzz/memory-growth.ts';
import { fromData, type RandomMessage } from '@maw/tests/equipment/fuzz/random-message.ts';
import { argsWith, benchmark, type BenchmarkContext } from '../benchmark.ts';
import { integer, text, UsageError, type Values } from '../options.ts';
import { type FuzzProgress, runFuzzWorkers } from './worker-pool.ts';

const PROGRESS_MS = 5_000;
/** Failing batches that are printed in full; of later ones, only the first line. */
const MAX_SHOWN = 10;

export const options = {
  messages: integer('messages 0 to N-1 are sent, and an HTTP request for every twenty of them', { fallback: 100_000 }),
  seed: text('the same seed sends the same messages', 'fuzz'),
  from: integer('begin with the session of this message: continue an interrupted run', { fallback: 0, min: 0 }),
  town: integer('messages of one session: services that are then audited, closed and weighed', { fallback: SESSION_SIZE }),
  jobs: integer('processes at once, each with its own session', { fallback: 1 }),
  again: text('send the messages of a file instead, as a failure prints them', undefined, 'FILE'),
};

/** Sends to all services of one process, on a bus in memory, while a table of every rule set waits at a question; session after session. */
export const fuzz = benchmark({
  name: 'fuzz',
  description: 'sends mutated and random messages and HTTP requests to every service, and audits what they do',
  options,
  async measure(values, context) {
    const { seed, jobs, town } = values;
    const { from, again, total } = planOf(values);
    context.say(`${total} messages${from ? ` from ${from}` : ''}, seed ${seed}, ${jobs} at once`);
    const { report, show } = reporter(total, context);
    const sessions = sessionsOf({ seed, messages: values.messages, from, sessionSize: town, ...(again ? { again } : {}) });
    const { next, ...result } = await runFuzzWorkers(sessions, { size: jobs, signal: context.signal, report });
    show(result);
    if (next !== undefined)
      context.say(
        `stopped after ${result.messages} of ${total} messages; continue with: ./maw bench fuzz ${argsWith(context.args, { from: next })}`,
      );
    return {
      text: `${next === undefined ? '' : 'Incomplete.\n\n'}${tableOf(result)}`,
      json: [{ seed, from, ...result, wrong: result.wrong.length }],
      hasFailed: result.wrong.length > 0,
    };
  },
});

/** @throws UsageError */
export function planOf({ messages, from, town, again }: Pick<Values<typeof options>, 'messages' | 'from' | 'town' | 'again'>) {
  if (from >= messages) throw new UsageError(`--from: ${messages} messages end before ${from}; --messages counts from the very first`);
  const given = again === undefined ? undefined : messagesIn(again);
  const first = from - (from % town);
  return { from: first, again: given, total: given?.length ?? messages - first };
}

/** @throws UsageError */
function messagesIn(file: string): readonly RandomMessage[] {
  let lines: readonly string[];
  try {
    lines = readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    throw new UsageError(`--again: ${(error as Error).message}`, { cause: error });
  }
  const found = lines.filter((line) => line.startsWith('{"n":'));
  if (!found.length) throw new UsageError(`--again: ${file} holds no messages: give the lines that were printed with a failure`);
  return found.map(fromData);
}

/** Prints failures at once, and the progress every few seconds. `show` prints the failures of the end result that were not reported before. */
function reporter(total: number, { say }: BenchmarkContext) {
  const began = performance.now();
  let [reportedAt, shown, batches] = [began, 0, 0];
  const print = (wrong: readonly string[]): void => {
    for (const line of wrong) process.stderr.write(`${batches < MAX_SHOWN ? line : line.split('\n', 1)[0]}\n`);
    shown += wrong.length;
    if (wrong.length) batches++;
  };
  return {
    report({ messages, sessions, mib }: FuzzProgress, wrong: readonly string[]): void {
      print(wrong);
      if (performance.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = performance.now();
      const rate = ((1000 * messages) / (reportedAt - began)).toFixed(0);
      const memory = mib.length ? `, ${mib.map((each) => each.toFixed(1)).join(' and ')} MiB after the last` : '';
      say(`${messages} of ${total} messages, ${rate}/s, ${sessions} sessions${memory}${shown ? `, ${shown} WRONG` : ''}`);
    },
    show: ({ wrong }: Pick<FuzzResult, 'wrong'>) => print(wrong.slice(shown)),
  };
}

const countsText = (of: Readonly<Record<string, number>>): string =>
  Object.entries(of)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

function tableOf({ messages, requests, sessions, outcomes, reasons, statuses, weights, ms, wrong }: FuzzResult): string {
  const rows: readonly (readonly [string, string | number])[] = [
    ['messages', messages],
    ['sessions that were audited and closed', sessions],
    ['outcomes of the messages, and of those they caused', countsText(outcomes)],
    ['reasons for dead-lettering or dropping', countsText(reasons)],
    ['HTTP requests', requests],
    ['statuses of the responses', countsText(statuses)],
    ...weights.map((mine, i): readonly [string, string] => [
      `heap and buffers after each session was closed${weights.length > 1 ? `, process ${i + 1}` : ''}`,
      `${mine.map(({ mib }) => mib.toFixed(1)).join(', ')} MiB`,
    ]),
    ['metric labels, open handles, listeners after the last', weights.flatMap((mine) => mine.slice(-1).map(countersText)).join(' and ')],
    ['time, rate', `${(ms / 1000).toFixed(1)} s, ${((1000 * messages) / ms).toFixed(0)} messages/s`],
    ['failures', wrong.length],
  ];
  return ['| what | how much |', '| --- | --- |', ...rows.map((row) => `| ${row.join(' | ')} |`)].join('\n');
}

const countersText = ({ labels, open, listeners }: Weight): string => `${labels}, ${open}, ${listeners}`;

import { appendFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isClean, type Report, reportText } from '../chaos/report.ts';
import { whyNoServers } from '../servers/restartable-server.ts';
import { runChaosExperiment } from '../chaos/chaos-run.ts';
import { readCliConfig } from '@maw/cli/config.ts';
import { machine } from './figures.ts';

const USAGE = `maw bench chaos [--minutes 30] [--tables 200] [--replicas 2] [--every 3] [--brokers N] [--databases N] [--losses N] [--loss 30] [--once] [--seed S] [--log FILE] [--json]

  --minutes M     how long things go wrong; what is played then is played to its end
  --tables N      how many tables are played at once; one that is over is replaced by another
  --once          no others: N tables in all
  --replicas N    how many processes of each service there are
  --every S       about how often something small goes wrong, in seconds
  --brokers N     how often the broker is restarted; --databases, --losses: the database, and all model servers lost (each once in ten minutes)
  --loss S        how long the model servers are gone, in seconds
  --seed S        the same seed has the same faults and tables
  --log FILE      what the processes write is added to this file
`;

/** How often each of the large faults happens when it is not said: once, and again every so many minutes. */
const LARGE_EVERY_MIN = 10;

/** `maw bench chaos`: the storm of testing/chaos, as long and with as many tables as one likes. Returns the exit code: 1 when an audit finds something. */
export async function runChaos(args: readonly string[], signal: AbortSignal): Promise<number> {
  const asked = readChaos(args);
  if (typeof asked === 'string') {
    process.stderr.write(`${asked}\n${USAGE}`);
    return 2;
  }
  const why = await whyNoServers();
  if (why !== undefined) {
    process.stderr.write(`${why}\n`);
    return 1;
  }
  const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);
  say(machine());
  const { json, log, ...plan } = asked;
  let report: Report;
  try {
    report = await runChaosExperiment({
      ...plan,
      base: readCliConfig().all,
      signal,
      say,
      ...(log === undefined ? {} : { log: (name, line) => appendFileSync(log, `${new Date().toISOString()} ${name} ${line}\n`) }),
    });
  } catch (error) {
    if (signal.aborted) return 130;
    throw error;
  }
  process.stdout.write(json ? `${JSON.stringify({ bench: 'chaos', machine: machine(), ...report })}\n` : `${reportText(report)}\n`);
  return isClean(report) ? 0 : 1;
}

type Chaos = Omit<Parameters<typeof runChaosExperiment>[0], 'base' | 'signal' | 'say' | 'log'> & {
  readonly json: boolean;
  readonly log: string | undefined;
};

/** What is asked for; a sentence when it cannot be had. */
export function readChaos(args: readonly string[]): Chaos | string {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  let given;
  try {
    given = parseArgs({
      args: [...args],
      options: {
        minutes: text,
        tables: text,
        replicas: text,
        every: text,
        brokers: text,
        databases: text,
        losses: text,
        loss: text,
        seed: text,
        log: text,
        once: flag,
        json: flag,
      },
    }).values;
  } catch (error) {
    return (error as Error).message;
  }
  const minutes = Number(given.minutes ?? 30);
  const large = 1 + Math.floor(minutes / LARGE_EVERY_MIN);
  const whole = { tables: given.tables ?? 200, replicas: given.replicas ?? 2 };
  const counts = { brokers: given.brokers ?? large, databases: given.databases ?? large, losses: given.losses ?? large };
  const times = { minutes, every: given.every ?? 3, loss: given.loss ?? 30 };
  for (const [name, value] of Object.entries(times)) if (!(Number(value) > 0)) return `--${name}: a number above 0 is wanted.`;
  for (const [name, value] of Object.entries(whole))
    if (!Number.isSafeInteger(Number(value)) || Number(value) < 1) return `--${name}: a whole number from 1 is wanted.`;
  for (const [name, value] of Object.entries(counts))
    if (!Number.isSafeInteger(Number(value)) || Number(value) < 0) return `--${name}: a whole number from 0 is wanted.`;
  return {
    seed: given.seed ?? 'chaos',
    tables: Number(whole.tables),
    isOngoing: !given.once,
    replicas: Number(whole.replicas),
    ms: minutes * 60_000,
    everyMs: Number(times.every) * 1_000,
    brokers: Number(counts.brokers),
    databases: Number(counts.databases),
    losses: Number(counts.losses),
    lossMs: Number(times.loss) * 1_000,
    json: given.json,
    log: given.log,
  };
}

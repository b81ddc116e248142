import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { median } from '../figures.ts';
import type { MessageProcess, SendCost, SendRequest } from './message-process.ts';

/** Processor time of a message at one rate, in seconds: by amqplib alone, and by the bus. */
export interface MessageCost {
  readonly rate: number;
  readonly amqplib: number;
  readonly bus: number;
}

const WARM: SendRequest = { rate: 500, seconds: 8 };
const ROUNDS = 5;
const SECONDS = 3;
const WAYS = ['amqplib', 'the bus'] as const;

/** Processes that send messages to themselves, one by each way. */
export interface MessageMeter {
  /**
   * What a message costs whoever publishes it with a confirm, takes it and acknowledges it: amqplib and the bus in turn, so that both meet the
   * same load. Takes half a minute.
   * @param rate messages a second
   */
  costAt(rate: number, signal: AbortSignal): Promise<MessageCost>;
  close(): Promise<void>;
}

/** Starts the processes, and warms them up for a quarter of a minute. */
export async function startMessageMeter(amqpUrl: string): Promise<MessageMeter> {
  const children = await Promise.all(WAYS.map((through, n) => started({ amqpUrl, through, name: `bench-${process.pid}-${n}` })));
  for (const child of children) await costOf(child, WARM);
  return {
    async costAt(rate, signal) {
      const runs: readonly number[][] = WAYS.map(() => []);
      for (let round = 0; round < ROUNDS; round++)
        for (const [n, child] of children.entries()) {
          signal.throwIfAborted();
          runs[n]!.push(await costOf(child, { rate, seconds: SECONDS }));
        }
      return { rate, amqplib: median(runs[0]!), bus: median(runs[1]!) };
    },
    async close() {
      for (const { process: child, ended } of children) {
        if (child.connected) child.send('close');
        await ended.catch(() => undefined);
      }
    },
  };
}

interface Child {
  readonly process: ChildProcess;
  /** Rejects when it ends. */
  readonly ended: Promise<never>;
}

/** @throws Error when it ends before it is ready */
async function started(given: MessageProcess): Promise<Child> {
  const child = fork(new URL('message-process.ts', import.meta.url), [JSON.stringify(given)], { execArgv: ['--no-warnings'] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the process that sends messages through ${given.through} ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  await Promise.race([once(child, 'message'), ended]);
  return { process: child, ended };
}

/** @throws Error when the process ends before it has answered */
async function costOf({ process: child, ended }: Child, request: SendRequest): Promise<number> {
  const answer = once(child, 'message');
  child.send(request);
  const [{ cpu }] = (await Promise.race([answer, ended])) as [SendCost];
  return cpu;
}

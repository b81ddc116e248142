import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process that a benchmark measures. */
export interface MeasuredProcess {
  readonly url: string;
  /** Processor time it has used, in microseconds; undefined where the system does not tell. */
  cpuUs(): Promise<number | undefined>;
  /** Its resident memory, in bytes; undefined as above. */
  rss(): Promise<number | undefined>;
  close(): void;
}

/** What a child says when it is asked how much it has used. */
export interface Used {
  readonly cpu: NodeJS.CpuUsage;
  readonly rss: number;
}

/** How a child that is a file beside this one answers: `{url}` once, and `Used` whenever it is asked anything. */
export function reportUsage(url: string): void {
  process.send!({ url });
  process.on('message', () => process.send!({ cpu: process.cpuUsage(), rss: process.memoryUsage().rss } satisfies Used));
  process.on('disconnect', () => process.exit());
}

/** Starts a file beside this one. @throws Error when it ends before it has said where it is */
export async function startMeasuredProcess(file: string, given: string): Promise<MeasuredProcess> {
  const child = fork(new URL(file, import.meta.url), [given], { execArgv: ['--no-warnings'], serialization: 'json' });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${String(code)}`);
  });
  ended.catch(() => undefined);
  const [{ url }] = (await Promise.race([once(child, 'message'), ended])) as [{ url: string }];
  return {
    url,
    cpuUs: async () => {
      const { cpu } = await used(child);
      return cpu.user + cpu.system;
    },
    rss: async () => (await used(child)).rss,
    close: () => child.disconnect(),
  };
}

async function used(child: ChildProcess): Promise<Used> {
  const told = once(child, 'message');
  child.send('used');
  const [said] = (await told) as [Used];
  return said;
}

import { newWaitList } from './wait-list.ts';
import { HttpError } from './errors.ts';
import type { Random } from './seeded-random.ts';

/** Every fault, and the meaning of its `ms` if it has one. */
export const FAULTS = {
  'connection-refused': 'the listener is closed for ms (1000)',
  'accept-and-hang': 'the request is read and never answered',
  'reset-before-headers': 'the connection is reset before any byte',
  'reset-mid-stream': 'the connection is reset after the first line',
  'error-mid-stream': 'an error line after the first line; 500 where nothing is streamed',
  'end-without-done': 'the stream ends cleanly without its last line',
  'done-false': 'the last object says done: false',
  'invalid-json-line': 'a line is not JSON',
  'half-line': 'half a line, then the connection ends',
  'slow-drip': 'every token takes ms (250) more',
  'wedge': 'the slot is never given back',
  'runner-crash': 'the runner dies half way, with all who use it; the next request loads again',
  'out-of-memory': '500 with the text of CUDA; all models are expired',
  'load-failed': '500 after the load, which fails',
  'bad-input': '500 with the text of a wrong option',
  'nested-400': '400 with an error of llama-server inside',
  'empty-content': 'an answer without content',
  'schema-violation': 'an answer that does not meet the schema',
  'think-leak': 'thoughts within the content',
  'whitespace-run': 'an opening bracket and then newlines, until the guard against repetition ends it without done',
  'clock-skew': 'created_at is off by ms (-3600000)',
  'ps-blocks': '/api/ps is not answered until the fault is cleared',
  'sigterm': 'the server closes listener and connections at once, for good',
} as const satisfies Record<string, string>;

export type FaultName = keyof typeof FAULTS;

/** A fault injected into one request. */
export interface Fault {
  readonly name: FaultName;
  readonly ms: number | undefined;
}

/** A fault to inject into requests: a number of `times`, or into each with a `probability`. */
export interface ArmedFault {
  readonly name: FaultName;
  readonly times?: number | undefined;
  readonly probability?: number | undefined;
  readonly ms?: number | undefined;
  /** Limits it to this path; by default inference requests, and /api/ps for `ps-blocks`. */
  readonly path?: string | undefined;
}

export type FaultInjector = ReturnType<typeof newFaultInjector>;

export const isFaultName = (name: string): name is FaultName => Object.hasOwn(FAULTS, name);

/** Parses `NAME` or `NAME=ms`. @throws HttpError 400 for an unknown name */
const readFault = (text: string): Fault => {
  const [name = '', ms] = text.trim().split('=');
  if (!isFaultName(name)) throw new HttpError(400, `unknown fault "${name}"; known are ${Object.keys(FAULTS).join(', ')}`);
  return { name, ms: ms === undefined ? undefined : Number(ms) };
};

export const newFaultInjector = (random: Random) => {
  let armed: readonly ArmedFault[] = [];
  let tripped: Record<string, number> = {};
  const changes = newWaitList();
  const set = (faults: readonly ArmedFault[]): void => {
    armed = faults;
    changes.all();
  };
  const met = (fault: Fault): Fault => {
    tripped[fault.name] = (tripped[fault.name] ?? 0) + 1;
    return { name: fault.name, ms: fault.ms };
  };
  const concerns = (fault: ArmedFault, path: string, inference: boolean): boolean =>
    fault.path === undefined ? (fault.name === 'ps-blocks' ? path === '/api/ps' : inference) : fault.path === path;
  return {
    arm: (fault: ArmedFault): void => set([...armed, fault]),
    disarm: (): void => {
      set([]);
      tripped = {};
    },
    armed: (): readonly ArmedFault[] => armed,
    tripped: (): Readonly<Record<string, number>> => ({ ...tripped }),
    /** The fault for a request, if any: from its header, else the oldest counted fault, else by chance. */
    trip: (path: string, inference: boolean, header: string | undefined): Fault | undefined => {
      if (header !== undefined) return met(readFault(header));
      const fitting = armed.filter((fault) => concerns(fault, path, inference));
      const counted = fitting.find((fault) => fault.probability === undefined);
      if (counted !== undefined) {
        const left = (counted.times ?? 1) - 1;
        // A block lasts until it is cleared, however many requests meet it.
        if (counted.name !== 'ps-blocks')
          set(armed.flatMap((fault) => (fault !== counted ? [fault] : left > 0 ? [{ ...fault, times: left }] : [])));
        return met({ name: counted.name, ms: counted.ms });
      }
      const unlucky = fitting.find((fault) => random.next() < (fault.probability ?? 0));
      return unlucky === undefined ? undefined : met({ name: unlucky.name, ms: unlucky.ms });
    },
    /** Resolves when the fault is no longer armed. @throws the reason of the abort */
    cleared: async (name: FaultName, signal: AbortSignal): Promise<void> => {
      while (armed.some((fault) => fault.name === name)) await changes.wait(signal);
    },
  };
};

import type { EventEmitter } from 'node:events';
import type { Log } from '@maw/telemetry/log.ts';

/** Something that was opened, and how it is closed. */
export interface Component {
  readonly name: string;
  close(): Promise<void>;
}

type Signal = 'SIGTERM' | 'SIGINT';
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const satisfies Record<Signal, number>;
const CRASHES = ['uncaughtException', 'unhandledRejection'] as const;

/** Where signals come from: the process. */
export type SignalSource = Pick<EventEmitter, 'on' | 'off'>;

export interface LifeOptions {
  /** The longest that closing all parts together may take. */
  readonly graceMs: number;
  readonly log: Log;
  readonly signals?: SignalSource | undefined;
  readonly exit?: ((code: number) => void) | undefined;
}

/**
 * Lives until the first SIGTERM or SIGINT, then closes the parts one after another, in the order given, within `graceMs`, and ends
 * the process: with 0, or with 1 when a part could not be closed or the time ran out (the log names the parts). A second signal ends it
 * at once with 130 or 143. An error that nobody caught is logged as fatal and ends it in the same way, with 1.
 */
export function runUntilSignal(parts: readonly Component[], options: LifeOptions): Promise<void> {
  const { graceMs, log, signals = process, exit = (code) => process.exit(code) } = options;
  return new Promise((resolve) => {
    let closing: Promise<void> | undefined;
    let isAsked = false;
    let hasCrashed = false;
    let hasEnded = false;
    let timer: NodeJS.Timeout | undefined;
    const graceOver = () => new Promise<'over'>((done) => (timer = setTimeout(done, graceMs, 'over')));
    const heard: [event: string, hear: (what: unknown) => void][] = [];
    const end = (code: number) => {
      if (hasEnded) return;
      hasEnded = true;
      clearTimeout(timer);
      exit(code);
      for (const [event, hear] of heard) signals.off(event, hear);
      resolve();
    };
    const begin = () => (closing ??= closeAll(parts, graceOver(), log).then((failed) => end(failed.length > 0 || hasCrashed ? 1 : 0)));
    const on = (event: string, hear: (what: unknown) => void) => {
      heard.push([event, hear]);
      signals.on(event, hear);
    };
    for (const signal of Object.keys(SIGNALS) as Signal[])
      on(signal, () => {
        if (isAsked) {
          log.warn({ signal }, 'asked again: ending at once');
          return end(SIGNALS[signal]);
        }
        isAsked = true;
        log.info({ signal, graceMs }, 'closing');
        void begin();
      });
    for (const crash of CRASHES)
      on(crash, (err) => {
        hasCrashed = true;
        log.fatal({ err, crash }, 'an error that nobody caught; closing');
        void begin();
      });
  });
}

/** Resolves with the names of the parts that are not closed. Never rejects. */
async function closeAll(parts: readonly Component[], over: Promise<'over'>, log: Log): Promise<string[]> {
  const failed: string[] = [];
  for (const [at, part] of parts.entries()) {
    const closed = (async () => part.close())().catch((err: unknown) => {
      failed.push(part.name);
      log.error({ part: part.name, err }, 'could not be closed');
    });
    if ((await Promise.race([closed, over])) === 'over') {
      const open = parts.slice(at).map(({ name }) => name);
      log.error({ open }, 'the grace time ran out');
      return [...failed, ...open];
    }
  }
  log.info({ parts: parts.length }, failed.length > 0 ? 'closed, but not everything' : 'closed');
  return failed;
}

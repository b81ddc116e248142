import { afterEach } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { type Completions, completions } from './completions.ts';
import { type GatewayOptions, defaultOptions } from '../options.ts';
import { type Servers, servers as serversOf } from '../servers/registry.ts';

interface Closing {
  close(): Promise<void> | void;
}

/** The completions of a gateway without its bus, in front of `servers`, and a clock that can be set forward. */
export interface Desk extends Completions {
  readonly servers: Servers;
  /** Milliseconds since the epoch. */
  now(): number;
  skip(ms: number): void;
  /** From now on time goes on only when it is skipped. */
  freeze(): void;
}

export const never = new AbortController().signal;

/** What is opened by a test and closed after it. Call it once in a spec. */
export function openedThings() {
  const opened: Closing[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).toReversed()) await one.close();
  });
  const keep = <T extends Closing>(one: T): T => {
    opened.push(one);
    return one;
  };

  /** Knows its servers, and asks them again only when told to. */
  async function desk(given: Pick<GatewayOptions, 'servers'> & Partial<GatewayOptions>, more: object = {}): Promise<Desk> {
    let skew = 0;
    let frozenAt: number | undefined;
    const now = (): number => (frozenAt ?? Date.now()) + skew;
    const options = { ...defaultOptions, agentRpm: 0, agentConcurrency: 0, ...given };
    const log = logger('llm-gateway', { level: 'silent' });
    const servers = keep(serversOf(options, log, now));
    await servers.check();
    const clock = { now, skip: (ms: number) => void (skew += ms), freeze: () => void (frozenAt ??= Date.now()) };
    return Object.assign(keep(completions({ servers, now, log, options, ...more })), { servers, ...clock });
  }
  return { keep, desk };
}

/** What came of it, an answer under `value` or the refusal. */
export const ended = (promise: Promise<unknown>) =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => error as { reason?: string; detail?: string; message: string },
  );

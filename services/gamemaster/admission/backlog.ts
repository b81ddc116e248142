import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics } from '@maw/telemetry/metrics.ts';

/** The limits above which a gamemaster has a backlog. */
export interface BacklogLimits {
  /** Queueing time of messages, in milliseconds. */
  readonly messageMs: number;
  /** Lateness of alarms, in milliseconds. */
  readonly alarmMs: number;
  /** Duration of appends, in milliseconds. */
  readonly appendMs: number;
  /** Messages not yet confirmed by the broker. */
  readonly unsent: number;
  /** The window in which the minimum must exceed the limit, or afterwards half of it, in milliseconds. */
  readonly windowMs: number;
}

/** A measured quantity. */
export type Measure = 'messages' | 'alarms' | 'appends' | 'unsent';

/** Detects that this gamemaster does not keep up. All times are passed in, in milliseconds since the epoch. */
export interface Backlog {
  /** Adds a measurement. */
  saw(measure: Measure, value: number, at: number): void;
  /** How old the message was that was taken last, when it was taken, in milliseconds; 0 when none was taken lately. */
  messageAgeMs(at: number): number;
  /** Evaluates the window when it is over. */
  look(at: number): void;
  /** @throws Refusal limited during a backlog, with its causes and when to retry */
  mustKeepUp(at: number): void;
}

const MEASURES = ['messages', 'alarms', 'appends', 'unsent'] as const;

/** Fewer measurements in a window are ignored: a single late message is no backlog. */
const FEWEST = 5;

/** The minimum of a window, and the number of measurements. */
interface Seen {
  readonly least: number;
  readonly count: number;
}

/**
 * During a backlog no table is opened, so that running games keep their pace.
 * The minimum of a window counts, as in CoDel (Nichols and Jacobson, Controlling Queue Delay, 2012): one fast message shows that the queue was
 * empty, so a burst is not taken for a backlog. The backlog ends after a whole window below half of each limit.
 * @param isUp whether the broker is connected: otherwise no table is opened either
 */
export function backlogMonitor(bounds: BacklogLimits, isUp: () => boolean): Backlog {
  const limits: Readonly<Record<Measure, number>> = {
    messages: bounds.messageMs,
    alarms: bounds.alarmMs,
    appends: bounds.appendMs,
    unsent: bounds.unsent,
  };
  let begun = Number.NEGATIVE_INFINITY;
  let lastTaken = { ageMs: 0, at: Number.NEGATIVE_INFINITY };
  let seen: { [M in Measure]?: Seen } = {};
  /** The quantities above their limits; empty without a backlog. */
  let behind: ReadonlyMap<Measure, number> = new Map();

  const beyond = (share: number): ReadonlyMap<Measure, number> =>
    new Map(
      MEASURES.flatMap((measure) => {
        const { least, count } = seen[measure] ?? { least: 0, count: 0 };
        return count >= FEWEST && least > limits[measure] * share ? [[measure, least] as const] : [];
      }),
    );

  function look(at: number): void {
    if (at >= begun && at < begun + bounds.windowMs) return; // a clock set back starts a new window
    behind = beyond(behind.size ? 0.5 : 1);
    seen = {};
    begun = at;
    for (const what of MEASURES) metrics.behind.set({ service: 'gamemaster', what }, behind.has(what) ? 1 : 0);
  }

  const messageAgeMs = (at: number): number => (Math.abs(at - lastTaken.at) <= bounds.windowMs ? lastTaken.ageMs : 0);

  return {
    messageAgeMs,
    look(at) {
      look(at);
      metrics.messageAge.set({ service: 'gamemaster' }, messageAgeMs(at) / 1000);
      metrics.behind.set({ service: 'gamemaster', what: 'broker' }, isUp() ? 0 : 1);
    },
    saw(measure, value, at) {
      look(at);
      if (measure === 'messages') lastTaken = { ageMs: Math.max(0, value), at };
      const { least, count } = seen[measure] ?? { least: Number.POSITIVE_INFINITY, count: 0 };
      seen[measure] = { least: Math.min(least, value), count: count + 1 };
    },
    mustKeepUp(at) {
      look(at);
      const why = isUp() ? [...behind].map(([measure, value]) => WORDS[measure](value, limits[measure])) : ['the broker is unreachable'];
      if (!why.length) return;
      // Nothing changes before the window is over.
      const waitS = Math.max(1, Math.ceil((begun + bounds.windowMs - at) / 1000));
      throw new Refusal(
        'limited',
        `the gamemaster is overloaded by running games: ${why.join('; ')}; try again in ${waitS} s`,
        waitS * 1000,
      );
    },
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

const WORDS: Readonly<Record<Measure, (value: number, limit: number) => string>> = {
  messages: (value, limit) => `messages wait ${seconds(value)} in the queue (limit ${seconds(limit)})`,
  alarms: (value, limit) => `phases end ${seconds(value)} late (limit ${seconds(limit)})`,
  appends: (value, limit) => `an append takes ${seconds(value)} (limit ${seconds(limit)})`,
  unsent: (value, limit) => `${value} messages are unconfirmed by the broker (limit ${limit})`,
};

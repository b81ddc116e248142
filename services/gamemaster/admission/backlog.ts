import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics } from '@maw/telemetry/metrics.ts';

/** From when on a gamemaster is behind with its own work. */
export interface BacklogLimits {
  /** How long messages may have waited when they are taken, in milliseconds. */
  readonly messageMs: number;
  /** How late alarms may be acted on, in milliseconds. */
  readonly alarmMs: number;
  /** How long an append may take, in milliseconds. */
  readonly appendMs: number;
  /** How many messages may wait for the broker to confirm them. */
  readonly unsent: number;
  /** For how long all of a kind must be beyond their bound, and within half of it afterwards, in milliseconds. */
  readonly windowMs: number;
}

/** What is measured against a bound. */
export type Measure = 'messages' | 'alarms' | 'appends' | 'unsent';

/** Whether this gamemaster keeps up. It knows no clock but what it is told, in milliseconds since the epoch. */
export interface Backlog {
  /** One more of these was so late, took so long, or so many were there. */
  saw(measure: Measure, value: number, at: number): void;
  /** Ends the window when its time is over. */
  look(at: number): void;
  /** @throws Refusal limited while it is behind, with why and when to come again */
  mustKeepUp(at: number): void;
}

const MEASURES = ['messages', 'alarms', 'appends', 'unsent'] as const;

/** So few of a kind within a window tell nothing: one that comes late is no backlog. */
const FEWEST = 5;

/** The least of a kind within a window, and how many there were. */
interface Seen {
  readonly least: number;
  readonly count: number;
}

/**
 * A table that is opened costs for as long as it is played, so a gamemaster that is behind opens none; what runs goes on and gets its time.
 * What counts is the least of a kind within a window: one that is quick shows that nothing stands before it, however slow the others were, so
 * that a burst is not taken for a backlog (Nichols and Jacobson, Controlling Queue Delay, 2012). Messages wait in their queue for nothing but
 * free hands: how long they have waited tells of both.
 * It is behind no more once a whole window was within half of each bound.
 * @param isUp whether the broker takes messages: while it does not, nothing is opened either
 */
export function backlogMonitor(bounds: BacklogLimits, isUp: () => boolean): Backlog {
  const most: Readonly<Record<Measure, number>> = {
    messages: bounds.messageMs,
    alarms: bounds.alarmMs,
    appends: bounds.appendMs,
    unsent: bounds.unsent,
  };
  let begun = Number.NEGATIVE_INFINITY;
  let seen: { [M in Measure]?: Seen } = {};
  /** What it is behind with, and by how much; empty while it keeps up. */
  let behind: ReadonlyMap<Measure, number> = new Map();

  const beyond = (share: number): ReadonlyMap<Measure, number> =>
    new Map(
      MEASURES.flatMap((measure) => {
        const { least, count } = seen[measure] ?? { least: 0, count: 0 };
        return count >= FEWEST && least > most[measure] * share ? [[measure, least] as const] : [];
      }),
    );

  function look(at: number): void {
    if (at >= begun && at < begun + bounds.windowMs) return; // a clock that was set back begins anew
    behind = beyond(behind.size ? 0.5 : 1);
    seen = {};
    begun = at;
    for (const what of MEASURES) metrics.behind.set({ service: 'gamemaster', what }, behind.has(what) ? 1 : 0);
  }

  return {
    look(at) {
      look(at);
      metrics.behind.set({ service: 'gamemaster', what: 'broker' }, isUp() ? 0 : 1);
    },
    saw(measure, value, at) {
      look(at);
      const { least, count } = seen[measure] ?? { least: Number.POSITIVE_INFINITY, count: 0 };
      seen[measure] = { least: Math.min(least, value), count: count + 1 };
    },
    mustKeepUp(at) {
      look(at);
      const why = isUp() ? [...behind].map(([measure, value]) => WORDS[measure](value, most[measure])) : ['the broker takes no messages'];
      if (!why.length) return;
      // It is looked at again when the window is over, and not before.
      const waitS = Math.max(1, Math.ceil((begun + bounds.windowMs - at) / 1000));
      throw new Refusal(
        'limited',
        `no tables are opened while the games that run have more work for the gamemaster than it does: ${why.join('; ')}; try again in ${waitS} s`,
        waitS * 1000,
      );
    },
  };
}

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

const WORDS: Readonly<Record<Measure, (value: number, most: number) => string>> = {
  messages: (value, most) => `messages wait ${seconds(value)} until they are taken, at most ${seconds(most)} is well`,
  alarms: (value, most) => `phases end ${seconds(value)} late, at most ${seconds(most)} is well`,
  appends: (value, most) => `writing an event down takes ${seconds(value)}, at most ${seconds(most)} is well`,
  unsent: (value, most) => `${value} messages wait for the broker, at most ${most} is well`,
};

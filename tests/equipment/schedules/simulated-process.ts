import { hash } from 'node:crypto';

/** The faults of a call: `lost` takes effect and reports a failure, `fails` has no effect and reports a failure. */
export type Mishap = 'lost' | 'fails';

/** `read` changes nothing. `send` changes nothing that replicas take or read, but publishes follow-ups. */
export type TurnKind = 'read' | 'append' | 'send' | 'answer' | 'ack' | 'other';

/** One waiting call at a port of a process, not yet performed. */
export interface Turn {
  /** Calls of one thread are sequential. A process has one thread for its messages and one for its alarms. */
  readonly thread: string;
  /** Its name in schedules, such as `A append 12+3`. A number distinguishes calls of one process with the same name. */
  readonly label: string;
  readonly kind: TurnKind;
  /** Performs the call and resumes the waiting code. @throws whatever prevents it altogether: a violation by the product */
  take(mishap?: Mishap): Promise<void>;
}

/**
 * One replica as explored: the calls that wait for their turns, and all results so far.
 * A process is determined by its results: two with the same `history` continue in the same way.
 */
export interface Process {
  readonly name: string;
  readonly turns: readonly Turn[];
  readonly history: string;
  isDead: boolean;
  /** Records a result. */
  note(what: string): void;
  /** Waits for a turn. The port throws what `effect` throws. A process that has died gets no result. */
  turn<T>(kind: TurnKind, label: string, effect: () => T | Promise<T>, how?: How<T>): Promise<T>;
}

/** Thrown by an effect to end the run at once instead of reporting to the process. */
export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation';
}

interface How<T> {
  readonly isAlarm?: boolean;
  /** A short form of the result; JSON by default. */
  readonly told?: (done: T) => string;
}
const plain = (done: unknown): string => (done === undefined ? '' : JSON.stringify(done));

export function processOf(name: string, now: () => number): Process {
  const turns: Turn[] = [];
  let history = '';
  const note = (what: string): void => {
    history = hash('md5', `${history}\n${now()} ${what}`);
  };

  const labelled = (label: string): string => {
    for (let n = 1; ; n++) {
      const full = n === 1 ? `${name} ${label}` : `${name} ${label} #${n}`;
      if (!turns.some((turn) => turn.label === full)) return full;
    }
  };

  const process: Process = {
    name,
    turns,
    get history() {
      return history;
    },
    isDead: false,
    note,
    turn<T>(kind: TurnKind, label: string, effect: () => T | Promise<T>, { isAlarm = false, told = plain }: How<T> = {}): Promise<T> {
      if (process.isDead) return new Promise(() => undefined);
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      const turn: Turn = {
        thread: isAlarm ? `${name} alarm` : name,
        label: labelled(label),
        kind,
        async take(mishap) {
          turns.splice(turns.indexOf(turn), 1);
          let done: T;
          try {
            if (mishap === 'fails') throw new Error('the connection is lost');
            done = await effect();
            if (mishap === 'lost') throw new Error('the connection is lost');
          } catch (error) {
            if (error instanceof InvariantViolation) throw error;
            note(`${label}: ${(error as Error).name}`);
            return reject(error);
          }
          note(`${label}: ${told(done)}`);
          resolve(done);
        },
      };
      turns.push(turn);
      return promise;
    },
  };
  return process;
}

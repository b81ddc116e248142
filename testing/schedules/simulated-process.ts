import { hash } from 'node:crypto';

/** What may go wrong with a turn: `lost` is done and said to have failed, `fails` is not done and said to have failed. */
export type Mishap = 'lost' | 'fails';

/** `read` changes nothing; `send` changes nothing that a replica takes or reads: it says what follows. */
export type TurnKind = 'read' | 'append' | 'send' | 'answer' | 'ack' | 'other';

/** One call at a port of a process that waits for its turn. Nothing of it has happened yet. */
export interface Turn {
  /** Calls of one thread go on one after another; a process has one for what it takes, and one for its alarms. */
  readonly thread: string;
  /** As schedules name it: `A append 12+3`. Calls of the same name of one process are told apart by a number. */
  readonly label: string;
  readonly kind: TurnKind;
  /** Does it, and lets the code that waits for it go on. @throws whatever stands in the way of doing it at all: a broken promise of the product */
  take(mishap?: Mishap): Promise<void>;
}

/**
 * One replica as the explorer has it: the calls that wait for their turns, and all it has ever been told.
 * A process is what it has been told: two with the same `history` go on in the same way.
 */
export interface Process {
  readonly name: string;
  readonly turns: readonly Turn[];
  readonly history: string;
  isDead: boolean;
  /** It has been told something. */
  note(what: string): void;
  /** Waits for a turn. What `effect` throws is thrown by the port. Nothing comes back to a process that has died meanwhile. */
  turn<T>(kind: TurnKind, label: string, effect: () => T | Promise<T>, how?: How<T>): Promise<T>;
}

/** Thrown by an effect for what must end the run at once, instead of being told to the process. */
export class Broken extends Error {
  override readonly name = 'Broken';
}

interface How<T> {
  readonly isAlarm?: boolean;
  /** What the process is told, in a word; JSON when not given. */
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
            if (error instanceof Broken) throw error;
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

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiProblem } from '@maw/api-client/problem.ts';
import { createWebClient, type WebClient } from '@maw/cli/clients/web-client.ts';
import type { System } from '@maw/cli/up/system.ts';

/** Every question of this game is asked once, so that a game is the same work however long it lasts. */
export const RULES = 'werewolf-7';
export const PLAYERS = 7;

export interface Load {
  /** The most tables at once, and the games in all. */
  readonly atOnce: number;
  readonly games: number;
  /** The length of a step of the night: nothing else waits. */
  readonly stepMs: number;
  /** The shortest time between the openings of two tables. */
  readonly apartMs: number;
}

/** Long, because speeches and votes do not wait for their end: nobody misses a turn under load. */
const TURN_MS = 300_000;
const LOBBY_MS = 300_000;
const REQUESTS_AT_ONCE = 20;
const RETRY_MS = 2_000;
const ROOM_MS = RETRY_MS / 100;
const RETRIED: ReadonlySet<string> = new Set(['limited', 'late']);

/** Opens tables one after another, each as soon as there is room and its time has come. */
export class TableOpener {
  readonly tables: string[] = [];
  /** Games that are over; set from outside. */
  closed = 0;
  /** How often the gamemasters had no room. */
  limited = 0;
  error: unknown;
  readonly #client: WebClient;
  readonly #load: Load;
  readonly #signal: AbortSignal;
  #isStopped = false;

  constructor(system: Pick<System, 'url' | 'adminToken'>, load: Load, signal: AbortSignal) {
    this.#client = createWebClient(system.url, system.adminToken);
    this.#load = load;
    this.#signal = signal;
  }

  /** Resolves once all are open, or it was stopped. */
  async run(): Promise<void> {
    const { games, atOnce, apartMs } = this.#load;
    const opening = new Set<Promise<void>>();
    for (let asked = 0; asked < games && !this.#isOver() && this.error === undefined;) {
      if (asked - this.closed >= atOnce || opening.size >= REQUESTS_AT_ONCE) {
        await sleep(ROOM_MS);
        continue;
      }
      const one: Promise<void> = this.#open(asked++)
        .catch((error: unknown) => void (this.error ??= error))
        .finally(() => opening.delete(one));
      opening.add(one);
      await sleep(apartMs);
    }
    await Promise.all(opening);
    if (this.error !== undefined) throw this.error as Error;
  }

  /** Opens no more. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Aborts all tables that are not over; a game that is over refuses. */
  async abortTables(why: string): Promise<void> {
    const left = [...this.tables];
    const abortSome = async (): Promise<void> => {
      for (let table = left.pop(); table !== undefined; table = left.pop())
        await this.#client.abort(table, why).catch((error: unknown) => {
          if (!(error instanceof ApiProblem)) throw error;
        });
    };
    await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, abortSome));
  }

  #isOver(): boolean {
    return this.#isStopped || this.#signal.aborted;
  }

  async #open(n: number): Promise<void> {
    const terms = {
      rules: RULES,
      players: PLAYERS,
      seats: Array.from({ length: PLAYERS }, () => ({ kind: 'mind' as const, recipe: 'rules' })),
      rounds: 1,
      options: { nightMs: this.#load.stepMs, turnMs: TURN_MS, voteMs: TURN_MS },
      seed: `scale ${n}`, // the same games at every level
      lobbyMs: LOBBY_MS,
    };
    let key = randomUUID();
    while (!this.#isOver())
      try {
        return void this.tables.push((await this.#client.open(terms, key)).table);
      } catch (error) {
        if (!(error instanceof ApiProblem) || !RETRIED.has(error.reason)) throw error;
        if (error.reason === 'limited') {
          this.limited++;
          key = randomUUID(); // after `late` the table may exist: the same key asks for it again
        }
        await sleep(RETRY_MS);
      }
  }
}

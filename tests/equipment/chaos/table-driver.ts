import { setTimeout as sleep } from 'node:timers/promises';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Store } from '@maw/store/store.ts';
import { type SimulatedPerson, playAsPerson } from './simulated-person.ts';
import { type Terms, termsOf } from './table-terms.ts';
import type { SupervisedSystem } from './supervised-system.ts';
import { type ClientResponse, type RetryingClient, retryingClient } from './retrying-client.ts';

export interface TableDriverOptions {
  readonly system: SupervisedSystem;
  readonly store: Store;
  readonly seed: string;
  readonly signal: AbortSignal;
  /** The terms of the n-th table. */
  readonly terms?: (seed: string, n: number) => Terms;
}

/** Opens tables, seats simulated people, and waits for the ends of the tables. */
export interface TableDriver {
  /** Opens the n-th table, seats its people, and resolves when it is over and they have left: with its id, if it could be opened. */
  play(n: number): Promise<string | undefined>;
  /** Tables whose opening was agreed to. */
  readonly opened: readonly string[];
  /** Refused openings, each in a sentence. */
  readonly unopened: readonly string[];
  readonly people: readonly SimulatedPerson[];
  /** The number of tables in play. */
  playing(): number;
  /** Stops waiting for tables, and has all people leave. */
  stop(): void;
}

/** The longest attempt to open a table: longer than any outage, also on a very busy machine. */
const OPEN_MS = 600_000;
/** The longest attempt of one request. */
const TRY_MS = 30_000;
const TOO_MANY_REQUESTS = 429;
/** How long people may take to learn that their table is over. */
const LEAVE_MS = 120_000;
const LOOK_MS = 1_000;

export const tableDriver = (options: TableDriverOptions): TableDriver => new Driver(options);

class Driver implements TableDriver {
  readonly opened: string[] = [];
  readonly unopened: string[] = [];
  readonly people: SimulatedPerson[] = [];
  readonly #options: TableDriverOptions;
  readonly #stopped = new AbortController();
  readonly #over: AbortSignal;
  #playing = 0;
  #look: Promise<ReadonlySet<string>> | undefined;

  constructor(options: TableDriverOptions) {
    this.#options = options;
    this.#over = AbortSignal.any([options.signal, this.#stopped.signal]);
  }

  playing(): number {
    return this.#playing;
  }

  stop(): void {
    this.#stopped.abort();
  }

  async play(n: number): Promise<string | undefined> {
    const { seed, system, terms: termsFor = termsOf } = this.#options;
    const terms = termsFor(seed, n);
    const response = await this.#open(retryingClient(system.doors, diceOf(seed, `people of table ${n}`), this.#over), terms);
    if (response.status !== 201) {
      this.unopened.push(`table ${n} was not opened: ${response.status} ${JSON.stringify(response.body)}`);
      return undefined;
    }
    const { table } = response.body as { table: string };
    this.opened.push(table);
    this.#playing++;
    const leave = new AbortController();
    const people = terms.seats.filter(({ kind }) => kind === 'person').map((_, i) => this.#seat(table, n, i, leave.signal));
    await this.#untilOver(table);
    await Promise.race([Promise.all(people), sleep(LEAVE_MS, undefined, { ref: false })]);
    leave.abort();
    await Promise.all(people);
    this.#playing--;
    return table;
  }

  async #seat(table: string, n: number, i: number, leave: AbortSignal): Promise<void> {
    const { seed, system } = this.#options;
    const dice = diceOf(seed, `person ${i} of table ${n}`);
    const signal = AbortSignal.any([this.#over, leave]);
    const client = retryingClient(system.doors, dice, signal);
    const person = await playAsPerson({ client, table, name: `Guest ${'AB'[i]}`, adminToken: system.adminToken, dice, signal });
    if (person) this.people.push(person);
  }

  /** Retries while no table can be opened because of the load. */
  async #open(client: RetryingClient, terms: Terms): Promise<ClientResponse> {
    for (const deadline = Date.now() + OPEN_MS; ; await sleep(LOOK_MS)) {
      const response = await client.post('/tables', terms, this.#options.system.adminToken, TRY_MS);
      const isFinal = response.status !== 0 && response.status !== TOO_MANY_REQUESTS;
      if (isFinal || this.#over.aborted || Date.now() > deadline) return response;
    }
  }

  async #untilOver(table: string): Promise<void> {
    while (!this.#over.aborted) {
      await sleep(LOOK_MS);
      const running = await this.#running().catch(() => undefined); // the database is down: later
      if (running && !running.has(table)) return;
    }
  }

  /** The tables that are not over; one query for all who ask. */
  #running(): Promise<ReadonlySet<string>> {
    return (this.#look ??= this.#options.store.tapes
      .list({ limit: 10_000, isOver: false })
      .then((all) => new Set(all.map(({ table }) => table)))
      .finally(() => setTimeout(() => (this.#look = undefined), LOOK_MS / 2)));
  }
}

import { type BatchAudit, openBatchAudit } from './batch-audit.ts';
import { type FuzzedSystem, startFuzzedSystem } from './fuzzed-system.ts';
import { type Weight, weigh } from './memory-growth.ts';
import { asData, type RandomMessage, randomMessage } from './random-message.ts';
import { randomRequest } from './random-request.ts';
import { exchange } from './raw-http.ts';
import { addCounts, type Counts, countsSince, readServiceCounters } from './service-counters.ts';

/** Messages [`from`, `to`) of a seed, sent to a system of their own. */
export interface SessionRange {
  readonly seed: string;
  readonly from: number;
  readonly to: number;
  /** These messages instead, without requests. */
  readonly again?: readonly RandomMessage[] | undefined;
}

export interface SessionOptions extends SessionRange {
  /** Ends the session after the current batch. */
  readonly signal: AbortSignal;
  /** Called after each batch, with its failures. */
  onBatch?(messages: number, wrong: readonly string[]): void;
  /** Plants a fault in the system before anything is sent. */
  plant?(system: FuzzedSystem): void;
}

export interface SessionResult {
  /** Messages that were sent; fewer than requested when the session was stopped. */
  readonly messages: number;
  readonly requests: number;
  readonly outcomes: Counts;
  readonly reasons: Counts;
  readonly statuses: Counts;
  /** Memory of the process after the system was closed: nothing of it may be left. */
  readonly closed: Weight;
}

/** Messages in flight at once; with more, some would be delayed by the others. */
const BATCH = 1_000;
/** Messages put on the queues before consumers run. */
const AT_ONCE = 25;
/** One HTTP request per this many messages. */
const MESSAGES_PER_REQUEST = 20;

/** Starts a system, sends it messages and requests batch by batch, audits it after each batch, and closes it. */
export async function runSession(options: SessionOptions): Promise<SessionResult> {
  const result = await runUntilClosed(options);
  // Measured here, where no variable refers to the system any more.
  return { ...result, closed: await weigh() };
}

type OpenResult = Omit<SessionResult, 'closed'>;

async function runUntilClosed(options: SessionOptions): Promise<OpenResult> {
  const system = await startFuzzedSystem();
  const session = new Session(options, system, await openBatchAudit(system));
  process.on('unhandledRejection', session.onUnhandledRejection);
  try {
    return await session.run();
  } finally {
    await system.close();
    process.off('unhandledRejection', session.onUnhandledRejection);
    session.reportLate();
  }
}

class Session {
  readonly #options: SessionOptions;
  readonly #system: FuzzedSystem;
  readonly #audit: BatchAudit;
  readonly #total: number;
  #wrong: string[] = [];
  #statuses: Counts = {};
  #sent = 0;
  #requests = 0;

  constructor(options: SessionOptions, system: FuzzedSystem, audit: BatchAudit) {
    this.#options = options;
    this.#system = system;
    this.#audit = audit;
    this.#total = options.again?.length ?? options.to - options.from;
  }

  readonly onUnhandledRejection = (error: unknown): void =>
    void this.#wrong.push(`unhandled rejection: ${String((error as Error)?.stack ?? error)}`);

  async run(): Promise<OpenResult> {
    const { signal, plant } = this.#options;
    this.#wrong.push(...(await this.#audit.checkWholeTapes()));
    const start = await readServiceCounters();
    plant?.(this.#system);
    while (this.#sent < this.#total && !signal.aborted) await this.#sendBatch(Math.min(BATCH, this.#total - this.#sent));
    this.#audit.close();
    const end = await readServiceCounters();
    return {
      messages: this.#sent,
      requests: this.#requests,
      outcomes: countsSince(end.outcomes, start.outcomes),
      reasons: countsSince(end.reasons, start.reasons),
      statuses: this.#statuses,
    };
  }

  /** Failures during shutdown. */
  reportLate(): void {
    if (this.#wrong.length) this.#options.onBatch?.(0, this.#wrong);
  }

  async #sendBatch(size: number): Promise<void> {
    const { from, again, signal, onBatch } = this.#options;
    const { hub } = this.#system;
    const [before, deliveredBefore] = [await readServiceCounters(), hub.delivered];
    const batch = await this.#post(size);
    await this.#request(again ? [] : requestNumbers(from + this.#sent, from + this.#sent + size));
    await this.#system.settled().catch((error: unknown) => this.#wrong.push(String(error)));
    const outcomes = countsSince((await readServiceCounters()).outcomes, before.outcomes);
    this.#wrong.push(...(await this.#audit.checkBatch(batch, { outcomes, deliveries: hub.delivered - deliveredBefore })));
    this.#sent += size;
    if (this.#sent === this.#total || signal.aborted) this.#wrong.push(...(await this.#audit.checkWholeTapes()));
    if (this.#wrong.length) this.#wrong.push(`the cause is among messages ${this.#namesOfLast(size)}\n${batch.map(asData).join('\n')}`);
    this.#system.forgetThoughts();
    onBatch?.(size, this.#wrong);
    this.#wrong = [];
  }

  async #post(size: number): Promise<readonly RandomMessage[]> {
    const { seed, from, again } = this.#options;
    const batch: RandomMessage[] = [];
    for (let i = 0; i < size; i++) {
      const n = this.#sent + i;
      const message = again?.[n] ?? randomMessage(seed, from + n, this.#system.names, Date.now());
      batch.push(message);
      this.#system.hub.post(message.to, message.parcel);
      if (i % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
    }
    return batch;
  }

  async #request(numbers: readonly number[]): Promise<void> {
    const requests = numbers.map((n) => randomRequest(this.#options.seed, n, this.#system));
    this.#requests += requests.length;
    for (const [i, response] of (await Promise.all(requests.map((one) => exchange(one)))).entries()) {
      for (const status of response.statuses) this.#statuses = addCounts(this.#statuses, { [status]: 1 });
      const why = response.wrong ?? (response.statuses.includes(500) ? 'it was answered 500' : undefined);
      if (why) this.#wrong.push(`${why}: ${JSON.stringify(requests[i])}`);
    }
  }

  #namesOfLast(size: number): string {
    const { seed, from, to, again } = this.#options;
    if (again) return 'of the file';
    const first = from + this.#sent - size;
    const whole = first ? `, in the session of message ${from} (again: --seed ${seed} --from ${from} --messages ${to})` : '';
    return `${first} to ${from + this.#sent - 1} of seed ${seed}${whole}`;
  }
}

function requestNumbers(from: number, to: number): readonly number[] {
  const first = Math.ceil(from / MESSAGES_PER_REQUEST);
  return Array.from({ length: Math.ceil(to / MESSAGES_PER_REQUEST) - first }, (_, i) => first + i);
}

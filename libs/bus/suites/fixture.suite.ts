import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach } from '@jest/globals';
import { pollUntil } from '@maw/async/poll-until.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { Bus } from '../bus.ts';
import type { DeadLetter } from '../core/dead-letter.ts';
import type { BusOptions } from '../core/create-bus.ts';
import type { RawMessage } from '../core/transport.ts';

/** Long enough for a busy machine; a test that waits this long has failed. */
export const LONG_MS = 240_000;

/** The buses of one test, on one broker or hub. */
export interface BusFixture {
  /** Opens a bus with short retry delays. It is closed after the test. */
  open(service?: string, options?: Omit<BusOptions, 'service'>): Promise<Bus>;
  /** Sends a raw message to a queue, as a stranger would. */
  inject(queue: string, message: Partial<RawMessage> & { body: Buffer }): Promise<void>;
  /** The same as a request; resolves with the body of the reply. */
  askRaw(queue: string, message: Partial<RawMessage> & { body: Buffer }): Promise<unknown>;
  dead(queue: string): Promise<readonly DeadLetter[]>;
  /** Ends a bus as a crash would, without acknowledging messages in flight. */
  kill(bus: Bus): Promise<void>;
  close(): Promise<void>;
}

/** A fixture for each test, and a name for its queue. */
export function fixturePerTest(open: () => Promise<BusFixture>): BusFixture & { readonly queue: string } {
  let fixture: BusFixture;
  const here = {
    queue: '',
    open: (...given: Parameters<BusFixture['open']>) => fixture.open(...given),
    inject: (...given: Parameters<BusFixture['inject']>) => fixture.inject(...given),
    askRaw: (...given: Parameters<BusFixture['askRaw']>) => fixture.askRaw(...given),
    dead: (queue: string) => fixture.dead(queue),
    kill: (bus: Bus) => fixture.kill(bus),
    close: () => fixture.close(),
  };
  beforeEach(async () => {
    fixture = await open();
    here.queue = `test-${randomUUID().slice(0, 8)}`;
  });
  afterEach(() => fixture.close());
  return here;
}

const about = (subject: string, replyInMs: number | undefined) => ({
  id: randomUUID(),
  source: 'player',
  subject,
  at: Date.now(),
  ...(replyInMs === undefined ? {} : { replyBy: Date.now() + replyInMs }),
});

/** A command with a reply. */
export const act = (seat: number, { table = 't', replyInMs = LONG_MS, id }: { table?: string; replyInMs?: number; id?: string } = {}) =>
  contracts.write('table.act', { seat, question: 'q', says: ['x'] }, { ...about(table, replyInMs), ...(id && { id }) });

/** A command without a reply. */
export const tick = (alarm: number, table = 't') => contracts.write('table.tick', { alarm }, about(table, undefined));

/** An event for pools. */
export const said = (line: number, table = 't') =>
  contracts.write('room.said', { room: 'r', line, text: 'x', at: 0 }, about(table, undefined));

/** A broadcast event. */
export const moved = (table = 't') => contracts.write('table.moved', { stage: 'round', phase: 'p', closed: [] }, about(table, undefined));

export const speak = (text: string, table = 't') => contracts.write('room.speak', { room: 'r', seat: 1, text }, about(table, LONG_MS));

export const agreed = (line: number) => ({ performative: 'agree', data: { at: 5, line } }) as const;

export const bytes = (message: Message) => Buffer.from(JSON.stringify(message));

/** Repeats `look` until it does not throw. @throws TimeoutError with the last error as its cause, after LONG_MS */
export async function eventually<T>(look: () => T | Promise<T>): Promise<T> {
  const probe = async () => ({ value: await look() });
  const { value } = await pollUntil('the assertions hold', probe, { retryErrors: true, timeoutMs: LONG_MS, everyMs: 10 });
  return value;
}

export const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b);

/** A gate: `await gate.opened` blocks until `open()`. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

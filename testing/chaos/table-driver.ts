import { setTimeout as after } from 'node:timers/promises';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Store } from '@maw/store/store.ts';
import { type SimulatedPerson, playAsPerson } from './simulated-person.ts';
import { type Terms, termsOf } from './table-terms.ts';
import type { SupervisedSystem } from './supervised-system.ts';
import { type ClientResponse, type RetryingClient, retryingClient } from './retrying-client.ts';

export interface TableDriverOptions {
  readonly town: SupervisedSystem;
  readonly store: Store;
  readonly seed: string;
  readonly signal: AbortSignal;
  /** What is played at the n-th table; those of a storm when not given. */
  readonly terms?: (seed: string, n: number) => Terms;
}

/** Where tables are opened, people sit down, and it is seen which tables are over. */
export interface TableDriver {
  /** Opens the n-th table, seats its people, and resolves when it is over and they have left: with its id, if it could be opened. */
  play(n: number): Promise<string | undefined>;
  /** The tables whose opening was agreed to. */
  readonly opened: readonly string[];
  /** What was answered instead, each in a sentence. */
  readonly unopened: readonly string[];
  readonly people: readonly SimulatedPerson[];
  /** How many tables are being played. */
  playing(): number;
  /** Everybody leaves, whatever is not over. */
  empty(): void;
}

/** How long somebody tries to open a table, in milliseconds: longer than anything is gone, and than a machine with far too much to do needs for the tables before. */
const OPEN_MS = 600_000;
/** How long each of the requests for it is tried. */
const TRY_MS = 30_000;
/** What a door answers when no more tables are opened just now. */
const LIMITED = 429;
/** How long people may take to hear that their table is over. */
const LEAVE_MS = 120_000;
const LOOK_MS = 1_000;

export function tableDriver({ town, store, seed, signal, terms: termsFor = termsOf }: TableDriverOptions): TableDriver {
  const opened: string[] = [];
  const unopened: string[] = [];
  const people: SimulatedPerson[] = [];
  const emptied = new AbortController();
  const over = AbortSignal.any([signal, emptied.signal]);
  let playing = 0;
  let look: Promise<ReadonlySet<string>> | undefined;

  /** The tables that are not over; many ask, one looks. */
  const running = (): Promise<ReadonlySet<string>> =>
    (look ??= store.tapes
      .list({ limit: 10_000, isOver: false })
      .then((all) => new Set(all.map(({ table }) => table)))
      .finally(() => setTimeout(() => (look = undefined), LOOK_MS / 2)));

  async function isOver(table: string): Promise<void> {
    while (!over.aborted) {
      await after(LOOK_MS);
      const now = await running().catch(() => undefined); // the database is gone: later
      if (now && !now.has(table)) return;
    }
  }

  /** Asks for a table until there is one. Who is behind with its work opens none, and says so; whoever asks comes again. */
  async function open(guest: RetryingClient, terms: Terms): Promise<ClientResponse> {
    for (const until = Date.now() + OPEN_MS; ; await after(LOOK_MS)) {
      const got = await guest.post('/tables', terms, town.adminToken, TRY_MS);
      if ((got.status !== 0 && got.status !== LIMITED) || over.aborted || Date.now() > until) return got;
    }
  }

  return {
    opened,
    unopened,
    people,
    playing: () => playing,
    empty: () => emptied.abort(),
    async play(n) {
      const terms = termsFor(seed, n);
      const dice = diceOf(seed, `people of table ${n}`);
      const got = await open(retryingClient(town.doors, dice, over), terms);
      if (got.status !== 201) {
        unopened.push(`table ${n} was not opened: ${got.status} ${JSON.stringify(got.body)}`);
        return undefined;
      }
      const { table } = got.body as { table: string };
      opened.push(table);
      playing++;
      const leave = new AbortController();
      const sitting = terms.seats
        .filter(({ kind }) => kind === 'person')
        .map(async (_, i) => {
          const own = diceOf(seed, `person ${i} of table ${n}`);
          const abort = AbortSignal.any([over, leave.signal]);
          const person = await playAsPerson({
            visitor: retryingClient(town.doors, own, abort),
            table,
            name: `Guest ${'AB'[i]}`,
            adminToken: town.adminToken,
            dice: own,
            signal: abort,
          });
          if (person) people.push(person);
        });
      await isOver(table);
      await Promise.race([Promise.all(sitting), after(LEAVE_MS, undefined, { ref: false })]);
      leave.abort();
      await Promise.all(sitting);
      playing--;
      return table;
    },
  };
}

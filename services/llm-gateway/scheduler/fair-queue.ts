import type { ReplyData } from '@maw/contracts/contracts.ts';
import { type Urgency, URGENCIES } from '../request.ts';

/** What the queue knows of a request. */
export interface QueueEntry {
  readonly id: string;
  /** The account its slot time is charged to. */
  readonly game: string;
  readonly urgency: Urgency;
  /** Orders the entries of one game and urgency, the least first: the deadline, or less than any for a retry. */
  readonly rank: number;
  /** Entries of one lane can all run now or none can: they need the same of the same servers. */
  readonly lane?: string;
}

/** Slot time is what was charged above the floor. */
type GameAccount = ReplyData<'llm.status'>['games'][number];

/** A queue that shares slot time among games. It has no clock and knows no servers. */
export interface FairQueue<Entry extends QueueEntry> {
  /** @throws Error when the id is already queued */
  add(entry: Entry): void;
  /** Removes and returns all entries that match. */
  dropWhere(matches: (entry: Entry) => boolean): readonly Entry[];
  /** Removes and returns the next entry that can run now. `canRun` is asked about one entry of each lane. */
  takeNext(canRun: (entry: Entry) => boolean): Entry | undefined;
  /** Charges a game that takes a slot with the expected time. Returns how to correct the charge, once, with the time it took. */
  charge(game: string, expectedMs: number): (tookMs: number) => void;
  remove(id: string): Entry | undefined;
  all(): Iterable<Entry>;
  readonly size: number;
  /** The difference between the most and the least charged of the waiting games, in milliseconds of slot time. */
  readonly gap: number;
  /** Every game that waits, runs, or has been charged above the floor. */
  accounts(): readonly GameAccount[];
}

interface Account {
  readonly game: string;
  /** The order of creation, which breaks ties. */
  readonly number: number;
  waiting: number;
  running: number;
  /** Virtual time: charged slot time, in milliseconds. */
  spent: number;
  /** What of it is only expected, as its requests still run. */
  expected: number;
}

/** Every account, and where one starts that comes from rest. */
interface Accounts {
  readonly byGame: Map<string, Account>;
  created: number;
  floor: number;
}

function accountOf(accounts: Accounts, game: string): Account {
  const known = accounts.byGame.get(game);
  if (known) return known;
  const account = { game, number: accounts.created++, waiting: 0, running: 0, spent: accounts.floor, expected: 0 };
  accounts.byGame.set(game, account);
  return account;
}

const isActive = ({ waiting, running }: Account): boolean => waiting > 0 || running > 0;

/**
 * Raises the floor to the least charged active account, or to the most charged one when none is active; it never falls. What is only expected does
 * not count: whoever came while one game expects long answers and gets short ones would wait until it has caught up. Accounts at rest that are not
 * above the floor are forgotten: they would start there anyway.
 */
function raiseFloor(accounts: Accounts): void {
  let [least, most] = [Infinity, 0];
  for (const account of accounts.byGame.values()) {
    // Where its running requests began: the start tags of fair queueing.
    if (isActive(account)) least = Math.min(least, account.spent - account.expected);
    most = Math.max(most, account.spent);
  }
  accounts.floor = Math.max(accounts.floor, least === Infinity ? most : least);
  for (const account of accounts.byGame.values())
    if (!isActive(account) && account.spent <= accounts.floor) accounts.byGame.delete(account.game);
}

interface Waiting<Entry> {
  readonly entry: Entry;
  readonly account: Account;
}

/** Negative when `a` goes before `b`; equals of a lane keep their order of arrival. */
const turn = (a: Waiting<QueueEntry>, b: Waiting<QueueEntry>): number =>
  a.account.spent - b.account.spent || a.entry.rank - b.entry.rank || a.account.number - b.account.number;

/** The first entry of each lane, by urgency. */
function firstOfLanes<Entry extends QueueEntry>(waiting: Iterable<Waiting<Entry>>) {
  const lanes: { readonly [u in Urgency]: Map<string, Waiting<Entry>> } = { critical: new Map(), talk: new Map(), background: new Map() };
  for (const one of waiting) {
    const { urgency, lane = '' } = one.entry;
    const first = lanes[urgency].get(lane);
    if (!first || turn(one, first) < 0) lanes[urgency].set(lane, one);
  }
  return lanes;
}

/** The most urgent entry that can run, of the game with the least slot time. */
function nextOf<Entry extends QueueEntry>(waiting: Iterable<Waiting<Entry>>, canRun: (entry: Entry) => boolean): Entry | undefined {
  const lanes = firstOfLanes(waiting);
  const asked = new Map<string, boolean>();
  const canRunIn = (lane: string, entry: Entry): boolean => {
    const known = asked.get(lane) ?? canRun(entry);
    asked.set(lane, known);
    return known;
  };
  for (const urgency of URGENCIES) {
    const inTurn = [...lanes[urgency]].toSorted(([, a], [, b]) => turn(a, b));
    const next = inTurn.find(([lane, { entry }]) => canRunIn(lane, entry));
    if (next) return next[1].entry;
  }
  return undefined;
}

/**
 * Most urgent first; then, among the games that have an entry that can run, the one with the least slot time; within it the earliest deadline.
 *
 * The second rule is start-time fair queueing (Goyal, Vin, Cheng 1996) with corrected charges, as VTC does for tokens (Sheng et al.,
 * OSDI 2024): a request is charged with its expected slot time when it starts and with the actual time when it ends. A game that comes back
 * from rest is raised to the least charged active game, without what that only expects, so that nobody saves up for a burst.
 */
export function fairQueue<Entry extends QueueEntry>(): FairQueue<Entry> {
  const accounts: Accounts = { byGame: new Map(), created: 0, floor: 0 };
  /** By id, in the order of arrival. */
  const waiting = new Map<string, Waiting<Entry>>();

  function remove(id: string): Entry | undefined {
    const found = waiting.get(id);
    if (!found) return undefined;
    waiting.delete(id);
    found.account.waiting--;
    return found.entry;
  }
  const entries = (): Entry[] => Array.from(waiting.values(), ({ entry }) => entry);

  return {
    add(entry) {
      if (waiting.has(entry.id)) throw new Error(`${entry.id} is already queued`);
      raiseFloor(accounts);
      const account = accountOf(accounts, entry.game);
      account.waiting++;
      waiting.set(entry.id, { entry, account });
    },
    dropWhere(matches) {
      const dropped = entries().filter(matches);
      for (const { id } of dropped) remove(id);
      return dropped;
    },
    takeNext(canRun) {
      const next = nextOf(waiting.values(), canRun);
      return next && remove(next.id);
    },
    charge(game, expectedMs) {
      const account = accountOf(accounts, game);
      account.running++;
      account.spent += expectedMs;
      account.expected += expectedMs;
      let isSettled = false;
      return (tookMs) => {
        if (isSettled) return;
        isSettled = true;
        account.running--;
        account.spent += tookMs - expectedMs;
        account.expected -= expectedMs;
      };
    },
    remove,
    all: entries,
    accounts: () => [...accounts.byGame.values()].map((account) => summaryOf(account, accounts.floor)),
    get size() {
      return waiting.size;
    },
    get gap() {
      const spent = [...accounts.byGame.values()].filter((account) => account.waiting > 0).map((account) => account.spent);
      return spent.length === 0 ? 0 : Math.max(...spent) - Math.min(...spent);
    },
  };
}

const summaryOf = ({ game, waiting, running, spent }: Account, floor: number): GameAccount => ({
  game,
  waiting,
  running,
  spentMs: spent - floor,
});

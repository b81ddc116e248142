import type { ReplyData } from '@maw/contracts/contracts.ts';
import { type Urgency, URGENCIES } from '../request.ts';
import { type Heap, heap, type HeapElement } from './heap.ts';

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

/** The entries of one game, urgency and lane, in order. It exists only while it has entries. */
interface Bunch<Entry> extends HeapElement {
  readonly account: Account<Entry>;
  readonly urgency: Urgency;
  readonly lane: string;
  readonly entries: Entry[];
}

interface Account<Entry> extends HeapElement {
  readonly game: string;
  /** The order of creation, which breaks ties. */
  readonly number: number;
  readonly bunches: Map<string, Bunch<Entry>>;
  waiting: number;
  running: number;
  /** Virtual time: charged slot time, in milliseconds. */
  spent: number;
  /** What of it is only expected, as its requests still run. */
  expected: number;
}

/** The accounts, each in exactly one state: waiting, running without waiting, or at rest. */
interface Accounts<Entry> {
  readonly byGame: Map<string, Account<Entry>>;
  readonly waiting: Heap<Account<Entry>>;
  readonly running: Heap<Account<Entry>>;
  readonly resting: Heap<Account<Entry>>;
  created: number;
  /** Where a game starts that comes from rest. */
  floor: number;
}

function newAccounts<Entry>(): Accounts<Entry> {
  const bySettled = (): Heap<Account<Entry>> => heap((a, b) => settledOf(a) - settledOf(b) || a.number - b.number);
  return { byGame: new Map(), waiting: bySettled(), running: bySettled(), resting: bySettled(), created: 0, floor: 0 };
}

/** Where its running requests began: the start tags of fair queueing. */
const settledOf = ({ spent, expected }: Account<unknown>): number => spent - expected;

function accountOf<Entry>(accounts: Accounts<Entry>, game: string): Account<Entry> {
  let account = accounts.byGame.get(game);
  if (!account) {
    const state = { waiting: 0, running: 0, spent: accounts.floor, expected: 0, heapIndex: undefined };
    account = { game, number: accounts.created++, bunches: new Map(), ...state };
    accounts.byGame.set(game, account);
    accounts.resting.push(account);
  }
  return account;
}

/** Takes an account out of its heap, changes what orders it, and puts it back. */
function updateAccount<Entry>(accounts: Accounts<Entry>, account: Account<Entry>, change: () => void): void {
  heapOf(accounts, account).remove(account);
  change();
  heapOf(accounts, account).push(account);
}

const heapOf = <Entry>(accounts: Accounts<Entry>, { waiting, running }: Account<Entry>): Heap<Account<Entry>> =>
  waiting > 0 ? accounts.waiting : running > 0 ? accounts.running : accounts.resting;

/**
 * Raises the floor to the least charged active account, or to the most charged one when none is active; it never falls. What is only expected does
 * not count: whoever came while one game expects long answers and gets short ones would wait until it has caught up. Accounts at rest that are not
 * above the floor are forgotten: they would start there anyway.
 */
function raiseFloor<Entry>(accounts: Accounts<Entry>): void {
  const { waiting, running, resting } = accounts;
  const [first, other] = [waiting.first, running.first];
  const least = Math.min(first ? settledOf(first) : Infinity, other ? settledOf(other) : Infinity);
  if (least !== Infinity) accounts.floor = Math.max(accounts.floor, least);
  for (let account = resting.first; account && (least === Infinity || account.spent <= accounts.floor); account = resting.first) {
    accounts.floor = Math.max(accounts.floor, account.spent);
    resting.remove(account);
    accounts.byGame.delete(account.game);
  }
}

const KEPT_LANES = 16;

/** For each urgency and lane: its bunches, the one whose turn it is first. */
function newLanes<Entry extends QueueEntry>() {
  const turn = (a: Bunch<Entry>, b: Bunch<Entry>): number =>
    a.account.spent - b.account.spent || a.entries[0]!.rank - b.entries[0]!.rank || a.account.number - b.account.number;
  const lanes: { readonly [u in Urgency]: Map<string, Heap<Bunch<Entry>>> } = {
    critical: new Map(),
    talk: new Map(),
    background: new Map(),
  };
  return {
    turn,
    of: (urgency: Urgency) => lanes[urgency],
    push(bunch: Bunch<Entry>): void {
      const { urgency, lane } = bunch;
      let order = lanes[urgency].get(lane);
      if (!order) lanes[urgency].set(lane, (order = heap(turn)));
      order.push(bunch);
    },
    remove: (bunch: Bunch<Entry>): void => lanes[bunch.urgency].get(bunch.lane)!.remove(bunch),
    /** Forgets the lane of a bunch when it is empty, unless it is one of a few, which are soon used again. */
    prune({ urgency, lane }: Bunch<Entry>): void {
      if (lanes[urgency].size > KEPT_LANES && lanes[urgency].get(lane)!.size === 0) lanes[urgency].delete(lane);
    },
  };
}

function bunchOf<Entry extends QueueEntry>(account: Account<Entry>, { urgency, lane = '' }: QueueEntry): Bunch<Entry> {
  const key = `${urgency} ${lane}`;
  let bunch = account.bunches.get(key);
  if (!bunch) account.bunches.set(key, (bunch = { account, urgency, lane, entries: [], heapIndex: undefined }));
  return bunch;
}

/** Inserts by rank, after entries of the same rank. */
function insertByRank<Entry extends QueueEntry>(entries: Entry[], entry: Entry): void {
  let at = entries.length;
  while (at > 0 && entries[at - 1]!.rank > entry.rank) at--;
  entries.splice(at, 0, entry);
}

interface State<Entry extends QueueEntry> {
  readonly accounts: Accounts<Entry>;
  readonly lanes: ReturnType<typeof newLanes<Entry>>;
  readonly byId: Map<string, Entry>;
}

function addEntry<Entry extends QueueEntry>({ accounts, lanes, byId }: State<Entry>, entry: Entry): void {
  if (byId.get(entry.id)) throw new Error(`${entry.id} is already queued`);
  raiseFloor(accounts);
  const account = accountOf(accounts, entry.game);
  const bunch = bunchOf(account, entry);
  const { entries } = bunch;
  const isFirst = entries.length === 0 || entry.rank < entries[0]!.rank;
  if (isFirst && entries.length > 0) lanes.remove(bunch);
  insertByRank(entries, entry);
  if (isFirst) lanes.push(bunch);
  if (account.waiting === 0) updateAccount(accounts, account, () => (account.waiting = 1));
  else account.waiting++;
  byId.set(entry.id, entry);
}

/** Removes entries of one bunch. */
function removeEntries<Entry extends QueueEntry>(
  { accounts, lanes, byId }: State<Entry>,
  bunch: Bunch<Entry>,
  gone: readonly Entry[],
): void {
  const { account, entries } = bunch;
  lanes.remove(bunch);
  if (gone.length === 1) entries.splice(gone[0] === entries[0] ? 0 : entries.indexOf(gone[0]!), 1);
  else {
    const left = new Set(gone);
    entries.splice(0, entries.length, ...entries.filter((entry) => !left.has(entry)));
  }
  const update = (): void => void (account.waiting -= gone.length);
  if (account.waiting === gone.length) updateAccount(accounts, account, update);
  else update();
  if (entries.length > 0) lanes.push(bunch);
  else {
    account.bunches.delete(`${bunch.urgency} ${bunch.lane}`);
    lanes.prune(bunch);
  }
  for (const { id } of gone) byId.delete(id);
}

function takeEntry<Entry extends QueueEntry>(state: State<Entry>, entry: Entry): Entry {
  removeEntries(state, bunchOf(state.accounts.byGame.get(entry.game)!, entry), [entry]);
  return entry;
}

/** The most urgent entry that can run, of the game with the least slot time. */
function nextEntry<Entry extends QueueEntry>({ lanes }: State<Entry>, canRun: (entry: Entry) => boolean): Entry | undefined {
  const asked = new Map<string, boolean>();
  const canRunIn = (lane: string, entry: Entry): boolean => {
    const known = asked.get(lane) ?? canRun(entry);
    asked.set(lane, known);
    return known;
  };
  for (const urgency of URGENCIES) {
    let best: Bunch<Entry> | undefined;
    for (const [lane, { first }] of lanes.of(urgency))
      if (first && (!best || lanes.turn(first, best) < 0) && canRunIn(lane, first.entries[0]!)) best = first;
    if (best) return best.entries[0]!;
  }
  return undefined;
}

/** The account uses one slot more or less, and is charged `spent` more, and `expected` more that may be corrected. */
function chargeAccount<Entry extends QueueEntry>(
  { accounts, lanes }: State<Entry>,
  account: Account<Entry>,
  { slots, spent, expected }: { readonly slots: 1 | -1; readonly spent: number; readonly expected: number },
): void {
  for (const bunch of account.bunches.values()) lanes.remove(bunch);
  updateAccount(accounts, account, () => {
    account.running += slots;
    account.spent += spent;
    account.expected += expected;
  });
  for (const bunch of account.bunches.values()) lanes.push(bunch);
}

/**
 * Most urgent first; then, among the games that have an entry that can run, the one with the least slot time; within it the earliest deadline.
 *
 * The second rule is start-time fair queueing (Goyal, Vin, Cheng 1996) with corrected charges, as VTC does for tokens (Sheng et al.,
 * OSDI 2024): a request is charged with its expected slot time when it starts and with the actual time when it ends. A game that comes back
 * from rest is raised to the least charged active game, without what that only expects, so that nobody saves up for a burst.
 *
 * No operation but `dropWhere`, `gap` and `accounts` goes through all entries or all games.
 */
export function fairQueue<Entry extends QueueEntry>(): FairQueue<Entry> {
  const state: State<Entry> = { accounts: newAccounts(), lanes: newLanes(), byId: new Map() };
  const { accounts, byId } = state;
  return {
    add: (entry) => addEntry(state, entry),
    dropWhere(matches) {
      const dropped = [...byId.values()].filter(matches);
      const bunches = Map.groupBy(dropped, (entry) => bunchOf(accounts.byGame.get(entry.game)!, entry));
      for (const [bunch, gone] of bunches) removeEntries(state, bunch, gone);
      return dropped;
    },
    takeNext(canRun) {
      const next = nextEntry(state, canRun);
      return next && takeEntry(state, next);
    },
    charge(game, expectedMs) {
      const account = accountOf(accounts, game);
      chargeAccount(state, account, { slots: 1, spent: expectedMs, expected: expectedMs });
      let isSettled = false;
      return (tookMs) => {
        if (isSettled) return;
        isSettled = true;
        chargeAccount(state, account, { slots: -1, spent: tookMs - expectedMs, expected: -expectedMs });
      };
    },
    remove(id) {
      const entry = byId.get(id);
      return entry && takeEntry(state, entry);
    },
    all: () => byId.values(),
    accounts: () => [...accounts.byGame.values()].map((account) => summaryOf(account, accounts.floor)),
    get size() {
      return byId.size;
    },
    get gap() {
      const spent = [...accounts.byGame.values()].filter(({ waiting }) => waiting > 0).map((account) => account.spent);
      return spent.length === 0 ? 0 : Math.max(...spent) - Math.min(...spent);
    },
  };
}

const summaryOf = <Entry>({ game, waiting, running, spent }: Account<Entry>, floor: number): GameAccount => ({
  game,
  waiting,
  running,
  spentMs: spent - floor,
});

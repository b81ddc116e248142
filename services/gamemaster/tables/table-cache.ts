import type { TableSummary } from '@maw/contracts/messages/schemas.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import type { Opening } from '@maw/games/match/state.ts';
import { isForPeople, match } from '@maw/games/match/match.ts';
import { play } from '@maw/games/kernel/play.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { RecipeCard } from '@maw/recipes/card.ts';
import type { RecordedEvent, Tapes } from '@maw/store/ports/tapes.ts';
import { type TableState, newTableState } from '../state/table-state.ts';
import { deriveMessages, type DerivedMessages, replayEvents } from '../messages/derive-messages.ts';

/** A table in memory: its state and the text of its rules. */
export interface LoadedTable {
  readonly state: TableState;
  readonly rulesText: string;
}

/** The tables in memory; all of it can be read back from the tapes. */
export interface TableCache {
  /** The table as far as it is in memory, read from its tape when it is not. @throws Refusal unknown-game */
  load(table: string): Promise<LoadedTable>;
  /** The same with everything that other replicas have appended since. @throws Refusal unknown-game */
  fresh(table: string): Promise<LoadedTable>;
  /** The table to decide by: `fresh` while another replica writes to it too, otherwise `load`. @throws Refusal unknown-game */
  current(table: string): Promise<LoadedTable>;
  /** Applies an append of this replica and derives the messages that follow from it. */
  grow(loaded: LoadedTable, batch: readonly RecordedEvent[]): DerivedMessages;
  /** Derives again what followed from the append that a message caused. */
  again(table: string, cause: string): Promise<DerivedMessages>;
  /** Drops a table, so that it is read back from its tape next time. */
  forget(table: string): void;
  /** Drops all tables but those of which this is true. */
  forgetUnless(isWanted: (table: string) => boolean): void;
  /** The number of tables and their weight. */
  inside(): { readonly running: number; readonly over: number; readonly events: number };
}

/** How many tables that are over stay in memory. */
const MAX_OVER = 50;

/**
 * Another replica that has written to a table is likely to do so again. So the next decisions there read what is new first, until as many in a
 * row have found nothing. One replica alone never reads.
 */
const DECISIONS_READ_FIRST = 4;

/** How much stays in memory: running tables, and events of all tables, counted by `weightOf`. */
interface CacheLimits {
  readonly tables: number;
  readonly events: number;
}

/** The weight of a table: its events, and each once more for each eye that has seen it. */
const weightOf = ({ state }: LoadedTable): number =>
  state.tape.length + [...state.views.values()].reduce((sum, { seen }) => sum + seen.length, 0);

/** Tables in order of use, the least recently used first. */
interface Entries {
  readonly limits: CacheLimits;
  readonly running: Map<string, LoadedTable>;
  /** Tables that are over: some are still viewed, none is written to. */
  readonly over: Map<string, LoadedTable>;
  /** By table: its weight when it was last kept. */
  readonly weights: Map<string, number>;
  /** How many decisions are still to read first, where another replica has written. */
  readonly readFirst: WeakMap<LoadedTable, number>;
  events: number;
}

/**
 * Evicts when the limits are exceeded: tables that are over before those that run, and of each the least recently used. The table in use stays,
 * whatever it weighs.
 */
export function tableCache(tapes: Tapes, limits: CacheLimits, sets: readonly RuleSet[], recipes: readonly RecipeCard[]): TableCache {
  const entries: Entries = { limits, running: new Map(), over: new Map(), weights: new Map(), readFirst: new WeakMap(), events: 0 };

  async function load(table: string): Promise<LoadedTable> {
    const cached = lookUp(entries, table);
    if (cached) return keep(entries, table, cached);
    const loaded = fromTape(table, await tapes.read(table), sets);
    return lookUp(entries, table) ?? keep(entries, table, loaded); // a concurrent read may have been faster: a table has one state
  }

  async function fresh(table: string): Promise<LoadedTable> {
    const cached = lookUp(entries, table);
    if (!cached) return load(table);
    const { state } = cached;
    const news = await tapes.read(table, state.tape.length);
    // The state may have grown during the read: those events are not applied twice.
    const unknown = news.filter(({ sequence }) => sequence > state.tape.length);
    if (unknown.length) entries.readFirst.set(cached, DECISIONS_READ_FIRST);
    for (const batch of appends(unknown)) replayEvents(state, batch);
    return keep(entries, table, cached);
  }

  async function current(table: string): Promise<LoadedTable> {
    const cached = lookUp(entries, table);
    const left = cached && entries.readFirst.get(cached);
    if (!left) return load(table);
    entries.readFirst.set(cached, left - 1);
    return fresh(table);
  }

  return {
    load,
    fresh,
    current,
    grow(loaded, batch) {
      const messages = deriveMessages(loaded.state, batch, loaded.rulesText, recipes);
      keep(entries, loaded.state.table, loaded);
      return messages;
    },
    async again(table, cause) {
      const { tape } = (await fresh(table)).state;
      const first = tape.findIndex((recorded) => recorded.cause === cause);
      if (first < 0) return { notices: [], decisions: [], secret: new Set() };
      const end = tape.findLastIndex((recorded) => recorded.cause === cause) + 1;
      const { state, rulesText } = fromTape(table, tape.slice(0, first), sets, tape[0]);
      const { newPhase: _, ...messages } = deriveMessages(state, tape.slice(first, end), rulesText, recipes);
      return messages; // without the phase: the table has left it since
    },
    forget: (table) => drop(entries, table),
    forgetUnless(isWanted) {
      for (const table of [...entries.running.keys(), ...entries.over.keys()]) if (!isWanted(table)) drop(entries, table);
    },
    inside: () => ({ running: entries.running.size, over: entries.over.size, events: entries.events }),
  };
}

const lookUp = ({ running, over }: Entries, table: string): LoadedTable | undefined => running.get(table) ?? over.get(table);

/** Inserts a table as the most recently used, and evicts others. */
function keep(entries: Entries, table: string, loaded: LoadedTable): LoadedTable {
  const { limits, running, over, weights } = entries;
  drop(entries, table);
  const weight = weightOf(loaded);
  weights.set(table, weight);
  entries.events += weight;
  (loaded.state.game.isOver(loaded.state.standing) ? over : running).set(table, loaded);
  evict(entries, over, () => over.size > MAX_OVER, table);
  evict(entries, running, () => running.size > limits.tables, table);
  for (const tables of [over, running]) evict(entries, tables, () => entries.events > limits.events, table);
  return loaded;
}

function drop(entries: Entries, table: string): void {
  entries.running.delete(table);
  entries.over.delete(table);
  entries.events -= entries.weights.get(table) ?? 0;
  entries.weights.delete(table);
}

function evict(entries: Entries, tables: ReadonlyMap<string, LoadedTable>, isFull: () => boolean, inUse: string): void {
  for (const oldest of tables.keys()) {
    if (!isFull()) return;
    if (oldest !== inUse) drop(entries, oldest);
  }
}

/** Rebuilds a table from its tape, or the beginning of it. @throws Refusal unknown-game */
export function fromTape(
  table: string,
  tape: readonly RecordedEvent[],
  sets: readonly RuleSet[],
  opened: RecordedEvent | undefined = tape[0],
): LoadedTable {
  if (!opened) throw new Refusal('unknown-game', `there is no table ${table.slice(0, 60)}`);
  const { opening } = opened.event as unknown as { readonly opening: Opening };
  const loaded = blank(table, opening, sets);
  for (const batch of appends(tape)) replayEvents(loaded.state, batch);
  return loaded;
}

/** A table without events. @throws Refusal unknown-rules, bad-option */
export function blank(table: string, opening: Opening, sets: readonly RuleSet[]): LoadedTable {
  const set = ruleSetNamed(opening.rules, sets);
  const rules = match(set.rules(opening.seats.length, opening.options));
  return {
    state: newTableState(table, rules, play(rules), opening.seats.length),
    rulesText: rulesTextOf(set, opening),
  };
}

/** The rules as minds, people and programs are told them: with the players, options, times and rounds of the table. */
function rulesTextOf(set: RuleSet, { seats, options, rounds }: Opening): string {
  const text = set.text(seats.length, options);
  return rounds === 1 ? text : `${text}\n${rounds} rounds are played, each with new roles. Points add up.`;
}

/** Splits a tape into the appends that wrote it: events of one cause were appended together. */
export function appends(tape: readonly RecordedEvent[]): RecordedEvent[][] {
  const out: RecordedEvent[][] = [];
  for (const recorded of tape) {
    const last = out.at(-1);
    if (last && last[0]!.cause === recorded.cause) last.push(recorded);
    else out.push([recorded]);
  }
  return out;
}

/** The result of a table, once it is over. */
export function resultOf({ game, standing }: Pick<TableState, 'game' | 'standing'>) {
  const outcome = game.rules.outcome(standing.game);
  return outcome && { ...outcome, rounds: standing.game.results, names: standing.game.names };
}

/** The summary of a table as it is stored; `told` is what others learn of it. */
export function summaryOf({ table, standing, tape }: TableState): TableSummary {
  const { game } = standing;
  return {
    table,
    rules: game.opening.rules,
    stage: game.closed ? 'over' : game.stage,
    round: game.round,
    rounds: game.opening.rounds,
    players: game.names.map((name, seat) => ({ seat, ...(name === undefined ? {} : { name }), points: game.totals[seat]! })),
    free:
      game.stage === 'lobby' ? game.opening.seats.filter((plan, seat) => isForPeople(plan) && game.names[seat] === undefined).length : 0,
    opened: tape[0]?.at ?? 0,
    spectators: game.opening.spectators,
    ...(game.opening.afterwards && { afterwards: game.opening.afterwards }),
    ...(game.opening.insight && { insight: game.opening.insight }),
    ...(standing.pause && !game.closed && { pausedSince: standing.pause.since }),
    ...(game.closed ? { winners: [...game.closed.winners] } : {}),
    ...(game.opening.seats.some(({ agent }) => agent) && {
      agents: game.opening.seats.flatMap(({ agent }, seat) => (agent ? [{ seat, agent }] : [])),
    }),
    ...(game.isAborted && { isAborted: true }),
  };
}

/** What a list tells of a summary: the seats of programs only to the program that asks. @param agent the name of its key */
export function told<S extends Pick<TableSummary, 'agents'>>({ agents = [], ...summary }: S, agent?: string) {
  return { ...summary, ...(agent === undefined ? {} : { agents: agents.filter((each) => each.agent === agent) }) };
}

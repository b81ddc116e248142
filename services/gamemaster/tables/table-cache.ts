import type { ReplyData } from '@maw/contracts/contracts.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import type { Opening } from '@maw/games/match/state.ts';
import { match } from '@maw/games/match/match.ts';
import { play } from '@maw/games/kernel/play.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { RecordedEvent, Tapes } from '@maw/store/ports/tapes.ts';
import { type TableState, newTableState } from '../state/table-state.ts';
import { deriveMessages, type DerivedMessages, replayEvents } from '../messages/derive-messages.ts';

/** A table in memory: its ledger and the text of its rules. */
export interface LoadedTable {
  readonly state: TableState;
  readonly rulesText: string;
}

/** The ledgers of the tables that are in use; everything in them can be read back from the tapes. */
export interface TableCache {
  /** The table as far as it is known here, read from its tape when it is not. @throws Refusal unknown-game */
  load(table: string): Promise<LoadedTable>;
  /** The same, with everything written by others since. @throws Refusal unknown-game */
  fresh(table: string): Promise<LoadedTable>;
  /** Takes an append of one's own into the table and says what follows. */
  grow(loaded: LoadedTable, batch: readonly RecordedEvent[]): DerivedMessages;
  /** What followed from the append that a message caused, said again. */
  again(table: string, cause: string): Promise<DerivedMessages>;
  /** Forgets a table, so that it is read back from its tape when it is needed again. */
  forget(table: string): void;
  /** How many tables there are, and what they weigh. */
  inside(): { readonly running: number; readonly over: number; readonly events: number };
}

/** How many tables that are over are kept in memory. */
const MOST_OVER = 50;

/** How much is kept in memory: running tables, and events of all tables together, counted as `weightOf` does. */
export interface CacheLimits {
  readonly tables: number;
  readonly events: number;
}

/** What a table weighs: its events, and each once more for each eye that has seen it. */
const weightOf = ({ state: ledger }: LoadedTable): number =>
  ledger.tape.length + [...ledger.views.values()].reduce((sum, { seen }) => sum + seen.length, 0);

/**
 * Tables leave when there is no more room: those that are over before those that run, and of each the least recently used. The one that
 * is in use stays, however much it weighs.
 */
export function tableCache(tapes: Tapes, room: CacheLimits, sets: readonly RuleSet[]): TableCache {
  const running = new Map<string, LoadedTable>();
  /** Tables that are over: some are still looked at, none is written to any more. */
  const over = new Map<string, LoadedTable>();
  /** By table: what it weighed when it was last kept. */
  const weights = new Map<string, number>();
  let events = 0;
  const known = (table: string): LoadedTable | undefined => running.get(table) ?? over.get(table);

  /** Keeps a table as the one used last; the least recently used leave. */
  const keep = (table: string, loaded: LoadedTable): LoadedTable => {
    const isOver = loaded.state.game.isOver(loaded.state.standing);
    forget(table);
    weigh(table, weightOf(loaded));
    (isOver ? over : running).set(table, loaded);
    trim(over, () => over.size > MOST_OVER, table);
    trim(running, () => running.size > room.tables, table);
    for (const kept of [over, running]) trim(kept, () => events > room.events, table);
    return loaded;
  };

  function weigh(table: string, weight: number): void {
    events += weight - (weights.get(table) ?? 0);
    weights.set(table, weight);
  }

  function forget(table: string): void {
    running.delete(table);
    over.delete(table);
    events -= weights.get(table) ?? 0;
    weights.delete(table);
  }

  function trim(kept: ReadonlyMap<string, LoadedTable>, isTooMuch: () => boolean, inUse: string): void {
    for (const oldest of kept.keys()) {
      if (!isTooMuch()) return;
      if (oldest !== inUse) forget(oldest);
    }
  }

  async function load(table: string): Promise<LoadedTable> {
    const here = known(table);
    if (here) return keep(table, here);
    const tape = await tapes.read(table);
    const loaded = fromTape(table, tape, sets);
    return known(table) ?? keep(table, loaded); // somebody else may have read it meanwhile; there is one ledger of a table
  }

  async function fresh(table: string): Promise<LoadedTable> {
    const here = known(table);
    if (!here) return load(table);
    const { state: ledger } = here;
    const news = await tapes.read(table, ledger.tape.length);
    // While that was read, this very process may have gone on: what it has is not news.
    for (const batch of appends(news.filter(({ sequence }) => sequence > ledger.tape.length))) replayEvents(ledger, batch);
    return keep(table, here);
  }

  return {
    load,
    fresh,
    grow(loaded, batch) {
      const outbox = deriveMessages(loaded.state, batch, loaded.rulesText);
      keep(loaded.state.table, loaded);
      return outbox;
    },
    async again(table, cause) {
      const tape = (await fresh(table)).state.tape;
      const upTo = tape.findLastIndex((recorded) => recorded.cause === cause) + 1;
      const first = tape.findIndex((recorded) => recorded.cause === cause);
      if (first < 0) return { notices: [], decisions: [] };
      const { state: ledger, rulesText } = fromTape(table, tape.slice(0, first), sets, tape[0]);
      const { notices, decisions } = deriveMessages(ledger, tape.slice(first, upTo), rulesText);
      return { notices, decisions }; // what it had come to then, it has left long since
    },
    forget,
    inside: () => ({ running: running.size, over: over.size, events }),
  };
}

/** A table rebuilt from (the beginning of) its tape. @throws Refusal unknown-game */
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

/** A table that nothing has been written of yet. @throws Refusal unknown-rules, bad-option */
export function blank(table: string, opening: Opening, sets: readonly RuleSet[]): LoadedTable {
  const set = ruleSetNamed(opening.rules, sets);
  const rules = match(set.rules(opening.seats.length, opening.options));
  return {
    state: newTableState(table, rules, play(rules), opening.seats.length),
    rulesText: set.text(opening.seats.length, opening.options),
  };
}

/** The events of a tape by the appends that wrote them: what one message caused was written together. */
export function appends(tape: readonly RecordedEvent[]): RecordedEvent[][] {
  const out: RecordedEvent[][] = [];
  for (const recorded of tape) {
    const last = out.at(-1);
    if (last && last[0]!.cause === recorded.cause) last.push(recorded);
    else out.push([recorded]);
  }
  return out;
}

/** How a table came out, once it is over. */
export function resultOf({ game, standing }: Pick<TableState, 'game' | 'standing'>) {
  const outcome = game.rules.outcome(standing.game);
  return outcome && { ...outcome, rounds: standing.game.results, names: standing.game.names };
}

type Summary = ReplyData<'table.view'>['summary'];

/** A table as everybody may see it. */
export function summaryOf({ table, standing, tape }: TableState): Summary {
  const { game } = standing;
  return {
    table,
    rules: game.opening.rules,
    stage: game.closed ? 'over' : game.stage,
    round: game.round,
    rounds: game.opening.rounds,
    players: game.names.map((name, seat) => ({ seat, ...(name === undefined ? {} : { name }), points: game.totals[seat]! })),
    free:
      game.stage === 'lobby'
        ? game.opening.seats.filter(({ kind }, seat) => kind === 'person' && game.names[seat] === undefined).length
        : 0,
    opened: tape[0]?.at ?? 0,
    spectators: game.opening.spectators,
    ...(game.closed ? { winners: [...game.closed.winners] } : {}),
  };
}

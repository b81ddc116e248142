import type { Bus } from '@maw/bus/bus.ts';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import { contracts, type Message } from '@maw/contracts/contracts.ts';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import { memoryStore } from '../memory-store/memory-store.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { renderOpenMetrics } from '@maw/telemetry/open-metrics.ts';
import { pollUntil } from '@maw/async/poll-until.ts';
import { briskly, type Closable, startServices } from './observed-game.ts';
import { recordSpans, wiretap } from './wiretap.ts';

/** A finished span as an operator sees it. */
export interface OperatorSpan {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly trace: string;
  readonly linked: readonly string[];
  readonly attributes: { readonly [name: string]: unknown };
}

export interface ObservedTable {
  readonly set: RuleSet;
  readonly table: string;
  readonly tape: readonly RecordedEvent[];
}

/** Several games that ran at the same time on one system, and what operators saw of them. */
export interface RunningGames {
  readonly tables: readonly ObservedTable[];
  readonly spans: readonly OperatorSpan[];
  /** Log lines, and the lines of `/metrics` with their exemplars. */
  readonly lines: readonly string[];
}

export interface Schedule {
  readonly sets: readonly RuleSet[];
  /** How many games of each rule set run at once. */
  readonly games: number;
  readonly seed: string;
  readonly days: number;
  /** The length of every phase and turn. */
  readonly phaseMs: number;
  /** Whether phases of the night end once all have answered. */
  readonly hurry: boolean;
  /** Whether each seat asks a model of its own, named after the seat, whose replies can often not be used. */
  readonly asksModels?: boolean;
}

/** The model of a seat: at these tables everybody knows who has which. */
export const modelOf = (seat: number): string => `model-of-${seat}`;

/** So many in a hundred replies are garbage that some decisions are lost though each is asked for twice. */
const GARBAGE = 70;

const MINUTE_MS = 60_000;

/** Plays games of minds that answer at random to their end, with the real services. */
export async function playAtOnce(schedule: Schedule): Promise<RunningGames> {
  const { sets, games, seed } = schedule;
  const opened: Closable[] = [];
  const keep = <T extends Closable>(part: T): T => {
    opened.push(part);
    return part;
  };
  const tap = wiretap();
  const spans = keep(recordSpans());
  const store = keep(memoryStore());
  const busOf = (service: string): Bus => keep(memoryBus({ service, hub: tap.hub, log: tap.logOf(service), resendMs: 86_400_000 }));
  try {
    await startServices({ seed, recipe: 'random', garbage: GARBAGE }, { tap, store, busOf, keep });
    const bus = busOf('web');
    const tables = await Promise.all(
      sets.flatMap((set) =>
        Array.from({ length: games }, async (_, n): Promise<ObservedTable> => {
          const table = `${set.name}-${seed}-${n}`;
          await open(bus, set, table, schedule);
          const isOver = async () => (await store.tapes.list({ limit: 10_000, isOver: true })).some((one) => one.table === table);
          await pollUntil(`the end of ${table}`, isOver, { timeoutMs: 10 * MINUTE_MS, everyMs: 100 });
          return { set, table, tape: await store.tapes.read(table) };
        }),
      ),
    );
    const samples = (await renderOpenMetrics()).split('\n');
    return { tables, spans: spans.take().map((text) => JSON.parse(text) as OperatorSpan), lines: [...tap.lines, ...samples] };
  } finally {
    for (const part of opened.splice(0).toReversed()) await part.close();
  }
}

async function open(bus: Bus, set: RuleSet, table: string, { days, phaseMs, hurry, asksModels }: Schedule): Promise<void> {
  const at = Date.now();
  const seats = Array.from({ length: set.players.usual }, (_, seat) => ({
    kind: 'mind' as const,
    ...(asksModels ? { recipe: 'react', model: modelOf(seat) } : { recipe: 'random' }),
  }));
  const options = Object.fromEntries(
    Object.entries(briskly(set)).map(([option, usual]) => [
      option,
      option.endsWith('Ms') ? phaseMs : option === 'maxDays' ? days : option === 'hurry' ? hurry : usual,
    ]),
  );
  const opening = { rules: set.name, seats, rounds: 1, options, seed: table, pauseMs: 10 };
  const about = { id: `${table}/open`, source: 'web', subject: table, at, replyBy: at + MINUTE_MS };
  const reply = await bus.request(contracts.write('table.open', opening, about) as Message<'table.open'>);
  if (reply.performative !== 'agree') throw new Error(`${table} could not be opened: ${JSON.stringify(reply.data)}`);
}

import { play } from '@maw/games/kernel/play.ts';
import { match } from '@maw/games/match/match.ts';
import type { Opening } from '@maw/games/match/state.ts';
import type { ObservedTable, OperatorSpan, RunningGames } from './running-games.ts';

/** One table: what telemetry shows of it, and what everybody at the table knows. */
export interface WatchedTable {
  readonly table: string;
  readonly rules: string;
  /** Those who lived to the end: the dead have fewer traces, and wolves rarely die by night. */
  readonly seats: readonly number[];
  readonly wolves: ReadonlySet<number>;
  readonly spans: readonly OperatorSpan[];
  readonly lines: readonly string[];
  /** The times without a public question, by the spans of public phases; milliseconds since the epoch. */
  readonly nights: readonly { readonly from: number; readonly to: number; readonly isLast: boolean }[];
  /** Who was executed, and which night came next. */
  readonly executions: readonly { readonly seat: number; readonly night: number }[];
  /** The seats that the trace of a span names. */
  seatsOf(span: OperatorSpan): readonly number[];
}

const EVIL = /^(wolf|werewolf|possessed|morgana|assassin|minion|mordred|oberon)$/;

/** Sorts what operators saw by tables: a trace belongs to the table that one of its spans names. */
export function watch({ tables, spans, lines }: RunningGames): readonly WatchedTable[] {
  const traces = [...Map.groupBy(spans, ({ trace }) => trace).values()];
  const byTable = Map.groupBy(traces, (trace) => trace.map(tableOf).find(Boolean) ?? '');
  const seats = new Map(traces.map((trace) => [trace[0]!.trace, [...new Set(trace.flatMap(seatsIn))]]));
  return tables.map((one): WatchedTable => {
    const { table, tape } = one;
    const own = (byTable.get(table) ?? []).flat();
    const nights = nightsIn(own);
    return {
      table,
      rules: one.set.name,
      wolves: wolvesIn(tape),
      spans: own,
      lines: lines.filter((line) => line.includes(`"${table}"`) || line.includes(`${table}/`)),
      nights,
      ...fatesIn(one, nights),
      seatsOf: ({ trace }) => seats.get(trace) ?? [],
    };
  });
}

const tableOf = ({ attributes }: OperatorSpan): string | undefined =>
  (attributes['maw.table'] ?? attributes['gen_ai.conversation.id']) as string | undefined;

/** The seats that a span names, as such or as an agent. */
function seatsIn({ attributes }: OperatorSpan): readonly number[] {
  const { 'maw.seat': seat, 'gen_ai.agent.id': agent } = attributes;
  const found = /:(\d+)$/.exec(typeof agent === 'string' ? agent : '');
  return [...(typeof seat === 'number' ? [seat] : []), ...(found ? [Number(found[1])] : [])];
}

function nightsIn(spans: readonly OperatorSpan[]): WatchedTable['nights'] {
  const phases = spans.filter(({ name }) => name === 'reach phase').toSorted((a, b) => a.at - b.at);
  return phases.flatMap(({ at, attributes }, i) =>
    attributes['maw.phase'] === 'round'
      ? [{ from: at, to: phases[i + 1]?.at ?? Number.POSITIVE_INFINITY, isLast: isEnd(phases[i + 1]) }]
      : [],
  );
}

const isEnd = (next: OperatorSpan | undefined): boolean =>
  next === undefined || /^(over|pause)/.test(next.attributes['maw.phase'] as string);

const openingOf = ({ tape }: ObservedTable): Opening => (tape[0]!.event as unknown as { readonly opening: Opening }).opening;

function wolvesIn(tape: ObservedTable['tape']): ReadonlySet<number> {
  const dealt = tape.find(({ event }) => event.type === 'dealt')?.event as
    { readonly roles?: string[]; readonly cards?: string[] } | undefined;
  return new Set((dealt?.roles ?? dealt?.cards ?? []).flatMap((card, seat) => (EVIL.test(card) ? [seat] : [])));
}

/** Who the audience has seen to be executed, and who lived. */
function fatesIn(one: ObservedTable, nights: WatchedTable['nights']): Pick<WatchedTable, 'seats' | 'executions'> {
  const opening = openingOf(one);
  const rules = match(one.set.rules(opening.seats.length, opening.options));
  const game = play(rules);
  let [standing, view] = [game.begin(), game.begin()];
  const out = new Set<number>();
  const executions: { seat: number; night: number }[] = [];
  for (const { event, at } of one.tape) {
    const seen = game.see(standing, event as never, 'audience');
    if (seen) view = game.evolve(view, seen);
    standing = game.evolve(standing, event as never);
    const night = nights.findIndex(({ from }) => from >= at);
    const isByDay = !nights.some(({ from, to }) => at > from && at <= to);
    for (const seat of rules.out(view.game).filter((each) => !out.has(each))) {
      out.add(seat);
      if (isByDay && night >= 0) executions.push({ seat, night });
    }
  }
  return { executions, seats: [...opening.seats.keys()].filter((seat) => !out.has(seat)) };
}

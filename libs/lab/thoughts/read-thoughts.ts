import type { NarratedEvent } from '../measures/game-record.ts';
import { type MeasuredThought, roundOf } from '../measures/measured.ts';
import type { ThoughtDecision, ThoughtPage, ThoughtStep } from './recorded-thoughts.ts';

/** Where thoughts are read: the pages of a table's decisions, or of the steps of one of them. */
interface ThoughtSource {
  thoughts(
    table: string,
    wanted: { readonly seat?: number | undefined; readonly decision?: string; readonly after?: number },
  ): Promise<ThoughtPage>;
}

/** Where tapes are read, too. */
interface TableSource extends ThoughtSource {
  tape(table: string, eye: string): AsyncIterable<{ readonly event: NarratedEvent }>;
}

/** The decisions of a table, page by page. */
export async function* decisionPages(source: ThoughtSource, table: string, seat?: number): AsyncGenerator<readonly ThoughtDecision[]> {
  for (let after = 0, more = true; more;) {
    const page = await source.thoughts(table, { seat, after });
    if (page.decisions.length > 0) yield page.decisions;
    after = page.decisions.at(-1)?.n ?? after;
    more = page.more && page.decisions.length > 0;
  }
}

/** A decision with its steps. */
export interface WholeDecision {
  readonly decision: ThoughtDecision;
  readonly steps: AsyncGenerator<ThoughtStep>;
}

/**
 * A decision, by its number or id; further pages of its steps are read when they are wanted.
 * @throws ApiProblem when it does not exist
 */
export async function readDecision(
  source: ThoughtSource,
  table: string,
  wanted: { readonly seat?: number | undefined; readonly decision: string },
): Promise<WholeDecision> {
  const first = await source.thoughts(table, wanted);
  const [decision] = first.decisions as [ThoughtDecision];
  return { decision, steps: stepsFrom(first, (after) => source.thoughts(table, { ...wanted, after })) };
}

async function* stepsFrom(first: ThoughtPage, read: (after: number) => Promise<ThoughtPage>): AsyncGenerator<ThoughtStep> {
  let page = first;
  yield* page.thoughts;
  while (page.more && page.thoughts.length > 0) {
    page = await read(page.thoughts.at(-1)!.step);
    yield* page.thoughts;
  }
}

/** All decisions of a table, or of one of its seats. */
export async function* allDecisions(source: ThoughtSource, table: string, seat?: number): AsyncGenerator<WholeDecision> {
  for await (const page of decisionPages(source, table, seat))
    for (const one of page) yield readDecision(source, table, { seat: one.seat, decision: one.decision });
}

/** What the narrator sees of a table, and the steps that its minds thought. */
export async function readTable(
  source: TableSource,
  table: string,
): Promise<{ readonly tape: readonly NarratedEvent[]; readonly thoughts: readonly MeasuredThought[] }> {
  const tape: NarratedEvent[] = [];
  for await (const { event } of source.tape(table, 'narrator')) tape.push(event);
  const thoughts: MeasuredThought[] = [];
  for await (const { decision, steps } of allDecisions(source, table))
    for await (const { kind, content } of steps)
      thoughts.push({ table, round: roundOf(decision.phase), seat: decision.seat, kind, content });
  return { tape, thoughts };
}

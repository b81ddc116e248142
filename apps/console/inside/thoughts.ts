import type { ApiClient } from '@maw/api-client/client.ts';
import type { Patience } from '@maw/api-client/retry.ts';
import type { ReplyData } from '@maw/contracts/contracts.ts';

type Page = ReplyData<'mind.thoughts'>;
/** One decision of a seat, without what was thought. */
export type Decision = Page['decisions'][number];
/** One step of a decision, with what it saw and changed. */
export type Thought = Page['thoughts'][number];

/** A decision with all its steps. */
export interface WholeDecision {
  readonly decision: Decision;
  readonly steps: readonly Thought[];
}

/** Reads `GET /tables/:table/thoughts` with a query. @throws ApiProblem */
export type ReadThoughts = (query: {
  readonly seat?: number;
  readonly decision?: string;
  readonly after: number;
  readonly limit?: number;
}) => Promise<Page>;

/** The decisions after number `after`, page by page; each call of `onPage` adds some. @throws ApiProblem */
export async function readDecisions(read: ReadThoughts, after: number, onPage: (decisions: readonly Decision[]) => void): Promise<void> {
  for (let last = after, more = true; more;) {
    const page = await read({ after: last, limit: 1000 });
    if (page.decisions.length) onPage(page.decisions);
    more = page.more && page.decisions.length > 0;
    last = page.decisions.at(-1)?.n ?? last;
  }
}

/** The steps of a decision by its id or number. @throws ApiProblem not-an-option when it does not exist */
export async function readDecision(read: ReadThoughts, decision: string): Promise<WholeDecision> {
  const first = await read({ decision, after: 0 });
  const steps = [...first.thoughts];
  for (let { more } = first; more && steps.length;) {
    const page = await read({ decision, after: steps.at(-1)!.step });
    steps.push(...page.thoughts);
    more = page.more && page.thoughts.length > 0;
  }
  return { decision: first.decisions[0]!, steps };
}

/** So many are read at a time. */
export const AT_ONCE = 4;

/** Reads all decisions of a table with their steps. @throws ApiProblem */
export async function readWhole(client: Pick<ApiClient, 'get'>, table: string, patience: Patience): Promise<readonly WholeDecision[]> {
  const read: ReadThoughts = (query) => client.get('/tables/:table/thoughts', { table, ...query }, patience);
  const decisions: Decision[] = [];
  await readDecisions(read, 0, (page) => void decisions.push(...page));
  const whole: WholeDecision[] = [];
  for (let from = 0; from < decisions.length; from += AT_ONCE)
    whole.push(...(await Promise.all(decisions.slice(from, from + AT_ONCE).map(({ decision }) => readDecision(read, decision)))));
  return whole;
}

/** Reads a decision. @throws ApiProblem */
export type GetDecision = (decision: Pick<Decision, 'decision' | 'steps'>) => Promise<WholeDecision>;

/** Reads each decision once, but again after a failure, and when it has more steps than were read. */
export function cachedDecisions(read: ReadThoughts): GetDecision {
  const known = new Map<string, { readonly steps: number; readonly whole: Promise<WholeDecision> }>();
  return ({ decision, steps }) => {
    const found = known.get(decision);
    if (found && found.steps >= steps) return found.whole;
    const whole = readDecision(read, decision);
    known.set(decision, { steps, whole });
    whole.catch(() => known.delete(decision));
    return whole;
  };
}

/** Decisions by their number; later ones replace those that were read before. */
export function mergeDecisions(known: readonly Decision[], page: readonly Decision[]): readonly Decision[] {
  const byNumber = new Map([...known, ...page].map((decision) => [decision.n, decision]));
  return [...byNumber.values()].sort((a, b) => a.n - b.n);
}

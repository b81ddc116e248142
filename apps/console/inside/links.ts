import type { Seen } from '../api/shapes.ts';

/** What led to an event: the message, and the decision and trace that it came from, for eyes that may know. */
export interface Cause {
  readonly id: string;
  readonly decision?: string;
  readonly trace?: string;
}

/** An event that a decision led to. */
export interface Act {
  /** Its number in the narrator's view. */
  readonly n: number;
  readonly at: number;
  readonly text: string | undefined;
  readonly trace: string | undefined;
}

const causeOf = (seen: Seen): Cause | undefined => (seen as Seen & { readonly cause?: Cause }).cause;

/** The decision that led to an event. */
export const decisionOf = (seen: Seen): string | undefined => causeOf(seen)?.decision;

/** The events of the narrator's view by the decision that led to them. */
export function actsByDecision(events: readonly Seen[]): ReadonlyMap<string, readonly Act[]> {
  const acts = new Map<string, Act[]>();
  for (const seen of events) {
    const { decision, trace } = causeOf(seen) ?? {};
    if (decision === undefined) continue;
    const own = acts.get(decision) ?? [];
    own.push({ n: seen.n, at: seen.at, text: seen.text, trace });
    acts.set(decision, own);
  }
  return acts;
}

/** The address of a trace. @param template with `{trace}` in the place of its id */
export function traceLink(template: string, trace: string): string | undefined {
  const address = URL.parse(template.replaceAll('{trace}', encodeURIComponent(trace)));
  return template.includes('{trace}') && address && /^https?:$/.test(address.protocol) ? address.href : undefined;
}

/** The roles of the seats by round: as dealt, and once the round is over as they were at its end. */
export function truthsOf(events: readonly Seen[]): ReadonlyMap<number, readonly string[]> {
  const truths = new Map<number, readonly string[]>();
  let round = 1;
  for (const { event } of events) {
    if (event.type === 'began') round = Number(event['round']);
    const dealt = event['roles'] ?? event['cards'];
    if (event.type === 'dealt' && Array.isArray(dealt) && !dealt.includes('hidden')) truths.set(round, dealt as readonly string[]);
    if (event.type === 'scored') truths.set(round, (event['outcome'] as { readonly roles: readonly string[] }).roles);
  }
  return truths;
}

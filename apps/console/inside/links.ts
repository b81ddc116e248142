import type { Seen } from '../api/shapes.ts';

/** The events of the narrator's view by the decision of a mind that led to them, for eyes that may know: their numbers. */
export function actsByDecision(events: readonly Seen[]): ReadonlyMap<string, readonly number[]> {
  const acts = new Map<string, number[]>();
  for (const { n, cause } of events) {
    if (cause?.decision === undefined) continue;
    const own = acts.get(cause.decision);
    if (own) own.push(n);
    else acts.set(cause.decision, [n]);
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

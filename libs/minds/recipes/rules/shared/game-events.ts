import type { News } from '../../../news.ts';

/** A guard for the events of one game among those of the match. */
export const gameEvents = <Event extends { readonly type: string }>(
  types: readonly Event['type'][],
): ((event: News['event'] | Event) => event is Event) => {
  const known = new Set<string>(types);
  return (event): event is Event => event !== undefined && known.has(event.type);
};

/** The options with which a match was opened. */
export const openedWith = (event: { readonly [field: string]: unknown }): { readonly [name: string]: unknown } =>
  (event['opening'] as { readonly options: { readonly [name: string]: unknown } }).options;

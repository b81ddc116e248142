import type { Moment } from '../../mind.ts';
import { type News, newsFromEvent, type OpenVerbs, updateVerbs } from '../../news.ts';
import type { Strategy } from './strategy.ts';

export type Event = { readonly type: string; readonly [field: string]: unknown };

/** What a seat knows after some events of its view. */
export function knownAfter<Known>(
  strategy: Strategy<Known, { readonly [about: string]: unknown }>,
  events: readonly Event[],
  moment: Moment,
): Known {
  const names = moment.players.map(({ name }) => name);
  let verbs: OpenVerbs = {};
  const news = events.map((event, i): News => {
    verbs = updateVerbs(verbs, { n: i + 1, at: 0, event });
    return newsFromEvent({ n: i + 1, at: 0, event }, { names, verbs, isRead: false });
  });
  return news.reduce((known, one) => strategy.fold(known, one, moment), strategy.begin());
}

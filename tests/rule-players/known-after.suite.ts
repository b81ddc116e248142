import type { Moment } from '@maw/minds/mind.ts';
import { type News, newsFromEvent, type OpenVerbs, updateVerbs } from '@maw/minds/news.ts';
import { newHearing } from '@maw/rule-players/conversation/hearing.ts';
import { voiceOf } from '@maw/rule-players/conversation/voice.ts';
import { english } from '@maw/rule-players/conversation/wording.ts';
import type { Floor, Strategy } from '@maw/rule-players/strategy.ts';

export type Event = { readonly type: string; readonly [field: string]: unknown };

/** What a strategy speaks with at a table for machines where nothing was said: plain words. */
export const floorAt = <Occasion extends string>(
  strategy: { readonly book: Parameters<typeof voiceOf<Occasion>>[0] },
  moment: Moment,
): Floor<Occasion> => ({
  voice: voiceOf(strategy.book, moment, [], true),
  wording: english,
  hearing: newHearing,
});

/** What a seat knows after some events of its view. */
export function knownAfter<Known>(
  strategy: Pick<Strategy<Known, { readonly [about: string]: unknown }, string>, 'fold' | 'begin'>,
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

import { add } from '../context.ts';
import { periodOf, phaseOfNews, titleOf } from '../news.ts';
import type { Mind, Moment, Step } from '../mind.ts';
import { dealtRole } from '@maw/games/roles.ts';
import { publicNotes } from '../prompts/layout.ts';
import { namedTeam } from '../prompts/words.ts';

/**
 * Moves the unread lines into the context and takes in the news; what not everybody is told is filed under the night, day or quest in which it
 * happened. Notes the dealt role, the team that was named last, and when the last news happened.
 */
export const observe: Step = {
  kind: 'observe',
  name: 'news',
  async run(mind, moment) {
    const role = dealtRole(moment.news.findLast(({ event }) => event?.type === 'dealt')?.event, moment.seat);
    const team = namedTeam(moment);
    const { unread, period } = filed(moment, mind.notes['when']);
    const noted = { ...(role === undefined ? {} : { role }), ...(team === undefined ? {} : { team }), ...(period ? { when: period } : {}) };
    return { context: add(mind.context, mind.unread), unread, notes: { ...mind.notes, ...noted } };
  },
  shows: (_, { unread }) => (unread.length ? { unread } : {}),
};

/** The lines of the news, and the period of the last of them. @param before that of the news before */
function filed({ news, round }: Moment, before: unknown): { readonly unread: readonly string[]; readonly period: string } {
  let period = typeof before === 'string' ? before : '';
  const unread: string[] = [];
  for (const each of news) {
    if (each.event?.type === 'began') period = '';
    period = periodOf(phaseOfNews(each, round) ?? '') || period;
    if (each.text !== undefined) unread.push(each.isPublic || !period ? each.text : `${titleOf(period)}: ${each.text}`);
  }
  return { unread, period };
}

/** The same for prompts in the shared layout, which need to know what is public. */
export const observeShared: Step = {
  ...observe,
  async run(mind, moment, tools) {
    const change = await observe.run(mind, moment, tools);
    return { ...change, notes: publicNotes({ ...mind, ...change }, moment) };
  },
};

/** Events that everybody sees outside of rooms, at the beginning of every game. */
const BEGINNING: ReadonlySet<string> = new Set(['opened', 'began', 'dealt']);

/**
 * Marks what only this seat is told: its own findings. `budget` drops them last; a new round with new roles voids them. Optional for
 * recipes.
 */
export const ownResults: Step = {
  kind: 'observe',
  name: 'own results',
  async run({ notes, recalled, unread }, { news }) {
    const began = news.findLastIndex(({ event }) => event?.type === 'began');
    const before = ownOf(notes);
    const found = news.slice(began + 1).flatMap(({ text, event, room, by }) => {
      const isOwn = event && room === undefined && by === undefined && !BEGINNING.has(event.type);
      return isOwn && text !== undefined ? [unread.find((line) => line.endsWith(text)) ?? text] : [];
    });
    if (began < 0) return found.length ? { notes: { ...notes, own: [...before, ...found] } } : {};
    return { notes: { ...notes, own: found }, recalled: recalled.filter((line) => !before.includes(line)) };
  },
  shows: () => ({}),
};

/** The lines that `ownResults` marked. */
export const ownOf = (notes: Mind['notes']): readonly string[] => (notes['own'] as readonly string[] | undefined) ?? [];

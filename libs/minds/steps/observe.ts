import { add, tokensOf, truncate } from '../context.ts';
import type { Mind, Step } from '../mind.ts';
import { tokensBesidesLog } from '../prompts/prompt.ts';
import { type Form, waysOf } from '../prompts/reply.ts';

/** Takes in what is new: what was unread has been read by now and joins the context. */
export const observe: Step = {
  kind: 'observe',
  name: 'news',
  run: async (mind, { news }) => ({
    context: add(mind.context, mind.unread),
    unread: news.flatMap(({ text }) => (text === undefined ? [] : [text])),
  }),
  shows: (_, { unread }) => (unread.length ? { unread } : {}),
};

/** What everybody is told in no room either, at the beginning of every game. */
const BEGINNING: ReadonlySet<string> = new Set(['opened', 'began', 'dealt']);

/**
 * Marks what is told to this seat and in no room: what it has found out itself. `budget` lets go of that last of all; a new round, in which
 * the roles are others, makes it void. A step of its own, so that a recipe can do without.
 */
export const ownResults: Step = {
  kind: 'observe',
  name: 'own results',
  async run({ notes, recalled }, { news }) {
    const began = news.findLastIndex(({ event }) => event?.type === 'began');
    const before = ownOf(notes);
    const found = news.slice(began + 1).flatMap(({ text, event, room, by }) => {
      const isOwn = event && room === undefined && by === undefined && !BEGINNING.has(event.type);
      return isOwn && text !== undefined ? [text] : [];
    });
    if (began < 0) return found.length ? { notes: { ...notes, own: [...before, ...found] } } : {};
    return { notes: { ...notes, own: found }, recalled: recalled.filter((line) => !before.includes(line)) };
  },
  shows: () => ({}),
};

const ownOf = (notes: Mind['notes']): readonly string[] => (notes['own'] as readonly string[] | undefined) ?? [];

/**
 * Keeps the whole prompt within its budget by dropping the oldest lines, never leaving that to a model server, which would do it unseen.
 * Of what `ownResults` has marked nothing is lost: dropped from the log it is recalled.
 * @param replyTokens what the longest reply of the recipe may take
 */
export const budget = (replyTokens: number, form: Form = {}): Step => ({
  kind: 'remember',
  name: 'budget',
  async run(mind, moment) {
    const most = moment.contextTokens - replyTokens;
    const ways = waysOf(moment);
    const besides = (part: Partial<Mind>): number => tokensBesidesLog({ ...mind, ...part }, moment, ways, form);
    const own = ownOf(mind.notes);
    const others = mind.recalled.filter((line) => !own.includes(line));
    for (let recalled = mind.recalled; ;) {
      const unread = newest(mind.unread, Math.max(0, most - besides({ recalled, unread: [] })) * 0.75);
      const missed = mind.unread.length - unread.length;
      // what never came to be read is older than what is left unread, and newer than all of the context
      const before = missed ? { lines: [], dropped: mind.context.dropped + mind.context.lines.length + missed } : mind.context;
      const context = truncate(before, Math.max(0, most - besides({ recalled, unread })));
      const lost = own.filter((line) => !context.lines.includes(line) && !unread.includes(line));
      if (others.length + lost.length > recalled.length) {
        recalled = [...others, ...lost]; // which takes room itself
        continue;
      }
      if (!missed && context === mind.context && recalled === mind.recalled) return {};
      return { context, unread, recalled };
    }
  },
  shows: (before, { context }) => (context.dropped > before.context.dropped ? { dropped: context.dropped } : {}),
});

/** The last of some lines, as many as have at most so many tokens. */
function newest(lines: readonly string[], tokens: number): readonly string[] {
  let left = tokens;
  let from = lines.length;
  while (from > 0 && (left -= tokensOf(lines[from - 1]!) + 1) >= 0) from--;
  return lines.slice(from);
}

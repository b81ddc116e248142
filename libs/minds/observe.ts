import { add, tokensOf, truncate } from './context.ts';
import type { Step } from './mind.ts';
import { tokensBesidesLog } from './prompt.ts';
import { waysOf } from './schema.ts';

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

/**
 * Keeps the whole prompt within its budget by dropping the oldest lines, never leaving that to a model server, which would do it unseen.
 * @param replyTokens what the longest reply of the recipe may take
 */
export const budget = (replyTokens: number): Step => ({
  kind: 'remember',
  name: 'budget',
  async run(mind, moment) {
    const most = moment.contextTokens - replyTokens;
    const fixed = tokensBesidesLog({ ...mind, unread: [] }, moment, waysOf(moment));
    const unread = newest(mind.unread, Math.max(0, most - fixed) * 0.75);
    const context = truncate(mind.context, Math.max(0, most - tokensBesidesLog({ ...mind, unread }, moment, waysOf(moment))));
    const missed = mind.unread.length - unread.length;
    if (!missed && context === mind.context) return {};
    // what never came to be read is older than what is left unread, and newer than all of the context
    return { context: missed ? { lines: [], dropped: mind.context.dropped + mind.context.lines.length + missed } : context, unread };
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

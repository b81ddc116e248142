import { replyRoom, roomBesides, tokensOf, truncate } from '../context.ts';
import type { Mind, Step, Tools } from '../mind.ts';
import { rulesPrompt, tokensBesidesLog } from '../prompts/prompt.ts';
import { type ReplyForm, waysOf } from '../prompts/reply.ts';
import { ownOf } from './observe.ts';

interface BudgetForm extends ReplyForm {
  /** Tokens of the longest prompt besides the rules and the log. Absent: those of the prompt of `act`. */
  readonly besides?: number | undefined;
}

/**
 * Keeps the prompt within its budget by dropping the oldest lines; a model server would truncate silently. Lines that `ownResults` marked are
 * recalled when they are dropped from the log.
 * @param replyTokens the tokens of the longest reply
 */
export const budget = (replyTokens: number, form: BudgetForm = {}): Step => ({
  kind: 'remember',
  name: 'budget',
  chain: 0,
  async run(mind, moment) {
    const most = moment.contextTokens - replyRoom(moment.contextTokens, replyTokens);
    const ways = waysOf(moment);
    const besides = (part: Partial<Mind>): number =>
      form.besides === undefined
        ? tokensBesidesLog({ ...mind, ...part }, moment, ways, form)
        : roomBesides(moment.contextTokens, form.besides) +
          tokensOf([rulesPrompt(moment), ...(part.recalled ?? []), ...(part.unread ?? mind.unread)].join('\n'));
    const own = ownOf(mind.notes);
    const others = mind.recalled.filter((line) => !own.includes(line));
    for (let recalled = mind.recalled; ;) {
      const unread = newest(mind.unread, Math.max(0, most - besides({ recalled, unread: [] })) * 0.75);
      const missed = mind.unread.length - unread.length;
      // skipped unread lines are older than the remaining ones, and newer than the whole context
      const before = missed ? { lines: [], dropped: mind.context.dropped + mind.context.lines.length + missed } : mind.context;
      const context = truncate(before, Math.max(0, most - besides({ recalled, unread })));
      const lost = own.filter((line) => !context.lines.includes(line) && !unread.includes(line));
      if (others.length + lost.length > recalled.length) {
        recalled = [...others, ...lost]; // which itself takes room
        continue;
      }
      if (!missed && context === mind.context && recalled === mind.recalled) return {};
      return { context, unread, recalled };
    }
  },
  shows: (before, { context }) => (context.dropped > before.context.dropped ? { dropped: context.dropped } : {}),
});

/** For steps that note how many lines did not fit into the prompts of this thought, in `dropped`. */
export const showDropped = (_: Mind, { notes }: Mind) => (notes['dropped'] ? { dropped: notes['dropped'] } : {});

/** The last lines that fit into `tokens` tokens. */
export function newest(lines: readonly string[], tokens: number): readonly string[] {
  let left = tokens;
  let from = lines.length;
  while (from > 0 && (left -= tokensOf(lines[from - 1]!) + 1) >= 0) from--;
  return lines.slice(from);
}

/** Whether a reply that cannot be used may be asked for once more: there must be time for another call of this seat before the step has to end. */
export const hasTimeAgain = ({ deadline, now, callMs }: Pick<Tools, 'deadline' | 'now' | 'callMs'>): boolean =>
  deadline === undefined || now() + (callMs?.() ?? 0) < deadline;

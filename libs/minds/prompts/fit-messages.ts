import { Refusal } from '@maw/contracts/refusal.ts';
import { replyRoom, tokensOf } from '../context.ts';
import type { CompletionRequest, Mind, Moment, Tools } from '../mind.ts';
import { LOG_NOTES } from './layout.ts';

type Messages = CompletionRequest['messages'];

/** What a chat template adds to a message, in tokens. */
const TEMPLATE_TOKENS = 8;
/** How much of a prompt is left of one that a server has refused as too long: tokens are only estimated. */
const LESS = 0.6;
/** Lines go so many at once, so that the beginning of the prompt, which model servers cache, does not change with every line. */
const AT_ONCE = 8;

/**
 * The same tools for a step of a mind, with prompts that fit into its context: the oldest lines of the log are left out. A prompt that the server
 * refuses as too long is tried once more with fewer of them.
 */
export function fittingTools(tools: Tools, mind: Mind, moment: Moment): Tools {
  return {
    ...tools,
    async complete(request, ...about) {
      const log = logOf(mind, moment);
      const room = moment.contextTokens - replyRoom(moment.contextTokens, request.maxTokens ?? 0);
      const messages = fitted(request.messages, room, log);
      try {
        return await tools.complete({ ...request, messages }, ...about);
      } catch (error) {
        const isTooLong = error instanceof Refusal && error.reason === 'too-long';
        const less = isTooLong ? fitted(messages, LESS * sizeOf(messages), log) : messages;
        if (less === messages) throw error;
        return await tools.complete({ ...request, messages: less }, ...about);
      }
    },
  };
}

const linesOf = (text: string): readonly string[] => text.split('\n');

/** All lines that tell what has happened, as prompts may have them. */
function logOf({ context, unread, notes }: Mind, { news }: Moment): ReadonlySet<string> {
  const noted = [...LOG_NOTES, 'public'].flatMap((name) => (notes[name] ?? []) as readonly (string | Messages[number])[]);
  const lines = noted.flatMap((each) => (typeof each === 'string' ? [each] : linesOf(each.content)));
  return new Set([...context.lines, ...unread, ...lines, ...news.flatMap(({ text = [] }) => text)]);
}

const sizeOf = (messages: Messages): number => messages.reduce((sum, { content }) => sum + tokensOf(content) + TEMPLATE_TOKENS, 0);

/** The same messages when they fit, or have no line of the log. */
function fitted(messages: Messages, tokens: number, log: ReadonlySet<string>): Messages {
  let over = sizeOf(messages) - tokens;
  let dropped = 0;
  const drops = (line: string): boolean => {
    if ((over <= 0 && dropped % AT_ONCE === 0) || !log.has(line)) return false;
    over -= tokensOf(line);
    dropped++;
    return true;
  };
  const rest = (content: string): string =>
    linesOf(content)
      .filter((line) => !drops(line))
      .join('\n');
  const left = messages.map(({ role, content }) => ({ role, content: rest(content) }));
  return dropped ? left.filter(({ content }) => content.trim()) : messages;
}

import type { CompletionRequest, Mind, Moment } from '../mind.ts';
import { type HoleValue, type Prompt, fillPrompt } from './prompt-file.ts';
import { guidingPrompt, rulesPrompt } from './prompt.ts';
import type { ReplyForm, Way } from './reply.ts';

type Messages = CompletionRequest['messages'];

/**
 * The order of a prompt. `paper`: that of its file. `shared`: one system message with the rules, then one user message: first what everybody at the
 * table knows, then the rest in its order, so that the last line is what is asked. So a model server computes once what the prompts of all seats
 * have in common, and every chat template takes it. Nothing is added or left out.
 */
export type Layout = 'paper' | 'shared';

/** The longest log that is remembered for the order of lines. */
const MAX_LINES = 1_000;
/** The notes and the holes for what has happened. */
export const LOG_NOTES: readonly string[] = ['history', 'lines', 'observations', 'debate', 'finished'];
const LOG_HOLES: ReadonlySet<string> = new Set(['log', 'past', 'news', ...LOG_NOTES.map((note) => `note.${note}`)]);

/** The note `public` of a mind whose prompts have the shared layout: what everybody at the table has been told, in order of time. */
export const publicNotes = ({ notes }: Mind, { news }: Moment): Mind['notes'] => {
  const heard = news.flatMap(({ text, isPublic }) => (text !== undefined && isPublic ? [text] : []));
  return { ...notes, public: [...publicOf(notes), ...heard].slice(-MAX_LINES) };
};

const publicOf = (notes: Mind['notes']): readonly string[] => (notes['public'] as readonly string[] | undefined) ?? [];

/** Collects the public ones among the lines of a prompt. */
function publicLog({ notes }: Mind) {
  const log = publicOf(notes);
  const known = new Set(log);
  const taken = new Map<string, number>();
  return {
    /** Those that not everybody has. The others are collected, without their day. */
    privateOf: (lines: readonly string[]): readonly string[] =>
      lines.filter((line) => {
        const bare = line.replace(/^\p{L}+ \d+: /u, ''); // day notes begin with their day
        if (!known.has(bare)) return true;
        taken.set(bare, (taken.get(bare) ?? 0) + 1);
        return false;
      }),
    /** The collected ones in order of time; empty when there are none. */
    text(): string {
      const lines = log
        .toReversed()
        .filter((line) => {
          const count = taken.get(line) ?? 0;
          taken.set(line, count - 1);
          return count > 0;
        })
        .toReversed();
      return lines.length ? ['What everybody at the table knows:', ...lines].join('\n') : '';
    },
  };
}

const sharedMessages = (system: string, parts: readonly string[]): Messages => [
  ...(system ? [{ role: 'system' as const, content: system }] : []),
  { role: 'user', content: parts.filter(Boolean).join('\n\n') },
];

/** Fills a prompt file in the shared layout: rules, public lines, the rest. Parameters as those of `fillPrompt`. */
export function fillShared(prompt: Prompt, valueOf: (hole: string) => HoleValue | undefined, mind: Mind, moment: Moment): Messages {
  const log = publicLog(mind);
  const values = new Map<string, HoleValue | undefined>();
  let hasRules = false;
  const own = fillPrompt(prompt, (hole) => {
    if (hole === 'preamble') {
      hasRules = true;
      return '';
    }
    if (!values.has(hole)) values.set(hole, LOG_HOLES.has(hole) ? privateValue(valueOf(hole), log.privateOf) : valueOf(hole));
    return values.get(hole);
  });
  const texts = own.map(({ role, content }) => (role === 'assistant' ? `Your own thoughts:\n${content}` : content));
  return sharedMessages(hasRules ? rulesPrompt(moment) : '', [log.text(), ...texts]);
}

function privateValue(value: HoleValue | undefined, privateOf: (lines: readonly string[]) => readonly string[]): HoleValue | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value[0] === 'string') return privateOf(value as readonly string[]);
  return (value as Messages).flatMap(({ role, content }) => {
    const lines = privateOf(content.split('\n'));
    return lines.length ? [{ role, content: lines.join('\n') }] : [];
  });
}

/** The prompt of a decision without a prompt file, in the shared layout. Parameters as those of `promptOf`. */
export function sharedPromptOf(mind: Mind, moment: Moment, ways: readonly Way[], form: ReplyForm = {}): Messages {
  const { context, unread } = mind;
  const log = publicLog(mind);
  const own = log.privateOf(context.lines);
  const ownNews = log.privateOf(unread);
  const past = [
    ...(context.dropped ? [`(${context.dropped} earlier lines are left out)`] : []),
    ...(own.length ? ['What only you know:', ...own] : []),
  ];
  const heard = unread.length - ownNews.length;
  const news = [
    ...(ownNews.length ? ['New, and only you know it:', ...ownNews] : []),
    ...(heard ? [`New of what everybody knows: the last ${heard === 1 ? 'line' : `${heard} lines`}.`] : []),
  ];
  return sharedMessages(rulesPrompt(moment), [log.text(), past.join('\n'), news.join('\n'), guidingPrompt(mind, moment, ways, form)]);
}

import { z } from 'zod';
import { newContext, roomBesides, tokensOf } from '../../context.ts';
import type { Mind, Moment, Step } from '../../mind.ts';
import { type News, phaseOfNews } from '../../news.ts';
import { ownRole } from '../../own-role.ts';
import { roleText } from '../../prompts/holes.ts';
import { rulesPrompt } from '../../prompts/prompt.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { sanitize } from '../../sanitize.ts';
import { newest, showDropped } from '../../steps/budget.ts';
import { lessonFor, openBook, readUsed } from './lesson.ts';
import { periodOf, plannedRounds } from './period.ts';
import { type Plan, planLines } from './plan.ts';

/** A message as document 003 stores it. */
export interface Stored {
  readonly message_type: 'public' | 'private';
  /** Who spoke; `gamemaster` for all else. */
  readonly name: string;
  readonly message: string;
  readonly phase: string;
}

/** The summary of a round. */
export interface Summary {
  readonly round: string;
  readonly text: string;
}

/** What the mind remembers of a game. */
export interface LanMemory {
  /** The messages of rounds that have no summary yet, by round, oldest first. */
  readonly rounds: readonly { readonly round: string; readonly messages: readonly Stored[] }[];
  readonly summaries: readonly Summary[];
  readonly plan: Plan;
}

const none: LanMemory = { rounds: [], summaries: [], plan: {} };
export const memoryOf = ({ notes }: Pick<Mind, 'notes'>): LanMemory => (notes['lan'] as LanMemory | undefined) ?? none;

/** Tokens left for the rest of a prompt and its reply. */
const BESIDES_TOKENS = 2_400;

/** How many tokens of a prompt messages may take. */
export const roomFor = (moment: Moment): number =>
  moment.contextTokens - tokensOf(rulesPrompt(moment)) - tokensOf(moment.brief) - roomBesides(moment.contextTokens, BESIDES_TOKENS);

/** Who is analysed, in words. */
const WHOM: { readonly [analysis: string]: string } = {
  all: 'all other players',
  enemies: 'your enemies',
  teammates: 'your teammates',
};

/**
 * Sorts what is new into rounds; follows `observe`. A new game begins with an empty memory. The notes `summaries`, `lines`, `situation`, `rounds`,
 * `plan` and `whom` are those of the prompts.
 */
export const recallKind = stepKind({
  step: 'lan-recall',
  description: 'Sorts new messages into rounds, as document 003 stores them, and prepares its prompts.',
  parameters: z.strictObject({
    whom: z.enum(['all', 'enemies', 'teammates', 'off']).describe('Whom the analysis is about'),
    lines: z.boolean().describe('Whether prompts contain the messages of this round, beside the summaries'),
    strategies: z.string().describe('The set of strategies that roles are played by; off: what was learned at this table'),
  }),
  create: (given, { texts }): Omit<Step, 'name'> => ({
    kind: 'observe',
    async run(mind, moment, tools) {
      const memory = remember(memoryOf(mind), moment);
      const role = ownRole(mind);
      const book = openBook(given.strategies, tools);
      const used = book && (await readUsed(book, mind, moment, role));
      const lesson = book ? used?.lesson : lessonFor(mind, role);
      const notes = {
        ...mind.notes,
        lan: memory,
        ...promptNotes(memory, moment, given.lines),
        ...(used ? { usedLesson: used } : {}),
        strategy: lesson?.strategy ?? roleText(texts['strategy'] ?? '', mind, moment),
        suggestions: lesson?.suggestions ?? [],
        others: lesson?.others ?? '',
        whom: WHOM[given.whom] ?? '',
        analysis: [],
        action: '',
      };
      return { context: newContext, notes };
    },
    shows: (before, after) => ({
      ...showDropped(before, after),
      ...(before.notes['usedLesson'] === after.notes['usedLesson'] ? {} : { usedLesson: after.notes['usedLesson'] }),
    }),
  }),
});

/** Files each message under the round in which it happened, and opens the round of this decision. */
function remember(before: LanMemory, moment: Moment): LanMemory {
  const began = moment.news.findLastIndex(({ event }) => event?.type === 'began');
  let memory = began < 0 ? before : none;
  let phase = memory.rounds.at(-1)?.messages.at(-1)?.phase ?? moment.phase;
  for (const news of moment.news.slice(began + 1)) {
    phase = phaseOfNews(news, moment.round) ?? phase;
    memory = withMessages(memory, periodOf({ ...moment, phase }).name, storedOf(news, moment, phase));
  }
  return withMessages(memory, periodOf(moment).name, []);
}

function withMessages(memory: LanMemory, round: string, messages: readonly Stored[]): LanMemory {
  const last = memory.rounds.at(-1);
  if (last?.round !== round) return { ...memory, rounds: [...memory.rounds, { round, messages }] };
  return { ...memory, rounds: [...memory.rounds.slice(0, -1), { round, messages: [...last.messages, ...messages] }] };
}

/** Speech stays in its quotation. */
function storedOf({ text, by, speech, isPublic }: News, { players }: Moment, phase: string): readonly Stored[] {
  if (text === undefined) return [];
  const name =
    by === undefined || speech === undefined ? 'gamemaster' : sanitize(players.find((player) => player.seat === by)?.name ?? `Seat ${by}`);
  return [{ message_type: isPublic ? 'public' : 'private', name, message: text, phase }];
}

/** The holes of the prompts. */
export function promptNotes(memory: LanMemory, moment: Moment, withLines: boolean) {
  const rounds = plannedRounds(periodOf(moment));
  const summaries = memory.summaries.map(({ round, text }) => `${round}: ${text}`);
  const heard = withLines ? memory.rounds.flatMap(({ messages }) => messages.map(({ message }) => message)) : [];
  const lines = newest(heard, roomFor(moment) - tokensOf(summaries.join('\n')));
  return {
    summaries,
    lines,
    dropped: heard.length - lines.length,
    // the analysis is made once for each entry: not at all when there is nothing to analyse
    situation: summaries.length || lines.length ? ['on'] : [],
    rounds: rounds.join(', '),
    plan: planLines(memory.plan, rounds),
  };
}

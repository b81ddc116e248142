import { z } from 'zod';
import type { Mind, Moment, Step, Tools } from '../../mind.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { sanitize, truncate } from '../../sanitize.ts';
import { proseAll } from '../../steps/calls.ts';
import { newest } from '../../steps/budget.ts';
import { periodOf } from './period.ts';
import { type LanMemory, memoryOf, promptNotes, roomFor, type Summary } from './recall.ts';

/** The longest summary, in characters. */
const MAX_CHARS = 2_000;

const parameters = z.strictObject({
  prompt: z.string().describe('The prompt file; it may have {{round}}, {{before}}, {{messages}}'),
  when: z.enum(['round', 'message']).describe('When a round is over; or at every decision with something new in the round'),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1).describe('Tokens of a summary'),
});

/** Summarises rounds that are over, or the current one too, and forgets their messages. */
export const summaryKind = stepKind({
  step: 'lan-summary',
  description: 'Summarises the messages of a round that is over, or of each decision.',
  parameters,
  create(given, setup): Omit<Step, 'name'> {
    const prompt = setup.prompt(given.prompt, ['round', 'before', 'messages']);
    const requestOf = (mind: Mind, moment: Moment, { round, messages }: LanMemory['rounds'][number]) => ({
      messages: prompt.messages(mind, moment, {
        round,
        before: summaryOf(memoryOf(mind), round)?.text ?? '',
        messages: newest(messages.map((each) => JSON.stringify(each)), roomFor(moment)), // prettier-ignore
      }),
      temperature: given.temperature,
      maxTokens: given.maxTokens,
    });
    return {
      kind: 'remember',
      chain: 1,
      async run(mind, moment, tools) {
        const memory = memoryOf(mind);
        const current = periodOf(moment).name;
        const due = memory.rounds.filter(({ round, messages }) => messages.length && (given.when === 'message' || round !== current));
        if (!due.length) return {};
        const made = await summarise(due.map(({ round }) => round), due.map((each) => requestOf(mind, moment, each)), tools); // prettier-ignore
        const lan = withSummaries(memory, made);
        return { notes: { ...mind.notes, lan, ...promptNotes(lan, moment, given.when === 'round') } };
      },
      shows: (before, after) => (before.notes === after.notes ? {} : { summaries: memoryOf(after).summaries }),
    };
  },
});

const summaryOf = ({ summaries }: LanMemory, wanted: string): Summary | undefined => summaries.find(({ round }) => round === wanted);

/** Summaries that the model did not write are tried again at the next decision. */
async function summarise(rounds: readonly string[], requests: Parameters<typeof proseAll>[1], tools: Tools): Promise<readonly Summary[]> {
  const replies = await proseAll(tools, requests);
  return rounds.flatMap((round, i) => {
    const text = truncate(sanitize(replies[i]!), MAX_CHARS);
    return text ? [{ round, text }] : [];
  });
}

/** Replaces the messages of rounds by their summaries. */
function withSummaries(memory: LanMemory, made: readonly Summary[]): LanMemory {
  const isMade = ({ round }: { readonly round: string }) => made.some((each) => each.round === round);
  return {
    ...memory,
    rounds: memory.rounds.filter((each) => !isMade(each)),
    summaries: [...memory.summaries.filter((each) => !isMade(each)), ...made],
  };
}

import { Refusal } from '@maw/contracts/refusal.ts';
import { countDecision, type DecisionOutcome } from '../count-decision.ts';
import type { CompletionReply, Mind, Moment, Answer, Step, Tools } from '../mind.ts';
import { modelSeed } from '../model-seed.ts';
import { namePattern } from '@maw/games/kernel/name-pattern.ts';
import { promptOf } from '../prompts/prompt.ts';
import { jsonSchemaOf, readReply, type ReplyForm, type Way, waysOf, wordsFor } from '../prompts/reply.ts';
import { correction } from './calls.ts';

/** The answers when the model has failed twice; none means silence. */
export type Fallback = (reply: string, moment: Moment, ways: readonly Way[]) => readonly Answer[];

interface Acting extends ReplyForm {
  readonly temperature: number;
  readonly maxTokens: number;
  readonly fallback: Fallback;
  /** The model; absent: that of the seat. */
  readonly model?: string | undefined;
  /** Writes the prompt. Absent: rules, log, guiding prompt, news. */
  readonly promptOf?: typeof promptOf | undefined;
}

/**
 * Asks the model for a decision. A prompt that is too long is tried once more with half of the past. An invalid reply is sent back once with
 * the mistake, here or in the gateway, never twice; then comes the fallback, then silence, and the default of the rules applies. Only legal
 * answers leave. The note `outcome` and the thought say how it came about, and have the reason, if the form has one; nobody else sees it.
 */
export const act = (name: string, acting: Acting): Step => ({
  kind: 'act',
  name,
  async run(mind, moment, tools) {
    const ways = waysOf(moment);
    if (!ways.length) return {};
    const { answers, reason = '', model, outcome } = await decide(name, acting, ways, mind, moment, tools);
    countDecision(moment, model, outcome);
    return { answers, notes: { ...mind.notes, outcome, ...(acting.reasonChars === undefined ? {} : { reason }) } };
  },
  shows: (before, { answers, notes }) =>
    before.notes === notes
      ? {}
      : { answers, outcome: notes['outcome'], ...(acting.reasonChars === undefined ? {} : { reason: notes['reason'] }) },
});

interface Decision {
  readonly answers: readonly Answer[];
  readonly reason?: string;
  /** The model that decided, for metrics. */
  readonly model: string;
  readonly outcome: DecisionOutcome;
}

async function decide(name: string, acting: Acting, ways: readonly Way[], mind: Mind, moment: Moment, tools: Tools): Promise<Decision> {
  const { temperature, maxTokens, fallback, promptOf: write = promptOf } = acting;
  const own = acting.model === undefined ? {} : { model: acting.model };
  const format = jsonSchemaOf(ways, acting);
  const ask = async (messages: Messages, attempt: number): Promise<CompletionReply | 'too-long' | undefined> => {
    try {
      return await tools.complete({ messages, format, temperature, maxTokens, ...own, seed: modelSeed(moment, name, attempt) });
    } catch (error) {
      tools.signal.throwIfAborted();
      return error instanceof Refusal && error.reason === 'too-long' ? 'too-long' : undefined;
    }
  };
  const giveUp = ({ content, model }: CompletionReply): Decision => {
    const answers = fallback(content, moment, ways);
    return { answers, model, outcome: answers.length ? 'fallback' : 'defaulted' };
  };

  let prompt = write(mind, moment, ways, acting);
  let first = await ask(prompt, 0);
  const less = first === 'too-long' ? shorten(mind) : undefined;
  if (less) {
    prompt = write(less, moment, ways, acting);
    first = await ask(prompt, 0);
  }
  if (first === undefined || first === 'too-long') return { answers: [], model: 'none', outcome: 'defaulted' };
  const reading = readReply(first.content, ways);
  if ('answers' in reading) return { ...reading, model: first.model, outcome: first.repaired ? 'repaired' : 'valid' };
  if (first.repaired) return giveUp(first); // the gateway has tried twice already
  const again = await ask([...prompt, ...correction(first.content, reading.wrong)], 1);
  if (again === undefined || again === 'too-long') return giveUp(first);
  const second = readReply(again.content, ways);
  return 'answers' in second ? { ...second, model: again.model, outcome: 'repaired' } : giveUp(again);
}

type Messages = ReturnType<typeof promptOf>;

/** Takes the names in the reply for the choice if they fit exactly one question; else silence. */
export const namedChoice: Fallback = (reply, _, ways) => {
  const named = ways.flatMap(({ asking }) => {
    if (asking?.verb !== 'choose') return [];
    const words = wordsFor(asking);
    const says = asking.options.flatMap(({ is }, i) => (mentions(reply, words[i]!) ? [is] : []));
    return says.length ? [{ question: asking.id, says, isWhole: says.length === asking.pick }] : [];
  });
  const [first, ...others] = named;
  return first?.isWhole && !others.length ? [{ question: first.question, says: first.says }] : [];
};

const mentions = (text: string, name: string): boolean => new RegExp(namePattern(name), 'iu').test(text);

/** Drops the older half of the past, as tokens are only estimated. Undefined when there is no past. */
function shorten(mind: Mind): Mind | undefined {
  const past = mind.context.lines.length;
  const unread = mind.unread.length;
  if (past + unread < 2) return undefined;
  const drop = Math.ceil((past + unread) / 2);
  const [ofPast, ofUnread] = [Math.min(drop, past), Math.max(0, drop - past)];
  const context = { lines: mind.context.lines.slice(ofPast), dropped: mind.context.dropped + drop };
  return { ...mind, context, unread: mind.unread.slice(ofUnread) };
}

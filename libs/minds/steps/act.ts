import { countDecision, type DecisionOutcome } from '../count-decision.ts';
import type { CompletionReply, Mind, Moment, Answer, Step, Tools } from '../mind.ts';
import { modelSeed } from '../model-seed.ts';
import { decisionsPrompt, promptOf } from '../prompts/prompt.ts';
import { hasLanguage, jsonSchemaOf, type ReplyForm, type Way, waysOf } from '../prompts/reply.ts';
import { type Reading, readReply, type Understood } from '../replies/read-reply.ts';
import { replyText } from '../replies/reply-text.ts';
import { readsAloud } from '../replies/speech.ts';
import { hasTimeAgain } from './budget.ts';
import { correction, emptyReply } from './calls.ts';

/**
 * The answers when no reply of the model can be used; none means silence.
 * @param reply the last one, without what the model thought; empty when there was none
 */
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
 * Asks the model for a decision. A reply that cannot be read is sent back
 * once with the mistake, while there is time, and so is a speech that reads the prompt aloud; then comes the fallback, then silence, and the
 * default of the rules applies. Only legal answers leave. The note `outcome` and the thought say how it came about, and have the reason, if the form has one; nobody else sees it.
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
  const format = jsonSchemaOf(ways, moment, acting);
  const ask = async (messages: Messages, attempt: number): Promise<CompletionReply | undefined> => {
    try {
      return await tools.complete({ messages, format, temperature, maxTokens, ...own, seed: modelSeed(moment, name, attempt) });
    } catch (error) {
      tools.signal.throwIfAborted();
      return emptyReply(error);
    }
  };
  const giveUp = (reply?: CompletionReply): Decision => {
    const answers = fallback(reply ? replyText(reply.content) : '', moment, ways);
    return { answers, model: reply?.model ?? 'none', outcome: answers.length ? 'fallback' : 'defaulted' };
  };

  const prompt = write(mind, moment, ways, acting);
  const first = await ask(prompt, 0);
  if (first === undefined) return giveUp();
  const read = ({ content }: CompletionReply): Reading => unlessAloud(readReply(content, ways, moment), prompt, mind, moment);
  const reading = read(first);
  if ('answers' in reading) return decided(reading, first, first.repaired === true);
  if (first.repaired || !hasTimeAgain(tools)) return giveUp(first);
  const again = await ask([...prompt, ...correction(first.content, reading.wrong, decisionsPrompt(mind, moment, ways, acting))], 1);
  if (again === undefined) return giveUp(first);
  const second = read(again);
  return 'answers' in second ? decided(second, again, true) : giveUp(again);
}

const decided = ({ answers, reason }: Understood, { model }: CompletionReply, isRepaired: boolean): Decision => ({
  answers,
  ...(reason === undefined ? {} : { reason }),
  model,
  outcome: isRepaired ? 'repaired' : 'valid',
});

/** What the mind itself wrote of a prompt in the shared layout. */
const OWN_PART = /^Your own thoughts:\n(?:.+\n?)*|^Your summary: .*$/gm;

/** A speech that reads the prompt aloud is none. The sentences that a game asks for may stand in it. */
function unlessAloud(reading: Reading, prompt: Messages, mind: Mind, moment: Moment): Reading {
  if ('wrong' in reading || reading.way.asking === undefined || reading.way.asking.verb === 'choose') return reading;
  const text = reading.answers[0]?.says.at(-1);
  if (text === undefined || hasLanguage(reading.way.asking)) return reading;
  const told = prompt.flatMap(({ role, content }) => (role === 'assistant' ? [] : [content.replace(OWN_PART, '')])).join('\n');
  return readsAloud(text, told, ownTexts(mind, moment))
    ? { wrong: 'You read that out of what you were told. Say something of your own.' }
    : reading;
}

/** Notes that hold what has happened, or what the recipe advises, rather than what the mind thinks of it. */
const TOLD: ReadonlySet<string> = new Set(['public', 'history', 'lines', 'observations', 'debate', 'finished', 'heard', 'lan', 'strategy', 'suggestions']); // prettier-ignore

/** What a mind itself has written into its prompts: plans, drafts, reflections. It may say that aloud. */
function ownTexts(mind: Mind, { news }: Moment): readonly string[] {
  const told = new Set([...mind.context.lines, ...mind.unread, ...news.flatMap(({ text }) => (text === undefined ? [] : [text]))]);
  const notes = Object.entries(mind.notes).flatMap(([name, note]) => (TOLD.has(name) ? [] : [note]));
  return textsIn([mind.plan, mind.reflections, mind.beliefs, mind.answers, notes]).filter((text) => !told.has(text));
}

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value, ...value.split('\n')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

type Messages = ReturnType<typeof promptOf>;

/** Takes what the reply names if it fits exactly one question; else silence. A speech names nothing. */
export const namedChoice: Fallback = (reply, moment, ways) => {
  const speeches = ways.filter(({ asking }) => asking?.verb !== 'choose');
  if (speeches.some((way) => isMeant(reply, way))) return [];
  const named = ways.flatMap((way) => {
    if (way.asking?.verb !== 'choose') return [];
    const reading = readReply(reply, [way], moment);
    return 'answers' in reading ? [reading.answers] : [];
  });
  return named.length === 1 ? named[0]! : [];
};

/** Whether the reply gives its own word for this way. */
const isMeant = (reply: string, { do: word }: Way): boolean => new RegExp(`"do"\\s*:\\s*"${word}"`, 'i').test(reply);

import { z } from 'zod';
import type { CompletionRequest, Mind, Moment, Step, Tools } from '../../mind.ts';
import type { RecipePrompt } from '../../recipe/step-kind.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { sanitize, truncate } from '../../sanitize.ts';
import { proseAll } from '../../steps/calls.ts';
import { messagesOf } from './memory.ts';
import { best, cosine } from '../../experience/retrieve.ts';
import { wordIndex } from '../../experience/word-index.ts';

const parameters = z.strictObject({
  prompt: z.string().describe('The prompt file; it may have {{question}}, {{candidates}}, {{answered}}, {{sentences}}'),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1).describe('Tokens of an answer'),
  retrieve: z.int().min(0).describe('How many messages are shown as possible answers: T'),
  by: z.enum(['words', 'embeddings']).describe('BM25, or the cosine of embeddings'),
  model: z.string().describe('The embedding model; empty: that of the gateway'),
  order: z.enum(['parallel', 'chained']).describe('All together, or each with the answers before it'),
  predefined: z.enum(['paper', 'program']).describe('The program asks one question more, at the end'),
});
type Parameters = z.output<typeof parameters>;

/** The last question of the program. */
const LAST_QUESTION = 'Who has clearly implied what they are? Names and roles only.';
/** The program shows no message whose cosine is not above it; the paper has no such limit. */
const LEAST_COSINE = 0.5;
const MAX_CHARS = 600;
/** `Tools.embed` takes so many texts at once. */
const MAX_TEXTS = 256;

/** Answers the questions in the note `questions`, each with the messages that fit it best, into the note `answers`. */
export const answerKind = stepKind({
  step: 'xu-answer',
  description: 'Answers the questions of document 001 one by one, with the messages that fit each of them.',
  parameters,
  create(given, setup): Omit<Step, 'name'> {
    const prompt = setup.prompt(given.prompt, ['question', 'candidates', 'answered', 'sentences']);
    return {
      kind: 'reflect',
      chain: given.order === 'chained' ? 4 : 1,
      async run(mind, moment, tools) {
        const questions = questionsOf(mind, given);
        if (!questions.length) return {};
        const { candidates, by } = await retrieve(given, mind, questions, tools);
        const now = { prompt, given, mind, moment, tools };
        const requestFor = (i: number, answered: readonly string[]) => requestOf(now, questions[i]!, candidates[i]!, answered);
        const answers =
          given.order === 'chained' ? await inTurn(questions, requestFor, tools) : await together(questions, requestFor, tools);
        return { notes: { ...mind.notes, answers, retrievedBy: by } };
      },
      shows: (_, { notes }) => ({ answers: notes['answers'], retrievedBy: notes['retrievedBy'] }),
    };
  },
});

function questionsOf({ notes }: Mind, { predefined }: Parameters): readonly string[] {
  const asked = (Array.isArray(notes['questions']) ? notes['questions'] : []).filter((each) => typeof each === 'string' && each.trim());
  return [...new Set([...(asked as readonly string[]), ...(predefined === 'program' && asked.length ? [LAST_QUESTION] : [])])];
}

interface Now {
  readonly prompt: RecipePrompt;
  readonly given: Parameters;
  readonly mind: Mind;
  readonly moment: Moment;
}

function requestOf({ prompt, given, mind, moment }: Now, question: string, candidates: readonly string[], answered: readonly string[]) {
  const own = {
    question,
    candidates: candidates.map((text, i) => `${i + 1}. ${text}`),
    answered,
    sentences: question === LAST_QUESTION ? '3' : '2',
  };
  return { messages: prompt.messages(mind, moment, own), temperature: given.temperature, maxTokens: given.maxTokens };
}

type RequestFor = (question: number, answered: readonly string[]) => CompletionRequest;

/** Answers without those that failed. */
async function together(questions: readonly string[], requestFor: RequestFor, tools: Tools): Promise<readonly string[]> {
  const requests = questions.map((_, i) => requestFor(i, []));
  const replies = await proseAll(tools, requests);
  return replies.flatMap((reply, i) => answerLines(questions[i]!, reply));
}

async function inTurn(questions: readonly string[], requestFor: RequestFor, tools: Tools): Promise<readonly string[]> {
  let answers: readonly string[] = [];
  for (const [i, question] of questions.entries()) {
    const [reply] = await proseAll(tools, [requestFor(i, answers)]).catch(() => []);
    tools.signal.throwIfAborted();
    answers = [...answers, ...answerLines(question, reply)];
  }
  return answers;
}

/** One line: an echo of others' words cannot leave it. */
function answerLines(question: string, content = ''): readonly string[] {
  const text = truncate(sanitize(content), MAX_CHARS);
  return text ? [`${question} ${text}`] : [];
}

/** For each question the messages that fit it best. Without an embedding model by their words, which the thought says. */
async function retrieve({ retrieve: most, by, model, predefined }: Parameters, mind: Mind, questions: readonly string[], tools: Tools) {
  const texts = messagesOf(mind).map(({ text }) => text);
  const pick = (positions: readonly number[]) => positions.map((at) => texts[at]!);
  if (by === 'embeddings' && most && texts.length) {
    const latest = texts.slice(-(MAX_TEXTS - questions.length));
    const vectors = await tools.embed([...questions, ...latest], model || undefined).catch(() => undefined);
    tools.signal.throwIfAborted();
    if (vectors) {
      const offset = texts.length - latest.length;
      const [asked, known] = [vectors.embeddings.slice(0, questions.length), vectors.embeddings.slice(questions.length)];
      const least = predefined === 'program' ? LEAST_COSINE : -1;
      const closest = (vector: readonly number[]) => best(known.map((each) => cosine(vector, each)), most, least); // prettier-ignore
      const positions = asked.map((vector) => closest(vector).map((at) => at + offset));
      return { candidates: positions.map(pick), by: `embeddings of ${vectors.model}` };
    }
  }
  const scoresFor = await wordIndex(texts);
  return { candidates: questions.map((question) => pick(best(scoresFor(question), most, 0))), by: 'words (BM25)' };
}

import { type SampleQuestion, sampleQuestions } from '@maw/minds/arena/sample-questions.ts';
import type { DecisionOutcome } from '@maw/minds/count-decision.ts';
import type { CompletionReply, Recipe, Thought, Tools } from '@maw/minds/mind.ts';
import { think } from '@maw/minds/think.ts';
import type { Models } from '../models.ts';
import { startSeatModels } from './seat-models.ts';

/** One question as it was answered. */
export interface Answered {
  readonly asks: string;
  readonly rules: string;
  readonly outcome: DecisionOutcome;
  /** Of all calls of the decision. */
  readonly ms: number;
  /** What was said or chosen, players by name. */
  readonly says: readonly (readonly string[])[];
  readonly replies: readonly CompletionReply[];
  /** Why calls gave nothing. */
  readonly failures: readonly string[];
}

/** The longest that one answer is waited for, in milliseconds. */
const MAX_ANSWER_MS = 180_000;
/** How long a decision is measured at most, in milliseconds. */
const MEASURED_MS = 30_000;

interface Asking {
  /** The longest that one answer is waited for, in milliseconds. */
  readonly mostMs?: number;
  readonly signal: AbortSignal;
}

/** Asks a model questions of real games, as a recipe asks them, one after another. */
export async function* askSamples(models: Models, recipe: Recipe, { mostMs = MAX_ANSWER_MS, signal }: Asking): AsyncGenerator<Answered> {
  const gateway = await startSeatModels(models);
  try {
    const asking = { table: 'doctor', seat: 0, recipe: recipe.name, calls: recipe.calls, callMs: mostMs, signal };
    const { complete } = gateway.toolsFor(asking);
    for (const question of await sampleQuestions(recipe, 'doctor')) yield await askOne(question, recipe, complete, signal, mostMs);
  } finally {
    await gateway.close();
  }
}

/** How long a decision of the model takes, in milliseconds: the second of two, as the first may have to load it. */
export async function decisionMsOf(models: Models, recipe: Recipe, signal: AbortSignal): Promise<number> {
  let asked = 0;
  for await (const { ms } of askSamples(models, recipe, { mostMs: MEASURED_MS, signal })) if (++asked === 2) return ms;
  return 0;
}

async function askOne(
  { asks, rules, mind, moment }: SampleQuestion,
  recipe: Recipe,
  complete: Tools['complete'],
  signal: AbortSignal,
  mostMs: number,
): Promise<Answered> {
  const replies: CompletionReply[] = [];
  const failures: string[] = [];
  const thoughts: Thought[] = [];
  const startedAt = Date.now();
  const after = await think(
    recipe,
    mind,
    { ...moment, mustChoose: true },
    {
      signal,
      now: Date.now,
      deadline: startedAt + mostMs,
      record: async (thought) => void thoughts.push(thought),
      embed: () => Promise.reject(new Error('the doctor embeds nothing')),
      async complete(request, step) {
        try {
          const reply = await complete(request, step);
          replies.push(reply);
          return reply;
        } catch (error) {
          failures.push((error as Error).message);
          throw error;
        }
      },
    },
  );
  const outcome = (after.notes['outcome'] as DecisionOutcome | undefined) ?? 'defaulted';
  const options = moment.questions.flatMap((question) => question.options);
  const says = after.answers.map((answer) => answer.says.map((said) => options.find(({ is }) => is === said)?.named ?? said));
  return { asks, rules, outcome, ms: Date.now() - startedAt, says, replies, failures };
}

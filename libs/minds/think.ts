import { attribute, span as spans } from '@maw/telemetry/span-names.ts';
import { tracerOf } from '@maw/telemetry/spans.ts';
import { SpanStatusCode } from '@opentelemetry/api';
import type { CompletionReply, CompletionRequest, Mind, Moment, Recipe, Step, Tools } from './mind.ts';

/**
 * Runs the steps of a recipe one after another, each with a span and a recorded thought. A step that fails changes nothing.
 * @throws the abort reason of `tools.signal`
 */
export async function think(recipe: Recipe, before: Mind, moment: Moment, tools: Tools): Promise<Mind> {
  let mind: Mind = { ...before, answers: [] };
  for (const step of stepsFor(recipe, moment)) {
    const startedAt = tools.now();
    const calls: unknown[] = [];
    const { change, error } = await runStep(recipe, step, mind, moment, recordingCalls(tools, step.name, calls));
    const after = { ...mind, ...change };
    const shown = step.shows && error === undefined ? step.shows(mind, after) : change;
    mind = after;
    if (!calls.length && error === undefined && !Object.keys(shown).length) continue;
    const details = { ...(calls.length ? { calls } : {}), ...(error === undefined ? {} : { error }) };
    const content = { ...shown, ...details, iteration: moment.iteration, ms: tools.now() - startedAt };
    await tools.record({ kind: step.kind, name: step.name, content });
  }
  return mind;
}

/** When time is short only observing, which costs nothing, the budget and the last act remain. */
function stepsFor({ steps, usesModel }: Recipe, { isTimeShort }: Moment): readonly Step[] {
  if (!isTimeShort || !usesModel) return steps;
  const last = steps.findLastIndex(({ kind }) => kind === 'act');
  return steps.filter(({ kind, name }, i) => kind === 'observe' || (kind === 'remember' && name === 'budget') || i === last);
}

interface StepResult {
  readonly change: Partial<Mind>;
  readonly error?: string;
}

async function runStep(recipe: Recipe, step: Step, mind: Mind, moment: Moment, tools: Tools): Promise<StepResult> {
  const attributes = { [attribute.recipe]: recipe.name, [attribute.step]: step.name, [attribute.seat]: moment.seat };
  const result = await tracerOf('player').startActiveSpan(
    spans.step(step.kind, step.name),
    { attributes },
    async (span): Promise<StepResult> => {
      try {
        return { change: await step.run(mind, moment, tools) };
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR, message: (error as Error).name });
        return { change: {}, error: (error as Error).message };
      } finally {
        span.end();
      }
    },
  );
  tools.signal.throwIfAborted();
  return result;
}

/** The tools of a step, which record its calls of the model. */
const recordingCalls = (tools: Tools, step: string, calls: unknown[]): Tools => ({
  ...tools,
  async complete(request: CompletionRequest): Promise<CompletionReply> {
    try {
      const reply = await tools.complete(request, step);
      calls.push({ ...request, reply });
      return reply;
    } catch (error) {
      calls.push({ ...request, failed: (error as Error).message });
      throw error;
    }
  },
});

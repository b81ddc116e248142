import type { Asking, CallMemo, CompletionReply, Thought, Tools } from '@maw/minds/mind.ts';
import type { News } from '@maw/minds/news.ts';
import { recordedTrace } from '@maw/telemetry/trace-context.ts';
import { embeddingClient, modelClient } from '../model-client.ts';
import { strategyBooks } from '../strategy-books.ts';
import type { Decision } from './decision.ts';
import { saveUnlessSuperseded } from './decision.ts';
import type { Timing } from './timing.ts';
import { urgencyOf } from './urgency.ts';

/** The tools of one thought of a seat. */
export function toolsFor(decision: Decision, questions: readonly Asking[], { deadline, isShort }: Timing): Tools {
  const { message, recipe, options, progress, now, signal } = decision;
  const { id, subject: table, data } = message;
  const { seat, model } = data;
  const urgency = urgencyOf(questions, progress, isShort);
  const client = {
    ...decision,
    table,
    seat,
    model,
    recipe: recipe.name,
    calls: recipe.calls,
    urgency,
    cause: id,
    limitMs: options.completionMs,
  };
  const complete = modelClient(client, () => deadline);
  let inputs: object | undefined = { inputs: inputsOf(questions, decision.memory.pending) };
  return {
    async complete(completion, step, by) {
      const startedAt = now();
      let isDone = false;
      try {
        const reply = await complete(completion, step, by);
        isDone = true;
        decision.tokenRatios.learn(completion.model ?? model, completion.messages, reply);
        return reply;
      } finally {
        decision.callMs = estimate(decision.callMs, now() - startedAt, isDone);
      }
    },
    ...(decision.experience ? { experience: decision.experience } : {}),
    ...(decision.policy ? { policy: decision.policy } : {}),
    ...(decision.strategies
      ? {
          strategies: strategyBooks(decision.strategies, {
            recipe: recipe.name,
            rules: data.rules.name,
            table,
            round: data.round,
            seat,
            now,
          }),
        }
      : {}),
    embed: embeddingClient(client, () => deadline),
    async record(thought) {
      await recordThought(decision, { ...thought, content: { ...inputs, ...thought.content } });
      inputs = undefined;
      decision.lost.thought(table, questions, thought.content, model);
    },
    now,
    signal,
    deadline,
    callMs: () => decision.callMs,
    memo: callMemo(decision),
  };
}

/** Records the next step of a decision; of a mind without a model together with the memory, which is saved within milliseconds. */
export async function recordThought(decision: Decision, { kind, name, content }: Thought): Promise<void> {
  const { id, subject: table, data } = decision.message;
  const step = decision.progress.steps + 1;
  const about = { table, seat: data.seat, decision: id, step, kind, name, at: decision.now() };
  const trace = step === 1 ? recordedTrace() : undefined;
  const thought = { ...about, content: { phase: data.phase, ...(trace === undefined ? {} : { trace }), ...content } };
  if (decision.recipe.usesModel) await decision.thoughts.record(thought);
  else decision.unstored.push(thought);
  decision.progress = { ...decision.progress, steps: step };
}

/** What a thought starts from, by reference: its questions, and the first and the last new event of the seat's view, and line of each room. */
function inputsOf(questions: readonly Asking[], news: readonly News[]) {
  const range = (numbers: readonly number[]) => [Math.min(...numbers), Math.max(...numbers)];
  const events = news.flatMap(({ n }) => (n === undefined ? [] : [n]));
  const lines = news.flatMap(({ room, line }) => (room === undefined || line === undefined ? [] : [{ room, line }]));
  const rooms = [...Map.groupBy(lines, ({ room }) => room)].map(([room, own]) => [room, range(own.map(({ line }) => line))]);
  return {
    questions: questions.map(({ id }) => id),
    ...(events.length ? { events: range(events) } : {}),
    ...(rooms.length ? { lines: Object.fromEntries(rooms) as object } : {}),
  };
}

/** How long the next call may take: at least as long as this one, twice as long when this one failed; a single slow call is forgotten soon. */
const estimate = (before: number, tookMs: number, isDone: boolean): number => Math.max(before / 2, isDone ? tookMs : tookMs * 2);

/**
 * The replies of the thought that runs, stored with the memory as it was at its beginning: whoever resumes the decision thinks this thought
 * again, and asks only what was not answered.
 */
function callMemo(decision: Decision): CallMemo {
  const begun = decision.progress;
  let calls: { readonly [call: string]: CompletionReply } = begun.calls;
  let last: Promise<void> = Promise.resolve();
  let isWaiting = false;
  const save = async (): Promise<void> => {
    isWaiting = false;
    await saveUnlessSuperseded(decision, { ...begun, calls });
  };
  return {
    get: (call) => (Object.hasOwn(calls, call) ? calls[call] : undefined),
    set(call, reply) {
      calls = { ...calls, [call]: reply };
      if (!isWaiting) {
        isWaiting = true; // replies that arrive until it runs are stored together
        last = last.then(save, save);
      }
      return last;
    },
  };
}

import type { Asking, CallMemo, CompletionReply, Thought, Tools } from '@maw/minds/mind.ts';
import type { News } from '@maw/minds/news.ts';
import { recordedTrace } from '@maw/telemetry/trace-context.ts';
import { embeddingClient, modelClient, type Urgency } from '../model-client.ts';
import type { Progress } from '../state/progress.ts';
import { strategyBooks } from '../strategy-books.ts';
import type { Decision } from './decision.ts';
import type { DecisionState } from './decision-state.ts';
import type { Timing } from './timing.ts';

/** In how many iterations a choice that may be changed is critical while it is owed. */
const CRITICAL_ITERATIONS = 3;

/** The tools of one thought of a seat. */
export function toolsFor(decision: Decision, questions: readonly Asking[], { deadline, isShort }: Timing): Tools {
  const { message, recipe, deps, state, durations } = decision;
  const { options, now, experience, policy, strategies, tokenRatios, lost } = deps;
  const { signal } = decision.signals;
  const { id, subject: table, data } = message;
  const { seat, model } = data;
  const client = {
    ...deps,
    signal,
    table,
    seat,
    model,
    recipe: recipe.name,
    calls: recipe.calls,
    urgency: urgencyOf(questions, state.progress, isShort),
    cause: id,
    limitMs: options.completionMs,
  };
  const complete = modelClient(client, () => deadline);
  let inputs: object | undefined = { inputs: inputsOf(questions, state.memory.pending) };
  return {
    async complete(completion, step, by) {
      const startedAt = now();
      let reply: CompletionReply | undefined;
      try {
        reply = await complete(completion, step, by);
        durations.model = reply.model;
        tokenRatios.learn(completion.model ?? model, completion.messages, reply);
        return reply;
      } finally {
        durations.callMs = estimate(durations.callMs, now() - startedAt, reply !== undefined);
      }
    },
    ...(experience ? { experience } : {}),
    ...(policy ? { policy } : {}),
    ...(strategies
      ? {
          strategies: strategyBooks(strategies, {
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
      lost.thought(table, questions, thought.content, model);
    },
    now,
    signal,
    deadline,
    callMs: () => durations.callMs,
    memo: callMemo(state),
  };
}

/** Records the next step of a decision. */
export async function recordThought({ message, recipe, state, deps }: Decision, { kind, name, content }: Thought): Promise<void> {
  const { id, subject: table, data } = message;
  const step = state.progress.steps + 1;
  const about = { table, seat: data.seat, decision: id, step, kind, name, at: deps.now() };
  const trace = step === 1 ? recordedTrace() : undefined;
  await state.record({ ...about, content: { phase: data.phase, ...(trace === undefined ? {} : { trace }), ...content } }, recipe.usesModel);
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
function callMemo(state: DecisionState): CallMemo {
  const begun = state.progress;
  let calls: { readonly [call: string]: CompletionReply } = begun.calls;
  let last: Promise<void> = Promise.resolve();
  let isWaiting = false;
  const save = async (): Promise<void> => {
    isWaiting = false;
    await state.save({ ...begun, calls });
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

/**
 * The urgency of model requests: critical while the seat owes a choice, talk otherwise. A mind cannot set it, nor stay critical by
 * withholding its vote: after some iterations it is talk until time is short.
 */
export function urgencyOf(
  asking: readonly Asking[],
  { standing, iteration }: Pick<Progress, 'standing' | 'iteration'>,
  isShort: boolean,
): Urgency {
  const choices = asking.filter(({ verb }) => verb === 'choose');
  if (choices.some(({ final }) => final)) return 'critical';
  const isOwed = choices.some(({ id }) => !standing[id]);
  return isOwed && (isShort || iteration < CRITICAL_ITERATIONS) ? 'critical' : 'talk';
}

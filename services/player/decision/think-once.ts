import { answerId } from '@maw/bus/opaque-id.ts';
import { attribute } from '@maw/telemetry/span-names.ts';
import { noteOnSpan } from '@maw/telemetry/spans.ts';
import { untraced } from '@maw/telemetry/trace-context.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Asking } from '@maw/minds/mind.ts';
import { think } from '@maw/minds/think.ts';
import { collectViewNews } from '../news/collect-news.ts';
import type { OutgoingAnswer } from '../state/progress.ts';
import { closeQuestions, type Decision, openQuestions, pauseDecision, saveMemory, timingNow } from './decision.ts';
import { toolsFor } from './mind-tools.ts';
import { momentOf } from './build-moment.ts';
import { sendAnswer } from './send-answer.ts';
import { type Timing, waitFor } from './timing.ts';

/**
 * Thinks about the questions once, and saves the memory with the answers, which it returns.
 * @throws Superseded when another replica thinks for the seat
 */
export async function thinkOnce(decision: Decision, questions: readonly Asking[], time: Timing): Promise<readonly OutgoingAnswer[]> {
  const { recipe, message, state, durations } = decision;
  const { now, options, tokenRatios } = decision.deps;
  const startedAt = now();
  state.beginThought(tokenRatios.of(message.data.model, Math.min(recipe.contextTokens, options.contextTokens)));
  const { memory, progress } = state;
  const hasNews = memory.pending.length > 0;
  const moment = momentOf(recipe, message, { now: startedAt, open: questions, time, memory, progress }, options);
  const mind = await think(recipe, memory.mind, moment, toolsFor(decision, questions, time));
  if (recipe.usesModel) durations.thoughtMs = now() - startedAt;
  const outbox = mind.answers
    .filter(({ question, says }) =>
      questions.some(({ id, verb }) => id === question && !(verb === 'choose' && isSame(progress.standing[id], says))),
    )
    .map((answer, i): OutgoingAnswer => ({
      ...answer,
      id: answerId(message.subject, message.data.seed, message.id, progress.answers + i),
    }));
  state.endThought(mind, outbox);
  if (recipe.usesModel || hasNews || outbox.length) await saveMemory(decision);
  return outbox;
}

/** Sends answers one after another. Sending again what was sent before a crash has no effect. */
export async function sendAnswers(decision: Decision, outbox: readonly OutgoingAnswer[]): Promise<void> {
  const { message, recipe, deps, state, rooms } = decision;
  const { bus, log, now, sleep } = deps;
  const { sending, signal } = decision.signals;
  const { subject: table, data, time } = message;
  for (const answer of outbox) {
    const question = data.questions.find(({ id }) => id === answer.question);
    if (!question) continue;
    const send = () => sendAnswer({ bus, rooms, progress: state.progress, now, signal: sending }, message, question, answer);
    const attempt = () => (question.secret ? untraced(send) : send());
    let outcome = await attempt();
    while (outcome.is === 'early') {
      const ms = resendAfter(decision, question, outcome.waitMs);
      if (ms === undefined) break;
      await sleep(ms, sending, signal);
      outcome = await attempt();
    }
    if (outcome.is === 'paused') return pauseDecision(decision);
    if ('reason' in outcome && !question.secret) noteOnSpan({ [attribute.reason]: outcome.reason });
    if (outcome.is === 'unanswered') log.warn({ table, decision: message.id }, 'no reply to an answer in time');
    // Not of secret questions: recipe and model may differ from seat to seat.
    if (outcome.is === 'taken' && !question.secret && !state.progress.standing[question.id])
      metrics.decisionSeconds.observe(
        { recipe: recipe.name, verb: question.verb, model: decision.durations.model ?? 'none' },
        Math.max(0, now() - Date.parse(time)) / 1000,
      );
    state.takeOutcome(question, answer.says, outcome);
    if (outcome.is === 'taken' && question.final && question.verb === 'choose' && openQuestions(decision).length)
      state.takeNews(await collectViewNews({ bus, log, now, signal: sending }, state.memory, message));
  }
  closeQuestions(decision, []);
}

/**
 * How many milliseconds later an answer that came too early is sent again; undefined when its question is over, or another one must be answered
 * now.
 */
function resendAfter(decision: Decision, question: Asking, waitMs: number): number | undefined {
  const open = openQuestions(decision);
  if (decision.signals.over.signal.aborted || !open.some(({ id }) => id === question.id)) return undefined;
  const others = open.filter(({ id }) => id !== question.id);
  if (!others.length) return waitMs;
  const time = timingNow(decision, others);
  if (time.isOwed && time.isShort) return undefined;
  return waitFor(waitMs, time, { now: decision.deps.now(), lastMs: decision.durations.thoughtMs });
}

/** Whether a choice stands already. */
const isSame = (standing: readonly string[] | undefined, says: readonly string[]): boolean => standing?.join(' ') === says.join(' ');

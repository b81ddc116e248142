import type { Message } from '@maw/contracts/contracts.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Asking, Recipe, Thought } from '@maw/minds/mind.ts';
import { collectDecisionNews } from '../news/collect-news.ts';
import { roomReader } from '../news/room-reader.ts';
import { type LoadedContext, withLoaded } from '../state/loaded-context.ts';
import { keepRoundEnd, loadLessons, withLessons } from '../state/lessons.ts';
import { startProgress } from '../state/progress.ts';
import {
  closeQuestions,
  type Decision,
  type DecisionDeps,
  type DecisionState,
  loadMemory,
  openQuestions,
  pauseDecision,
  saveMemory,
  saveUnlessSuperseded,
  timingNow,
} from './decision.ts';
import { CHOICE_MS, isHeldBack, PEOPLE_WAIT_MS, readNews } from '../state/reading.ts';
import { recordThought } from './mind-tools.ts';
import { Superseded } from './seat-turns.ts';
import { sendAnswers, thinkOnce } from './think-once.ts';
import { type Timing, waitFor } from './timing.ts';

const lessonsFor = ({ thoughts }: DecisionDeps, { subject, data }: Message<'seat.decide'>) => loadLessons(thoughts, subject, data.seat);

/** How long after a new phase the next question of a seat is expected. */
const NEXT_QUESTION_MS = 500;

interface Ends {
  /** Aborted when nothing is left to decide, or a newer message supersedes it. */
  readonly over: AbortController;
  /** Aborted when another replica is to go on. */
  readonly stop: AbortSignal;
}

/** How often a mind may think about a question that is asked once. */
const MAX_TRIES = 3;
/** After this many consecutive thoughts without news, a mind without a model waits for events. */
const MAX_IDLE = 4;
/** How often that wait doubles at most: once with every idle thought. */
const MAX_DOUBLINGS = 8;

/**
 * Runs one decision of one seat, from its message to its last answer. Talk, and votes that may be changed, are Algorithm 1: wait, read what is
 * new, think, answer, while the phase is open. A question that is asked once is decided once.
 * Any replica can resume it: the memory is saved after each thought and before its answers are sent, and answers that are sent again have the
 * same ids.
 * @throws the abort reason of `stop`
 */
export async function runDecision(
  deps: DecisionDeps,
  recipe: Recipe,
  message: Message<'seat.decide'>,
  { over, stop }: Ends,
): Promise<void> {
  const signals = { over, signal: AbortSignal.any([over.signal, stop]), sending: AbortSignal.any([supersededSignal(over.signal), stop]) };
  const { stored, waiting } = await loadMemory(deps, message);
  if (recipe.after?.length) await keepRoundEnd(deps.thoughts, message.subject, message.data.seat, stored, message.data.round);
  const { sequence = 0, data } = message;
  const last = stored.decision;
  if (last && last.id !== message.id && last.sequence > sequence) return; // superseded
  const isResumed = last?.id === message.id;
  const loaded = isResumed ? undefined : waiting;
  const current = withLoaded(stored, loaded);
  const memory = recipe.after ? { ...current, mind: withLessons(current.mind, await lessonsFor(deps, message)) } : current;
  const progress = startProgress(message, last);
  const fresh = { unstored: [], lastThoughtMs: 0, callMs: 0, closedQuestions: new Set<string>() };
  const state: DecisionState = { ...deps, recipe, message, ...signals, memory, progress, loaded, ...fresh };
  const decision: Decision = Object.assign(state, { rooms: roomsOf(state) });
  const unsubscribe = listenToTable(decision);
  try {
    if (loaded) await recordThought(decision, loadedThought(loaded));
    const collected = await collectDecisionNews({ ...deps, signal: decision.sending }, decision.memory, message);
    decision.memory = { ...collected, n: Math.max(collected.n, stored.n) };
    // A replica that still runs an earlier decision of this phase finds this one in the memory.
    if (last?.phase === data.phase && last.id !== message.id) await saveMemory(decision);
    await sendAnswers(decision, decision.progress.outbox);
    if (data.questions.some(({ final }) => !final)) await runDialogue(decision);
    else await answerOnce(decision);
  } catch (error) {
    stop.throwIfAborted();
    if (!over.signal.aborted) throw error;
  } finally {
    unsubscribe();
  }
  await saveUnlessSuperseded(decision);
}

/** The trace of what people did to the mind. */
const loadedThought = ({ context, saved, tokens }: LoadedContext): Thought => ({
  kind: 'observe',
  name: 'context',
  content: {
    ...(context ? { loaded: `a context saved after ${saved?.after || 'an unknown phase'}`, digest: saved?.digest } : {}),
    ...(tokens === undefined ? {} : { cut: `the log, to ${tokens} tokens` }),
  },
});

/** Aborted with `over` when the reason is that a newer message came. */
function supersededSignal(over: AbortSignal): AbortSignal {
  const superseded = new AbortController();
  over.addEventListener('abort', () => over.reason instanceof Superseded && superseded.abort(over.reason), { once: true });
  return superseded.signal;
}

const roomsOf = (state: DecisionState) =>
  roomReader({
    source: state,
    message: state.message,
    events: state.events,
    readEveryMs: state.options.readEveryMs,
    openQuestions: () => openQuestions(state),
    closeQuestions: (questions) => closeQuestions(state, questions),
  });

/** Returns how to unsubscribe. */
const listenToTable = (decision: Decision): (() => void) =>
  decision.events.listen(decision.message.subject, {
    questionsClosed: (questions) => closeQuestions(decision, questions),
    phaseChanged: () => void checkClosedSoon(decision).catch(() => undefined), // fails only once it is over
    roundEnded: (sequence) =>
      sequence > (decision.message.sequence ?? 0) && closeQuestions(decision, decision.message.data.questions.map(({ id }) => id)), // prettier-ignore
    // The news of a pause may come, or come again, after the table goes on and has asked this.
    paused: (sequence) => sequence > (decision.message.sequence ?? 0) && pauseDecision(decision),
    roomChanged: decision.rooms.roomChanged,
  });

/** Mostly the next question comes at once and supersedes this one: then nothing need be read. */
async function checkClosedSoon({ sleep, signal, rooms, memory }: Decision): Promise<void> {
  await sleep(NEXT_QUESTION_MS, signal);
  await rooms.checkClosed(memory);
}

/** Algorithm 1. */
async function runDialogue(decision: Decision): Promise<void> {
  const { recipe, rooms, now, signal, options } = decision;
  for (let idle = 0; openQuestions(decision).length;) {
    await waitForTurn(decision, idle);
    decision.memory = await rooms.collect(decision.memory);
    if (!openQuestions(decision).length) break;
    const questions = votableQuestions(decision);
    if (!questions.length) continue;
    const time = timingNow(decision, questions);
    if (recipe.usesModel && now() >= time.deadline) {
      await decision.sleep(time.until - now(), signal); // too late for a model; the news are kept for the next phase
      continue;
    }
    if (idle && hasNothingToAsk(decision, time)) {
      await decision.sleep(limited(decision, options.maxWaitMs), signal, rooms.nextChange());
      continue;
    }
    const hasNews = decision.memory.pending.length > 0;
    const hasAnswered = await thinkOnce(decision, questions, time);
    idle = hasNews || hasAnswered ? 0 : idle + 1;
  }
}

/** Whether a model that has just done nothing would be asked the same again: nothing is new, and no answer is owed, refused or sent again after a crash. */
const hasNothingToAsk = ({ recipe, memory, progress, message }: Decision, { isOwed }: Timing): boolean =>
  recipe.usesModel &&
  !isOwed &&
  !memory.pending.some(({ text, by }) => text !== undefined && by !== message.data.seat) &&
  !progress.refused.length &&
  !Object.keys(progress.calls).length;

/** The open questions, without a vote that the mind holds back. */
function votableQuestions(decision: Decision): readonly Asking[] {
  const { message, progress, now } = decision;
  const { seat, players } = message.data;
  const living = players.flatMap((player) => (player.alive ? [player.seat] : []));
  const about = { reading: progress.reading, seat, living, asked: Date.parse(message.time), now: now() };
  return openQuestions(decision).filter((question) => progress.standing[question.id] || !isHeldBack(question, about));
}

/** Waits the rolled time; a mind without a model that has been idle waits for a change of its rooms too. */
async function waitForTurn(decision: Decision, idle: number): Promise<void> {
  const rolled = rolledMs(decision);
  if (decision.message.data.pace === 'people') {
    const isHoldingBack = votableQuestions(decision).length < openQuestions(decision).length;
    if (!isHoldingBack) await waitForChange(decision, idle);
    return waitUntilRead(decision, rolled);
  }
  await decision.sleep(limited(decision, rolled), decision.signal);
  await waitForChange(decision, idle);
}

/** Waits for a change of the rooms, with exponential backoff, once a mind without a model has been idle. */
async function waitForChange(decision: Decision, idle: number): Promise<void> {
  const { recipe, rooms, options, signal } = decision;
  if (recipe.usesModel || idle < MAX_IDLE || rooms.hasChanges()) return;
  const backoffMs = options.paceMs * 2 ** Math.min(idle, MAX_DOUBLINGS);
  await decision.sleep(limited(decision, backoffMs), signal, rooms.nextChange());
}

/**
 * Waits until people have read what was said, and then as long as was rolled. When somebody speaks meanwhile, that is read first, and the rest
 * of the rolled time counts from there: so minds seldom speak at the same time.
 */
async function waitUntilRead(decision: Decision, rolled: number): Promise<void> {
  const { rooms, now, signal, message } = decision;
  for (let left = rolled; ;) {
    decision.memory = await rooms.collect(decision.memory);
    const reading = readNews(decision.progress.reading, decision.memory.pending, message.data.questions);
    decision.progress = { ...decision.progress, reading };
    await decision.sleep(limited(decision, Math.max(0, reading.until - now())), signal);
    const [startedAt, change] = [now(), rooms.nextChange()];
    await decision.sleep(limited(decision, left), signal, change);
    left -= now() - startedAt;
    if (left <= 0 || !change.aborted || timingNow(decision, openQuestions(decision)).isShort) return;
  }
}

/** How much of a wait is left when it must end in time for the answers that are owed. */
const limited = (decision: Decision, ms: number): number =>
  waitFor(ms, timingNow(decision, openQuestions(decision)), { now: decision.now(), lastMs: decision.lastThoughtMs });

/** Thinks about each question once, and again only when its answer was refused, or when there is only time left to act. */
async function answerOnce(decision: Decision): Promise<void> {
  for (const { id } of decision.message.data.questions) {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const question = openQuestions(decision).find((open) => open.id === id);
      if (!question) break;
      if (decision.message.data.pace === 'people' && !question.secret)
        await waitUntilRead(decision, question.verb === 'say' ? 0 : CHOICE_MS);
      const time = timingNow(decision, [question]);
      const hasAnswered = await thinkOnce(decision, [question], time);
      if (!hasAnswered && (time.isShort || decision.now() < time.shortAt)) break;
    }
  }
}

/** rand(n) of Algorithm 1: the same for the same decision and iteration; or the share of n that the mind wants. */
function rolledMs({ recipe, options, message: { data }, progress, memory }: Decision): number {
  const { n } = recipe.values ?? {};
  const longestMs = typeof n === 'number' && n > 0 ? n * 1000 : options.maxWaitMs;
  const max = recipe.usesModel ? longestMs : data.pace === 'people' ? Math.max(options.paceMs, PEOPLE_WAIT_MS) : options.paceMs;
  if (memory.mind.pause !== undefined) return Math.round(memory.mind.pause * max);
  return diceOf(data.seed, `${data.seat}/${data.phase}/${progress.iteration}/wait`).below(max + 1);
}

import type { Message } from '@maw/contracts/contracts.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { type Asking, PEOPLE_WAIT_MS, type Recipe, type Thought } from '@maw/minds/mind.ts';
import { collectDecisionNews } from '../news/collect-news.ts';
import { roomReader } from '../news/room-reader.ts';
import { type LoadedContext, withLoaded } from '../state/loaded-context.ts';
import { keepRoundEnd, loadLessons, withLessons } from '../state/lessons.ts';
import { startProgress } from '../state/progress.ts';
import {
  type Choosing,
  closeQuestions,
  type Decision,
  type DecisionDeps,
  type Mode,
  openQuestions,
  pauseDecision,
  saveMemory,
  type Thinking,
  timingNow,
  type Turn,
  type Waiting,
} from './decision.ts';
import { DecisionState, loadMemory } from './decision-state.ts';
import { CHOICE_MS, isHeldBack, readNews } from '../state/reading.ts';
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
  /** Aborted when the message has been kept for long: then it is given back between two thoughts, and goes on when it comes again. */
  readonly handOver: AbortSignal;
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
 * @throws the abort reason of `stop`, and of `handOver`
 */
export async function runDecision(
  deps: DecisionDeps,
  recipe: Recipe,
  message: Message<'seat.decide'>,
  { over, stop, handOver }: Ends,
): Promise<void> {
  const signals = {
    over,
    signal: AbortSignal.any([over.signal, stop]),
    resting: AbortSignal.any([over.signal, stop, handOver]),
    sending: AbortSignal.any([supersededSignal(over.signal), stop]),
  };
  const { stored, waiting } = await loadMemory(deps, message);
  if (recipe.after?.length) await keepRoundEnd(deps.thoughts, message.subject, message.data.seat, stored, message.data.round);
  const { sequence = 0, data } = message;
  const last = stored.decision;
  if (last && last.id !== message.id && last.sequence > sequence) return; // superseded
  const isResumed = last?.id === message.id;
  const loaded = isResumed ? undefined : waiting;
  const current = withLoaded(stored, loaded);
  const memory = recipe.after ? { ...current, mind: withLessons(current.mind, await lessonsFor(deps, message)) } : current;
  const state = new DecisionState(deps, message, { memory, progress: startProgress(message, last), loaded });
  const asked = { deps, recipe, message, signals, state, closed: new Set<string>(), durations: { thoughtMs: 0, callMs: 0 } };
  const decision: Decision = { ...asked, rooms: roomsOf(asked) };
  const unsubscribe = listenToTable(decision);
  try {
    if (loaded) await recordThought(decision, loadedThought(loaded));
    const collected = await collectDecisionNews({ ...deps, signal: signals.sending }, state.memory, message);
    state.takeNews({ ...collected, n: Math.max(collected.n, stored.n) });
    // A replica that still runs an earlier decision of this phase finds this one in the memory.
    if (last?.phase === data.phase && last.id !== message.id) await saveMemory(decision);
    await runModes(decision);
  } catch (error) {
    stop.throwIfAborted();
    if (error === handOver.reason) await state.save();
    if (!over.signal.aborted) throw error;
  } finally {
    unsubscribe();
  }
  await state.save();
}

async function runModes(decision: Decision): Promise<void> {
  const { message, state } = decision;
  const isDialogue = message.data.questions.some(({ final }) => !final);
  const next = isDialogue ? ({ is: 'waiting', idle: 0 } as const) : ({ is: 'choosing', at: 0, tries: 0 } as const);
  for (let mode: Mode = { is: 'sending', outbox: state.progress.outbox, next }; mode.is !== 'over';) {
    if (mode.is === 'waiting') decision.signals.resting.throwIfAborted();
    mode = await nextMode(decision, mode);
  }
}

async function nextMode(decision: Decision, mode: Exclude<Mode, { is: 'over' }>): Promise<Mode> {
  switch (mode.is) {
    case 'sending':
      await sendAnswers(decision, mode.outbox);
      return mode.next;
    case 'waiting':
      return waitedFor(decision, mode);
    case 'choosing':
      return lookedAt(decision, mode);
    case 'thinking': {
      const hasNews = decision.state.memory.pending.length > 0;
      const outbox = await thinkOnce(decision, mode.questions, mode.time);
      return { is: 'sending', outbox, next: afterThought(decision, mode, { hasNews, hasAnswered: outbox.length > 0 }) };
    }
  }
}

/** The trace of what people did to the mind. */
const loadedThought = ({ context, remembered, saved, tokens }: LoadedContext): Thought => ({
  kind: 'observe',
  name: 'context',
  content: {
    ...((context ?? remembered)
      ? {
          loaded: `a context ${remembered ? 'of another game ' : ''}saved after ${saved?.after || 'an unknown phase'}`,
          digest: saved?.digest,
        }
      : {}),
    ...(tokens === undefined ? {} : { cut: `the log, to ${tokens} tokens` }),
  },
});

/** Aborted with `over` when the reason is that a newer message came. */
function supersededSignal(over: AbortSignal): AbortSignal {
  const superseded = new AbortController();
  over.addEventListener('abort', () => over.reason instanceof Superseded && superseded.abort(over.reason), { once: true });
  return superseded.signal;
}

const roomsOf = (decision: Omit<Decision, 'rooms'>) =>
  roomReader({
    source: { ...decision.deps, signal: decision.signals.signal },
    message: decision.message,
    events: decision.deps.events,
    readEveryMs: decision.deps.options.readEveryMs,
    openQuestions: () => openQuestions(decision),
    closeQuestions: (questions) => closeQuestions(decision, questions),
  });

/** Returns how to unsubscribe. */
const listenToTable = (decision: Decision): (() => void) =>
  decision.deps.events.listen(decision.message.subject, {
    questionsClosed: (questions) => closeQuestions(decision, questions),
    phaseChanged: () => void checkClosedSoon(decision).catch(() => undefined), // fails only once it is over
    roundEnded: (sequence) =>
      sequence > (decision.message.sequence ?? 0) && closeQuestions(decision, decision.message.data.questions.map(({ id }) => id)), // prettier-ignore
    // The news of a pause may come, or come again, after the table goes on and has asked this.
    paused: (sequence) => sequence > (decision.message.sequence ?? 0) && pauseDecision(decision),
    roomChanged: decision.rooms.roomChanged,
  });

/** Mostly the next question comes at once and supersedes this one: then nothing need be read. */
async function checkClosedSoon({ deps, signals, rooms, state }: Decision): Promise<void> {
  const { memory } = state;
  await deps.sleep(NEXT_QUESTION_MS, signals.signal);
  await rooms.checkClosed(memory);
}

/** Algorithm 1: waits, and reads what is new. */
async function waitedFor(decision: Decision, mode: Waiting): Promise<Mode> {
  const { recipe, deps, signals } = decision;
  if (!openQuestions(decision).length) return { is: 'over' };
  await waitForTurn(decision, mode.idle);
  await collect(decision);
  if (!openQuestions(decision).length) return { is: 'over' };
  const questions = votableQuestions(decision);
  if (!questions.length) return mode;
  const time = timingNow(decision, questions);
  if (recipe.usesModel && deps.now() >= time.deadline)
    await deps.sleep(time.until - deps.now(), signals.resting); // too late for a model; the news are kept for the next phase
  else if (mode.idle && hasNothingToAsk(decision, time))
    await deps.sleep(limited(decision, deps.options.maxWaitMs), signals.resting, decision.rooms.nextChange());
  else return { is: 'thinking', questions, time, from: mode };
  return mode;
}

const collect = async ({ rooms, state }: Decision): Promise<void> => state.takeNews(await rooms.collect(state.memory));

/** Thinks about each question once, and again only when its answer was refused, or when there is only time left to act. */
async function lookedAt(decision: Decision, mode: Choosing): Promise<Mode> {
  const { questions, pace } = decision.message.data;
  const wanted = questions[mode.at];
  if (!wanted) return { is: 'over' };
  const question = mode.tries < MAX_TRIES ? openQuestions(decision).find(({ id }) => id === wanted.id) : undefined;
  if (!question) return { is: 'choosing', at: mode.at + 1, tries: 0 };
  if (pace === 'people' && !question.secret) await waitUntilRead(decision, question.verb === 'say' ? 0 : CHOICE_MS);
  return { is: 'thinking', questions: [question], time: timingNow(decision, [question]), from: mode };
}

/** Where a decision goes on once the answers of a thought are sent. */
function afterThought(
  { deps }: Decision,
  { from, time }: Thinking,
  { hasNews, hasAnswered }: { readonly hasNews: boolean; readonly hasAnswered: boolean },
): Turn {
  if (from.is === 'waiting') return { is: 'waiting', idle: hasNews || hasAnswered ? 0 : from.idle + 1 };
  const isDone = !hasAnswered && (time.isShort || deps.now() < time.shortAt);
  return { is: 'choosing', at: from.at, tries: isDone ? MAX_TRIES : from.tries + 1 };
}

/**
 * Whether a model that has just done nothing would be asked the same again: nothing is new, no answer is owed, refused or sent again after a
 * crash, and the mind has not said when to think again.
 */
const hasNothingToAsk = ({ recipe, state: { memory, progress }, message }: Decision, { isOwed }: Timing): boolean =>
  recipe.usesModel &&
  !isOwed &&
  memory.mind.pause === undefined &&
  !memory.pending.some(({ text, by }) => text !== undefined && by !== message.data.seat) &&
  !progress.refused.length &&
  !Object.keys(progress.calls).length;

/** The open questions, without a vote that the mind holds back. */
function votableQuestions(decision: Decision): readonly Asking[] {
  const { message, state, deps } = decision;
  const { reading, standing } = state.progress;
  const { seat, players } = message.data;
  const living = players.flatMap((player) => (player.alive ? [player.seat] : []));
  const about = { reading, seat, living, asked: Date.parse(message.time), now: deps.now() };
  return openQuestions(decision).filter((question) => standing[question.id] || !isHeldBack(question, about));
}

/** Waits the rolled time; away from people, a mind without a model that has been idle waits for a change of its rooms too. */
async function waitForTurn(decision: Decision, idle: number): Promise<void> {
  const rolled = rolledMs(decision);
  if (decision.message.data.pace === 'people') return waitUntilRead(decision, rolled, { isWoken: !decision.recipe.usesModel });
  await decision.deps.sleep(limited(decision, rolled), decision.signals.resting);
  await waitForChange(decision, idle);
}

/** Waits for a change of the rooms, with exponential backoff, once a mind without a model has been idle. */
async function waitForChange(decision: Decision, idle: number): Promise<void> {
  const { recipe, rooms, deps, signals } = decision;
  if (recipe.usesModel || idle < MAX_IDLE || rooms.hasChanges()) return;
  const backoffMs = deps.options.paceMs * 2 ** Math.min(idle, MAX_DOUBLINGS);
  await deps.sleep(limited(decision, backoffMs), signals.resting, rooms.nextChange());
}

/**
 * Waits until people have read what was said, and then as long as was rolled. When somebody speaks meanwhile, that is read first, and the rest
 * of the rolled time counts from there: so minds seldom speak at the same time.
 * @param isWoken instead it is over once that is read, for a mind whose clock begins anew then
 */
async function waitUntilRead(decision: Decision, rolled: number, { isWoken = false } = {}): Promise<void> {
  const { rooms, state, message } = decision;
  const { now, sleep } = decision.deps;
  const { resting: signal } = decision.signals;
  for (let [left, isChanged] = [rolled, false]; ;) {
    await collect(decision);
    const reading = readNews(state.progress.reading, state.memory.pending, message.data.questions);
    state.takeReading(reading);
    await sleep(limited(decision, Math.max(0, reading.until - now())), signal);
    if (isChanged && isWoken && !rooms.hasChanges()) return;
    const [startedAt, change] = [now(), rooms.nextChange()];
    await sleep(limited(decision, left), signal, change);
    left -= now() - startedAt;
    isChanged ||= change.aborted;
    const { isShort, isOwed } = timingNow(decision, openQuestions(decision));
    if (left <= 0 || !change.aborted || (isShort && (isOwed || !isWoken))) return;
  }
}

/** How much of a wait is left when it must end in time for the answers that are owed. */
const limited = (decision: Decision, ms: number): number =>
  waitFor(ms, timingNow(decision, openQuestions(decision)), { now: decision.deps.now(), lastMs: decision.durations.thoughtMs });

/** rand(n) of Algorithm 1: the same for the same decision and iteration; or the share of n that the mind wants. */
function rolledMs({ recipe, deps: { options }, message: { data }, state: { memory, progress } }: Decision): number {
  const { n } = recipe.values ?? {};
  const longestMs = typeof n === 'number' && n > 0 ? n * 1000 : options.maxWaitMs;
  const max = recipe.usesModel ? longestMs : data.pace === 'people' ? Math.max(options.paceMs, PEOPLE_WAIT_MS) : options.paceMs;
  if (memory.mind.pause !== undefined && progress.iteration > 0) return Math.round(memory.mind.pause * max);
  return diceOf(data.seed, `${data.seat}/${data.phase}/${progress.iteration}/wait`).below(max + 1);
}

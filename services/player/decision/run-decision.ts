import type { Bus } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { type Asking, type Recipe, think, type Tools } from '@maw/minds/mind.ts';
import type { Thoughts } from '@maw/store/ports/thoughts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { sendAnswer } from './send-answer.ts';
import type { TableEvents } from '../news/table-events.ts';
import { collectDecisionNews, collectViewNews } from '../news/collect-news.ts';
import { type Memory, newMemory, parseMemory } from '../state/memory.ts';
import { modelClient } from '../model-client.ts';
import { momentOf } from './moment.ts';
import type { PlayerOptions } from '../options.ts';
import { sleep } from '../sleep.ts';
import { type OutgoingAnswer, type Progress, progressAfter, startProgress } from '../state/progress.ts';
import { roomReader as roomsOf } from '../news/room-reader.ts';
import { type Timing, timingOf, waitFor } from './timing.ts';
import { Superseded } from './seat-turns.ts';
import { type Urgency, urgencyOf } from './urgency.ts';

/** What deciding needs besides the question. */
export interface DecisionDeps {
  readonly bus: Bus;
  readonly thoughts: Thoughts;
  now(): number;
  readonly log: Log;
  readonly options: PlayerOptions;
  readonly bells: TableEvents;
}

interface Ends {
  /** Aborted when nothing is left to decide. */
  readonly over: AbortController;
  /** Aborted when somebody else shall go on. */
  readonly stop: AbortSignal;
}

/** How often a question that is asked once is thought about at most. */
const MOST_TRIES = 3;
/** How many thoughts without news a mind without a model has before it waits for a doorbell. */
const MOST_IDLE = 4;

/**
 * One decision of one seat, from its question to its last answer. Talk by the clock and votes that may be changed are Algorithm 1:
 * wait, read what is new, think, answer, for as long as the phase is open. What is asked once is decided once.
 * It can be taken up by another replica at any moment: its memory is kept after each thought, before the answers are sent, and answers
 * that are sent again have the same ids.
 * @throws whatever `stop` was aborted with
 */
export async function runDecision(
  desk: DecisionDeps,
  recipe: Recipe,
  message: Message<'seat.decide'>,
  { over, stop }: Ends,
): Promise<void> {
  const { bus, thoughts, now, log, options, bells } = desk;
  const { subject: table, data, sequence = 0 } = message;
  const { seat } = data;
  const asked = Date.parse(message.time);
  const signal = AbortSignal.any([over.signal, stop]);
  // What is on its way is waited for when nothing is left to decide, and not when the seat is asked anew.
  const left = new AbortController();
  over.signal.addEventListener('abort', () => over.signal.reason instanceof Superseded && left.abort(over.signal.reason), { once: true });
  const leaving = AbortSignal.any([left.signal, stop]);
  let memory: Memory = await recall();
  if (memory.decision && memory.decision.id !== message.id && memory.decision.sequence > sequence) return; // it has been asked something newer
  let progress: Progress = startProgress(message, memory.decision);
  let lastMs = 0;
  const gone = new Set<string>();
  const ears = { bus, log, now, signal };
  const rooms = roomsOf({ ears, message, readEveryMs: options.readEveryMs, open, close });
  const deaf = bells.listen(table, {
    closed: close,
    phaseChanged: () => void rooms.look(memory).catch(() => {}), // only aborted, when all is over
    roomChanged: rooms.ring,
  });
  try {
    memory = await collectDecisionNews({ ...ears, signal: leaving }, memory, message);
    if (memory.decision?.phase === data.phase && memory.decision.id !== message.id) await keep(); // whoever still thinks about that shall see it
    await answer(progress.outbox);
    if (data.questions.some(({ final }) => !final)) await dialogue();
    else await once();
  } catch (error) {
    stop.throwIfAborted();
    if (!over.signal.aborted) throw error;
  } finally {
    deaf();
  }
  if (!(await isAskedAnew())) await keep();

  /** Algorithm 1. */
  async function dialogue(): Promise<void> {
    for (let idle = 0; open().length;) {
      const before = timing(open());
      await sleep(waitFor(rolledMs(), before, { now: now(), lastMs }), signal);
      if (!recipe.usesModel && idle >= MOST_IDLE && !rooms.hasRung()) {
        const longer = options.paceMs * 2 ** Math.min(idle, 8);
        await sleep(waitFor(longer, before, { now: now(), lastMs }), signal, rooms.bell());
      }
      memory = await rooms.hear(memory);
      const asking = open();
      if (!asking.length) break;
      const time = timing(asking);
      if (recipe.usesModel && now() >= time.deadline) {
        await sleep(time.until - now(), signal); // too late for a model: what it heard it keeps for the next phase
        continue;
      }
      const isNews = memory.pending.length > 0;
      const isAnswered = await iterate(asking, time);
      idle = isNews || isAnswered ? 0 : idle + 1;
    }
  }

  /** Each question once; again only when its answer was refused, or when thinking has left time for nothing but acting. */
  async function once(): Promise<void> {
    for (const { id } of data.questions) {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const asking = open().find((q) => q.id === id);
        if (!asking) break;
        const before = timing([asking]);
        const isAnswered = await iterate([asking], before);
        if (!isAnswered && (before.isShort || now() < before.shortAt)) break;
      }
    }
  }

  /** Thinks once and sends what comes of it. Returns whether anything did. */
  async function iterate(asking: readonly Asking[], time: Timing): Promise<boolean> {
    const began = now();
    const isNews = memory.pending.length > 0;
    const moment = momentOf(recipe, data, { now: began, open: asking, time, memory, progress }, options);
    const mind = await think(recipe, memory.mind, moment, toolsUntil(time.deadline, urgencyOf(asking, progress, time.isShort)));
    if (recipe.usesModel) lastMs = now() - began;
    const outbox = mind.answers
      .filter(({ question, says }) =>
        asking.some(({ id, verb }) => id === question && !(verb === 'choose' && isSame(progress.standing[id], says))),
      )
      .map((said, i): OutgoingAnswer => ({ ...said, id: `${message.id}:a${progress.answers + i}` }));
    progress = { ...progress, iteration: progress.iteration + 1, answers: progress.answers + outbox.length, outbox, refused: [] };
    memory = { ...memory, mind, pending: [] };
    if ((recipe.usesModel || outbox.length) && (await isAskedAnew()))
      throw end(new Superseded('the seat is asked anew, and another replica thinks about it'));
    if (recipe.usesModel || isNews || outbox.length) await keep();
    await answer(outbox);
    return outbox.length > 0;
  }

  /** Sends answers one after another; what was sent before a crash is sent again, which does no harm. */
  async function answer(outbox: readonly OutgoingAnswer[]): Promise<void> {
    for (const outgoing of outbox) {
      const asking = data.questions.find(({ id }) => id === outgoing.question);
      if (!asking) continue;
      const fate = await sendAnswer({ bus, now, signal: leaving }, message, asking, outgoing);
      if (fate.is === 'unanswered') log.warn({ table, seat }, 'nobody has answered an act');
      if (fate.is === 'taken' && !progress.standing[asking.id])
        metrics.decisionSeconds.observe({ recipe: recipe.name, verb: asking.verb }, Math.max(0, now() - asked) / 1000);
      progress = progressAfter(progress, asking, outgoing.says, fate);
      if (fate.is === 'taken' && asking.final && asking.verb === 'choose' && open().length)
        memory = await collectViewNews({ ...ears, signal: leaving }, memory, message);
    }
    close([]);
  }

  function toolsUntil(deadline: number, urgency: Urgency): Tools {
    const { model } = data;
    const asker = {
      bus,
      log,
      now,
      table,
      seat,
      model,
      recipe: recipe.name,
      urgency,
      cause: message.id,
      limitMs: options.completionMs,
      signal,
    };
    return {
      complete: modelClient(asker, () => deadline),
      async record({ kind, name, content }) {
        const step = progress.steps + 1;
        await thoughts.record({ table, seat, decision: message.id, step, kind, name, at: now(), content });
        progress = { ...progress, steps: step };
      },
      now,
      signal,
    };
  }

  function open(): readonly Asking[] {
    return data.questions.filter(({ id, until }) => !gone.has(id) && !progress.closed.includes(id) && until > now());
  }

  function close(questions: readonly string[]): void {
    for (const id of questions) gone.add(id);
    if (!open().length) end(new Error('there is nothing left to decide'));
  }

  function end(why: Error): Error {
    over.abort(why);
    return why;
  }

  /** Whether the seat has something newer in mind: two must not act for it. */
  async function isAskedAnew(): Promise<boolean> {
    return ((await recall()).decision?.sequence ?? 0) > sequence;
  }

  function timing(asking: readonly Asking[]): Timing {
    return timingOf(asking, { asked, now: now(), standing: progress.standing, lastMs }, options);
  }

  /** rand(n) of Algorithm 1: the same for the same decision and iteration. */
  function rolledMs(): number {
    const most = recipe.usesModel ? options.maxWaitMs : options.paceMs;
    return diceOf(data.seed, `${seat}/${data.phase}/${progress.iteration}/wait`).below(most + 1);
  }

  async function recall(): Promise<Memory> {
    const kept = await thoughts.recall(table, seat);
    const read = kept === undefined || kept === null ? newMemory : parseMemory(kept);
    if (!read) log.warn({ table, seat }, 'what a seat had in mind could not be read; it begins anew');
    return read ?? newMemory;
  }

  async function keep(): Promise<void> {
    memory = { ...memory, decision: progress };
    await thoughts.remember(table, seat, memory.n, memory);
  }
}

/** Whether a choice stands already: to make it again would only be noise. */
const isSame = (standing: readonly string[] | undefined, says: readonly string[]): boolean => standing?.join(' ') === says.join(' ');

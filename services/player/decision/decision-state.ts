import type { Message } from '@maw/contracts/contracts.ts';
import type { Asking, Mind } from '@maw/minds/mind.ts';
import type { Thought, Thoughts } from '@maw/store/ports/thoughts.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { consumeLoadedContext, type LoadedContext, loadedContextIn } from '../state/loaded-context.ts';
import { type Memory, newMemory, parseMemory, storedAs } from '../state/memory.ts';
import { type AnswerOutcome, type OutgoingAnswer, type Progress, progressAfter } from '../state/progress.ts';
import type { Reading } from '../state/reading.ts';

interface Store {
  readonly thoughts: Thoughts;
  readonly log: Log;
}

interface Start {
  readonly memory: Memory;
  readonly progress: Progress;
  /** What the decision began with, until the memory is saved. */
  readonly loaded: LoadedContext | undefined;
}

/** What a seat has in mind, and the context that waits for it. */
export async function loadMemory(
  store: Store,
  message: Message<'seat.decide'>,
): Promise<{ readonly stored: Memory; readonly waiting: LoadedContext | undefined }> {
  const { subject: table, data } = message;
  const [memory, context] = await store.thoughts.recallAll(table, [storedAs.decisions(data.seat), storedAs.loadedContext(data.seat)]);
  const stored = readMemory(store, message, memory);
  return { stored, waiting: loadedContextIn(context, stored) };
}

/** A new memory when none is stored, or it cannot be read. */
function readMemory({ log }: Store, { id: decision, subject: table }: Message<'seat.decide'>, stored: unknown): Memory {
  if (stored === undefined || stored === null) return newMemory;
  const memory = parseMemory(stored);
  if (!memory) log.warn({ table, decision }, 'stored memory of a seat is unreadable; starting with a new one');
  return memory ?? newMemory;
}

/** What its seat has in mind, and how far the decision has come. All that can happen to either is a method here. */
export class DecisionState {
  readonly #store: Store;
  readonly #message: Message<'seat.decide'>;
  #memory: Memory;
  #progress: Progress;
  #loaded: LoadedContext | undefined;
  /** Thoughts of a mind without a model that are stored with the next memory. */
  readonly #unstored: Thought[] = [];

  constructor(store: Store, message: Message<'seat.decide'>, { memory, progress, loaded }: Start) {
    this.#store = store;
    this.#message = message;
    this.#memory = memory;
    this.#progress = progress;
    this.#loaded = loaded;
  }

  get memory(): Memory {
    return this.#memory;
  }

  get progress(): Progress {
    return this.#progress;
  }

  /** News was collected into a copy of the memory. */
  takeNews(memory: Memory): void {
    this.#memory = memory;
  }

  takeReading(reading: Reading): void {
    this.#progress = { ...this.#progress, reading };
  }

  /** A thought begins. One that is resumed keeps its ratio: repeating it gives the same prompts. */
  beginThought(tokenRatio: number): void {
    const isResumed = Object.keys(this.#progress.calls).length > 0;
    if (!isResumed) this.#progress = { ...this.#progress, tokenRatio };
  }

  endThought(mind: Mind, outbox: readonly OutgoingAnswer[]): void {
    const { iteration, answers } = this.#progress;
    const count = { iteration: iteration + 1, answers: answers + outbox.length };
    this.#progress = { ...this.#progress, ...count, outbox, refused: [], calls: {} };
    this.#memory = { ...this.#memory, mind, pending: [] };
  }

  takeOutcome(question: Asking, says: readonly string[], outcome: AnswerOutcome): void {
    this.#progress = progressAfter(this.#progress, question, says, outcome);
  }

  /** Records the next step of thought; of a mind without a model together with the memory, which is saved within milliseconds. */
  async record(thought: Thought, usesModel: boolean): Promise<void> {
    if (usesModel) await this.#store.thoughts.record(thought);
    else this.#unstored.push(thought);
    this.#progress = { ...this.#progress, steps: thought.step };
  }

  /** Saves the memory and the thoughts before it. False: the seat was asked something newer, so its memory is kept. */
  async save(progress: Progress = this.#progress): Promise<boolean> {
    const { thoughts } = this.#store;
    const { subject: table, data, sequence = 0 } = this.#message;
    this.#memory = { ...this.#memory, decision: progress };
    const told = [...this.#unstored];
    const about = { sequence, thoughts: told };
    const isStored = await thoughts.remember(table, storedAs.decisions(data.seat), this.#memory.n, this.#memory, about);
    this.#unstored.splice(0, told.length);
    if (!isStored && (await this.#isSuperseded())) return false; // otherwise it was asked nothing newer, but has seen more
    if (!this.#loaded) return true;
    await consumeLoadedContext(thoughts, table, data.seat, this.#loaded);
    this.#loaded = undefined;
    return true;
  }

  async #isSuperseded(): Promise<boolean> {
    const { subject: table, data, sequence = 0 } = this.#message;
    const stored = await this.#store.thoughts.recall(table, storedAs.decisions(data.seat));
    return (readMemory(this.#store, this.#message, stored).decision?.sequence ?? 0) > sequence;
  }
}

import type { Instant, Question } from '@maw/games/kernel/question.ts';
import { type Mind, type Moment, newMind, type Recipe, type Tools } from '@maw/minds/mind.ts';
import type { News } from '@maw/minds/news.ts';
import { think } from '@maw/minds/think.ts';
import type { ModelTools, SeatModels } from './seat-models.ts';
import { momentOf, type SeatMindTerms } from './seat-news.ts';

/** A thought that runs. */
interface Running {
  /** The id of the question it is about. */
  readonly question: string;
  readonly startedAt: Instant;
  readonly done: Promise<void>;
}

/** The longest that one call of a model may take, where the server does not wait longer. */
const CALL_MS = 60_000;

/** Thinks with a model, one thought at a time. */
export class Thinker {
  readonly #recipe: Recipe;
  readonly #terms: SeatMindTerms;
  readonly #ask: ModelTools;
  readonly #signal: AbortSignal;
  readonly #told = new Set<string>();
  #mind: Mind = newMind;
  #news: readonly News[] = [];
  #running: Running | undefined;
  #thoughtMs = 0;
  #callMs = 0;
  #hasFailed = false;

  /** @param signal ends its thoughts */
  constructor(recipe: Recipe, terms: SeatMindTerms, models: SeatModels, signal: AbortSignal) {
    this.#recipe = recipe;
    this.#terms = terms;
    this.#signal = signal;
    const { view, seed } = terms;
    const callMs = Math.max(CALL_MS, view.terms.limitMs);
    this.#ask = models.toolsFor({ table: seed, seat: view.me, recipe: recipe.name, calls: recipe.calls, callMs, signal });
  }

  get running(): Running | undefined {
    return this.#running;
  }

  /** How long a thought takes; 0 when unknown. A single slow one is forgotten soon. */
  get thoughtMs(): number {
    return this.#thoughtMs;
  }

  /** Whether a model or a step failed in the latest thought. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  hear(news: readonly News[]): void {
    this.#news = [...this.#news, ...news];
  }

  /**
   * Begins a thought about a question, while none runs.
   * @param until steps that would end later are left out, but for the last one
   * @param conclude is told what it has led to, if to anything
   */
  begin(question: Question, iteration: number, until: Instant, conclude: (says: string, startedAt: Instant) => void): void {
    const startedAt = Date.now();
    const moment = momentOf(this.#terms, question, { recipe: this.#recipe, news: this.#news, iteration, now: startedAt });
    this.#news = [];
    this.#hasFailed = false;
    const { promise: done, resolve } = Promise.withResolvers<void>();
    this.#running = { question: question.id, startedAt, done };
    void this.#think(moment, until).then((says) => {
      this.#thoughtMs = Math.max(this.#thoughtMs / 2, Date.now() - startedAt);
      this.#running = undefined;
      if (says !== undefined) conclude(says, startedAt);
      return resolve();
    });
  }

  /** Never rejects. */
  async #think(moment: Moment, until: Instant): Promise<string | undefined> {
    try {
      this.#mind = await think(this.#recipe, this.#mind, moment, this.#tools(until));
      return this.#mind.answers.find(({ question }) => question === moment.questions[0]!.id)?.says[0];
    } catch (error) {
      this.#fail((error as Error).message);
      return undefined;
    }
  }

  #tools(deadline: Instant): Tools {
    return {
      ...this.#ask,
      complete: async (request, step) => {
        const startedAt = Date.now();
        try {
          return await this.#ask.complete(request, step); // also after the deadline: a late thought is of use
        } catch (error) {
          this.#fail(`no model answers: ${(error as Error).message}`);
          throw error;
        } finally {
          this.#callMs = Math.max(this.#callMs / 2, Date.now() - startedAt);
        }
      },
      record: async ({ name, content: { error } }) => {
        if (typeof error === 'string' && !this.#hasFailed) this.#fail(`step ${name}: ${error}`);
      },
      now: Date.now,
      signal: this.#signal,
      deadline,
      callMs: () => this.#callMs,
    };
  }

  /** Says each failure once in a game. */
  #fail(error: string): void {
    if (this.#signal.aborted) return;
    this.#hasFailed = true;
    if (!this.#told.has(error)) this.#terms.onFailure(error);
    this.#told.add(error);
  }
}

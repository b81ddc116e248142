import { whenAborted } from '@maw/async/abort.ts';
import { withTimeout } from '@maw/async/timeout.ts';
import { isUtterance } from '@maw/games/aiwolf/language/content-reader.ts';
import { type Instant, optionsFor, type Question, stepOf } from '@maw/games/kernel/question.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import type { News } from '@maw/minds/news.ts';
import { type SeatView, voteToCome } from '../seat-view.ts';
import type { SeatModels } from './seat-models.ts';
import type { SeatMindTerms } from './seat-news.ts';
import { Thinker } from './thinker.ts';

/** Who answers for a seat whose mind needs a model: the model, or in its stead the mind without one. */
export type Answerer = 'model' | `${string} in its stead`;

export interface SeatAnswer {
  /** A text, or `seat:N`. */
  readonly says: string;
  /** Absent: the mind needs no model. */
  readonly by?: Answerer;
  /** How long ago the model began the thought, in milliseconds. */
  readonly ageMs?: number;
}

/** What a thought has led to, until it is said. */
interface Draft {
  readonly says: string;
  readonly day: number;
  readonly startedAt: Instant;
}

/** What is left of the limit for the way of an answer: half of it, at most so much. */
const MARGIN_MS = 2000;

/**
 * A mind with a model, which thinks one thought at a time. A thought that takes longer than the server waits goes on, and what it leads to
 * answers the next question of its kind: a choice if it is still an option, a text on the same day.
 */
export class ModelMind {
  readonly #view: SeatView;
  readonly #closing = new AbortController();
  readonly #thinker: Thinker;
  /** How long it may think for an answer in time. */
  readonly #budgetMs: number;
  /** By step: talk, vote, divine ... */
  readonly #drafts = new Map<string, Draft>();

  constructor(recipe: Recipe, terms: SeatMindTerms, models: SeatModels) {
    this.#view = terms.view;
    const { limitMs } = terms.view.terms;
    this.#budgetMs = limitMs - Math.min(limitMs / 2, MARGIN_MS);
    this.#thinker = new Thinker(recipe, terms, models, this.#closing.signal);
  }

  hear(news: readonly News[]): void {
    this.#thinker.hear(news);
  }

  /** The model's answer; undefined when it has none in time. @param meanwhile is done while it thinks */
  async answer(question: Question, now: Instant, over: AbortSignal, meanwhile: () => Promise<void>): Promise<SeatAnswer | undefined> {
    const until = now + this.#budgetMs;
    const isSlow = this.#thinker.thoughtMs > this.#budgetMs;
    const ready = this.#take(question);
    if (!this.#thinker.running && (isSlow || !ready)) this.#begin(isSlow ? this.#ahead(question) : question, 0, until);
    if (ready) return ready;
    await meanwhile();
    return this.#thinkInTime(question, until, over);
  }

  /** What it says in a talk at any time; undefined when it listens. */
  async speak(question: Question, iteration: number, over: AbortSignal): Promise<SeatAnswer | 'failed' | undefined> {
    if (!this.#drafts.has(stepOf(question.id))) {
      if (!this.#thinker.running) this.#begin(question, iteration, question.until);
      await Promise.race([this.#thinker.running?.done, whenAborted(over)]);
    }
    if (over.aborted) return undefined;
    return this.#take(question) ?? (this.#thinker.hasFailed ? 'failed' : undefined);
  }

  close(): void {
    this.#closing.abort(new Error('the game is over'));
  }

  #begin(question: Question, iteration: number, until: Instant): void {
    const { day } = this.#view.game;
    this.#thinker.begin(question, iteration, until, (says, startedAt) => this.#drafts.set(stepOf(question.id), { says, day, startedAt }));
  }

  /** Uses the thought that answers a question, if it is still legal. */
  #take(question: Question): SeatAnswer | undefined {
    const step = stepOf(question.id);
    const draft = this.#drafts.get(step);
    this.#drafts.delete(step);
    if (!draft || !isLegal(draft, question, this.#view)) return undefined;
    return { says: draft.says, by: 'model', ageMs: Date.now() - draft.startedAt };
  }

  /** What a slow model thinks about during a talk: first about the vote to come, which is legal for longest. */
  #ahead(question: Question): Question {
    const isTalk = stepOf(question.id) === 'talk' && this.#view.game.day > 0;
    return isTalk && !this.#drafts.has('vote') ? voteToCome(this.#view, Date.now()) : question;
  }

  /** Waits for the thought that runs, and for one about this question, while they may end in time. */
  async #thinkInTime(question: Question, until: Instant, over: AbortSignal): Promise<SeatAnswer | undefined> {
    const thinker = this.#thinker;
    for (;;) {
      const { running } = thinker;
      if (!running || Math.max(running.startedAt + thinker.thoughtMs, Date.now()) > until) return undefined;
      const end = Promise.race([running.done, whenAborted(over)]);
      await withTimeout(Math.max(0, until - Date.now()), end, { onTimeout: () => undefined });
      if (over.aborted) return undefined;
      const answer = this.#take(question);
      if (answer || thinker.running || running.question === question.id) return answer;
      if (Date.now() + thinker.thoughtMs <= until) this.#begin(question, 0, until);
    }
  }
}

function isLegal({ says, day }: Draft, question: Question, { me, game, options }: SeatView): boolean {
  if (question.verb !== 'say') return optionsFor(question, me).includes(says);
  return day === game.day && (options.language === 'free' || isUtterance(says));
}

import type { Instant, Question } from '@maw/games/kernel/question.ts';
import { type Mind, newMind, type Recipe, type Tools } from '@maw/minds/mind.ts';
import type { News } from '@maw/minds/news.ts';
import { think } from '@maw/minds/think.ts';
import { momentOf, type SeatMindTerms } from './seat-news.ts';

/** A thought, which counts once its answer is given. */
interface Thought {
  readonly question: string;
  readonly iteration: number;
  /** How much news it has taken in. */
  readonly read: number;
  readonly mind: Mind;
}

/** A mind without a model. What it says counts for it only when it is said: it may think in vain. */
export function createPlainMind(recipe: Recipe, terms: SeatMindTerms) {
  let mind: Mind = newMind;
  let news: readonly News[] = [];
  let prepared: Promise<Thought> | undefined;
  const tools: Tools = {
    complete: noModel,
    embed: noModel,
    async record({ name, content: { error } }) {
      if (typeof error === 'string') terms.onFailure(`step ${name}: ${error}`);
    },
    now: Date.now,
    signal: new AbortController().signal,
  };

  async function thoughtOf(question: Question, iteration: number, now: Instant): Promise<Thought> {
    const moment = momentOf(terms, question, { recipe, news, iteration, now });
    return { question: question.id, iteration, read: news.length, mind: await think(recipe, mind, moment, tools) };
  }

  return {
    hear(more: readonly News[]): void {
      news = [...news, ...more];
    },
    /** Thinks of the answer already. */
    async prepare(question: Question, iteration: number, now: Instant): Promise<void> {
      prepared = thoughtOf(question, iteration, now);
      await prepared;
    },
    /** What it says; undefined when it says nothing. */
    async answer(question: Question, iteration: number, now: Instant): Promise<string | undefined> {
      const before = await prepared;
      prepared = undefined;
      const isReady = before?.question === question.id && before.iteration === iteration && before.read === news.length;
      const thought = isReady ? before : await thoughtOf(question, iteration, now);
      ({ mind } = thought);
      news = news.slice(thought.read);
      return mind.answers.find((each) => each.question === question.id)?.says[0];
    },
  };
}

const noModel = () => Promise.reject(new Error('there is no model here'));

import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { OVER, SKIP } from '@maw/games/aiwolf/turns.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Instant, Question } from '@maw/games/kernel/question.ts';
import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { ModelMind, type SeatAnswer } from './model-mind.ts';
import { createPlainMind } from './plain-mind.ts';
import type { SeatModels } from './seat-models.ts';
import { createNewsReader, type SeatMindTerms } from './seat-news.ts';
import type { SeatEvent, SeatView } from '../seat-view.ts';

export type SeatMind = ReturnType<typeof createSeatMind>;

interface SeatMindOptions extends Pick<SeatMindTerms, 'seed' | 'onFailure'> {
  /** Without a model: answers when the model is too slow. */
  readonly standIn: Recipe;
  /** Needed by a recipe with a model. */
  readonly models?: SeatModels | undefined;
}

/** A mind that plays one game in a published server. */
export function createSeatMind(recipe: Recipe, view: SeatView, { models, standIn, ...rest }: SeatMindOptions) {
  const text = recipe.usesModel ? aiwolf.text(view.terms.names.length, view.terms.options) : '';
  const terms = { ...rest, view, rules: { name: aiwolf.name, text } };
  const toNews = createNewsReader(view, recipe.usesModel);
  const plain = createPlainMind(recipe.usesModel ? standIn : recipe, terms);
  const model = recipe.usesModel ? new ModelMind(recipe, terms, models!) : undefined;
  const by = `${standIn.name} in its stead` as const;
  const fallback = (question: Question): string => something(view, question, rest.seed);

  return {
    /** Adds what the seat has seen to its news. */
    hear(events: readonly SeatEvent[], at: Instant): void {
      const news = events.map((event) => toNews(event, at));
      plain.hear(news);
      model?.hear(news);
    },
    /**
     * What it answers; something legal when it has nothing to say.
     * @param over aborts when the answer is not wanted any more; then there is none
     */
    async answer(question: Question, now: Instant, over: AbortSignal): Promise<SeatAnswer | undefined> {
      if (!model) return { says: (await plain.answer(question, 0, now)) ?? fallback(question) };
      const own = await model.answer(question, now, over, () => plain.prepare(question, 0, now));
      if (over.aborted) return undefined;
      return own ?? { says: (await plain.answer(question, 0, now)) ?? fallback(question), by };
    },
    /** What it says in a talk at any time; undefined when it listens. @param iteration how often it was asked so in this talk */
    async speak(question: Question, iteration: number, now: Instant, over: AbortSignal): Promise<SeatAnswer | undefined> {
      if (model) {
        const own = await model.speak(question, iteration, over);
        if (own !== 'failed') return own;
      }
      const says = await plain.answer(question, iteration, now);
      return says === undefined || over.aborted ? undefined : { says, ...(model ? { by } : {}) };
    },
    /** Ends its thoughts. */
    close: () => model?.close(),
  };
}

/** What is legal in any case: silence, or anybody. */
function something({ me, options }: SeatView, question: Question, seed: string): string {
  if (question.verb === 'say') return options.over === 'final' ? OVER : SKIP;
  return randomAnswer({ ...question, answers: [], passed: [] }, me, diceOf(seed, question.id))![0]!;
}

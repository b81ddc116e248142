import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { wordsFor } from '@maw/games/aiwolf/turns.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { type Instant, optionsFor, phaseOf, type Question, seatOf } from '@maw/games/kernel/question.ts';
import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import { type Asking, type Mind, type Moment, newMind, type Recipe, type Tools } from '@maw/minds/mind.ts';
import { type News, newsFromEvent, type OpenVerbs, updateVerbs } from '@maw/minds/news.ts';
import { think } from '@maw/minds/think.ts';
import type { SeatEvent, SeatView } from './seat-view.ts';

/** A mind that plays one game in a published server. */
export interface SeatMind {
  /** Adds what the seat has seen to its news. */
  hear(events: readonly SeatEvent[], now: Instant): void;
  /** What it answers: a text, or `seat:N`; something legal at random when it has nothing to say. */
  answer(question: Question, now: Instant): Promise<string>;
}

/** @param onFailure is told of a step that failed */
export function createSeatMind(recipe: Recipe, view: SeatView, seed: string, onFailure: (error: string) => void): SeatMind {
  const { me, terms, options } = view;
  const rules = { name: aiwolf.name, text: aiwolf.text(terms.names.length, terms.options) };
  let mind: Mind = newMind;
  let verbs: OpenVerbs = {};
  let news: News[] = [];
  let count = 0;

  const tools: Tools = {
    complete: noModel,
    embed: noModel,
    async record({ name, content: { error } }) {
      if (typeof error === 'string') onFailure(`step ${name}: ${error}`);
    },
    now: Date.now,
    signal: new AbortController().signal,
  };

  const momentOf = (question: Question, now: Instant): Moment => ({
    recipe: recipe.name,
    table: seed,
    seat: me,
    name: terms.names[me]!,
    now,
    until: now + terms.limitMs,
    phase: phaseOf(question.id),
    round: 1,
    iteration: 0,
    questions: [askingOf(question, view)],
    standing: {},
    news,
    refused: [],
    brief: '', // only models read it
    rules,
    players: terms.names.map((name, seat) => ({ seat, name, alive: view.game.living.includes(seat) })),
    seed: `${seed}/${me}`,
    isTimeShort: true, // one thought for each answer
    mustChoose: true,
    contextTokens: recipe.contextTokens,
  });

  return {
    hear(events, at) {
      for (const event of events) {
        const entry = { n: ++count, at, event: event as NonNullable<News['event']> };
        verbs = updateVerbs(verbs, entry);
        news.push(newsFromEvent(entry, { names: terms.names, verbs, isRead: true }));
      }
    },
    async answer(question, now) {
      const moment = momentOf(question, now);
      news = [];
      mind = await think(recipe, mind, moment, tools);
      const [own] = mind.answers.find((each) => each.question === question.id)?.says ?? [];
      if (own !== undefined) return own;
      if (question.verb === 'say') return options.over === 'final' ? 'Over' : 'Skip';
      return randomAnswer({ ...question, answers: [], passed: [] }, me, diceOf(seed, question.id))![0]!;
    },
  };
}

function askingOf(question: Question, { me, terms }: SeatView): Asking {
  const { id, verb, pick, until, final, maxChars } = question;
  const open = { ...question, answers: [], passed: [] };
  const all = verb === 'say' ? wordsFor(open, me) : optionsFor(question, me);
  const options = all.map((is) => ({ is, named: is.startsWith('seat:') ? terms.names[seatOf(is)]! : is }));
  return { id, verb, pick, until, final, maxChars, options };
}

const noModel = () => Promise.reject(new Error('there is no model here'));

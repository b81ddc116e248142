import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { brief } from '@maw/games/aiwolf/narration.ts';
import { wordsFor } from '@maw/games/aiwolf/turns.ts';
import { play } from '@maw/games/kernel/play.ts';
import { type Instant, optionsFor, phaseOf, type Question, seatOf } from '@maw/games/kernel/question.ts';
import { match } from '@maw/games/match/match.ts';
import { toldOf } from '@maw/minds/arena/tape.ts';
import type { Asking, Moment, Recipe } from '@maw/minds/mind.ts';
import { type News, newsFromEvent, type OpenVerbs, updateVerbs } from '@maw/minds/news.ts';
import type { Terms } from '../notice.ts';
import type { SeatEvent, SeatView } from '../seat-view.ts';

/** Turns what the seat has seen into news for minds, one after another: with sentences, which models read, or without. */
export function createNewsReader({ terms: { names, options } }: SeatView, hasText: boolean) {
  const tell = hasText ? createTeller(names, options) : () => undefined;
  let verbs: OpenVerbs = {};
  let count = 0;
  return (event: SeatEvent, at: Instant): News => {
    const entry = { n: ++count, at, event: event as NonNullable<News['event']> };
    verbs = updateVerbs(verbs, entry);
    const told = tell(event);
    return newsFromEvent({ ...entry, ...told }, { names, verbs, isRead: told === undefined });
  };
}

/** The sentences about one event after another; undefined where the seat was not asked what others have answered. */
function createTeller(names: readonly string[], options: Terms['options']) {
  const rules = match(aiwolf.rules(names.length, options));
  const game = play(rules);
  let position = game.begin();
  return (event: SeatEvent) => {
    const { open } = position;
    const forAll = game.see(position, event, 'audience') as News['event'];
    position = game.evolve(position, event);
    const isOfNoQuestion = 'question' in event && typeof event.question === 'string' && !open.some(({ id }) => id === event.question);
    return isOfNoQuestion ? undefined : toldOf(rules, names, { event: event as NonNullable<News['event']>, forAll, open });
  };
}

/** What the minds of a seat share. */
export interface SeatMindTerms {
  readonly view: SeatView;
  /** Of the game. */
  readonly seed: string;
  /** Their text is for models only. */
  readonly rules: Moment['rules'];
  /** Is told of a step or a model that failed. */
  readonly onFailure: (error: string) => void;
}

/** What a mind knows when it thinks. */
interface Thinking {
  readonly recipe: Recipe;
  readonly news: readonly News[];
  /** How often it has thought about this question before. */
  readonly iteration: number;
  readonly now: Instant;
}

/** The moment in which a mind thinks about a question. */
export function momentOf({ view, seed, rules }: SeatMindTerms, question: Question, { recipe, news, iteration, now }: Thinking): Moment {
  const { me, terms, game } = view;
  return {
    recipe: recipe.name,
    table: seed,
    seat: me,
    name: terms.names[me]!,
    now,
    until: question.final ? now + terms.limitMs : question.until,
    phase: phaseOf(question.id),
    round: 1,
    iteration,
    questions: [askingOf(question, view)],
    standing: {},
    news,
    refused: [],
    brief: recipe.usesModel ? brief(game, me, terms.names) : '', // only models read it
    rules,
    players: terms.names.map((name, seat) => ({ seat, name, alive: game.living.includes(seat) })),
    seed: `${seed}/${me}`,
    isTimeShort: false,
    mustChoose: false,
    contextTokens: recipe.contextTokens,
  };
}

function askingOf(question: Question, { me, terms }: SeatView): Asking {
  const { id, verb, pick, until, final, maxChars, room } = question;
  const open = { ...question, answers: [], passed: [] };
  const all = verb === 'say' ? wordsFor(open, me) : optionsFor(question, me);
  const options = all.map((is) => ({ is, named: is.startsWith('seat:') ? terms.names[seatOf(is)]! : is }));
  return { id, verb, pick, until, final, maxChars, options, ...(room === undefined ? {} : { room: `${phaseOf(id)}/${room}` }) };
}

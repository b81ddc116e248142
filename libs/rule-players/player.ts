import { catalogue } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Instant } from '@maw/games/kernel/question.ts';
import { aiwolfStrategy } from './aiwolf/aiwolf.ts';
import { avalonStrategy } from './avalon/avalon.ts';
import { type Clock, drawn, heardBy, isDue, type Rhythm } from './conversation/clock.ts';
import { banter } from './conversation/small-talk.ts';
import { converse, isPublicTalk } from './conversation/converse.ts';
import { type Hearing, isAddressed, linesIn, listen, newHearing } from './conversation/hearing.ts';
import { type Book, voiceOf } from './conversation/voice.ts';
import { english, japanese, type Language } from './conversation/wording.ts';
import { mawStrategy } from './maw/maw.ts';
import type { Answer, Moment } from './moment.ts';
import { onuwStrategy } from './onuw/onuw.ts';
import { commonDice } from './shared/choosing.ts';
import type { AnyStrategy, Tactic } from './strategy.ts';
import { werewolf7Strategy } from './werewolf-7/werewolf-7.ts';

/** The strategies by rule set. Adding one is one folder and one line. */
const strategies: { readonly [rules: string]: AnyStrategy } = {
  'maw': mawStrategy,
  'avalon': avalonStrategy,
  'aiwolf': aiwolfStrategy,
  'werewolf-7': werewolf7Strategy,
  'onuw': onuwStrategy,
};

/** What they say, with banter. */
const books: { readonly [rules: string]: Book } = Object.fromEntries(
  Object.entries(strategies).map(([name, { book }]) => [name, { ...book, ...banter }]),
);

/** What a player without a model remembers; JSON. Nothing before its first news. */
export interface Memory {
  /** What its strategy knows of the game. */
  readonly rules?: unknown;
  readonly hearing?: Hearing;
  /** When it speaks where everybody does when they like. */
  readonly clock?: Clock | undefined;
}

/** Takes in the news: counts votes, claims and results. @throws Error as `strategyFor` */
export function takeIn({ rules, hearing = newHearing }: Memory, moment: Moment): Required<Omit<Memory, 'clock'>> {
  const strategy = strategyFor(moment);
  const known = moment.news.reduce((state, news) => strategy.fold(state, news, moment), rules ?? strategy.begin());
  return { rules: known, hearing: listen(hearing, moment, strategy.earsAt?.(known) ?? strategy) };
}

/** A belief over all assignments of roles, by Bayes' rule. @throws Error as `strategyFor` */
export const believe = ({ rules }: Memory, moment: Moment): { readonly [about: string]: unknown } =>
  strategyFor(moment).believe(rules, moment);

/** How it acts. */
export interface Manner {
  /** The language of its sentences, where the game has them in it. */
  readonly language: Language;
  /** How to speak, in games whose strategy knows tactics. Absent: as it thinks fit. */
  readonly tactic?: Tactic | undefined;
}

/** What it does. */
export interface Deed {
  readonly answers: readonly Answer[];
  readonly memory: Memory;
  /** When it wants to speak next, where people sit at the table and everybody speaks when they like. */
  readonly due?: Instant | null | undefined;
}

/**
 * Acts on its beliefs. In free talk a clock says when it speaks; where people sit, it reads what it has just heard before it votes.
 * @throws Error as `strategyFor`
 */
export function act(
  { rules, hearing = newHearing, clock: before }: Memory,
  beliefs: { readonly [about: string]: unknown },
  moment: Moment,
  manner: Manner,
): Deed {
  const asking = moment.questions.find((one) => isPublicTalk(one) && !one.final);
  if (!asking) return performed({ rules, hearing, clock: undefined }, beliefs, moment, manner);
  const { phase, seat, seed, players, isTimeShort, iteration } = moment;
  const living = players.filter(({ alive }) => alive).length;
  const { isForPeople } = hearing;
  const lines = linesIn(hearing, phase);
  const isLull = commonDice(moment.table, `${phase}/${lines.all}/lull`).below(LULLS) === 0;
  const rhythm = isForPeople ? peopleAt(living, isLull) : machinesAt(living);
  const now = { seed, seat, now: isForPeople ? moment.now : iteration };
  const clock = heardBy(before, { phase, all: lines.all, own: lines.of(seat), isNamed: isAddressed(hearing, seat, players) }, now, rhythm);
  const hasHeard = isForPeople && moment.news.some(({ by }) => by !== undefined && by !== seat);
  const isPast = isDue(clock, now.now);
  const isTurn = isPast && !hasHeard;
  const mayVote = !hasHeard || isTimeShort;
  const questions = moment.questions.filter(({ id, verb }) => (id === asking.id ? isTurn : mayVote || verb !== 'choose'));
  const done = performed({ rules, hearing, clock }, beliefs, { ...moment, questions }, manner);
  const spoken = isTurn ? { own: clock.own + 1, all: clock.all + 1, isNamed: false } : {};
  const next = isPast ? drawn({ ...clock, ...spoken }, now, rhythm) : clock;
  const kept = { ...next, own: clock.own, all: clock.all };
  return { ...done, memory: { ...done.memory, clock: kept }, due: isForPeople ? kept.due : undefined };
}

/** Lines a minute of a table of people: in 35 days of 14 games 3.5 and 0.9 for each who lives, from 5.4 to 10.6 for most. */
const linesAMinute = (n: number): number => Math.min(10.6, Math.max(5.4, 3.5 + 0.9 * n));
/** While a line is read nobody speaks, so between two of them they are quicker. */
const HASTE = 4;
/** After one line of so many nobody knows what to say: the whole table is so many times slower. */
const LULLS = 6;
const LULL = 18;
/** The rhythm where people sit, in milliseconds. */
const peopleAt = (n: number, isLull: boolean): Rhythm => {
  const mean = (n * 60_000) / (HASTE * linesAMinute(n));
  return { n, mean: isLull ? LULL * mean : mean, addressedFactor: 6 };
};
/** The rhythm elsewhere, in thoughts: their number in a day does not depend on its length. */
const machinesAt = (n: number): Rhythm => ({ n, mean: 0.5, addressedFactor: 3 });

/** Answers the questions of a moment. */
function performed(
  { rules, hearing = newHearing, clock }: Memory,
  beliefs: { readonly [about: string]: unknown },
  moment: Moment,
  { language, tactic }: Manner,
): Deed {
  if (!moment.questions.length) return { answers: [], memory: { rules, hearing, clock } };
  const strategy = strategyFor(moment);
  const asked = moment.questions.map(({ id }) => id).join(' ');
  const dice = diceOf(moment.seed, `${moment.seat}/${asked}/${moment.iteration}/rules`);
  const [book, wording] = language === 'ja' && strategy.japanese ? [strategy.japanese, japanese] : [books[moment.rules.name]!, english];
  const isPlain = moment.questions.some(({ verb, maxChars }) => verb === 'say' && maxChars < wording.roomy);
  const voice = voiceOf(book, moment, [...hearing.own, ...hearing.texts, ...hearing.own.slice(-1)], isPlain);
  const { answers, known, opinion } = strategy.act(rules, beliefs, moment, dice, { voice, wording, hearing, tactic });
  if (!opinion) return { answers, memory: { rules: known, hearing, clock } };
  const ears = strategy.earsAt?.(known) ?? strategy;
  const said = converse(hearing, moment, answers, { opinion, voice, wording, roles: ears.roles, ears });
  return { answers: said.answers, memory: { rules: known, hearing: said.hearing, clock } };
}

/**
 * The strategy for a moment. Tables larger than the game allows are refused: visiting all assignments of roles could take unbounded time.
 * @throws Error naming the known games, or the largest number of players
 */
function strategyFor({ rules: { name }, players }: Moment): AnyStrategy {
  const strategy = Object.hasOwn(strategies, name) ? strategies[name] : undefined;
  if (!strategy) throw new Error(`the recipe rules plays ${Object.keys(strategies).join(', ')}, not ${name}`);
  const most = catalogue.find((set) => set.name === name)!.players.most;
  if (players.length > most) throw new Error(`${name} is played by at most ${most}, and ${players.length} are said to be at the table`);
  return strategy;
}

import { catalogue } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { aiwolfStrategy } from './aiwolf/aiwolf.ts';
import { avalonStrategy } from './avalon/avalon.ts';
import { converse } from './conversation/converse.ts';
import { type Hearing, listen, newHearing } from './conversation/hearing.ts';
import { voiceOf } from './conversation/voice.ts';
import { english, japanese, type Language } from './conversation/wording.ts';
import { mawStrategy } from './maw/maw.ts';
import type { Answer, Moment } from './moment.ts';
import { onuwStrategy } from './onuw/onuw.ts';
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

/** What a player without a model remembers; JSON. Nothing before its first news. */
export interface Memory {
  /** What its strategy knows of the game. */
  readonly rules?: unknown;
  readonly hearing?: Hearing;
}

/** Takes in the news: counts votes, claims and results. @throws Error as `strategyFor` */
export function takeIn({ rules, hearing = newHearing }: Memory, moment: Moment): Required<Memory> {
  const strategy = strategyFor(moment);
  const known = moment.news.reduce((state, news) => strategy.fold(state, news, moment), rules ?? strategy.begin());
  return { rules: known, hearing: listen(hearing, moment, strategy) };
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

/** Acts on its beliefs. @throws Error as `strategyFor` */
export function act(
  { rules, hearing = newHearing }: Memory,
  beliefs: { readonly [about: string]: unknown },
  moment: Moment,
  { language, tactic }: Manner,
): { readonly answers: readonly Answer[]; readonly memory: Memory } {
  const strategy = strategyFor(moment);
  const asked = moment.questions.map(({ id }) => id).join(' ');
  const dice = diceOf(moment.seed, `${moment.seat}/${asked}/${moment.iteration}/rules`);
  const [book, wording] = language === 'ja' && strategy.japanese ? [strategy.japanese, japanese] : [strategy.book, english];
  const isPlain = moment.questions.some(({ verb, maxChars }) => verb === 'say' && maxChars < wording.roomy);
  const voice = voiceOf(book, moment, [...hearing.own, ...hearing.texts, ...hearing.own.slice(-1)], isPlain);
  const { answers, known, opinion } = strategy.act(rules, beliefs, moment, dice, { voice, wording, hearing, tactic });
  if (!opinion) return { answers, memory: { rules: known, hearing } };
  const said = converse(hearing, moment, answers, { opinion, voice, wording, roles: strategy.roles, ears: strategy });
  return { answers: said.answers, memory: { rules: known, hearing: said.hearing } };
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

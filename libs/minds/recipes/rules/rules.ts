import { catalogue } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { countDecision } from '../../count-decision.ts';
import type { Mind, Moment, Step } from '../../mind.ts';
import { converse } from './conversation/converse.ts';
import { type Hearing, listen, newHearing } from './conversation/hearing.ts';
import { japanese } from './conversation/japanese/wording.ts';
import { voiceOf } from './conversation/voice.ts';
import { english, type Language } from './conversation/wording.ts';
import { aiwolfStrategy } from './aiwolf/aiwolf.ts';
import { avalonStrategy } from './avalon/avalon.ts';
import { plannedTactic } from '../onuw/tactics.ts';
import { mawStrategy } from './maw/maw.ts';
import { onuwStrategy } from './onuw/onuw.ts';
import type { AnyStrategy } from './strategy.ts';
import { werewolf7Strategy } from './werewolf-7/werewolf-7.ts';

/** The strategies by rule set. Adding one is one folder and one line. */
const strategies: { readonly [rules: string]: AnyStrategy } = {
  'maw': mawStrategy,
  'avalon': avalonStrategy,
  'aiwolf': aiwolfStrategy,
  'werewolf-7': werewolf7Strategy,
  'onuw': onuwStrategy,
};

type RulesStep = Omit<Step, 'name'>;

/** The steps of a player without a model: counts votes and claims, computes beliefs by Bayes' rule, and acts on them. */
export const rulesSteps = {
  record: {
    kind: 'observe',
    async run(mind, moment) {
      const strategy = strategyFor(moment);
      const known = moment.news.reduce((state, news) => strategy.fold(state, news, moment), knownOf(mind, strategy));
      const hearing = listen(hearingOf(mind), moment, strategy.gist);
      return { notes: { ...mind.notes, rules: known, hearing } };
    },
    shows: () => ({}),
  },
  believe: {
    kind: 'believe',
    chain: 0,
    run: async (mind, moment) => ({ beliefs: strategyFor(moment).believe(mind.notes['rules'], moment) }),
    shows: (before, { beliefs }) => (JSON.stringify(beliefs) === JSON.stringify(before.beliefs) ? {} : { beliefs }),
  },
  act: (language: Language) => ({
    kind: 'act',
    chain: 0,
    async run(mind, moment) {
      const asked = moment.questions.map(({ id }) => id).join(' ');
      const dice = diceOf(moment.seed, `${moment.seat}/${asked}/${moment.iteration}/rules`);
      const strategy = strategyFor(moment);
      const before = hearingOf(mind);
      const [book, wording] = language === 'ja' && strategy.japanese ? [strategy.japanese, japanese] : [strategy.book, english];
      const isPlain = moment.questions.some(({ verb, maxChars }) => verb === 'say' && maxChars < wording.roomy);
      const voice = voiceOf(book, moment, [...before.own, ...before.texts, ...before.own.slice(-1)], isPlain);
      const {
        answers: planned,
        known,
        opinion,
      } = strategy.act(mind.notes['rules'], mind.beliefs, moment, dice, { voice, wording, hearing: before, tactic: plannedTactic(mind) });
      const silent = { answers: planned, hearing: before };
      const { answers, hearing } = opinion ? converse(before, moment, planned, { opinion, voice, wording, roles: strategy.roles }) : silent;
      if (answers.length) countDecision(moment, 'none', 'valid');
      return { answers, notes: { ...mind.notes, rules: known, hearing } };
    },
    shows: (_, { answers }) => (answers.length ? { answers } : {}),
  }),
} satisfies { readonly [step: string]: RulesStep | ((language: Language) => RulesStep) };

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

const hearingOf = ({ notes }: Mind): Hearing => (notes['hearing'] as Hearing | undefined) ?? newHearing;
const knownOf = ({ notes }: Mind, strategy: AnyStrategy): unknown => notes['rules'] ?? strategy.begin();

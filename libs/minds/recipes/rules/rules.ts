import { catalogue } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Mind, Moment, Recipe } from '../../mind.ts';
import { aiwolfStrategy } from './aiwolf/aiwolf.ts';
import { avalonStrategy } from './avalon/avalon.ts';
import { mawStrategy } from './maw/maw.ts';
import { onuwStrategy } from './onuw/onuw.ts';
import type { AnyStrategy } from './strategy.ts';
import { werewolf7Strategy } from './werewolf-7/werewolf-7.ts';

/** The games it can play, by the name of their rule set. Adding one is one folder and one line. */
const parts: { readonly [rules: string]: AnyStrategy } = {
  'maw': mawStrategy,
  'avalon': avalonStrategy,
  'aiwolf': aiwolfStrategy,
  'werewolf-7': werewolf7Strategy,
  'onuw': onuwStrategy,
};

/** A player without a model: counts votes and claims, keeps a belief table by Bayes' rule, and acts on it. */
export const rules: Recipe = {
  name: 'rules',
  description: 'No model at all: a belief table by Bayes’ rule over all role assignments, and plain rules of play.',
  usesModel: false,
  contextTokens: 0,
  steps: [
    {
      kind: 'observe',
      name: 'record',
      async run(mind, moment) {
        const part = partFor(moment);
        const known = moment.news.reduce((state, news) => part.fold(state, news, moment), knownOf(mind, part));
        return moment.news.length || mind.notes['rules'] === undefined ? { notes: { ...mind.notes, rules: known } } : {};
      },
      shows: () => ({}),
    },
    {
      kind: 'believe',
      name: 'bayes',
      run: async (mind, moment) => ({ beliefs: partFor(moment).believe(mind.notes['rules'], moment) }),
      shows: (before, { beliefs }) => (JSON.stringify(beliefs) === JSON.stringify(before.beliefs) ? {} : { beliefs }),
    },
    {
      kind: 'act',
      name: 'by rules',
      async run(mind, moment) {
        const asked = moment.questions.map(({ id }) => id).join(' ');
        const dice = diceOf(moment.seed, `${moment.seat}/${asked}/${moment.iteration}/rules`);
        const { answers, known } = partFor(moment).act(mind.notes['rules'], mind.beliefs, moment, dice);
        if (answers.length) metrics.decisions.inc({ recipe: moment.recipe, model: 'none', outcome: 'valid' });
        return { answers, notes: { ...mind.notes, rules: known } };
      },
      shows: (_, { answers }) => (answers.length ? { answers } : {}),
    },
  ],
};

/**
 * Who goes through all assignments of roles can do so at the tables that the game is played at; at a larger one there may be more of them than
 * memory and time are enough for, and whoever asks the seat says how many sit there.
 * @throws Error naming the games there are, or how many players are too many
 */
function partFor({ rules: { name }, players }: Moment): AnyStrategy {
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (!part) throw new Error(`the recipe rules plays ${Object.keys(parts).join(', ')}, not ${name}`);
  const most = catalogue.find((set) => set.name === name)!.players.most;
  if (players.length > most) throw new Error(`${name} is played by at most ${most}, and ${players.length} are said to be at the table`);
  return part;
}

const knownOf = ({ notes }: Mind, part: AnyStrategy): unknown => notes['rules'] ?? part.begin();

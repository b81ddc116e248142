import { type Observation, labelsFor } from '@maw/learning/observation/observation.ts';
import type { TacticThought } from '@maw/learning/observation/tactic-thought.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { z } from 'zod';
import { kindOfDecision } from '../../decision-kind.ts';
import type { Mind, Moment, Tools } from '../../mind.ts';
import { type RecipePrompt, stepKind } from '../../recipe/step-kind.ts';
import { askAll } from '../../steps/calls.ts';
import { hear, heardOf, labelled } from './hear.ts';
import { nearestTactic, planOf, type Tactic, tacticNames } from './tactics.ts';
import { sanitize } from '../../sanitize.ts';

const parameters = z.strictObject({
  choice: z.enum(['none', 'llm', 'rl', 'random']).describe('Who chooses: nobody, the model, a policy or the dice'),
  prompt: z.string().optional().describe('The prompt file of the model; {{tactics}} are the names with their meaning'),
  temperature: z.number().min(0).max(2).default(1),
  maxTokens: z.int().min(1).default(1000).describe('Tokens of the reply'),
  policy: z.string().default('').describe('The policy that chooses with rl: NAME@VERSION'),
  games: z.array(z.string()).optional().describe('The rule sets in which a tactic is chosen; absent: all'),
});
type Parameters = z.output<typeof parameters>;

/** The name is taken for the nearest tactic, so any text is valid. */
const reply = z.object({ thought: z.string().max(1000), strategy: z.string().max(100) });
const format = {
  type: 'object',
  properties: { thought: { type: 'string', maxLength: 1000 }, strategy: { type: 'string', enum: tacticNames } },
  required: ['thought', 'strategy'],
  additionalProperties: false,
};

type Choice = Omit<TacticThought, 'observation' | 'tactic'> & { readonly tactic: Tactic };

/** The choice that the thought of the step records. */
const NOTE = 'tacticChoice';

/** Chooses one of six discussion tactics as the plan for a speech (document 004, section 5.2). */
export const tacticKind = stepKind({
  step: 'tactic',
  description: 'Chooses one of the six discussion tactics of document 004 as the plan of a speech.',
  parameters,
  create(given, setup) {
    const { choice, prompt, games } = given;
    if (choice === 'llm' && prompt === undefined) throw new Error('prompt: a model needs one to choose a tactic');
    const file = prompt === undefined ? undefined : setup.prompt(prompt, ['tactics']);
    return {
      kind: 'plan',
      chain: choice === 'llm' ? 1 : 0,
      async run(mind, moment, tools) {
        if (choice === 'none' || kindOfDecision(moment) !== 'talk' || games?.includes(moment.rules.name) === false)
          return withoutChoice(mind);
        const observation = observationOf(mind, moment);
        const chosen = await choose(given, { name: setup.name, file, mind, moment, tools, observation });
        if (!chosen) return withoutChoice(mind);
        return { plan: planOf(chosen.tactic), notes: { ...mind.notes, [NOTE]: { ...chosen, observation } satisfies TacticThought } };
      },
      shows: (_, { plan, notes }) => (notes[NOTE] === undefined ? {} : { plan, choice: notes[NOTE] }),
    };
  },
});

/** A choice of a decision before is none of this one. */
const withoutChoice = ({ notes: { [NOTE]: before, ...notes } }: Mind): Partial<Mind> => (before === undefined ? {} : { notes });

interface Asked {
  readonly name: string;
  readonly file: RecipePrompt | undefined;
  readonly mind: Mind;
  readonly moment: Moment;
  readonly tools: Tools;
  readonly observation: Observation;
}

async function choose({ choice, temperature, maxTokens, policy }: Parameters, asked: Asked): Promise<Choice | undefined> {
  const { name, file, mind, moment, tools, observation } = asked;
  switch (choice) {
    case 'none':
      return undefined;
    case 'random': {
      const dice = diceOf(moment.seed, `${moment.seat}/${moment.phase}/${moment.iteration}/${name}`);
      return { tactic: tacticNames[dice.below(tacticNames.length)]!, by: 'random', probability: 1 / tacticNames.length };
    }
    case 'rl': {
      if (!tools.policy) throw new Error('no policies are kept here');
      const opened = await tools.policy(policy);
      const tactic = await opened.choose(observation, tools);
      return { tactic: tactic as Tactic, by: 'rl', probability: 1, policy: opened.name };
    }
    case 'llm': {
      const messages = file!.messages(mind, moment, { tactics: tacticNames.map(planOf) });
      const [chosen] = await askAll(tools, [{ messages, format, temperature, maxTokens }], reply);
      return chosen && { tactic: nearestTactic(chosen.strategy), by: 'llm' };
    }
  }
}

/** Notes what was said and seen, for the choice of tactics. */
export const hearKind = stepKind({
  step: 'hear',
  description: 'Notes what the seat sees and hears with labels for names, for the choice of tactics.',
  parameters: z.strictObject({}),
  create: () => hear,
});

/** What a seat knows when it chooses a tactic: recorded with its choice, and what a policy is asked with. */
export function observationOf(mind: Mind, moment: Moment): Observation {
  const { role, lines, spoken } = heardOf(mind);
  return { role: role || 'unknown', turn: spoken, log: lines, ...beliefIn(mind.beliefs, moment) };
}

/** The belief as likelihoods, or in prose. */
function beliefIn(beliefs: Mind['beliefs'], moment: Moment): Pick<Observation, 'belief' | 'thought'> {
  const { all } = beliefs;
  if (typeof all === 'string') return { thought: labelled(all, moment) };
  const { seat, players } = moment;
  const labels = labelsFor(seat, players.length);
  const fromMe = players.map((_, i) => players[(seat + i) % players.length]!);
  const likelihoods = fromMe.flatMap(({ seat: about, name }) =>
    Object.entries(rolesFor(beliefs, about, name)).flatMap(([role, likelihood]): readonly (readonly [string, number])[] => {
      const rounded = typeof likelihood === 'number' ? Math.min(1, Math.round(likelihood * 1000) / 1000) : 0;
      return rounded > 0 ? [[`${labels[about]}=${role}`, rounded]] : [];
    }),
  );
  return likelihoods.length ? { belief: Object.fromEntries(likelihoods) } : {};
}

/** What is believed of a seat: of the recipe `rules` in a list by seat, of a model in a table by name. */
function rolesFor(beliefs: Mind['beliefs'], seat: number, name: string): object {
  const { cards, [sanitize(name)]: named } = beliefs;
  const found: unknown = Array.isArray(cards) ? cards[seat] : named;
  return typeof found === 'object' && found !== null ? found : {};
}

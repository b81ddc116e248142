import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Instant } from '@maw/games/kernel/question.ts';
import type { Language } from '@maw/rule-players/conversation/wording.ts';
import { act, believe, type Memory, takeIn } from '@maw/rule-players/player.ts';
import { countDecision } from '../count-decision.ts';
import { type Mind, type Moment, PEOPLE_WAIT_MS, type Step } from '../mind.ts';
import { plannedTactic } from './onuw/tactics.ts';

type RulesStep = Omit<Step, 'name'>;

/** The steps of a player without a model. Its memory is in the notes `rules` and `hearing`. */
export const rulesSteps = {
  record: {
    kind: 'observe',
    run: async (mind, moment) => ({ notes: { ...mind.notes, ...takeIn(memoryOf(mind), moment) } }),
    shows: () => ({}),
  },
  believe: {
    kind: 'believe',
    chain: 0,
    run: async (mind, moment) => ({ beliefs: believe(memoryOf(mind), moment) }),
    shows: (before, { beliefs }) => (JSON.stringify(beliefs) === JSON.stringify(before.beliefs) ? {} : { beliefs }),
  },
  act: (language: Language) => ({
    kind: 'act',
    chain: 0,
    async run(mind, moment) {
      const { answers, memory, due } = act(memoryOf(mind), mind.beliefs, moment, { language, tactic: plannedTactic(mind) });
      if (answers.length) countDecision(moment, 'none', 'valid');
      return { answers, notes: { ...mind.notes, ...memory }, pause: due == null ? undefined : pauseUntil(due, moment) };
    },
    shows: (_, { answers }) => (answers.length ? { answers } : {}),
  }),
} satisfies { readonly [step: string]: RulesStep | ((language: Language) => RulesStep) };

/** Until it wants to speak; before, it looks at the votes once in a while. */
function pauseUntil(due: Instant, { seed, seat, phase, iteration, now }: Moment): number {
  const look = diceOf(seed, `${seat}/${phase}/${iteration}/look`).below(PEOPLE_WAIT_MS);
  return Math.max(0, Math.min(look, due - now)) / PEOPLE_WAIT_MS;
}

const memoryOf = ({ notes }: Mind): Memory => notes;

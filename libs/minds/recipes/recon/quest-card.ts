import { z } from 'zod';
import { kindOfDecision } from '../../decision-kind.ts';
import { sideOf } from '@maw/games/roles.ts';
import { ownRole } from '../../own-role.ts';
import { stepKind } from '../../recipe/step-kind.ts';

/** A good player's quest card is no decision: success. The steps that need the note `floor` are not run then. */
export const questCardKind = stepKind({
  step: 'good-quest-card',
  description: 'Plays the success card of a good player without asking the model.',
  parameters: z.strictObject({}),
  create: () => ({
    kind: 'plan',
    chain: 0,
    async run(mind, moment) {
      const [asking] = moment.questions;
      const isGood = sideOf(ownRole(mind), moment.rules.name) === 'good';
      if (!asking || !isGood || kindOfDecision(moment) !== 'quest-card') return {};
      return { answers: [{ question: asking.id, says: ['success'] }], notes: { ...mind.notes, floor: '' } };
    },
    shows: (before, { answers }) => (answers === before.answers ? {} : { answers }),
  }),
});

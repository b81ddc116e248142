import { z } from 'zod';
import { schemaOf } from '../../prompts/json-schema.ts';
import type { Mind, Moment } from '../../mind.ts';
import { rolesIn } from '@maw/games/roles.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { sanitize } from '../../sanitize.ts';
import { askAll } from '../../steps/calls.ts';

const parameters = z.strictObject({
  prompt: z.string().describe('The prompt file'),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1).describe('Tokens of the reply'),
});

function replyShape({ players, rules }: Moment) {
  const player = z.enum(players.map(({ name }) => sanitize(name)) as [string, ...string[]]);
  const role = z.enum(rolesIn(rules) as [string, ...string[]]);
  const entry = z.object({ player, role, probability: z.number().min(0).max(1) });
  return z.object({ thought: z.string().max(2000), roles: z.array(entry).min(1).max(100) });
}

/** A belief as probabilities: one table row per player, which sums to 1. */
export const beliefTableKind = stepKind({
  step: 'belief-table',
  description: 'Asks the model for the probability of each role of each player.',
  parameters,
  create({ prompt, temperature, maxTokens }, setup) {
    const file = setup.prompt(prompt);
    return {
      kind: 'believe',
      chain: 1,
      async run(mind, moment, tools) {
        const shape = replyShape(moment);
        const format = schemaOf(shape);
        const [reply] = await askAll(tools, [{ messages: file.messages(mind, moment), format, temperature, maxTokens }], shape);
        return reply ? { beliefs: normalized(reply.roles) } : {};
      },
    };
  },
});

interface Entry {
  readonly player: string;
  readonly role: string;
  readonly probability: number;
}

/** The probabilities by player and role. A player whose numbers sum to 0 is left out. */
export function normalized(entries: readonly Entry[]): Mind['beliefs'] {
  const rows = Object.groupBy(entries, ({ player }) => player);
  return Object.fromEntries(
    Object.entries(rows).flatMap(([player, row = []]) => {
      const sum = row.reduce((total, { probability }) => total + probability, 0);
      const shares: { [role: string]: number } = {};
      for (const { role, probability } of row) shares[role] = (shares[role] ?? 0) + probability / sum;
      return sum > 0 ? [[player, shares]] : [];
    }),
  );
}

import { diceOf } from '@maw/games/kernel/dice.ts';
import { TACTICS_004 } from './tactics.ts';
import { createNetwork } from '../network/network.ts';
import { formatPolicy } from './policy.ts';

/** A stored policy that always chooses one tactic, the rest of its card as given. */
export function policyFile(always: string, card: object = {}, tactics: readonly string[] = TACTICS_004) {
  const network = createNetwork([16, 4, tactics.length], diceOf('policy', 'file'));
  network.parameters.fill(0).subarray(-tactics.length)[tactics.indexOf(always)] = 1;
  const formatted = formatPolicy([network], {
    encoder: 'hashed-ngrams-1:16:0',
    tactics: [...tactics],
    quantiles: 1,
    training: { method: 'q-learning', rho: 0.1 },
    data: { source: 'by hand', sha256: '0', choices: 2 },
  });
  return { card: { ...formatted.card, ...card }, weights: Buffer.from(formatted.weights).toString('base64') };
}

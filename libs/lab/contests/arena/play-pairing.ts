import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { MindError, playGame } from '@maw/minds/arena/arena.ts';
import type { Recipe, Tools } from '@maw/minds/mind.ts';
import { recipeOf } from '../agent-recipe.ts';
import { collectResult } from '../collect-result.ts';
import { seatsOf } from '../deal.ts';
import type { Contest } from '../definition.ts';
import type { Pairing } from '../schedules/plan.ts';
import type { PairingResult } from '../result.ts';
import type { SeatFault } from '../tape-faults.ts';

/** A game is deterministic, so a mind that fails twice in it fails always. */
const MAX_ATTEMPTS = 2;

/** Plays pairings in this thread, with minds that need no model. */
export function pairingPlayer(contest: Contest, recipes: readonly Recipe[], policy?: Tools['policy']) {
  const byName = new Map(contest.agents.map((agent) => [agent.name, recipeOf(agent, recipes)]));
  return async (pairing: Pairing, onThought: (seat: number | undefined) => void): Promise<PairingResult> => {
    const game = contest.games[pairing.game]!;
    const bySeat = pairing.agents.map((name) => byName.get(name)!);
    for (let attempt = 1; ; attempt++) {
      const extra = { attempt, keepsRecords: contest.measures };
      try {
        const { tape, refused } = await playGame({
          rules: ruleSetNamed(game.rules),
          players: seatsOf(game),
          options: game.options,
          seed: pairing.seed,
          rounds: pairing.rounds,
          recipeFor: (seat) => bySeat[seat]!,
          onThought,
          ...(policy ? { policy } : {}),
        });
        return collectResult(contest, pairing, tape, { ...extra, faults: refusedFaults(refused) });
      } catch (error) {
        if (!(error instanceof MindError)) throw new Error(`pairing ${pairing.number}: ${(error as Error).message}`, { cause: error });
        if (attempt < MAX_ATTEMPTS) continue;
        const { seat, tape, message } = error;
        const faults: readonly SeatFault[] = [{ seat, kind: 'crashed', times: 1 }];
        return collectResult(contest, pairing, tape, { ...extra, faults, void: { why: message, culprit: pairing.agents[seat]! } });
      }
    }
  };
}

const refusedFaults = (refused: readonly number[]): readonly SeatFault[] =>
  refused.map((times, seat) => ({ seat, kind: 'invalid', times }));

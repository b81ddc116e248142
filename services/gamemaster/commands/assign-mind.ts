import type { Message } from '@maw/contracts/contracts.ts';
import { omitUndefined } from '@maw/contracts/omit-undefined.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import { assignMind } from '@maw/games/match/operate.ts';
import type { SeatPlan } from '@maw/games/match/state.ts';
import { type CommandContext, decide } from './decide.ts';
import { parametersOf, type PlanDeps, withVersions } from './seat-plan.ts';

/** Gives a seat another recipe, parameters or model. Its decision under way ends as it began. @throws Refusal bad-option */
export async function assign(context: CommandContext, message: Message<'table.assign'>, deps: PlanDeps): Promise<Reply | void> {
  const { seat, ...given } = message.data;
  if (!Object.values(given).some((value) => value !== undefined)) throw new Refusal('bad-option', 'give a recipe, parameters or a model');
  const { standing } = (await context.tables.load(message.subject)).state;
  const plan = planOf(standing.game.opening.seats[seat], given);
  const mind = await withVersions({ ...plan, ...parametersOf(plan, '', deps) }, '', deps);
  return decide(
    context,
    message,
    ({ state }) => assignMind(state.standing.game, seat, mind),
    () => ({ performative: 'agree', data: { seat } }),
  );
}

type Mind = Pick<SeatPlan, 'recipe' | 'parameters' | 'model'>;

/** What is given, and what stays: another recipe has parameters of its own. */
function planOf(before: Mind = {}, given: Omit<Message<'table.assign'>['data'], 'seat'>): Mind {
  const { recipe = before.recipe, model = before.model } = given;
  const parameters = given.parameters ?? (recipe === before.recipe ? before.parameters : undefined);
  return omitUndefined({ recipe, parameters, model });
}

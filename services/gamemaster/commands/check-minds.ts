import type { Data, ReplyData } from '@maw/contracts/contracts.ts';
import type { SeatPlan } from '@maw/games/match/state.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import { parametersOf, type PlanDeps, withVersions } from './seat-plan.ts';

/** Which minds a table would be refused for, and why. */
export async function checkMinds(
  minds: Data<'table.check'>['minds'],
  deps: PlanDeps,
): Promise<ReplyData<'table.check'>['mistakes'][number][]> {
  const found = await Promise.all(minds.map((mind) => mistakeOf(mind, deps)));
  return found.flatMap((says, mind) => (says === undefined ? [] : [{ mind, says }]));
}

async function mistakeOf(mind: Data<'table.check'>['minds'][number], deps: PlanDeps): Promise<string | undefined> {
  try {
    const plan = mind as Omit<SeatPlan, 'kind'>;
    await withVersions({ ...plan, ...parametersOf(mind, '', deps) }, '', deps);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.detail;
    throw error;
  }
}

import { policiesIn } from '@maw/lab/contests/agent-recipe.ts';
import type { Contest } from '@maw/lab/contests/definition.ts';
import { loadPolicies, type PolicyFiles } from '@maw/learning/policy/served-policy.ts';
import { loadPolicy } from '@maw/store/find-version.ts';
import type { ContestContext } from './running-contest.ts';

/** The policies that the agents of a contest name. @throws Error that says which is missing, or what is wrong with it */
export const policiesFor = ({ store, recipes }: ContestContext, contest: Contest): Promise<PolicyFiles> =>
  loadPolicies(policiesIn(contest, recipes).keys(), (wanted) => loadPolicy(store.policies, wanted));

/** Why agents cannot be given the policies that they name, by agent. */
export async function policyMistakes({ store, recipes }: ContestContext, contest: Contest): Promise<readonly string[]> {
  const mistakes: string[] = [];
  for (const [policy, agents] of policiesIn(contest, recipes)) {
    const says = await loadPolicies([policy], (wanted) => loadPolicy(store.policies, wanted)).then(
      () => undefined,
      (error: Error) => error.message,
    );
    if (says !== undefined) mistakes.push(...agents.map((i) => `agents.${i}: ${contest.agents[i]!.name}: parameters.policy: ${says}`));
  }
  return mistakes;
}

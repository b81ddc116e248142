import { createHash } from 'node:crypto';
import type { Agent, Contest } from './definition.ts';

/**
 * What an agent is, whatever its name: its recipe, its model and all its parameters, among them versions of pools and strategies. Agents that
 * `readContest` returns have every parameter.
 */
export const agentHash = (agent: Agent): string => createHash('sha256').update(JSON.stringify(partsOf(agent))).digest('hex').slice(0, 16); // prettier-ignore

const partsOf = ({ recipe, model, parameters = {} }: Agent): readonly (readonly [string, string | number | boolean])[] => [
  ['recipe', recipe],
  ['model', model ?? 'the default'],
  ...Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1)),
];

/**
 * Why a contest cannot go on as another file has it; empty when it can. Its texts, prices, limit of cost and tables at once may change, and
 * it may get longer.
 * @param begun as it was opened
 * @param now as the file has it now; both from `readContest`
 */
export function resumeMistakes(begun: Contest, now: Contest): readonly string[] {
  const mistakes: string[] = [];
  for (const agent of begun.agents) {
    const other = now.agents.find(({ name }) => name === agent.name);
    if (!other) mistakes.push(`the agent ${agent.name} is gone; put it back, or give the contest another name`);
    else if (agentHash(other) !== agentHash(agent)) mistakes.push(changedText(agent, other));
  }
  if (!mistakes.length && JSON.stringify(namesOf(begun)) !== JSON.stringify(namesOf(now)))
    mistakes.push('agents were added or stand in another order: put them back as they were, or give the contest another name');
  for (const part of ['games', 'seed', 'measures', 'play'] as const)
    if (JSON.stringify(begun[part]) !== JSON.stringify(now[part]))
      mistakes.push(
        `${part}: ${JSON.stringify(now[part])} is not what the contest was begun with, ${JSON.stringify(begun[part])}; ${REMEDY}`,
      );
  if (JSON.stringify(begun.stopping.sprt) !== JSON.stringify(now.stopping.sprt))
    mistakes.push(`stopping.sprt has changed: a test whose terms change while it runs says nothing; ${REMEDY}`);
  mistakes.push(...scheduleMistakes(begun.schedule, now.schedule));
  return mistakes;
}

const REMEDY = 'put it back, or give the contest another name';
const namesOf = ({ agents }: Contest): readonly string[] => agents.map(({ name }) => name);

/** The number that makes a schedule longer without changing what is planned already. */
const LENGTHS: readonly string[] = ['deals', 'sets', 'final'];

function scheduleMistakes(begun: Contest['schedule'], now: Contest['schedule']): readonly string[] {
  if (now.kind !== begun.kind) return [`schedule.kind was ${begun.kind} when the contest was begun, and is ${now.kind}; ${REMEDY}`];
  const later = new Map(Object.entries(now));
  const changed = Object.entries(begun).filter(([part, value]) => {
    const other = later.get(part);
    return LENGTHS.includes(part) ? !(Number(other) >= Number(value)) : JSON.stringify(other) !== JSON.stringify(value);
  });
  return changed.map(([part, value]) =>
    LENGTHS.includes(part)
      ? `schedule.${part}: it was ${value} and may only grow, not be ${later.get(part)}; ${REMEDY}`
      : `schedule.${part} was ${JSON.stringify(value)} when the contest was begun; ${REMEDY}`,
  );
}

function changedText(before: Agent, now: Agent): string {
  const old = new Map(partsOf(before));
  const other = new Map(partsOf(now));
  const differences = [...new Set([...old.keys(), ...other.keys()])].flatMap((part) =>
    old.get(part) === other.get(part) ? [] : [`${part} was ${old.get(part) ?? 'absent'} and is ${other.get(part) ?? 'absent'}`],
  );
  return `the agent ${now.name} has changed since the contest was begun (${differences.join(', ')}); ${REMEDY}`;
}

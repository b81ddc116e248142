import { PLANTED_FAULTS, type PlantedFaultName } from './planted-faults.ts';
import { SCENARIOS } from './scenarios.ts';
import { begunBy, simulate } from './simulation.ts';

/** A run as data, enough to reproduce it. After its steps everything continues by itself until it is quiet. */
export interface Schedule {
  readonly scenario: string;
  readonly plant?: string;
  readonly steps: readonly string[];
}

/** One line of JSON. */
export const printed = (schedule: Schedule): string => JSON.stringify(schedule);

/** @throws Error when it is not a schedule */
export function readSchedule(text: string): Schedule {
  const { scenario, plant, steps } = parsed(text);
  if (typeof scenario !== 'string' || !Array.isArray(steps) || !steps.every((step) => typeof step === 'string'))
    throw new Error('a schedule is {"scenario": NAME, "steps": [...]}, as a failure prints it');
  return { scenario, steps, ...(plant === undefined ? {} : { plant }) };
}

function parsed(text: string): Partial<Schedule> {
  try {
    return (JSON.parse(text) as Partial<Schedule> | null) ?? {};
  } catch {
    return {};
  }
}

/**
 * Runs a schedule. Returns the violation; undefined when there is none.
 * @throws Error for an unknown scenario or plant, or for an impossible step: the schedule belongs to other code
 */
export async function replay({ scenario: name, plant, steps }: Schedule): Promise<string | undefined> {
  const scenario = SCENARIOS.find((one) => one.name === name);
  if (!scenario) throw new Error(`there is no scenario ${name}; there are ${SCENARIOS.map((one) => one.name).join(', ')}`);
  if (plant !== undefined && !Object.hasOwn(PLANTED_FAULTS, plant))
    throw new Error(`there is no plant ${plant}; there are ${Object.keys(PLANTED_FAULTS).join(', ')}`);
  const world = await simulate(
    scenario,
    await begunBy(scenario),
    plant === undefined ? undefined : PLANTED_FAULTS[plant as PlantedFaultName].plant,
  );
  for (const [i, step] of steps.entries()) {
    const choices = world.choices();
    const choice = choices.find(({ label }) => label === step);
    if (!choice)
      throw new Error(`step ${i + 1}, ${step}, is not possible: it could be ${choices.map(({ label }) => label).join(', ') || 'nothing'}`);
    await world.take(choice);
    if (world.violation) return world.violation;
  }
  await world.close();
  return world.violation;
}

import { labelsFor, type Observation } from '@maw/learning/observation/observation.ts';
import type { Mind, Moment } from '../../mind.ts';
import { sanitize } from '../../sanitize.ts';
import { heardOf, labelled } from './hear.ts';

/** What a seat knows when it chooses a tactic: recorded with its choice, and what a policy is asked with. */
export function observationOf(mind: Mind, moment: Moment): Observation {
  const { role, lines, spoken } = heardOf(mind);
  return { role: role || 'unknown', turn: spoken, log: lines, ...beliefIn(mind.beliefs, moment) };
}

/** The belief as likelihoods, or in prose. */
function beliefIn(beliefs: Mind['beliefs'], moment: Moment): Pick<Observation, 'belief' | 'thought'> {
  const { all } = beliefs;
  if (typeof all === 'string') return { thought: labelled(all, moment) };
  const { seat, players } = moment;
  const labels = labelsFor(seat, players.length);
  const fromMe = players.map((_, i) => players[(seat + i) % players.length]!);
  const likelihoods = fromMe.flatMap(({ seat: about, name }) =>
    Object.entries(rolesFor(beliefs, about, name)).flatMap(([role, likelihood]): readonly (readonly [string, number])[] => {
      const rounded = typeof likelihood === 'number' ? Math.min(1, Math.round(likelihood * 1000) / 1000) : 0;
      return rounded > 0 ? [[`${labels[about]}=${role}`, rounded]] : [];
    }),
  );
  return likelihoods.length ? { belief: Object.fromEntries(likelihoods) } : {};
}

/** What is believed of a seat: of the recipe `rules` in a list by seat, of a model in a table by name. */
function rolesFor(beliefs: Mind['beliefs'], seat: number, name: string): object {
  const { cards, [sanitize(name)]: named } = beliefs;
  const found: unknown = Array.isArray(cards) ? cards[seat] : named;
  return typeof found === 'object' && found !== null ? found : {};
}

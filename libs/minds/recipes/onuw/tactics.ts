import { editDistance } from '../../edit-distance.ts';
/** The six discussion tactics of document 004, in its order, with what each asks of a speech. */
export const TACTICS = {
  honest_evidence: 'Give evidence or information that agrees with what you know or believe.',
  deceptive_evidence: 'Give evidence or information that misleads: it is at odds with what you know or believe.',
  honest_accusation: 'Say that somebody has a certain role or did a certain thing, in agreement with what you know or believe.',
  deceptive_accusation:
    'Say that somebody has a certain role or did a certain thing, to mislead: it is at odds with what you know or believe.',
  honest_defense: 'Defend yourself or somebody else against an accusation, in agreement with what you know or believe.',
  deceptive_defense: 'Defend yourself or somebody else against an accusation, to mislead: it is at odds with what you know or believe.',
} as const;
export type Tactic = keyof typeof TACTICS;

export const tacticNames = Object.keys(TACTICS) as readonly Tactic[];

/** A tactic as the plan of a speech. */
export const planOf = (tactic: Tactic): string => `${tactic}: ${TACTICS[tactic]}`;

/** The tactic of a plan; undefined: it has none. */
export const plannedTactic = ({ plan }: { readonly plan: string }): Tactic | undefined =>
  plan ? tacticNames.find((tactic) => plan === planOf(tactic)) : undefined;

/** The tactic whose name is most like a text; the first of equals. */
export function nearestTactic(text: string): Tactic {
  const word = normalize(text);
  const distances = tacticNames.map((name) => editDistance(word, normalize(name)));
  return tacticNames[distances.indexOf(Math.min(...distances))]!;
}

/** The words of a text in alphabetical order. */
const normalize = (text: string): string => text.toLowerCase().split(/[^a-z]+/).filter(Boolean).toSorted().join(' '); // prettier-ignore

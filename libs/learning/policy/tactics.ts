/** The six tactics of document 004, in its order. */
export const TACTICS_004 = [
  'honest_evidence',
  'deceptive_evidence',
  'honest_accusation',
  'deceptive_accusation',
  'honest_defense',
  'deceptive_defense',
] as const;

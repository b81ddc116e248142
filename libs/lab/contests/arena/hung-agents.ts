import type { Contest } from '../definition.ts';
import type { Pairing } from '../pairing.ts';
import type { PairingResult } from '../result.ts';

/** After so many pairings that an agent has broken by ending its thread, or by not going on, it plays no further ones: each takes so long. */
export const MOST_HANGS = 3;

/** By agent of a contest: how many pairings it has broken so. Shared by all threads of an arena. */
export type Hangs = Int32Array;

export const noHangs = ({ agents }: Contest): Hangs => new Int32Array(new SharedArrayBuffer(agents.length * Int32Array.BYTES_PER_ELEMENT));

const indexOf = ({ agents }: Contest, name: string): number => agents.findIndex((agent) => agent.name === name);

/** Counts a pairing that an agent has broken. */
export const countHang = (contest: Contest, hangs: Hangs, agent: string): void => void Atomics.add(hangs, indexOf(contest, agent), 1);

export const hangsOf = (contest: Contest, hangs: Hangs, agent: string): number => Atomics.load(hangs, indexOf(contest, agent));

/** The result of a pairing with an agent that plays no more; undefined where all of its agents still play. */
export function notPlayed(contest: Contest, hangs: Hangs, { number, agents }: Pairing): PairingResult | undefined {
  const culprit = agents.find((agent) => hangsOf(contest, hangs, agent) >= MOST_HANGS);
  if (culprit === undefined) return undefined;
  const why = `it was not played: ${culprit} did not go on in ${MOST_HANGS} others, and plays no more`;
  return { number, attempt: 1, games: [], faults: [], usage: [], void: { why, culprit } };
}

import { randomBytes, randomInt } from 'node:crypto';
import type { Input } from '@maw/contracts/contracts.ts';
import type { SeatedAgent } from '../seats/agent-seat.ts';
import { type ServerTerms, tableOptions } from '../terms.ts';
import { namesOf } from './names.ts';

/** A new id of a set, which is that of its table too. Nobody can guess it. */
export const newSetId = (): string => `aiwolf-${randomBytes(12).toString('hex')}`;

/** Draws a seat for each agent. */
export function drawSeats(names: readonly string[], players: number): readonly SeatedAgent[] {
  const free = Array.from({ length: players }, (_, seat) => seat);
  return names.map((name) => ({ name, seat: free.splice(randomInt(free.length), 1)[0]! })).toSorted((a, b) => a.seat - b.seat);
}

/** How many games one table has. */
export const roundsOf = ({ division, games }: ServerTerms): number => (division === 'protocol' ? games : 1);

/** The table of a set: agents at the seats of persons, which nobody else may take; minds at all others. */
export function openingOf(set: string, terms: ServerTerms, agents: readonly SeatedAgent[], lobbyMs: number): Input<'table.open'> {
  return {
    rules: 'aiwolf',
    seats: namesOf(set, terms.division, terms.players).map((name, seat) =>
      agents.some((agent) => agent.seat === seat)
        ? { kind: 'person', isOutside: true, name, ...terms.standIn }
        : { kind: 'mind', name, ...terms.fill },
    ),
    rounds: roundsOf(terms),
    options: tableOptions(terms),
    lobbyMs,
    pauseMs: 0,
  };
}

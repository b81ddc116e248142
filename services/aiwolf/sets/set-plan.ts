import { randomBytes, randomInt } from 'node:crypto';
import type { Input } from '@maw/contracts/contracts.ts';
import type { SeatedAgent } from '../seats/agent-seat.ts';
import { type ServerTerms, tableOptions } from '@maw/aiwolf/server/server-terms.ts';
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

/** The seats of people: any of those without an agent, so that a seat does not tell who plays it. */
function seatsForPeople({ people, players }: ServerTerms, agents: readonly SeatedAgent[]): readonly number[] {
  const free = Array.from({ length: players }, (_, seat) => seat).filter((seat) => !agents.some((agent) => agent.seat === seat));
  return Array.from({ length: people }, () => free.splice(randomInt(free.length), 1)[0]!);
}

/**
 * The table of a set: agents at the seats of persons, which nobody else may take; people at seats that they join under names of their own;
 * minds at all others, and at those that no person takes.
 */
export function openingOf(set: string, terms: ServerTerms, agents: readonly SeatedAgent[], lobbyMs: number): Input<'table.open'> {
  const people = seatsForPeople(terms, agents);
  return {
    rules: 'aiwolf',
    seats: namesOf(set, terms.division, terms.players).map((name, seat) => {
      if (agents.some((agent) => agent.seat === seat)) return { kind: 'person', isOutside: true, name, ...terms.standIn };
      return people.includes(seat) ? { kind: 'person', ...terms.fill } : { kind: 'mind', name, ...terms.fill };
    }),
    rounds: roundsOf(terms),
    options: tableOptions(terms),
    lobbyMs,
    pauseMs: 0,
  };
}

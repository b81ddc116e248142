import { agentName } from '@maw/contracts/messages/schemas.ts';
import { divisionOf } from '@maw/games/aiwolf/division.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { Agent, Contest, ContestGame, Mistake, Schedule } from '../definition.ts';
import type { FaultKind } from '../result.ts';
import { hasOutside } from '../seed.ts';

/** The rule set that outside agents play. */
const RULES = 'aiwolf';

export type Division = ReturnType<typeof divisionOf>;

/** The names of those that connect to servers for outside agents of AIWolf. */
export const atServers = ({ agents }: Pick<Contest, 'agents'>): readonly string[] =>
  agents.flatMap(({ outside, over }) => (outside === undefined || over ? [] : [outside]));

/** The divisions whose servers a contest needs; none without such agents. */
export const divisionsOf = ({ agents, games }: Contest): readonly Division[] =>
  atServers({ agents }).length ? [...new Set(games.map(({ options }) => divisionOf(options)))] : [];

/** Whether its outside agents are programs with keys. */
export const hasPrograms = ({ agents }: Pick<Contest, 'agents'>): boolean => agents.some(({ over }) => over !== undefined);

/** What is wrong with the fields of an outside agent. */
export function outsideFieldMistakes(agent: Agent, i: number, play: Contest['play']): readonly Mistake[] {
  const own = (['recipe', 'model', 'parameters'] as const).filter((field) => agent[field] !== undefined);
  const inArena = 'outside agents connect to tables, and play: arena has none; write play: tables, or leave play out';
  const isKey = agent.over === undefined || agentName.safeParse(agent.outside).success;
  return [
    ...(isKey
      ? []
      : [{ path: ['agents', i, 'outside'], says: 'a key has a name of up to 20 letters, digits, _ - and ., a letter or digit first' }]),
    ...own.map((field) => ({
      path: ['agents', i, field],
      says: `${agent.name} thinks for itself; leave ${field} out, or leave outside out`,
    })),
    ...(play === 'arena' ? [{ path: ['agents', i, 'outside'], says: inArena }] : []),
  ];
}

/** Outside agents that cannot be told apart, and games that they cannot play. */
export function outsideMistakes({ agents, games, schedule, seed }: Contest): readonly Mistake[] {
  if (!hasOutside({ agents })) return [];
  const alike = agents.flatMap(({ outside: name }, i): readonly Mistake[] => {
    const other = agents.find(({ outside }, k) => outside !== undefined && (outside === name ? k < i : withoutNumber(outside) === name));
    const says = `${other?.name} would connect as ${other?.outside} too; give each agent a name of its own`;
    return other && name !== undefined ? [{ path: ['agents', i, 'outside'], says }] : [];
  });
  const written =
    'with outside agents a seed is a secret that is drawn: whoever reads this one knows all roles; leave it out (one that has begun keeps its own)';
  return [
    ...(seed === undefined ? [] : [{ path: ['seed'], says: written }]),
    ...alike,
    ...(atServers({ agents }).length ? games.flatMap((game, i) => gameMistakes(game, schedule, ['games', i])) : []),
  ];
}

const withoutNumber = (name: string): string => name.replace(/\d+$/, '');

function gameMistakes({ rules, options }: ContestGame, schedule: Schedule, path: readonly PropertyKey[]): readonly Mistake[] {
  if (rules !== RULES)
    return [{ path, says: `without over: http outside agents play ${RULES} only, not ${rules}; add that to them, or leave it out` }];
  if (!('games' in schedule) || schedule.games === 1 || divisionIn(options) !== 'natural') return [];
  const says = `agents of the natural-language division connect for one game at a time, and not for sets of ${schedule.games}; write schedule.games: 1, or an option preset: protocol-2021`;
  return [{ path, says }];
}

/** Undefined for options that are wrong, which is told elsewhere. */
function divisionIn(options: ContestGame['options']): Division | undefined {
  try {
    return divisionOf(options);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** Fault kinds by the words of the servers for outside agents (docs/aiwolf.md); all others are answers that could not be taken. */
const KINDS: { readonly [fault: string]: FaultKind } = { late: 'late', gone: 'disconnected' };
export const kindOfFault = (fault: string): FaultKind => KINDS[fault] ?? 'invalid';

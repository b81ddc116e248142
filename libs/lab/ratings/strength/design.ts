import { winsByDying } from '@maw/games/roles.ts';
import { compareText, dealsOf } from '../deals.ts';
import { meanOf } from '../distributions.ts';
import { FORFEIT, type GameResult, RANKED, type SeatResult, winsOf } from '../result.ts';

/** One side of a game, or one of its Tanners: the parameters whose weighted sum is its strength, and its share of the win. */
export interface Team {
  readonly parameters: readonly number[];
  readonly weights: readonly number[];
  /** 1 for the winner, 0 for the others; equal shares in a draw, and of sides that win beside each other. */
  readonly share: number;
}

/** The sides that met in a game, at least two. */
export type Match = readonly Team[];

/** Games as the model of strength sees them. Parameters: a strength for each agent and side, then an advantage for each rule set and side. */
export interface Design {
  readonly agents: readonly string[];
  readonly sides: readonly string[];
  readonly rules: readonly string[];
  /** The games of each deal. Games in which only one side sits tell nothing and are absent, unless they were forfeited. */
  readonly deals: readonly (readonly Match[])[];
  /** By agent and side, whether the agent ever played for it. */
  readonly hasPlayed: readonly (readonly boolean[])[];
  /** By rule set and side, how many teams of it a game has on average, of the games that have one: more than 1 of Tanners; 0: nobody plays for it there. */
  readonly teams: readonly (readonly number[])[];
  /** Agents that met at a table, directly or over others: only within such a group may strengths be compared. */
  readonly groups: readonly (readonly string[])[];
}

export const parameterCount = ({ agents, sides, rules }: Design): number => (agents.length + rules.length) * sides.length;

/** Prepares games for fitting; names are sorted, so that nothing depends on the order of games. */
export function designOf(games: readonly GameResult[]): Design {
  const seats = games.flatMap((game) => game.seats);
  const agents = namesIn(seats.map(({ agent }) => agent));
  const sides = namesIn(seats.map(({ side }) => side));
  const rules = namesIn(games.map((game) => game.rules));
  const [agentAt, sideAt, rulesAt] = [indexOf(agents), indexOf(sides), indexOf(rules)];
  const hasPlayed = agents.map(() => sides.map(() => false));
  for (const { agent, side } of seats) hasPlayed[agentAt.get(agent)!]![sideAt.get(side)!] = true;

  const strengthsOn = (side: string, members: readonly SeatResult[]): Map<number, number> => {
    const weights = new Map<number, number>();
    for (const agent of members.map((member) => agentAt.get(member.agent)!).toSorted((a, b) => a - b)) {
      const parameter = agent * sides.length + sideAt.get(side)!;
      weights.set(parameter, (weights.get(parameter) ?? 0) + 1 / members.length);
    }
    return weights;
  };
  /** Less the mean of all who play for the side: a difference, as strengths are known up to a constant only. */
  const aboveMean = (side: string, weights: Map<number, number>): Map<number, number> => {
    const played = agents.flatMap((_, a) => (hasPlayed[a]![sideAt.get(side)!] ? [a * sides.length + sideAt.get(side)!] : []));
    for (const parameter of played) weights.set(parameter, (weights.get(parameter) ?? 0) - 1 / played.length);
    return weights;
  };
  /** The order of the players as choices of the next best among those that are left (Plackett, 1975, Luce, 1959); equals share their places. */
  const choicesOf = (players: readonly SeatResult[]): readonly Match[] => {
    const ranks = [...new Set(players.map(({ rank = 1 }) => rank))].toSorted((a, b) => a - b);
    return ranks.flatMap((best) => {
      const left = players.filter(({ rank = 1 }) => rank >= best);
      const chosen = left.filter(({ rank = 1 }) => rank === best);
      if (left.length < 2) return [];
      return [left.map((seat) => teamOf(strengthsOn(seat.side, [seat]), chosen.includes(seat) ? 1 / chosen.length : 0))];
    });
  };
  const made = new Map<string, Team>(); // few agents sit together in the same way again and again
  const matchesOf = ({ rules: set, winner, seats: all }: GameResult): readonly Match[] => {
    const groups = Map.groupBy(all, ({ side, seat }) => (winsByDying(side) ? `${side} ${seat}` : side));
    const present = [...groups.values()].map((members) => [members[0]!.side, members] as const).toSorted(([a], [b]) => compareText(a, b));
    if (winner === FORFEIT) return present.map(([side, members]) => [teamOf(aboveMean(side, strengthsOn(side, members)), 0), AVERAGE]);
    if (winner === RANKED) return choicesOf(all);
    if (present.length < 2) return [];
    const won = present.flatMap(([side, members]) => (winsOf(side, { winner, seats: members })[0] ? [members] : []));
    return [
      present.map(([side, members]) => {
        const share = won.length ? Number(won.includes(members)) / won.length : 1 / present.length;
        const key = [set, side, share, ...members.map(({ agent }) => agent)].join(SEPARATOR);
        const advantage = (agents.length + rulesAt.get(set)!) * sides.length + sideAt.get(side)!;
        const team = made.get(key) ?? teamOf(strengthsOn(side, members).set(advantage, 1), share);
        made.set(key, team);
        return team;
      }),
    ];
  };
  const deals = dealsOf(games).map((deal) => deal.flatMap(matchesOf));
  const teams = rules.map((set) => teamsOf(games.filter((game) => game.rules === set && game.winner !== RANKED), sides)); // prettier-ignore
  return { agents, sides, rules, hasPlayed, teams, groups: groupsOf(games), deals: deals.filter(({ length }) => length > 0) };
}

/** How many teams of each side games have, on average of those that have one. */
function teamsOf(games: readonly GameResult[], sides: readonly string[]): readonly number[] {
  return sides.map((side) => {
    const counts = games.map(({ seats }) => seats.filter((seat) => seat.side === side).length).filter(Boolean);
    return counts.length && (winsByDying(side) ? meanOf(counts) : 1);
  });
}

const SEPARATOR = '\u0000';

/** Agents that met at a table, directly or over others. One that has only forfeited belongs to the first group: it is rated against the average. */
export function groupsOf(games: readonly GameResult[]): readonly (readonly string[])[] {
  let groups: (readonly string[])[] = [];
  const agentsIn = ({ seats }: GameResult): readonly string[] => seats.map(({ agent }) => agent);
  for (const line of new Set(games.map((game) => (game.winner === FORFEIT ? '' : namesIn(agentsIn(game)).join(SEPARATOR))))) {
    const met = line.split(SEPARATOR);
    const { joined = [], apart = [] } = Object.groupBy(groups, (group) =>
      group.some((agent) => met.includes(agent)) ? 'joined' : 'apart',
    );
    if (line) groups = [...apart, namesIn([...met, ...joined.flat()])];
  }
  const [first = [], ...rest] = groups.toSorted(([one = ''], [other = '']) => compareText(one, other));
  const seen = new Set(groups.flat());
  return [namesIn([...first, ...games.flatMap(agentsIn).filter((agent) => !seen.has(agent))]), ...rest];
}

const indexOf = (names: readonly string[]): ReadonlyMap<string, number> => new Map(names.map((name, i) => [name, i]));

const namesIn = (names: Iterable<string>): readonly string[] => [...new Set(names)].toSorted(compareText);

const teamOf = (weights: ReadonlyMap<number, number>, share: number): Team => ({
  parameters: [...weights.keys()],
  weights: [...weights.values()],
  share,
});

/** Who wins a forfeited game. */
const AVERAGE: Team = { parameters: [], weights: [], share: 1 };

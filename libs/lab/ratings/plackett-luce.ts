/** What is known of the skill of a player: a normal distribution. */
export interface Rating {
  readonly mu: number;
  readonly sigma: number;
}

/** Who has not played: the scale that OpenSkill and TrueSkill use. */
export const NEWCOMER: Rating = { mu: 25, sigma: 25 / 3 };

/** The standard deviation of one game. */
const BETA = 25 / 6;
/** The variance that is added before each game, so that no rating comes to a standstill (tau squared). */
const DRIFT = (25 / 300) ** 2;
/** The least share of the variance that a game leaves (kappa). */
const LEAST_SHARE = 1e-4;

interface Team {
  readonly players: readonly Rating[];
  readonly rank: number;
  readonly mu: number;
  readonly variance: number;
}

/**
 * The ratings after a game of teams, in the order of the teams: algorithm 4 of Weng and Lin (2011, A Bayesian Approximation Method for Online
 * Ranking, Journal of Machine Learning Research 12, 267–300), the Plackett–Luce model, with gamma = sigma / c, and with the numbers that OpenSkill
 * takes by default.
 * @param ranks of each team: the lowest has won, equal ones are a draw
 */
export function rateTeams(teams: readonly (readonly Rating[])[], ranks: readonly number[]): readonly (readonly Rating[])[] {
  const all = teams.map((players, i) => teamOf(players, ranks[i]!));
  const c = Math.sqrt(all.reduce((sum, { variance }) => sum + variance + BETA ** 2, 0));
  return all.map((team) => {
    let [omega, delta] = [0, 0];
    for (const other of all) {
      if (other.rank > team.rank) continue;
      const chance = chanceOf(team, all.filter(({ rank }) => rank >= other.rank), c); // prettier-ignore
      const equals = all.filter(({ rank }) => rank === other.rank).length;
      omega += ((other === team ? 1 : 0) - chance) / equals;
      delta += (chance * (1 - chance)) / equals;
    }
    const gamma = Math.sqrt(team.variance) / c;
    return team.players.map(({ mu, sigma }) => ({
      mu: mu + (sigma ** 2 / c) * omega,
      sigma: sigma * Math.sqrt(Math.max(1 - (sigma / c) ** 2 * gamma * delta, LEAST_SHARE)),
    }));
  });
}

/** How likely a team is the first of some, itself among them. Relative to its own weight, so that no power overflows. */
const chanceOf = (team: Team, among: readonly Team[], c: number): number =>
  1 / among.reduce((sum, { mu }) => sum + Math.exp((mu - team.mu) / c), 0);

function teamOf(given: readonly Rating[], rank: number): Team {
  const players = given.map(({ mu, sigma }) => ({ mu, sigma: Math.sqrt(sigma ** 2 + DRIFT) }));
  return {
    players,
    rank,
    mu: players.reduce((sum, { mu }) => sum + mu, 0),
    variance: players.reduce((sum, { sigma }) => sum + sigma ** 2, 0),
  };
}

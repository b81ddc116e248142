import { sideOf, sidesAmong, winsByDying } from '@maw/games/roles.ts';
import { experienceScore } from '@maw/minds/experience/select.ts';
import { tacticNames } from '@maw/minds/recipes/onuw/tactics.ts';
import { wilsonInterval } from '../ratings/rates/wilson-interval.ts';
import { beliefMeasures } from './beliefs.ts';
import { effort } from './effort.ts';
import { equilibrium } from './equilibrium.ts';
import type { CountsSeat, GameRecord } from './game-record.ts';
import type { Measured, MeasuredThought, Row } from './measured.ts';
import { type Cases, mean, meanShare, pooledShare, sumOf } from './shares.ts';

type Games = readonly GameRecord[];

/**
 * All measures of finished games and the thoughts of their minds, by rule set.
 * @param counts leaves out seats, such as those of other agents; how often a side won is then of the games in which a seat of it counts. The
 * thoughts are not looked at: give those of the seats that count
 */
export function measure(games: Games, thoughts: readonly MeasuredThought[], counts: CountsSeat = () => true): readonly Measured[] {
  const nashConv = [...Map.groupBy(games, ({ rules }) => rules)].flatMap(([rules, of]) =>
    equilibrium(of).map((row) => ({ ...row, rules })),
  );
  return [...measureBehaviour(games, thoughts, counts), ...nashConv];
}

/** The same without NashConv, which takes longer than all else. */
export function measureBehaviour(games: Games, thoughts: readonly MeasuredThought[], counts: CountsSeat = () => true): readonly Measured[] {
  return [...Map.groupBy(games, ({ rules }) => rules)].flatMap(([rules, of]) => {
    const own = thoughts.filter(({ table, round }) => of.some((game) => game.table === table && game.round === round));
    const all = [
      ...results(rules, of, counts),
      ...quests(of, counts),
      ...votes(of, counts),
      ...behaviour(rules, of, counts),
      ...tactics(of, own),
      ...beliefMeasures(rules, of, own),
      ...validity(own),
      ...effort(of, own),
    ];
    return all.map((row) => ({ ...row, rules }));
  });
}

/**
 * Wins, length and score (document 001). Draws are no wins. Sides win by the roles at the end, and each Tanner alone; sides that only certain
 * options deal are those of the games in which a seat is of them.
 */
function results(rules: string, games: Games, counts: CountsSeat): readonly Row[] {
  const sides = sidesAmong(rules, games.flatMap(({ finals }) => finals)); // prettier-ignore
  const everybody = games.flatMap((game) =>
    game.finals.map((final, seat) => ({ game, seat, side: sideOf(final, rules), hasWon: game.winners.includes(seat) })),
  );
  const seats = everybody.filter(({ game, seat }) => counts(game, seat));
  const others = new Set(everybody.flatMap(({ game, seat, side }) => (counts(game, seat) ? [] : [sideKey(game, side)])));
  const counted = new Set(seats.map(({ game, side }) => sideKey(game, side)));
  const always = sidesAmong(rules, []);
  const isCounted = (game: GameRecord, side: string): boolean =>
    counted.has(sideKey(game, side)) || (always.includes(side) && !others.has(sideKey(game, side)));
  const winsOf = (side: string): readonly boolean[] =>
    winsByDying(side)
      ? seats.flatMap((seat) => (seat.side === side ? [seat.hasWon] : []))
      : games.flatMap((game) => (isCounted(game, side) ? [game.winner === side] : []));
  const winRate = (about: string, all: readonly boolean[]): Row => {
    const { share, low, high } = wilsonInterval(all.filter(Boolean).length, all.length);
    return { measure: 'win rate', source: 'document 001, section 4.3', about, value: share, cases: all.length, low, high };
  };
  const ratesBy = (keyOf: (seat: (typeof seats)[number]) => string | undefined): readonly Row[] =>
    [...Map.groupBy(seats, keyOf)].flatMap(([about, own]) => (about === undefined ? [] : [winRate(about, own.map(({ hasWon }) => hasWon))])); // prettier-ignore
  const days = mean(games.map((game) => game.days));
  return [
    ...sides.map((side) => winRate(side, winsOf(side))),
    ...ratesBy(({ game, seat }) => `dealt ${game.roles[seat]}`),
    ...ratesBy(({ game, seat }) => game.recipes[seat]),
    { measure: 'duration', source: 'document 001, section 4.3', about: 'days', value: days, cases: games.length },
    ...sides.map((side): Row => {
      const all = seats.flatMap((seat) => (seat.side === side ? [experienceScore(seat.hasWon, seat.game.days)] : []));
      return { measure: 'score', source: 'document 001, equation 4', about: side, value: mean(all), cases: all.length };
    }),
  ];
}

const sideKey = ({ table, round }: GameRecord, side: string): string => `${table}\n${round}\n${side}`;

/** The cases of each role in each game. */
function byRole(games: Games, counts: CountsSeat, casesOf: (game: GameRecord, seat: number) => Cases): Map<string, readonly Cases[]> {
  const all = games.flatMap((game) =>
    game.roles.flatMap((role, seat) => (counts(game, seat) ? [{ role, cases: casesOf(game, seat) }] : [])),
  );
  return new Map([...Map.groupBy(all, ({ role }) => role)].map(([role, each]) => [role, each.map(({ cases }) => cases)]));
}

/** Engagement, failure votes and approval of leaders (document 003), for games with quests. */
function quests(games: Games, counts: CountsSeat): readonly Row[] {
  if (!games.some(({ lastTeams }) => lastTeams.length)) return [];
  const count = <T>(list: readonly T[], fits: (each: T) => boolean): Cases => ({ times: list.filter(fits).length, of: list.length });
  const engaged = byRole(games, counts, ({ lastTeams }, seat) => count(lastTeams, (team) => team.includes(seat)));
  const failed = byRole(games, counts, ({ cards, roles, rules }, seat) => {
    const own = sideOf(roles[seat]!, rules) === 'evil' ? cards.filter(({ by }) => by === seat) : [];
    return count(own, ({ card }) => card === 'fail');
  });
  const approved = byRole(games, counts, ({ proposals }, seat) =>
    sumOf(proposals.filter(({ leader }) => leader === seat).map(({ approvals, votes: of }) => ({ times: approvals, of }))),
  );
  const evil = new Map([...engaged].filter(([role]) => sideOf(role, 'avalon') === 'evil')); // alone, as the document compares them
  return [
    ...rows('engagement', 'document 003, equation 6', engaged, meanShare),
    ...rows('engagement', 'document 003, equation 6', evil, meanShare)
      .slice(-1)
      .map((row) => ({ ...row, about: 'mean of evil roles' })),
    ...rows('failure votes', 'document 003, equation 7', failed, pooledShare),
    ...rows('leader approval', 'document 003, section 5', approved, pooledShare),
  ];
}

/** A row per role that has cases, and the mean over these roles. */
function rows(name: string, source: string, roles: Map<string, readonly Cases[]>, shareOfGames: typeof meanShare): readonly Row[] {
  const each = [...roles].flatMap(([about, games]): Row[] => {
    const cases = sumOf(games).of;
    return cases ? [{ measure: name, source, about, value: shareOfGames(games), cases }] : [];
  });
  const cases = each.reduce((sum, row) => sum + row.cases, 0);
  return each.length
    ? [...each, { measure: name, source, about: 'mean of roles', value: mean(each.map(({ value }) => value)), cases }]
    : [];
}

/** Votes received, by dealt role and by all seats (document 004, table 1). */
function votes(games: Games, counts: CountsSeat): readonly Row[] {
  if (!games.some((game) => game.votes.some(Boolean))) return [];
  const received = byRole(games, counts, (game, seat) => ({ times: game.votes[seat] ?? 0, of: 1 }));
  const all = [...received, ['all', [...received.values()].flat()] as const];
  return all.map(([about, seats]) => pooledRow('votes received', 'document 004, table 1', about, seats));
}

const pooledRow = (name: string, source: string, about: string, all: readonly Cases[]): Row => ({
  measure: name,
  source,
  about,
  value: pooledShare(all),
  cases: sumOf(all).of,
});

/** The share of each discussion tactic, and of all deceptive ones, by dealt role (document 004, table 2). */
function tactics(games: Games, thoughts: readonly MeasuredThought[]): readonly Row[] {
  const acts = thoughts.flatMap(({ table, round, seat, kind, content }) => {
    const tactic = kind === 'plan' && typeof content['plan'] === 'string' ? content['plan'].split(':')[0]! : '';
    const role = games.find((game) => game.table === table && game.round === round)?.roles[seat] ?? '';
    return (tacticNames as readonly string[]).includes(tactic) ? [{ role, tactic }] : [];
  });
  const shareOfActs = (name: string, about: string, own: typeof acts, fits: (tactic: string) => boolean): Row => {
    const cases = { times: own.filter(({ tactic }) => fits(tactic)).length, of: own.length };
    return pooledRow(name, 'document 004, table 2', about, [cases]);
  };
  return [...Map.groupBy(acts, ({ role }) => role)].flatMap(([role, own]) => [
    ...tacticNames.map((name) => shareOfActs('tactic share', `${role}: ${name}`, own, (tactic) => tactic === name)),
    shareOfActs('deception', role, own, (tactic) => tactic.startsWith('deceptive')),
  ]);
}

/** Decisions whose first reply was valid: the mean over games and seats (document 003, equation 8), by recipe where the thoughts name it. */
function validity(thoughts: readonly MeasuredThought[]): readonly Row[] {
  const asked = thoughts.filter(({ kind, content }) => kind === 'act' && Array.isArray(content['calls']));
  return [...Map.groupBy(asked, ({ content: { recipe } }) => (typeof recipe === 'string' ? recipe : 'all'))].map(([about, acts]): Row => {
    const games = [...Map.groupBy(acts, ({ table, round, seat }) => `${table} ${round} ${seat}`).values()];
    const value = meanShare(games.map((own) => ({ times: own.filter(isValid).length, of: own.length })));
    return { measure: 'valid responses', source: 'document 003, equation 8', about, value, cases: acts.length };
  });
}

interface Call {
  readonly reply?: { readonly repaired?: boolean };
}

function isValid({ content }: MeasuredThought): boolean {
  if (typeof content['outcome'] === 'string') return content['outcome'] === 'valid';
  const calls = content['calls'] as readonly Call[];
  return calls.length === 1 && calls[0]!.reply !== undefined && calls[0]!.reply.repaired !== true;
}

/** How often votes of the larger side hit its enemies, and who lives to the end. Only in games with votes on players; votes for Tanners are no cases. */
export function behaviour(rules: string, games: readonly GameRecord[], counts: CountsSeat = () => true): readonly Row[] {
  if (!games.some(({ ballots }) => ballots.length)) return [];
  const [village = ''] = sidesAmong(rules, []);
  const cast = games.flatMap((game) =>
    game.ballots.flatMap(({ by, on, isExecution }) => {
      const side = sideOf(game.finals[on]!, rules);
      const isCase = counts(game, by) && sideOf(game.finals[by]!, rules) === village && !winsByDying(side);
      return isCase ? [{ times: Number(side !== village), of: 1, isExecution }] : [];
    }),
  );
  const executing = cast.filter(({ isExecution }) => isExecution);
  const living = byRole(games, counts, ({ dead }, seat) => ({ times: Number(!dead.includes(seat)), of: 1 }));
  return [
    pooledRow('vote accuracy', 'ours', `${village}, all votes`, cast),
    pooledRow('vote accuracy', 'ours', `${village}, votes that executed`, executing),
    ...[...living].map(([role, own]) => pooledRow('survival', 'ours', role, own)),
  ];
}

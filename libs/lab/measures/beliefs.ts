import { rolesAmong, sideOf, sidesAmong, winsByDying } from '@maw/games/roles.ts';
import { sanitize } from '@maw/minds/sanitize.ts';
import type { GameRecord } from './game-record.ts';
import type { MeasuredThought, Row } from './measured.ts';
import { mean } from './shares.ts';

/** What a seat believed in one decision: for some players, the probability of each role. */
export interface Belief {
  readonly seat: number;
  readonly phase: string;
  readonly about: readonly { readonly seat: number; readonly roles: { readonly [role: string]: number } }[];
}

/** Probabilities below it count as it: a log loss is at most 6.9. */
const LEAST = 0.001;

/** The natural logarithm of what the true role was believed, negated; 0 when it was certain. */
export const logLoss = (roles: { readonly [role: string]: number }, truth: string): number => -Math.log(Math.max(LEAST, roles[truth] ?? 0));

/** The beliefs of a game about other players, in their order. Only those that are tables: prose is left out. */
export function beliefsOf({ table, round, names }: GameRecord, thoughts: readonly MeasuredThought[]): readonly Belief[] {
  const seatOf = new Map(names.map((name, seat) => [sanitize(name), seat]));
  return thoughts.flatMap((thought): readonly Belief[] => {
    const { kind, seat, content } = thought;
    const { beliefs, phase } = content;
    if (thought.table !== table || thought.round !== round || kind !== 'believe' || typeof beliefs !== 'object' || !beliefs) return [];
    const about = Object.entries(beliefs).flatMap(([name, roles]: [string, unknown]) => {
      const other = seatOf.get(name);
      const isTable = typeof roles === 'object' && roles !== null && Object.values(roles).every((share) => typeof share === 'number');
      return isTable && other !== undefined && other !== seat ? [{ seat: other, roles: roles as { [role: string]: number } }] : [];
    });
    return about.length ? [{ seat, phase: typeof phase === 'string' ? phase : '', about }] : [];
  });
}

interface Statement {
  readonly believer: string;
  readonly roles: { readonly [role: string]: number };
  readonly truth: string;
}

/** How near beliefs are to the roles at the end: log loss by the believer's role, calibration, and detection of enemies, which Tanners are not. */
export function beliefMeasures(rules: string, games: readonly GameRecord[], thoughts: readonly MeasuredThought[]): readonly Row[] {
  const statements = games.flatMap((game) =>
    beliefsOf(game, thoughts).flatMap(({ seat, about }) =>
      about.map((other): Statement => ({ believer: game.roles[seat]!, roles: other.roles, truth: game.finals[other.seat]! })),
    ),
  );
  if (!statements.length) return [];
  const row = (measure: string, about: string, all: readonly number[]): Row => ({ measure, source: 'ours', about, value: mean(all), cases: all.length }); // prettier-ignore
  const inPlay = rolesAmong(rules, statements.flatMap(({ roles, truth }) => [truth, ...Object.keys(roles)])); // prettier-ignore
  const [village = ''] = sidesAmong(rules, []);
  const isEnemy = (role: string): boolean => sideOf(role, rules) !== village && !winsByDying(sideOf(role, rules));
  const detected = statements.filter(({ believer, truth }) => sideOf(believer, rules) === village && isEnemy(truth));
  const enemies = ({ roles }: Statement) => Object.entries(roles).reduce((sum, [role, share]) => (isEnemy(role) ? sum + share : sum), 0); // prettier-ignore
  return [
    ...[...Map.groupBy(statements, ({ believer }) => believer)].map(
      ([role, own]) =>
      row('belief log loss', role, own.map(({ roles, truth }) => logLoss(roles, truth))), // prettier-ignore
    ),
    { ...row('belief calibration', 'error, ten bins', statements.map(() => 0)), value: calibrationError(statements, inPlay) }, // prettier-ignore
    row('detection', village, detected.map(enemies)), // prettier-ignore
  ];
}

const BINS = 10;

/** The expected calibration error: the gap between mean probability and share of the true, by bin, weighted by the cases in it. */
export function calibrationError(statements: readonly Pick<Statement, 'roles' | 'truth'>[], roles: readonly string[]): number {
  const cases = statements.flatMap((each) => roles.map((role) => ({ p: each.roles[role] ?? 0, isTrue: role === each.truth })));
  const bins = Map.groupBy(cases, ({ p }) => Math.min(BINS - 1, Math.floor(p * BINS)));
  const gaps = [...bins.values()].map((bin) => Math.abs(bin.reduce((sum, { p, isTrue }) => sum + p - Number(isTrue), 0)));
  return gaps.reduce((sum, gap) => sum + gap, 0) / cases.length;
}

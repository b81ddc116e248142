import type { Decision, WholeDecision } from './thoughts.ts';

/** The probability of each role for each seat, as one seat believes it at one moment. */
export interface Belief {
  /** Whose belief it is. */
  readonly seat: number;
  /** The decision in which it was believed. */
  readonly decision: string;
  readonly step: number;
  /** When the mind began to weigh what it knew, in milliseconds since the epoch. */
  readonly at: number;
  readonly phase: string;
  /** Roles, or sides, in the words of the recipe. */
  readonly roles: readonly string[];
  /** By seat, then by role; undefined for seats that it says nothing about. */
  readonly rows: readonly (Shares | undefined)[];
}

type Shares = { readonly [role: string]: number };

/** A seat at a table, and a role or side that rules have. */
interface Table {
  /** By seat. */
  readonly names: readonly string[];
}

const isShare = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value <= 1 + 1e-9;
const isShares = (value: unknown): value is Shares =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).length > 0 &&
  Object.values(value).every(isShare);

/**
 * A belief of any recipe as one table: by name (`{ Ann: { wolf: 0.2 } }`), a list by seat (`{ cards: [{ wolf: 0.2 }] }`), or a list of shares by
 * role (`{ wolf: [0.2, 0.8] }`). Undefined when it is none of these: prose, for example.
 */
export function tableOf(beliefs: unknown, { names }: Table): Pick<Belief, 'roles' | 'rows'> | undefined {
  if (typeof beliefs !== 'object' || beliefs === null) return undefined;
  const fields = Object.entries(beliefs as { readonly [about: string]: unknown });
  const isOfSeats = (value: unknown): value is readonly unknown[] => Array.isArray(value) && value.length === names.length;
  const byName = fields.filter(([name, value]) => names.includes(name) && isShares(value)) as [string, Shares][];
  const list = fields.find(([, value]) => isOfSeats(value) && value.every(isShares))?.[1] as readonly Shares[] | undefined;
  const byRole = fields.filter(([, value]) => isOfSeats(value) && value.every(isShare)) as [string, readonly number[]][];
  const rows = byName.length
    ? names.map((name) => byName.find(([about]) => about === name)?.[1])
    : (list ??
      (byRole.length ? names.map((_, seat) => Object.fromEntries(byRole.map(([role, shares]) => [role, shares[seat]!]))) : undefined));
  if (!rows) return undefined;
  return { roles: [...new Set(rows.flatMap((row) => Object.keys(row ?? {})))], rows };
}

interface Whole extends Pick<WholeDecision, 'steps'> {
  readonly decision: Pick<Decision, 'seat' | 'decision' | 'phase'>;
}

/** What a seat believed in the steps of its decisions, in their order. A belief that has not changed within its round is left out. */
export function beliefsOf(decisions: readonly Whole[], table: Table): readonly Belief[] {
  const found: Belief[] = [];
  let last = '';
  for (const { decision, steps } of decisions)
    for (const { step, at, content } of steps) {
      const belief = tableOf(content['beliefs'], table);
      const phase = typeof content['phase'] === 'string' ? content['phase'] : (decision.phase ?? '');
      const key = `${roundOf(phase)} ${JSON.stringify(belief?.rows)}`;
      if (!belief || key === last) continue;
      last = key;
      const began = at - Number(content['ms'] ?? 0);
      found.push({ seat: decision.seat, decision: decision.decision, step, at: began, phase, ...belief });
    }
  return found;
}

/** The roles that some belief gives a chance. */
export const rolesIn = (beliefs: readonly Pick<Belief, 'roles' | 'rows'>[]): readonly string[] =>
  [...new Set(beliefs.flatMap(({ roles }) => roles))].filter((role) =>
    beliefs.some(({ rows }) => rows.some((row) => (row?.[role] ?? 0) > 0)),
  );

/** What the seats really were in a round. */
export interface Truth {
  /** By seat, at its end. */
  readonly roles: readonly string[];
  readonly sides: { readonly [side: string]: readonly string[] };
}

/** Recipes call a werewolf a wolf, and some believe in sides. */
export function isTrue(label: string, seat: number, { roles, sides }: Truth): boolean {
  const role = roles[seat];
  if (role === undefined) return false;
  return label === role || (label === 'wolf' && role === 'werewolf') || (sides[label]?.includes(role) ?? false);
}

/**
 * The Brier score of a belief: the squares of what each role was believed less 1 where it is true and 0 where it is not, summed over the roles,
 * on average over the other seats. 0 when all was certain and right. Undefined without a belief about others.
 */
export function brierScore({ seat: own, roles, rows }: Pick<Belief, 'seat' | 'roles' | 'rows'>, truth: Truth): number | undefined {
  const scores = rows.flatMap((row, seat) =>
    row && seat !== own ? [roles.reduce((sum, role) => sum + ((row[role] ?? 0) - Number(isTrue(role, seat, truth))) ** 2, 0)] : [],
  );
  return scores.length ? scores.reduce((sum, score) => sum + score, 0) / scores.length : undefined;
}

/** The phases of beliefs, with how many of them each has: the head of a table over time. */
export function phasesOf(beliefs: readonly Pick<Belief, 'phase'>[]): readonly { readonly phase: string; readonly count: number }[] {
  const phases: { phase: string; count: number }[] = [];
  for (const { phase } of beliefs) {
    const last = phases.at(-1);
    if (last?.phase === phase) last.count++;
    else phases.push({ phase, count: 1 });
  }
  return phases;
}

/** The round of a phase such as `round-2/day-1`; 1 when it names none. */
export const roundOf = (phase: string): number => Number(/^round-(\d+)(?:\/|$)/.exec(phase)?.[1] ?? 1);

import { type Part, type WinRate, winRates } from '../../ratings/rates/win-rates.ts';
import type { GameResult } from '../result.ts';

/** A share of games won, with its 95 % interval (Wilson). */
export type Rate = Omit<WinRate, 'agent' | 'of'>;

export interface AgentRate extends Rate {
  readonly agent: string;
  readonly rules: string;
  /** The side, the role as dealt, or the seat counted from 1; `all` for all of them. */
  readonly of: string;
}

/** How often each agent won, by rule set. An agent counts once in a game, however many such seats it has there: they win together. */
export interface WinRates {
  readonly overall: readonly AgentRate[];
  readonly bySide: readonly AgentRate[];
  readonly byRole: readonly AgentRate[];
  readonly bySeat: readonly AgentRate[];
}

export function winRateTables(games: readonly GameResult[]): WinRates {
  const byRules = Map.groupBy(games, ({ rules }) => rules);
  const rows = (part?: Part): readonly AgentRate[] =>
    [...byRules].flatMap(([rules, own]) => winRates(own, part).map(({ of, ...rate }) => ({ ...rate, rules, of: nameOf(of) })));
  return { overall: rows(), bySide: rows('side'), byRole: rows('role'), bySeat: rows('seat') };
}

const nameOf = (of: string | number | undefined): string => (of === undefined ? 'all' : typeof of === 'number' ? String(of + 1) : of);

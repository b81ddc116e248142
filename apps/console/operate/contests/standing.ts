import type { AnswerOf } from '@maw/contracts/http/routes.ts';
import { contests as texts } from '../../text/en-contests.ts';
import { fill } from '../../text/en.ts';

export type Summary = AnswerOf<'GET /contests'>['contests'][number];
export type ContestView = AnswerOf<'GET /contests/:contest'>;
type Agent = ContestView['ranking'][number];

/** A contest that may still change by itself. */
export const isActive = ({ state }: Pick<Summary, 'state'>): boolean => state === 'running' || state === 'stopping';

/** Whether its own view says more than the list: how long it takes, or what it has cost. In the arena nothing costs. */
export const hasMore = (summary: Summary): boolean => isActive(summary) || summary.play === 'tables';

/** `12 min`: as exact as such a guess is. */
export function roughTime(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return fill(texts.times.s, { count: Math.ceil(seconds) });
  if (seconds < 3600) return fill(texts.times.min, { count: Math.ceil(seconds / 60) });
  return fill(texts.times.h, { count: (seconds / 3600).toFixed(1) });
}

export const timeLeftOf = (view: ContestView | undefined): string =>
  view?.leftMs === undefined ? '' : fill(texts.about, { time: roughTime(view.leftMs) });

/** The same with what it goes by while no table is over. */
export const leftInWords = (view: ContestView): string => timeLeftOf(view) + (view.leftBy ? texts.one.leftBy[view.leftBy] : '');

/** Without prices nothing is known of it. */
export function costOf(view: ContestView | undefined): string {
  if (view?.cost === undefined) return '';
  const cost = view.cost.toFixed(2);
  const limit = (view.contest['stopping'] as { readonly maxCost?: number } | undefined)?.maxCost;
  return limit === undefined ? cost : fill(texts.one.limit, { cost, limit });
}

export const shareOf = ({ share, games }: Agent): string => (games ? `${(share * 100).toFixed(1)} %` : '');

export const faultsOf = ({ faults }: ContestView, name: string): string =>
  faults
    .filter(({ agent }) => agent === name)
    .map(({ kind, times }) => `${kind} ${times}`)
    .join(', ');

/** Tokens and cost of an agent's models at tables that are over; no cells where no model was asked. */
export function usedBy({ usage }: ContestView, name: string): readonly string[] {
  if (!usage) return [];
  const { prompt = 0, completion = 0, cost } = usage.find(({ agent }) => agent === name) ?? {};
  return [(prompt + completion).toLocaleString('en'), cost === undefined ? '' : cost.toFixed(2)];
}

/** What plays for an agent: `xu, llama3.1`. */
export function mindOf({ contest }: ContestView, name: string): string {
  const agents = (contest['agents'] ?? []) as readonly { readonly name: string; readonly recipe: string; readonly model?: string }[];
  const agent = agents.find((each) => each.name === name);
  return [agent?.recipe, agent?.model].filter((part) => part !== undefined).join(', ');
}

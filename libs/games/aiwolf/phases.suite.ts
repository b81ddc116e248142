import { type Happening, type Table, tableOf, TEN } from './aiwolf.suite.ts';
import type { Role } from './state.ts';

export type Options = { readonly [name: string]: unknown };

export type Draws = (step: string, name: string) => unknown;

export const up = (a: number, b: number) => a - b;

export const of = (events: readonly Happening[], type: string) => events.filter((e) => e.type === type);

export const asked = (events: readonly Happening[]) => of(events, 'asked').map(({ question }) => (question as { id: string }).id);

/** Steps without their turn numbers, each once while it lasts. */
export const steps = (events: readonly Happening[]) =>
  asked(events)
    .map((id) => id.replace(/turn-\d+\//, ''))
    .filter((id, i, all) => id !== all[i - 1]);

export const day1 = (roles: readonly Role[] = TEN, options: Options = {}, draws?: Draws): Table => {
  const table = tableOf(roles, options, draws);
  table.until();
  return table;
};

/** A table at the vote of day 1. */
export const vote1 = (roles: readonly Role[] = TEN, options: Options = {}, draws?: Draws): Table => {
  const table = day1(roles, options, draws);
  table.hush();
  return table;
};

/** A table in the night after day 1, at `step`, after executing `execute`. */
export const night1 = (step: string, execute = 0, roles: readonly Role[] = TEN, options: Options = {}, draws?: Draws): Table => {
  const table = vote1(roles, options, draws);
  table.vote(execute);
  table.until(step);
  return table;
};

export const mayChoose = (table: Table, step: string, seat: number) =>
  Array.from({ length: table.state.roles.length }, (_, target) => target).filter((target) => !table.refusal(seat, step, `seat:${target}`));

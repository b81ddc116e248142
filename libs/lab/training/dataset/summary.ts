import { recordedReturn } from '../sweep.ts';
import type { Dataset } from './dataset.ts';
import { splitByDeal } from './transitions.ts';

/** What is in a dataset: how many choices, games and deals, and by role the shares of the tactics in their order. */
export function summaryOf(dataset: Dataset) {
  const { choices, tactics, source } = dataset;
  const roles = [...Map.groupBy(choices, ({ role }) => role)].map(([role, own]) => ({
    role,
    choices: own.length,
    shares: tactics.map((tactic) => own.filter((choice) => choice.tactic === tactic).length / own.length),
  }));
  return {
    about: {
      source,
      choices: choices.length,
      games: new Set(choices.map(({ game }) => game)).size,
      deals: new Set(choices.map(({ deal }) => deal)).size,
      heldOut: splitByDeal(dataset).heldOut.length,
      meanReturn: recordedReturn(choices, 1).mean,
    },
    roles,
  };
}

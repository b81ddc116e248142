import { metrics } from '@maw/telemetry/metrics.ts';
import type { Moment } from './mind.ts';

/** How a decision came about: by a valid reply, a repaired one, the recipe's fallback, or not at all, so that the rules' default applies. */
export type DecisionOutcome = 'valid' | 'repaired' | 'fallback' | 'defaulted';

/** Counts a decision of a mind, unless all its questions are secret: recipe and model may differ from seat to seat, and so tell who was asked. */
export function countDecision({ recipe, questions, rules }: Moment, model: string, outcome: DecisionOutcome): void {
  if (questions.some(({ secret }) => !secret)) metrics.decisions.inc({ recipe, model, rules: rules.name, outcome });
}

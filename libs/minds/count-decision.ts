import { metrics } from '@maw/telemetry/metrics.ts';
import type { Moment } from './mind.ts';

/** Counts a decision of a mind, unless all its questions are secret: recipe and model may differ from seat to seat, and so tell who was asked. */
export function countDecision({ recipe, questions }: Moment, model: string, outcome: 'valid' | 'repaired' | 'defaulted'): void {
  if (questions.some(({ secret }) => !secret)) metrics.decisions.inc({ recipe, model, outcome });
}

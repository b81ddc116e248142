import type { StepKind } from '../../recipe/step-kind.ts';
import { actionKind } from './action.ts';
import { learnKind } from './learn.ts';
import { planKind } from './make-plan.ts';
import { recallKind } from './recall.ts';
import { responseKind } from './response.ts';
import { summaryKind } from './summary.ts';

/** The steps of document 003 that are not calls of the model alone. */
export const lanSteps: readonly StepKind[] = [recallKind, summaryKind, planKind, actionKind, responseKind, learnKind];

import type { StepKind } from '../../recipe/step-kind.ts';
import { answerKind } from './answer.ts';
import { recallKind } from './recall.ts';
import { suggestKind } from './suggest.ts';

/** The steps of document 001 that are not calls of the model alone. */
export const xuSteps: readonly StepKind[] = [recallKind, answerKind, suggestKind];

import type { Mind, Moment } from '../mind.ts';
import { choicesPrompt } from '../prompts/prompt.ts';

/** What is asked now, in words that do not say how to reply, on one line each. */
export const requestText = (mind: Mind, moment: Moment): string => choicesPrompt(mind, moment).join('\n');

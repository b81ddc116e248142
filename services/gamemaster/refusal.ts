import { Refusal } from '@maw/contracts/refusal.ts';
import { Refusal as RuleRefusal } from '@maw/games/kernel/refusal.ts';

/** Turns a refusal of the rules into one that the bus answers with; every other error stays as it is. */
export const asServiceError = (error: unknown): unknown => (error instanceof RuleRefusal ? new Refusal(error.reason, error.detail) : error);

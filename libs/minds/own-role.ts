import type { Mind } from './mind.ts';

/** The dealt role that `observe` has noted, in the rule set's word; empty before the deal. */
export const ownRole = ({ notes }: Pick<Mind, 'notes'>): string => (typeof notes['role'] === 'string' ? notes['role'] : '');

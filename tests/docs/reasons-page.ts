import { REASON_TEXTS } from './reason-texts.ts';
import { REASONS } from '@maw/contracts/refusal.ts';

/** The page of every reason for which something can be refused. */
export const reasonsPage = (): string => `# Reasons

Generated from \`libs/contracts/refusal.ts\`; do not edit. A refusal is an answer, not an error. It has a code, the same in messages, tapes, HTTP and metrics,
and a detail that says what was wrong, where, and what to do instead.

| Code | Meaning |
| --- | --- |
${REASONS.map((reason) => `| \`${reason}\` | ${REASON_TEXTS[reason]} |`).join('\n')}
`;

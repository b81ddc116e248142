import { REASON_TEXTS } from '@maw/games/kernel/reason-texts.ts';
import { REASONS } from '@maw/contracts/refusal.ts';

/** The page of every reason for which something can be refused. */
export const reasonsPage = (): string => `# Reasons

Written from \`libs/games/kernel/refusal.ts\`; do not edit. A refusal is an answer, not an error: it has a code, the same everywhere (messages,
tapes, HTTP, metrics), and a detail for people that says what, where, and what to do instead.

| Code | Meaning |
| --- | --- |
${REASONS.map((reason) => `| \`${reason}\` | ${REASON_TEXTS[reason]} |`).join('\n')}
`;

import { REASON_SAYS } from '@maw/games/reason-words.ts';
import { REASONS } from '@maw/contracts/refusal.ts';

/** The page of every reason for which something can be refused. */
export const reasonsPage = (): string => `# Reasons

Written from \`libs/games/refusal.ts\`; do not edit. A refusal is an answer, not an error: it has a code, the same everywhere (messages,
tapes, HTTP, metrics), and a detail for people that says what, where, and what to do instead.

| Code | Meaning |
| --- | --- |
${REASONS.map((reason) => `| \`${reason}\` | ${REASON_SAYS[reason]} |`).join('\n')}
`;

import type { Findings } from './audit/table-audits.ts';

/** What came of a storm. */
export interface Report {
  readonly seed: string;
  /** Tables that were played to their end and audited. */
  readonly tables: number;
  readonly events: number;
  /** Messages that passed between services and broker. */
  readonly messages: number;
  readonly requests: number;
  readonly unanswered: number;
  /** People who sat at a table to its end, and what they said. */
  readonly people: number;
  readonly deeds: number;
  /** By kind: how often it was done. */
  readonly faults: { readonly [kind: string]: number };
  /** By the name of the audit: what it found wrong. */
  readonly audits: { readonly [audit: string]: Findings };
  readonly ms: number;
}

export const isClean = ({ audits }: Report): boolean => Object.values(audits).every((wrong) => wrong.length === 0);

/** How many findings of one audit are printed. */
const MAX_SHOWN = 20;

/** A report for people. */
export function reportText({ seed, tables, events, messages, requests, unanswered, people, deeds, faults, audits, ms }: Report): string {
  const struck = Object.entries(faults)
    .map(([kind, many]) => `${many} ${kind}`)
    .join(', ');
  const found = Object.entries(audits).flatMap(([audit, wrong]) => [
    `  ${wrong.length ? 'RED  ' : 'good '} ${audit}${wrong.length ? `: ${wrong.length}` : ''}`,
    ...wrong.slice(0, MAX_SHOWN).map((one) => `          ${one}`),
  ]);
  return [
    `seed ${seed}: ${tables} tables, ${events} events, ${messages} messages, ${requests} requests (${unanswered} unanswered), ${deeds} lines of ${people} people, in ${(ms / 1_000).toFixed(0)} s`,
    `faults: ${struck}`,
    ...found,
  ].join('\n');
}

import type { Message } from '@maw/contracts/contracts.ts';
import type { Asking } from '@maw/minds/mind.ts';
import { decisionIn, lossInWords, lostIn, type ModelDecisions, sumByModel } from '@maw/minds/replies/made-decisions.ts';
import type { Log } from '@maw/telemetry/log.ts';
import { LRUCache } from 'lru-cache';

/** From how many lost decisions on, and from which share. */
const MIN_LOST = 2;
const MIN_SHARE = 0.25;
const MAX_TABLES = 10_000;

interface Parts {
  now(): number;
  readonly log: Log;
  /** Receives the same words as the log. */
  readonly tell?: ((text: string) => void) | undefined;
  readonly options: { readonly tellEveryMs: number };
}

export type LostDecisions = ReturnType<typeof lostDecisions>;

/**
 * Tells which models' replies cannot be used, while their tables run. Seats may have models of their own: so only decisions with a public question
 * count, and they are told when a public phase begins. Neither the time nor the words depend on who was asked in secret alone.
 */
export function lostDecisions({ now, log, tell, options }: Parts) {
  const made = new LRUCache<string, ModelDecisions[]>({ max: MAX_TABLES });
  const phases = new LRUCache<string, string>({ max: MAX_TABLES });
  let toldAt = -Infinity;
  return {
    /** A step of a thought about these questions was thought. @param model the one that the seat asks */
    thought(table: string, questions: readonly Asking[], content: { readonly [field: string]: unknown }, model: string | undefined): void {
      const decision = questions.some(({ secret }) => !secret) ? decisionIn(content, model) : undefined;
      if (decision) made.set(table, [...sumByModel([...(made.get(table) ?? []), decision])]);
    },

    tableMoved({ subject: table, data: { stage, phase } }: Message<'table.moved'>): void {
      if (stage === 'over') made.delete(table); // then its thoughts can be read
      if (stage !== 'round' || phase === '' || phases.get(table) === phase) return;
      const isFirst = !phases.has(table); // for this process, which may have begun within it
      phases.set(table, phase);
      const lost = (made.get(table) ?? []).filter((each) => lostIn(each) >= Math.max(MIN_LOST, each.made * MIN_SHARE));
      if (isFirst || !lost.length || now() < toldAt + options.tellEveryMs) return;
      toldAt = now();
      made.delete(table);
      for (const each of lost) {
        const text = lossInWords(each);
        log.warn({ table, told: text }, 'replies of a model cannot be used');
        tell?.(text);
      }
    },
  };
}

import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import { fitInPage } from '@maw/contracts/fit-in-page.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { decisionIn } from '@maw/minds/replies/made-decisions.ts';
import type { Thought, ThoughtDecision, Thoughts } from '@maw/store/ports/thoughts.ts';

type Found = ReplyData<'mind.effort'>;
type Steps = Found['steps'];

/** A decision has a handful of steps; one that has more than this is told by its first ones. */
const MAX_STEPS = 200;

/** Answers `mind.effort` from the store. What was asked, replied and decided is left out: only tokens, times, failures, outcomes and the kind of what was wrong go. */
export async function readEffort(thoughts: Thoughts, { subject: table, data }: Message<'mind.effort'>): Promise<Reply<Found>> {
  const { after, limit } = data;
  const decisions = await thoughts.decisions(table, { after, limit: limit + 1 });
  const read: { readonly n: number; readonly steps: Steps }[] = [];
  for (const decision of decisions.slice(0, limit)) {
    const steps = await thoughts.list(table, { seat: decision.seat, decision: decision.decision, limit: MAX_STEPS });
    read.push({ n: decision.n, steps: steps.flatMap((step) => effortOf(decision, step)) });
  }
  const page = fitInPage(read);
  const found = { steps: page.flatMap(({ steps }) => steps), last: page.at(-1)?.n ?? after, more: decisions.length > page.length };
  return { performative: 'inform', data: found };
}

/** None for a step that asked no model and decided nothing. */
function effortOf({ n, phase = '' }: ThoughtDecision, { seat, kind, content }: Thought): Steps {
  const { calls, outcome, error } = content;
  if (calls === undefined && outcome === undefined && error === undefined) return [];
  const round = Number(/^round-(\d+)(?:\/|$)/.exec(phase)?.[1] ?? 1);
  const asked = Array.isArray(calls) ? { calls: (calls as readonly Call[]).map(withoutText) } : {};
  const [wrong] = Object.keys(decisionIn(content)?.wrong ?? {});
  const came = Object.entries({ outcome, error, wrong }).filter(([, value]) => value !== undefined);
  return [{ n, seat, round, kind, content: { ...asked, ...Object.fromEntries(came) } }];
}

interface Call {
  readonly reply?: { readonly [field: string]: unknown };
  readonly failed?: string;
  readonly embed?: number;
  readonly ms?: number;
  readonly model?: string;
}

const withoutText = ({ reply, failed, embed, ms, model }: Call): object => ({
  ...(reply
    ? {
        reply: {
          model: reply['model'],
          tokens: reply['tokens'],
          times: reply['times'],
          repaired: reply['repaired'],
          server: reply['server'],
        },
      }
    : {}),
  ...(failed === undefined ? {} : { failed }),
  ...(embed === undefined ? {} : { embed }),
  ...(ms === undefined ? {} : { ms }),
  ...(model === undefined ? {} : { model }),
});

import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import { fitInPage } from '@maw/contracts/fit-in-page.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { decisionIn, decisionsInWords, sumByModel } from '@maw/minds/replies/made-decisions.ts';
import type { Thought, ThoughtDecision, Thoughts } from '@maw/store/ports/thoughts.ts';

type Found = ReplyData<'mind.thoughts'>;

/** How many characters of JSON one thought has at most: less than a message of the bus takes, also when most need three bytes. */
const MAX_CHARS = 300_000;
/** How long a text of a thought that is larger than that may be. */
const MAX_TEXT = 10_000;
/** Steps are read in portions, as each may be large. */
const MAX_STEPS = 50;

/** Answers `mind.thoughts` from the store. @throws Refusal not-an-option when the decision does not exist */
export async function readThoughts(thoughts: Thoughts, { subject: table, data }: Message<'mind.thoughts'>): Promise<Reply<Found>> {
  const { seat, decision, after, limit } = data;
  if (decision === undefined) {
    const found = await thoughts.decisions(table, { seat, after, limit: limit + 1 });
    const sums = data.sums ? { sums: await sumsOf(thoughts, table) } : {};
    const page = { decisions: found.slice(0, limit).map(shown), thoughts: [], more: found.length > limit, ...sums };
    return { performative: 'inform', data: page };
  }
  const wanted = typeof decision === 'number' ? { after: decision - 1 } : { decision };
  const [one] = await thoughts.decisions(table, { ...wanted, limit: 1 });
  if (!one || (typeof decision === 'number' && one.n !== decision) || (seat ?? one.seat) !== one.seat)
    throw new Refusal('not-an-option', `there is no decision ${decision}${seat === undefined ? '' : ` of seat ${seat}`} at this table`);
  const most = Math.min(limit, MAX_STEPS);
  const steps = await thoughts.list(table, { seat: one.seat, decision: one.decision, after, limit: most + 1 });
  const page = fitInPage(steps.slice(0, most).map(bodyOf));
  return { performative: 'inform', data: { decisions: [shown(one)], thoughts: page, more: steps.length > page.length } };
}

/** How the decisions of a table came about: a line for each model. */
async function sumsOf(thoughts: Thoughts, table: string): Promise<string[]> {
  let sums: ReturnType<typeof sumByModel> = [];
  for (let after = 0; ;) {
    const page = await thoughts.decisions(table, { after, limit: MAX_STEPS });
    for (const { seat, decision } of page) {
      const steps = await thoughts.list(table, { seat, decision, limit: MAX_STEPS });
      sums = sumByModel([...sums, ...steps.flatMap(({ content }) => decisionIn(content) ?? [])]);
    }
    if (page.length < MAX_STEPS) return sums.map(decisionsInWords);
    after = page.at(-1)!.n;
  }
}

const shown = ({ phase, trace, ...one }: ThoughtDecision): Found['decisions'][number] => ({
  ...one,
  ...(phase === undefined ? {} : { phase }),
  ...(trace === undefined ? {} : { trace }),
});

const bodyOf = ({ step, kind, name, at, content }: Thought): Found['thoughts'][number] => ({
  step,
  kind,
  name,
  at,
  content: JSON.stringify(content).length > MAX_CHARS ? shortened(content) : { ...content },
});

function shortened(content: Thought['content']): Found['thoughts'][number]['content'] {
  const short: unknown = JSON.parse(JSON.stringify(content), (_, part: unknown) =>
    typeof part === 'string' && part.length > MAX_TEXT
      ? `${part.slice(0, MAX_TEXT).toWellFormed()}… (${part.length - MAX_TEXT} more characters)`
      : part,
  );
  const { length } = JSON.stringify(short);
  return length <= MAX_CHARS ? (short as Found['thoughts'][number]['content']) : { omitted: `${length} characters` };
}

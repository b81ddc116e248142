import { Refusal } from '@maw/contracts/refusal.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { CompletionReply, Mind, Moment, Answer, Step, Tools } from '../mind.ts';
import { promptOf } from '../prompts/prompt.ts';
import { type Form, type Reading, jsonSchemaOf, readReply, type Way, waysOf, wordsFor } from '../prompts/reply.ts';
import { seedOf } from './model-seed.ts';

/** What is answered when the model has twice said nothing that is allowed; nothing means silence. */
export type Fallback = (reply: string, moment: Moment, ways: readonly Way[]) => readonly Answer[];

interface Acting extends Form {
  readonly temperature: number;
  readonly maxTokens: number;
  readonly fallback: Fallback;
}

/**
 * Asks the model for a decision; a prompt that turns out to be too long for it once more with half of the past. A reply that is not allowed is sent back once with what was wrong, here or before it came here: never twice.
 * Then the fallback; then silence, and the rules' default stands. Whatever the model says, what leaves is legal. A reason, if one is asked for,
 * is kept in the note `reason` and in the thought; nobody else sees it.
 */
export const act = (name: string, { temperature, maxTokens, fallback, ...form }: Acting): Step => ({
  kind: 'act',
  name,
  async run(mind, moment, tools) {
    const ways = waysOf(moment);
    if (!ways.length) return {};
    const ask = (messages: ReturnType<typeof promptOf>, attempt: number) =>
      tools.complete({ messages, format: jsonSchemaOf(ways, form), temperature, maxTokens, seed: seedOf(moment, name, attempt) });

    const decided = (
      model: string,
      outcome: Came,
      reading: { readonly answers: readonly Answer[]; readonly reason?: string },
    ): Partial<Mind> => {
      metrics.decisions.inc({ recipe: moment.recipe, model, outcome });
      const { answers, reason = '' } = reading;
      return form.reasonChars === undefined ? { answers } : { answers, notes: { ...mind.notes, reason } };
    };

    let prompt = promptOf(mind, moment, ways, form);
    const first = await attempted(
      tools,
      () => ask(prompt, 0),
      async () => {
        const less = shorter(mind);
        if (!less) return undefined;
        prompt = promptOf(less, moment, ways, form);
        return attempted(tools, () => ask(prompt, 0));
      },
    );
    if (!first) return decided('none', 'defaulted', { answers: [] });
    const reading = readReply(first.content, ways);
    if ('answers' in reading) return decided(first.model, first.repaired ? 'repaired' : 'valid', reading);
    if (first.repaired) return decided(first.model, 'defaulted', { answers: fallback(first.content, moment, ways) });

    const said = first.content ? [{ role: 'assistant' as const, content: first.content }] : [];
    const wrong = { role: 'user' as const, content: `That was not allowed. ${reading.wrong} Answer again with one JSON object.` };
    const again = await attempted(tools, () => ask([...prompt, ...said, wrong], 1));
    const second: Reading = again ? readReply(again.content, ways) : reading;
    const model = again?.model ?? first.model;
    if ('answers' in second) return decided(model, 'repaired', second);
    return decided(model, 'defaulted', { answers: fallback((again ?? first).content, moment, ways) });
  },
  ...(form.reasonChars === undefined ? {} : { shows: (_, { answers, notes }) => ({ answers, reason: notes['reason'] }) }),
});

type Came = 'valid' | 'repaired' | 'defaulted';

/** A choice that the reply names, and no other, is taken for the choice: of one, or of as many as are asked for. Else silence. */
export const namedChoice: Fallback = (reply, _, ways) => {
  const named = ways.flatMap(({ asking }) => {
    if (asking?.verb !== 'choose') return [];
    const words = wordsFor(asking);
    const says = asking.options.flatMap(({ is }, i) => (mentions(reply, words[i]!) ? [is] : []));
    return says.length ? [{ question: asking.id, says, isWhole: says.length === asking.pick }] : [];
  });
  const [first, ...others] = named;
  return first?.isWhole && !others.length ? [{ question: first.question, says: first.says }] : [];
};

const mentions = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\p{L}\\p{N}_-])`, 'iu').test(text);

/**
 * A reply, or nothing when no model answered in time; what is no longer wanted is thrown on. Nor is one asked again whose answer was refused as
 * invalid: that was tried twice already, as far as it was worth it.
 * @param whenTooLong what is done instead when the prompt does not fit into the model's context
 */
async function attempted(
  tools: Tools,
  ask: () => Promise<CompletionReply>,
  whenTooLong = async (): Promise<CompletionReply | undefined> => undefined,
): Promise<CompletionReply | undefined> {
  try {
    return await ask();
  } catch (error) {
    tools.signal.throwIfAborted();
    return error instanceof Refusal && error.reason === 'too-long' ? whenTooLong() : undefined;
  }
}

/** Half of what is remembered of the past, the newer one: tokens were counted by a rule of thumb. Undefined when there is no past. */
function shorter(mind: Mind): Mind | undefined {
  const past = mind.context.lines.length;
  const unread = mind.unread.length;
  if (past + unread < 2) return undefined;
  const drop = Math.ceil((past + unread) / 2);
  const [ofPast, ofUnread] = [Math.min(drop, past), Math.max(0, drop - past)];
  const context = { lines: mind.context.lines.slice(ofPast), dropped: mind.context.dropped + drop };
  return { ...mind, context, unread: mind.unread.slice(ofUnread) };
}

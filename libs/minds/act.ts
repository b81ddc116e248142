import { metrics } from '@maw/telemetry/metrics.ts';
import type { Completed, Mind, Moment, Said, Step, Tools } from './mind.ts';
import { promptOf } from './prompt.ts';
import { type Reading, jsonSchemaOf, readReply, type Way, waysOf } from './schema.ts';
import { seedOf } from './seed.ts';
import { plain } from './quote.ts';

/** What is answered when the model has twice said nothing that is allowed; nothing means silence. */
export type Fallback = (reply: string, moment: Moment, ways: readonly Way[]) => readonly Said[];

interface Acting {
  readonly temperature: number;
  readonly maxTokens: number;
  readonly fallback: Fallback;
}

/**
 * Asks the model for a decision. A reply that is not allowed is sent back once with what was wrong; then the fallback; then silence,
 * and the rules' default stands. Whatever the model says, what leaves is legal.
 */
export const act = (name: string, { temperature, maxTokens, fallback }: Acting): Step => ({
  kind: 'act',
  name,
  async run(mind, moment, tools) {
    const ways = waysOf(moment);
    if (!ways.length) return {};
    const prompt = promptOf(mind, moment, ways);
    const ask = (messages: typeof prompt, attempt: number) =>
      tools.complete({ messages, format: jsonSchemaOf(ways), temperature, maxTokens, seed: seedOf(moment, name, attempt) });

    const first = await attempted(tools, () => ask(prompt, 0));
    if (!first) return decided(moment, 'none', 'defaulted', []);
    const reading = readReply(first.content, ways);
    if ('answers' in reading) return decided(moment, first.model, 'valid', reading.answers);

    const again = await attempted(tools, () =>
      ask(
        [
          ...prompt,
          { role: 'assistant', content: first.content },
          { role: 'user', content: `That was not allowed. ${reading.wrong} Answer again with one JSON object.` },
        ],
        1,
      ),
    );
    const second: Reading = again ? readReply(again.content, ways) : reading;
    if ('answers' in second) return decided(moment, first.model, 'repaired', second.answers);
    return decided(moment, first.model, 'defaulted', fallback((again ?? first).content, moment, ways));
  },
});

/** A choice that the reply names, and no other, is taken for the choice; else silence. */
export const namedChoice: Fallback = (reply, _, ways) => {
  const found = ways.flatMap(({ asking }) =>
    asking?.verb === 'choose' && asking.pick === 1
      ? asking.options.filter(({ named }) => mentions(reply, plain(named))).map(({ is }): Said => ({ question: asking.id, says: [is] }))
      : [],
  );
  return found.length === 1 ? found : [];
};

const mentions = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])${name.replace(/[.*+?^${}()|\\]/g, '\\$&')}(?![\\p{L}\\p{N}_-])`, 'iu').test(text);

/** A completion, or nothing when no model answered in time; what is no longer wanted is thrown on. */
async function attempted(tools: Tools, ask: () => Promise<Completed>): Promise<Completed | undefined> {
  try {
    return await ask();
  } catch {
    tools.signal.throwIfAborted();
    return undefined;
  }
}

function decided({ recipe }: Moment, model: string, outcome: 'valid' | 'repaired' | 'defaulted', answers: readonly Said[]): Partial<Mind> {
  metrics.decisions.inc({ recipe, model, outcome });
  return { answers };
}

import { z } from 'zod';
import { branchOf } from '../../experience/pool-index.ts';
import { selectExperience } from '../../experience/select.ts';
import { labelRawText } from '../../experience/label-players.ts';
import type { ExperienceIndex, Mind, Moment, Step, Tools } from '../../mind.ts';
import { sideOf } from '@maw/games/roles.ts';
import { ownRole } from '../../own-role.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { sanitize, truncate } from '../../sanitize.ts';

/** Sides that document 001 leaves without experience, and those that it does not have. */
const FOES: ReadonlySet<string> = new Set(['wolves', 'werewolves', 'evil', 'fox', 'tanner']);
const MAX_CHARS = 400;

const parameters = z.strictObject({
  prompt: z.string().describe('The prompt file; it needs {{bad}} and {{good}}'),
  pool: z.string().describe('The name of the pool, with @VERSION for another than the newest; empty: no experience'),
  who: z.enum(['village', 'all']).describe('Who uses it: the village or the good; or everybody'),
  epsilon: z.number().min(-1).max(1).describe('Reflections are alike above this cosine'),
  most: z.int().min(2).describe('How many experiences are compared at most'),
  good: z.enum(['median', 'fixed']).describe('Which experiences may be good'),
  goodMost: z.int().min(1).describe('How many of them are shown at most'),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1).describe('Tokens of the suggestion'),
});
type Parameters = z.output<typeof parameters>;

/** Looks experience up that is like the reflection, and asks what the good ones have in common: S of document 001, in the note `suggestion`. */
export const suggestKind = stepKind({
  step: 'xu-suggest',
  description: 'Extracts a suggestion from experience of finished games that is like the reflection.',
  parameters,
  create(given, setup): Omit<Step, 'name'> {
    const prompt = setup.prompt(given.prompt, ['bad', 'good']);
    return {
      kind: 'plan',
      chain: given.pool ? 1 : 0,
      async run(mind, moment, tools) {
        const [reflection] = mind.reflections;
        if (!given.pool || reflection === undefined || !tools.experience || isLeftOut(given, mind, moment)) return {};
        const index = await tools.experience(given.pool);
        const { found, by } = await search(given, index, { reflection, moment }, tools);
        const selection = selectExperience(found, given.good, given.goodMost);
        const retrieved = { pool: index.pool, by, found: found.length };
        if (!selection) return { notes: { ...mind.notes, suggestion: '', retrieved } };
        const good = selection.good.map(({ response }, i) => `${i + 1}. ${sanitize(response)}`);
        const messages = prompt.messages(mind, moment, { bad: sanitize(selection.bad.response), good });
        const { content } = await tools.complete({ messages, temperature: given.temperature, maxTokens: given.maxTokens });
        const text = truncate(sanitize(content), MAX_CHARS);
        const suggestion = /no useful experience/i.test(text) ? '' : text;
        return { notes: { ...mind.notes, suggestion, retrieved: { ...retrieved, ...selection } } };
      },
      shows: (before, { notes }) => (before.notes === notes ? {} : { suggestion: notes['suggestion'], retrieved: notes['retrieved'] }),
    };
  },
});

const isLeftOut = ({ who }: Parameters, mind: Mind, { rules }: Moment): boolean =>
  who === 'village' && FOES.has(sideOf(ownRole(mind), rules.name));

interface Situation {
  readonly reflection: string;
  readonly moment: Moment;
}

/** Exact search by embeddings; by words in a pool without them, or when no model embeds. */
async function search({ epsilon, most }: Parameters, index: ExperienceIndex, { reflection, moment }: Situation, tools: Tools) {
  const names: string[] = [];
  for (const { seat, name } of moment.players) names[seat] = name;
  const labelled = labelRawText(reflection, names); // as in the pool
  const query = { branch: branchOf(moment), reflection: labelled, epsilon, most };
  if (index.model === undefined) return { found: await index.find(query), by: 'words (BM25)' };
  const embedded = await tools.embed([labelled], index.model).catch(() => undefined);
  tools.signal.throwIfAborted();
  const vector = embedded?.embeddings[0];
  return {
    found: await index.find({ ...query, vector }),
    by: vector ? `embeddings of ${index.model}, exact` : 'words (BM25): no model embeds',
  };
}

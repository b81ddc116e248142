import { z } from 'zod';
import { schemaOf } from '../../prompts/json-schema.ts';
import type { Mind, Moment } from '../../mind.ts';
import { stepKind } from '../../recipe/step-kind.ts';
import { sanitize } from '../../sanitize.ts';
import { askAll } from '../../steps/calls.ts';

const reply = z.object({ reasoning: z.string().max(400), bid: z.enum(['0', '1', '2', '3', '4']) });
const format = schemaOf(reply);
const HIGHEST = 4;

/** How long a bid waits for the floor, as a share of the longest wait: 4 speaks at once. Undefined for 0, which only listens. */
export const waitOfBid = (bid: number): number | undefined => (bid > 0 ? (HIGHEST - bid) / HIGHEST : undefined);

interface Placed {
  readonly bid: number;
  readonly rationale: string;
}

/**
 * Bids for the floor where talk is free. The higher the bid, the sooner the seat speaks, unless somebody else speaks first: then it bids anew.
 * Nobody bids after a speech of their own. Until the floor is won, the note `floor` is empty.
 */
export const bidKind = stepKind({
  step: 'bid',
  description: 'Bids from 0 to 4 for the floor; the bid decides how long the seat waits before it speaks.',
  parameters: z.strictObject({
    prompt: z.string().describe('The prompt file'),
    temperature: z.number().min(0).max(2),
    maxTokens: z.int().min(1).describe('Tokens of the reply'),
  }),
  create({ prompt, temperature, maxTokens }, setup) {
    const file = setup.prompt(prompt);
    return {
      kind: 'plan',
      chain: 1,
      async run(mind, moment, tools) {
        if (!isFreeTalk(moment)) return {};
        const placed = mind.notes['placed'] as Placed | undefined;
        if (placed && !hasNewSpeech(moment)) return takeFloor(mind, placed);
        if (mind.notes['speaker'] === moment.seat) return leaveFloor(mind, undefined);
        const [chosen] = await askAll(tools, [{ messages: file.messages(mind, moment), format, temperature, maxTokens }], reply);
        const next = { bid: Number(chosen?.bid ?? 0), rationale: sanitize(chosen?.reasoning ?? '') };
        return next.bid === HIGHEST ? takeFloor(mind, next) : leaveFloor(mind, next);
      },
      shows: (before, { notes, pause }) => (notes === before.notes ? {} : { bid: notes['placed'] ?? 'none', floor: notes['floor'], pause }),
    };
  },
});

const isFreeTalk = ({ questions }: Moment): boolean => questions.some(({ verb, final }) => verb === 'say' && !final);

const hasNewSpeech = ({ news, seat }: Moment): boolean => news.some(({ speech, by }) => speech !== undefined && by !== seat);

const takeFloor = ({ notes }: Mind, { rationale }: Placed): Partial<Mind> => ({
  notes: { ...notes, placed: undefined, rationale, floor: 'free' },
  pause: undefined,
});

function leaveFloor({ notes }: Mind, placed: Placed | undefined): Partial<Mind> {
  const pause = waitOfBid(placed?.bid ?? 0);
  return { notes: { ...notes, placed: pause === undefined ? undefined : placed, floor: '' }, pause };
}

import { expect, it } from '@jest/globals';
import { Refusal } from '@maw/contracts/refusal.ts';
import { catalogue } from '@maw/games/catalogue.ts';
import { tokensOf } from '@maw/minds/context.ts';
import type { CompletionRequest } from '@maw/minds/mind.ts';
import { recipes } from '@maw/minds/recipes.ts';
import { sampleOf } from '../equipment/fakes/scripted-model.ts';
import { playDecisions } from './transcript.ts';

// A server with a context of 2,048 tokens, as small devices have it, refuses what is longer. Here tokens are counted a little higher than estimated.

const CONTEXT = 2_048;
const DECISIONS = 40;
/** Long enough that the log of a game does not fit. */
const SPEECH = 'I have listened to everybody, and I think that we should look at who changed their mind without a reason. '.repeat(2);

const tokensIn = ({ messages }: CompletionRequest): number =>
  Math.ceil(messages.reduce((sum, { content }) => sum + 1.05 * tokensOf(content) + 8, 0));

function answered(request: CompletionRequest, count: number): object | string | Error {
  if (tokensIn(request) > CONTEXT) return new Refusal('too-long', 'the input length exceeds the context length');
  if (!request.format) return `Thought ${count}. ${SPEECH}`;
  const reply = sampleOf(request.format, count) as { readonly text?: string };
  return reply.text === undefined || /^[A-Z]+ Agent|^Skip|^Over/.test(reply.text) ? reply : { ...reply, text: SPEECH.slice(0, 200) };
}
/** Answers every step. */
const script = new Proxy({}, { get: () => answered });

it.each(recipes.filter(({ usesModel }) => usesModel).map((recipe) => [recipe.name, recipe] as const))(
  '%s decides nine of ten decisions itself where the context has 2,048 tokens',
  async (_, recipe) => {
    for (const { name } of catalogue) {
      const small = recipe.configure!({ context: CONTEXT });
      const decisions = (await playDecisions(small, name, script)).filter(({ calls }) => calls.length).slice(-DECISIONS);
      const own = decisions.filter(({ calls }) => calls.at(-1)!.reply !== '');
      expect([name, own.length >= 0.9 * decisions.length, decisions.length > 20]).toEqual([name, true, true]);
    }
  },
);

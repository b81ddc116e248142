import type { Bus, Subscription } from '@maw/bus/bus.ts';
import type { Message } from '@maw/contracts/contracts.ts';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';

/** What a model says that has lost its way. */
const GARBAGE: readonly [string, ...string[]] = [
  '',
  'I would rather not say.',
  '{"do":"vote","target":"Nobody"}',
  '{"do":"fly"}',
  '{"do":"speak","text":""}',
  String.raw`{"do":"speak","text":"a\u0000b\u001b[2J\ud800"}`, // escaped: what could not be kept as it is the gateway lets through to nobody
  '[1,2,3]',
  '{"name":"<script>"}',
  'x'.repeat(5_000),
];

interface Shape {
  readonly anyOf?: readonly Shape[];
  readonly properties?: { readonly [name: string]: Field };
}
interface Field {
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly examples?: readonly string[];
  /** Of a list: `minItems` different ones of these. */
  readonly items?: { readonly enum: readonly string[] };
  readonly minItems?: number;
}

interface Script {
  readonly seed: string;
  /** How many in a hundred replies are garbage, evenly: of ten in a hundred every tenth one. */
  readonly garbage: number;
  /** What garbage is; of many kinds by default. */
  readonly nonsense?: readonly [string, ...string[]];
  /** What is always chosen where it is offered. */
  readonly favours?: readonly string[];
}

/** Answers completions in the place of the gateway: random answers that fit the format, and sometimes garbage. */
export async function fakeModelGateway(bus: Bus, { seed, garbage, nonsense = GARBAGE, favours = [] }: Script) {
  const asked: { readonly agent: string; readonly content: string; readonly isGarbage: boolean }[] = [];
  const listening: Subscription = await bus.consume(
    'llm-gateway',
    ['llm.complete', 'llm.cancel'],
    { concurrency: 100, isSingle: true },
    async (message) => {
      if (message.type !== 'llm.complete') return;
      const dice = diceOf(seed, `${message.data.agent}/${message.id}`);
      const isGarbage = Math.floor(((asked.length + 1) * garbage) / 100) > Math.floor((asked.length * garbage) / 100);
      const content = isGarbage ? dice.pick(nonsense) : JSON.stringify(replyTo(message, dice, favours));
      asked.push({ agent: message.data.agent, content, isGarbage });
      const times = { queued: 0, load: 0, prefill: 0, decode: 0, total: 0 };
      return {
        performative: 'agree',
        data: { content, model: 'scripted', server: 'here', tokens: { prompt: 1, completion: 1 }, times, reason: 'stop' },
      };
    },
  );
  return { asked, stop: () => listening.stop() };
}

function replyTo({ data }: Message<'llm.complete'>, dice: Dice, favours: readonly string[]): unknown {
  const format = data.format as Shape;
  const all = format.anyOf ?? [format];
  const { properties = {} } = all[dice.below(all.length)]!;
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => {
      if (field.const !== undefined) return [name, field.const];
      if (field.items) return [name, dice.shuffle(field.items.enum).slice(0, field.minItems)];
      const offered = field.enum ?? field.examples;
      if (offered) return [name, offered.find((word) => favours.includes(word)) ?? offered[dice.below(offered.length)]];
      if (name === 'reason') return [name, `Because of ${dice.below(1_000)} things.`];
      return [name, name === 'name' ? `Mind ${dice.below(1_000)}` : `I have ${dice.below(1_000)} reasons.`];
    }),
  );
}

import { catalogue } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { readName } from '@maw/games/match/player-name.ts';
import { z } from 'zod';
import { schemaOf } from './prompts/json-schema.ts';
import type { Tools } from './mind.ts';
import { readForm } from './replies/read-form.ts';
import { sanitize } from './sanitize.ts';

/** A refused name and the reason. */
export interface RefusedName {
  readonly name: string;
  readonly why: string;
}

interface Naming {
  /** The rule set of the table. */
  readonly rules: string;
  /** Names at the table. */
  readonly taken: readonly string[];
  readonly seed: string;
  /** The names of this seat that the gamemaster has refused. */
  readonly refused?: readonly RefusedName[];
}

/** How often the model is asked before a name is taken from the list. */
const MODEL_TRIES = 2;
const reply = z.object({ name: z.string().min(1).max(24) });

/**
 * A name for a seat: the model's choice, or one of a list if that fails. Makes a few calls at most.
 * @param tools absent for minds without a model
 * @throws the abort reason of `tools.signal`
 */
export async function chooseName(
  tools: Pick<Tools, 'complete' | 'signal'> | undefined,
  { rules, taken, seed, refused = [] }: Naming,
): Promise<string> {
  const tried: RefusedName[] = [...refused];
  while (tried.length < MODEL_TRIES) {
    const given = tools && (await proposed(tools, { rules, taken, seed }, tried));
    if (given === undefined) break;
    try {
      return readName(given, [...taken, ...tried.map(({ name }) => name)]);
    } catch (error) {
      tried.push({ name: given, why: (error as Error).message });
    }
  }
  return listed(seed, [...taken, ...tried.map(({ name }) => name)]);
}

/** The model's proposal, valid or not; undefined when no model answers. */
async function proposed(
  { complete, signal }: Pick<Tools, 'complete' | 'signal'>,
  { rules, taken, seed }: Naming,
  tried: readonly RefusedName[],
) {
  try {
    const { content } = await complete({ ...prompt(rules, taken, tried), seed: diceOf(seed, `name/${tried.length}`).below(2 ** 31) });
    return nameIn(content);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

const prompt = (rules: string, taken: readonly string[], tried: readonly RefusedName[]) => ({
  messages: [
    {
      role: 'system' as const,
      content: `You join a game of ${gameInWords(rules)}\nChoose the name you are called by: 1 to 24 letters, digits, spaces, _ or -.`,
    },
    {
      role: 'user' as const,
      content: [
        taken.length ? `Taken are: ${taken.map(sanitize).join(', ')}.` : 'No name is taken.',
        ...tried.map(({ name, why }) => `"${sanitize(name)}" was refused: ${sanitize(why)}.`),
        'Answer with one JSON object: {"name": "..."}',
      ].join('\n'),
    },
  ],
  format: schemaOf(reply),
  temperature: 1,
  maxTokens: 40,
});

function gameInWords(rules: string): string {
  const known = catalogue.find(({ name }) => name === rules);
  return known ? `${known.name}: ${known.says}` : `${sanitize(rules)}.`;
}

/** Empty when the reply has no name. */
const nameIn = (content: string): string => readForm(content, reply, schemaOf(reply)).value?.name ?? '';

/** A free name of the list, in an order by seed; a numbered one when all are taken. */
function listed(seed: string, taken: readonly string[]): string {
  const isFree = (name: string): boolean => !taken.some((other) => other.toLowerCase() === name.toLowerCase());
  const free = diceOf(seed, 'name').shuffle(NAMES).find(isFree);
  for (let n = 2; ; n++) {
    const name = free ?? `${NAMES[n % NAMES.length]!} ${n}`;
    if (isFree(name)) return name;
  }
}

const NAMES = (
  'Ada Alba Anton Basil Bela Carla Casimir Clara Cosima Cyril Dora Edgar Elsa Emil Fabian Flora Frieda Georg Greta Gustav ' +
  'Hanna Hugo Ida Igor Ilse Ivan Jakob Jana Karl Klara Konrad Lena Leo Lotte Ludwig Magda Marta Max Mila Nora Olga Oskar ' +
  'Paula Petra Quentin Rosa Rufus Selma Silas Tilda Udo Vera Viktor Wanda Xaver Yara Zeno Zora'
).split(' ');

import { catalogue } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { readName } from '@maw/games/match/player-name.ts';
import { rolesOf } from '@maw/games/roles.ts';
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
 * A name for a seat: one of a list, or the model's choice where its recipe wants that, if it is one that a person could have. Makes a few calls at
 * most.
 * @param tools absent for names of the list
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
      return personName(readName(given, [...taken, ...tried.map(({ name }) => name)]));
    } catch (error) {
      tried.push({ name: given, why: (error as Error).message });
    }
  }
  return listed(seed, [...taken, ...tried.map(({ name }) => name)]);
}

/** @throws Error when nobody is called so: it is no word of letters, or one of a game: a role, a room, a word of the rules */
function personName(name: string): string {
  if (!/^\p{Lu}\p{L}{1,23}$/u.test(name)) throw new Error('a name is one word of letters, as people are called by');
  const lower = name.toLowerCase();
  if (gameWords().has(lower) || NO_NAME.test(lower)) throw new Error('that is a word of the game, not the name of a person');
  return name;
}

/** Parts that no name of a person has, and that models make names of. */
const NO_NAME = /player|name|game|village|wolf|avalon|onuw|^maw|seat/;

let words: ReadonlySet<string> | undefined;

/** All words of the rules of all games, in lower case. */
const gameWords = (): ReadonlySet<string> =>
  (words ??= new Set(
    catalogue.flatMap((set) => {
      const text = `${set.name} ${set.says} ${rolesOf(set.name).join(' ')} ${set.text(set.players.usual, {})}`;
      return text.toLowerCase().match(/\p{L}+/gu) ?? [];
    }),
  ));

/** The model's proposal, valid or not; undefined when no model answers. */
async function proposed(
  { complete, signal }: Pick<Tools, 'complete' | 'signal'>,
  { rules, taken, seed }: Naming,
  tried: readonly RefusedName[],
) {
  try {
    const { content } = await complete({
      ...prompt(rules, taken, tried, listed(seed, taken).charAt(0)),
      seed: diceOf(seed, `name/${tried.length}`).below(2 ** 31),
    });
    return nameIn(content);
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** @param letter another one for each seat, so that those who choose at the same time choose different names */
const prompt = (rules: string, taken: readonly string[], tried: readonly RefusedName[], letter: string) => ({
  messages: [
    {
      role: 'system' as const,
      content: `You join a game of ${gameInWords(rules)}\nChoose the first name you are called by, as a person could have it: one word of at most 24 letters, no word of the game.`,
    },
    {
      role: 'user' as const,
      content: [
        taken.length ? `Taken are: ${taken.map(sanitize).join(', ')}.` : 'No name is taken.',
        ...tried.map(({ name, why }) => `"${sanitize(name)}" was refused: ${sanitize(why)}.`),
        `The name begins with ${letter}. Answer with one JSON object with the field "name".`,
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

import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildExperience, type BuildOptions, type Embed } from '@maw/lab/training/experience/build.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import { type PlayedGame, playGame } from '@maw/minds/arena/arena.ts';
import type { Answer, Asking, Experience, Moment, Recipe, Step, Thought, Tools } from '@maw/minds/mind.ts';
import { findRecipe, recipes } from '@maw/minds/recipes.ts';
import { experienceLibrary } from '@maw/player/experience-library.ts';
import { memoryStore } from '../equipment/memory-store/memory-store.ts';
import { sampleOf, scriptedModel } from '../equipment/fakes/scripted-model.ts';

// Pools made of twenty games of `xu`, through the real build. What `xu` takes from them in further games is computed again from what each seat was
// heard to think and do, entry by entry, by the formulae of document 001.

const RULES = 'werewolf-7';
const GAMES = 20;
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil', 'Fritz', 'Gerda'];
const LETTERS = ['A', 'B', 'C', 'D', 'E', 'F', 'G'].map((letter) => `Player ${letter}`);
const THEMES = ['claim', 'doubt', 'vote'];
const WORDS = ['alone', 'because', 'clearly', 'defends', 'early', 'fears', 'guesses', 'hides', 'insists', 'joins', 'knows', 'lies'];

const store = memoryStore();
afterAll(() => store.close());

/** One decision as it was heard, with letters for names. */
interface Heard extends Experience {
  readonly kind: string;
}
const heard: Heard[] = [];

/** Texts of one theme are alike, more or less; no two are the same. */
const embed: Embed = Object.assign(async (texts: readonly string[]) => texts.map(vectorOf), { model: 'themes' });
function vectorOf(text: string): readonly number[] {
  const noise = [...createHash('sha256').update(text).digest().subarray(0, 16)].map((byte) => (byte / 255 - 0.5) * 0.36);
  return [...THEMES.map((theme) => (text.includes(theme) ? 1 : 0)), ...noise];
}

const withLetters = (text: string): string => NAMES.reduce((before, name, seat) => before.replaceAll(name, LETTERS[seat]!), text);
const kindOf = ({ id, verb, secret }: Asking): string => (verb === 'say' ? 'talk' : secret ? stepOf(id) : 'vote');

/** Plays a game in which every seat is `xu` with these parameters, and passes each of its steps on. */
async function play(
  seed: string,
  parameters: object,
  tools: Partial<Tools>,
  hear: (moment: Moment, thought: Thought) => Promise<void> | void,
): Promise<PlayedGame> {
  const dice = diceOf(seed, 'words');
  const pick = (from: readonly string[]): string => from[dice.below(from.length)]!;
  const reflect = (): string => {
    const some = Array.from({ length: 2 + dice.below(8) }, () => pick(WORDS));
    return [pick(NAMES), ...some, pick(THEMES), 'of', pick(NAMES)].join(' ');
  };
  let current: Moment;
  const note: Step = { kind: 'observe', name: 'note', shows: () => ({}), run: async (_, moment) => ((current = moment), {}) };
  const recipe = findRecipe('xu', recipes, { questions: 'off', ...parameters });
  const noting: Recipe = { ...recipe, steps: [note, ...recipe.steps] };
  const model = scriptedModel({ reflect, act: ({ format }) => sampleOf(format!, dice.below(1_000)) as object });
  return playGame({
    rules: ruleSetNamed(RULES),
    players: NAMES.length,
    options: { maxDays: 3 },
    seed,
    names: NAMES,
    recipeFor: () => noting,
    toolsFor: (_, now) => ({ ...model.tools, ...tools, now: () => now, record: async (thought) => hear(current, thought) }),
  });
}

/** Plays a game, stores it, and notes its decisions with the scores that they come to. */
async function playAndStore(table: string): Promise<void> {
  const made: (Omit<Heard, 'score'> & { readonly seat: number })[] = [];
  let step = 0;
  let reflection: string | undefined;
  const { tape, outcome } = await play(table, {}, {}, async ({ seat, phase, questions }, { kind, name, content }) => {
    const about = { table, seat, decision: `${seat}/${phase}/${String(content['iteration'])}`, step: ++step, kind, name, at: step };
    await store.thoughts.record({ ...about, content: { phase, ...content } });
    if (name === 'reflect') [reflection] = content['reflections'] as readonly string[];
    const [answer] = (content['answers'] ?? []) as readonly Answer[];
    if (answer && reflection !== undefined) {
      const kindOfAnswer = kindOf(questions.find(({ id }) => id === answer.question)!);
      const said = answer.says.map((each) => (each.startsWith('seat:') ? LETTERS[Number(each.slice(5))]! : withLetters(each))).join(', ');
      const response = kindOfAnswer === 'talk' ? said : `${stepOf(answer.question)} ${said}`;
      made.push({ seat, kind: kindOfAnswer, reflection: withLetters(reflection), response });
    }
    if (kind === 'act') reflection = undefined;
  });
  await store.tapes.append(table, 0, [...tape], { at: 1, cause: table, wake: undefined, summary: { stage: 'over' } });
  const days = Math.max(...tape.flatMap((event) => (event.type === 'dawned' ? [Number(event['day'])] : [])));
  heard.push(...made.map(({ seat, ...own }) => ({ ...own, score: outcome.winners.includes(seat) ? 1_000 - days : days })));
}

/** How alike a reflection is to each of the others. */
type Likeness = (reflection: string, others: readonly string[]) => readonly number[];

const lengthOf = (vector: readonly number[]): number => Math.sqrt(vector.reduce((sum, n) => sum + n * n, 0));
const byCosine: Likeness = (reflection, others) => {
  const own = vectorOf(reflection);
  return others.map(vectorOf).map((other) => own.reduce((sum, n, d) => sum + n * other[d]!, 0) / (lengthOf(own) * lengthOf(other)));
};

/** BM25 with k1 = 1.2 and b = 0.75. */
const byWords: Likeness = (reflection, others) => {
  const texts = others.map((text) => text.toLowerCase().split(' '));
  const mean = texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  const sums = texts.map(() => 0);
  for (const word of new Set(reflection.toLowerCase().split(' '))) {
    const counts = texts.map((text) => text.filter((each) => each === word).length);
    const having = counts.filter(Boolean).length;
    const rarity = Math.log(1 + (texts.length - having + 0.5) / (having + 0.5));
    for (const [i, n] of counts.entries()) sums[i]! += (rarity * n * 2.2) / (n + 1.2 * (0.25 + (0.75 * texts[i]!.length) / mean));
  }
  return sums;
};

/** What is to be found for a reflection: of the entries of the kind the 50 most alike, of these the worst, and five near the median of the scores. */
function expected(kind: string, reflection: string, likeness: Likeness, above: number) {
  const all = heard.filter((each) => each.kind === kind);
  const alike = likeness(reflection, all.map((each) => each.reflection)) // prettier-ignore
    .map((like, i) => ({ like, entry: all[i]! }))
    .filter(({ like }) => like > above)
    .toSorted((a, b) => b.like - a.like)
    .slice(0, 50)
    .map(({ entry: { kind: _, ...entry } }) => entry);
  const scores = alike.map(({ score }) => score).toSorted((a, b) => a - b);
  const median = (scores[Math.floor((scores.length - 1) / 2)]! + scores[Math.ceil((scores.length - 1) / 2)]!) / 2;
  const bad = alike.find(({ score }) => score === scores[0]);
  const far = ({ score }: Experience): number => Math.abs(score - median);
  const others = alike.filter((entry) => entry !== bad).toSorted((a, b) => far(a) - far(b) || a.score - b.score);
  return { found: alike.length, ...(others.length ? { bad, good: others.slice(0, 5) } : {}) };
}

describe('xu with the experience of twenty games', () => {
  beforeAll(async () => {
    for (let game = 1; game <= GAMES; game++) await playAndStore(`game-${game + 100}`);
    const build = { rules: RULES, tables: undefined, isNew: false, maxDays: 12, now: 1, signal: new AbortController().signal };
    const pools: readonly Pick<BuildOptions, 'name' | 'embed'>[] = [{ name: 'vectors', embed }, { name: 'words', embed: undefined }]; // prettier-ignore
    for (const pool of pools)
      expect(await buildExperience(store, { ...build, ...pool })).toMatchObject({ games: GAMES, entries: heard.length });
  }, 600_000);

  it.each<[string, Likeness, number]>([
    ['vectors', byCosine, 0.85],
    ['words', byWords, 0],
  ])(
    'takes from a pool of %s what the formulae say',
    async (experience, likeness, above) => {
      const tools: Partial<Tools> = {
        experience: experienceLibrary(store.experience, () => 1),
        embed: async (texts) => ({ embeddings: await embed(texts), model: embed.model }),
      };
      const counts: number[] = [];
      let reflection = '';
      await play('another', { experience, who: 'all' }, tools, ({ questions }, { name, content }) => {
        if (name === 'reflect') [reflection = ''] = content['reflections'] as readonly string[];
        if (name !== 'extract') return;
        const { found, bad, good } = content['retrieved'] as ReturnType<typeof expected>;
        const wanted = expected(kindOf(questions[0]!), withLetters(reflection), likeness, above);
        expect({ found, bad, good }).toEqual({ bad: undefined, good: undefined, ...wanted });
        counts.push(found);
      });
      expect(counts.length).toBeGreaterThan(20);
      expect(Math.max(...counts)).toBe(50);
      if (likeness === byCosine) expect(Math.min(...counts)).toBeLessThan(20); // the limit leaves some out
    },
    600_000,
  );
});

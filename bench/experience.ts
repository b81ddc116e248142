import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { poolIndex, type StoredExperience } from '@maw/minds/experience/pool-index.ts';
import { best } from '@maw/minds/experience/retrieve.ts';
import type { ExperienceIndex } from '@maw/minds/mind.ts';
import { figuresBenchmark } from './benchmark.ts';
import type { Figure } from './figures.ts';

const SIZES = [1_000, 10_000, 100_000];
const DIMENSIONS = 384;
/** The mean cosine of two reflections: of games of one rule set they are alike. */
const ALIKE = 0.85;
/** As in `xu`. */
const EPSILON = 0.85;
const MOST = 50;
const WORDS = 40;
const VOCABULARY = 5_000;

/** How long the search in a pool of experience takes, and whether it finds what a comparison with every entry finds. */
export const experience = figuresBenchmark(
  'experience',
  `search in pools of experience, vectors of ${DIMENSIONS} dimensions`,
  async ({ runs }, { signal, say }) => {
    const figures: Figure[] = [];
    for (const size of SIZES) {
      if (signal.aborted) break;
      const startedAt = performance.now();
      const pool = poolOf(size);
      say(`a pool of ${size} made in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
      const firstAt = performance.now();
      await pool.index.find({ branch: 'vote', reflection: pool.text(), epsilon: EPSILON, most: MOST });
      const splitMs = performance.now() - firstAt;
      const searches: Search[] = [];
      for (let i = 0; i < runs; i++) searches.push(await search(pool));
      const figure = (what: string, unit: string, of: (search: Search) => number): Figure => ({
        what: `${what}, ${size} entries`,
        unit,
        runs: searches.map(of),
      });
      figures.push(
        figure('search by vector', 'ms', ({ vectorMs }) => vectorMs),
        figure(`recall of the nearest ${MOST}`, '%', ({ recall }) => recall * 100),
        figure('search by words', 'ms', ({ wordsMs }) => wordsMs),
        { what: `first search by words, ${size} entries`, unit: 'ms', runs: [splitMs] },
      );
    }
    return figures;
  },
);

interface Pool {
  readonly stored: readonly StoredExperience[];
  readonly index: ExperienceIndex;
  vector(): Float32Array;
  text(): string;
}

function poolOf(size: number): Pool {
  const dice = diceOf('experience', `${size}`);
  const centre = randomUnit(dice);
  const vector = (): Float32Array => unitOf(randomUnit(dice).map((each, d) => Math.sqrt(1 - ALIKE) * each + Math.sqrt(ALIKE) * centre[d]!));
  const text = (): string => Array.from({ length: WORDS }, () => wordOf(dice)).join(' ');
  const stored = Array.from({ length: size }, (_, i) => ({
    reflection: text(),
    response: `${i}`,
    score: 0,
    branch: 'vote',
    vector: vector(),
  }));
  return { stored, index: poolIndex('bench@1', 'random vectors', stored), vector, text };
}

const randomUnit = (dice: Dice): Float32Array => unitOf(Float32Array.from({ length: DIMENSIONS }, () => dice.below(2_001) - 1_000));

function unitOf(vector: Float32Array): Float32Array {
  const length = Math.sqrt(productOf(vector, vector));
  return vector.map((each) => each / length);
}

/** Common words are common, as in prose: the n-th is about n times as rare as the first. */
const wordOf = (dice: Dice): string => `w${Math.floor(VOCABULARY ** (dice.below(1_000_000) / 1_000_000))}`;

interface Search {
  readonly vectorMs: number;
  /** The share of what a comparison with every entry finds. */
  readonly recall: number;
  readonly wordsMs: number;
}

async function search({ stored, index, vector, text }: Pool): Promise<Search> {
  const asked = vector();
  const query = { branch: 'vote', reflection: text(), epsilon: EPSILON, most: MOST };
  const startedAt = performance.now();
  const found = await index.find({ ...query, vector: [...asked] });
  const vectorMs = performance.now() - startedAt;
  const responses = new Set(found.map(({ response }) => response));
  const nearest = best(stored.map((each) => productOf(each.vector!, asked)), MOST, EPSILON); // prettier-ignore
  const recall = nearest.filter((at) => responses.has(stored[at]!.response)).length / nearest.length;
  const wordsAt = performance.now();
  await index.find(query);
  return { vectorMs, recall, wordsMs: performance.now() - wordsAt };
}

function productOf(a: Float32Array, b: Float32Array): number {
  let product = 0;
  for (let d = 0; d < a.length; d++) product += a[d]! * b[d]!;
  return product;
}

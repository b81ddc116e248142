import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { isTest, root, sourceFiles } from '../source/repository.ts';
import { type Mutant, mutantAt, type Place, placesOf } from './mutant.ts';

interface Candidate extends Place {
  readonly file: string;
  readonly text: string;
}

/** `count` places of the product, the same for the same seed: two in each package, the rest spread by the number of places a package has. */
export function chooseMutants(count: number, seed: string): readonly Mutant[] {
  const dice = diceOf(seed, 'mutants');
  const files = sourceFiles().filter((path) => /^(libs|services|apps)\//.test(path) && !isTest(path));
  const packages = [...Map.groupBy(files, (path) => path.split('/').slice(0, 2).join('/')).values()].map(candidatesOf);
  const first = packages.flatMap((candidates) => [draw(candidates, dice), draw(candidates, dice)]);
  const rest = packages.flat();
  const chosen = [...first, ...Array.from({ length: Math.max(0, count - first.length) }, () => draw(rest, dice))];
  return chosen.flatMap((each) => each ?? []).map((each, index) => mutantAt(index + 1, each.file, each.text, each));
}

function candidatesOf(files: readonly string[]): Candidate[] {
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    return placesOf(file, text).map((place) => ({ ...place, file, text }));
  });
}

const draw = (candidates: Candidate[], dice: Dice): Candidate | undefined =>
  candidates.length ? candidates.splice(dice.below(candidates.length), 1)[0] : undefined;

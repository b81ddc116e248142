import { createRequire, registerHooks } from 'node:module';
import { join } from 'node:path';
import type { RecipeSource } from '@maw/recipes/card.ts';
import type { StepKind } from './step-kind.ts';

/** Loads code that is not of this repository: no layer knows it, and only its author can name it. */
const loadFile = createRequire(import.meta.url);
let isHooked = false;

/**
 * The kind of step that a file beside a recipe of one's own exports: the step `suspect` is in `suspect.ts`. What the file imports by the name of a
 * package comes from the packages around it, or else from those of the product, `@maw/minds/...` too.
 * @returns undefined when there is no such file
 * @throws Error in words for the author of the recipe
 */
export function ownStep({ folder, read }: RecipeSource, step: string): StepKind | undefined {
  const name = `${step}.ts`;
  if (folder === undefined || !/^[a-z0-9][a-z0-9-]*$/.test(step)) return undefined;
  try {
    read(name); // the fingerprint of the recipe knows what was read
  } catch {
    return undefined;
  }
  importFromProduct();
  const exported = Object.values(load(join(folder, name), name)).filter(isKind);
  const found = exported.find((kind) => kind.step === step);
  if (found) return found;
  const others = exported.map((kind) => kind.step).join(', ');
  throw new Error(`${name} exports no step ${step}${others ? `, but ${others}` : ''}; make one with stepKind({ step: '${step}', ... })`);
}

function load(path: string, name: string): object {
  try {
    return loadFile(path) as object;
  } catch (error) {
    const [first] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw new Error(`${name} cannot be loaded: ${first!}`, { cause: error });
  }
}

/** Packages that are not found around a file of somebody's own are looked for among those of the product. */
function importFromProduct(): void {
  if (isHooked) return;
  isHooked = true;
  registerHooks({
    resolve(specifier, context, next) {
      try {
        return next(specifier, context);
      } catch (error) {
        try {
          return next(specifier, { ...context, parentURL: import.meta.url });
        } catch {
          throw error;
        }
      }
    },
  });
}

const isKind = (value: unknown): value is StepKind => {
  const { step, parameters, create } = (value ?? {}) as Partial<StepKind>;
  return typeof step === 'string' && typeof parameters?.safeParse === 'function' && typeof create === 'function';
};

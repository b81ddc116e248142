import { createHash } from 'node:crypto';
import type { DecisionKind } from '@maw/games/kernel/rule-set.ts';
import { cardOf, holds, parameterMistakes, parseRecipe, type RecipeSource, whenMistakes } from '@maw/recipes/card.ts';
import { issueWords } from '@maw/recipes/issue-words.ts';
import { type ParameterTable, type ParameterValues, readParameters } from '@maw/recipes/parameters.ts';
import type { RecipeFile, StepEntry } from '@maw/recipes/recipe-file.ts';
import { issueTexts, parseYaml, RecipeError, type YamlFile } from '@maw/recipes/yaml-file.ts';
import { z } from 'zod';
import { chainOf, type Recipe, type Step } from '../mind.ts';
import { holeError, holeValue, type HoleSources, type RoleText, type RoleTexts } from '../prompts/holes.ts';
import { fillShared, type Layout } from '../prompts/layout.ts';
import { fillPrompt, parsePrompt } from '../prompts/prompt-file.ts';
import { ownStep } from './own-step.ts';
import type { RecipePrompt, StepKind, StepSetup } from './step-kind.ts';

/** A recipe file, read and checked. */
interface Loaded {
  readonly source: RecipeSource;
  readonly file: YamlFile<RecipeFile>;
  readonly kinds: readonly StepKind[];
  readonly texts: RoleTexts;
  /** Empty until all of it is read. */
  readonly fingerprint: string;
}

/**
 * Loads a recipe, and checks every step of it, for each value of each switch and choice.
 * @throws RecipeError with every mistake
 */
export function loadRecipe(given: RecipeSource, kinds: readonly StepKind[]): Recipe {
  const { source, fingerprint } = fingerprinted(given);
  const { file, table } = parseRecipe(source);
  const mistakes = parameterMistakes(file);
  const texts = tryTo(mistakes, () => readTexts(source, file)) ?? {};
  const loaded: Loaded = { source, file, kinds, texts, fingerprint: '' };
  for (const values of mistakes.length ? [] : variants(file.value, table)) {
    for (const part of ['steps', 'after'] as const)
      for (const [i, entry] of file.value[part].entries()) {
        mistakes.push(...whenMistakes(file, entry, [part, i], table));
        tryTo(mistakes, () => stepOf(loaded, entry, [part, i], values));
      }
  }
  if (mistakes.length) throw new RecipeError([...new Set(mistakes)]);
  return withValues({ ...loaded, fingerprint: fingerprint() }, table, readParameters(file.value.name, table, {}));
}

/** Knows what has been read of a recipe: to check it reads every file that it names. */
function fingerprinted(source: RecipeSource): { readonly source: RecipeSource; readonly fingerprint: () => string } {
  const texts = new Map<string, string>();
  const read = (path: string): string => {
    const text = source.read(path);
    texts.set(path, text);
    return text;
  };
  const files = () => [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const fingerprint = (): string => createHash('sha256').update(JSON.stringify([source.text, files()])).digest('hex').slice(0, 16); // prettier-ignore
  return { source: { ...source, read }, fingerprint };
}

function withValues(loaded: Loaded, table: ParameterTable, values: ParameterValues): Recipe {
  const file = loaded.file.value;
  const stepsOf = (part: 'steps' | 'after'): readonly Step[] =>
    file[part].flatMap((entry, i) => (holds(entry, values) ? [stepOf(loaded, entry, [part, i], values)] : []));
  const { calls: said, after, ...card } = cardOf(file, table, values);
  const steps = stepsOf('steps');
  const calls = said ?? steps.reduce((sum, step) => sum + chainOf(step), 0);
  return {
    ...card,
    fingerprint: loaded.fingerprint,
    steps,
    ...(calls > 1 ? { calls } : {}),
    ...(after ? { after: stepsOf('after') } : {}),
    configure: (given) => withValues(loaded, table, readParameters(file.name, table, given)),
  };
}

/** The defaults, and each other value of each switch and choice alone. */
function variants({ name }: RecipeFile, table: ParameterTable): readonly ParameterValues[] {
  const others = Object.entries(table).flatMap(([key, parameter]): readonly ParameterValues[] => {
    if (parameter.type === 'boolean') return [{ [key]: !parameter.default }];
    return parameter.type === 'choice' ? parameter.choices.map((choice) => ({ [key]: choice })) : [];
  });
  return [{}, ...others].map((given) => readParameters(name, table, given));
}

/** @throws RecipeError */
function stepOf(loaded: Loaded, entry: StepEntry, path: readonly PropertyKey[], values: ParameterValues): Step {
  const { file, kinds, texts } = loaded;
  const { step, name = step, when, needs, with: given = {} } = entry;
  const here = `${file.at(path)}: ${path.join('.')}`;
  const kind = kinds.find((each) => each.step === step) ?? inWords(here, () => ownStep(loaded.source, step));
  if (!kind) {
    const own = loaded.source.folder === undefined ? '' : `, and no ${step}.ts beside the recipe`;
    throw new RecipeError([`${here}: there is no step ${step}; there are ${kinds.map((each) => each.step).join(', ')}${own}`]);
  }
  const unknown: string[] = [];
  const resolved = resolve(given, values, unknown);
  if (unknown.length)
    throw new RecipeError(
      unknown.map((each) => `${here}: the recipe has no parameter ${each}; it has ${Object.keys(values).join(', ') || 'none'}`),
    );
  const result = kind.parameters.safeParse(resolved, { error: issueWords });
  if (!result.success) throw new RecipeError(result.error.issues.flatMap((issue) => issueTexts(issue, file.at, [...path, 'with'])));
  const on = when?.decision === undefined ? {} : { on: [when.decision].flat() as readonly DecisionKind[] };
  const layout: Layout = values['layout'] === 'shared' ? 'shared' : 'paper';
  const setup: StepSetup = { name, texts, layout, prompt: promptsOf(loaded, { parameters: values, texts }, layout) };
  const noted = needs === undefined ? {} : { needs: [needs].flat().map((each) => each.slice('note.'.length)) };
  return { name, ...on, ...noted, ...inWords(here, () => kind.create(result.data, setup)) };
}

/** @throws RecipeError whatever is thrown */
function inWords<T>(here: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw error instanceof RecipeError ? error : new RecipeError([`${here}: ${(error as Error).message}`]);
  }
}

/** Replaces `$name` by the value of the parameter, and `${name}` within a text. Adds names that do not exist to `unknown`. */
function resolve(value: unknown, values: ParameterValues, unknown: string[]): unknown {
  const valueOf = (name: string): unknown => {
    if (Object.hasOwn(values, name)) return values[name];
    unknown.push(name);
    return undefined;
  };
  if (typeof value === 'string') {
    const whole = /^\$(\w+)$/.exec(value)?.[1];
    return whole === undefined ? value.replace(/\$\{(\w+)\}/g, (_, name: string) => String(valueOf(name))) : valueOf(whole);
  }
  if (Array.isArray(value)) return value.map((each) => resolve(each, values, unknown));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each, values, unknown)]));
}

/** How a step reads the prompt files of its recipe. */
const promptsOf =
  ({ source }: Loaded, sources: HoleSources, layout: Layout): StepSetup['prompt'] =>
  (path, own = []): RecipePrompt => {
    const prompt = parsePrompt(path, source.read(path), (other) => source.read(other));
    const wrong = [...prompt.holes].flatMap((hole) => {
      const error = holeError(hole, sources, own);
      return error === undefined ? [] : [`${path}: nothing fills {{${hole}}}: ${error}`];
    });
    if (wrong.length) throw new RecipeError(wrong);
    return {
      messages(mind, moment, filled = {}) {
        const valueOf = (hole: string) => holeValue(hole, mind, moment, { ...sources, own: filled });
        return layout === 'shared' ? fillShared(prompt, valueOf, mind, moment) : fillPrompt(prompt, valueOf);
      },
    };
  };

const roleText: z.ZodType<RoleText> = z.lazy(() => z.union([z.string(), z.array(z.string()), z.record(z.string(), roleText)]));
const roleTexts = z.record(z.string(), roleText);

const readTexts = (source: RecipeSource, { value }: YamlFile<RecipeFile>): RoleTexts =>
  value.texts === undefined ? {} : parseYaml(value.texts, source.read(value.texts), roleTexts).value;

/** Adds the mistakes of a function to the list. */
function tryTo<T>(mistakes: string[], make: () => T): T | undefined {
  try {
    return make();
  } catch (error) {
    mistakes.push(...(error instanceof RecipeError ? error.mistakes : [(error as Error).message]));
    return undefined;
  }
}

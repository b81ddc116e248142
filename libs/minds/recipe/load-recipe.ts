import { createHash } from 'node:crypto';
import type { DecisionKind } from '@maw/games/kernel/rule-set.ts';
import { z } from 'zod';
import { chainOf, type Recipe, type Step } from '../mind.ts';
import { holeError, holeValue, type HoleSources, type RoleText, type RoleTexts } from '../prompts/holes.ts';
import { fillShared, type Layout } from '../prompts/layout.ts';
import { fillPrompt, parsePrompt } from '../prompts/prompt-file.ts';
import { type ParameterTable, type ParameterValues, readParameters, valueError, withCommonParameters } from '../parameters.ts';
import { type RecipeFile, recipeFileShape, type StepEntry } from './recipe-file.ts';
import type { RecipePrompt, StepKind, StepSetup } from './step-kind.ts';
import { issueWords } from './issue-words.ts';
import { issueTexts, parseYaml, RecipeError, type YamlFile } from './yaml-file.ts';

/** Where the files of a recipe are. */
export interface RecipeSource {
  /** The path of the recipe's file, for messages. */
  readonly path: string;
  readonly text: string;
  /** Reads a file that the recipe names, by its path relative to the recipe. @throws Error when there is none */
  read(path: string): string;
}

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
  const file = parseYaml(source.path, source.text, recipeFileShape);
  const mistakes = parameterMistakes(file);
  const texts = tryTo(mistakes, () => readTexts(source, file)) ?? {};
  const loaded: Loaded = { source, file, kinds, texts, fingerprint: '' };
  const table = withCommonParameters(file.value.parameters, file.value.model);
  for (const values of mistakes.length ? [] : variants(file.value, table)) {
    for (const part of ['steps', 'after'] as const)
      for (const [i, entry] of file.value[part].entries()) {
        mistakes.push(...whenMistakes(loaded, entry, [part, i], table));
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
  const { name, description, model, ignoresNews, contextTokens, steps, after } = loaded.file.value;
  const stepsOf = (part: 'steps' | 'after', entries: readonly StepEntry[]): readonly Step[] =>
    entries.flatMap((entry, i) => (holds(entry, values) ? [stepOf(loaded, entry, [part, i], values)] : []));
  const made = stepsOf('steps', steps);
  const calls = loaded.file.value.calls ?? made.reduce((sum, step) => sum + chainOf(step), 0);
  return {
    name,
    description,
    fingerprint: loaded.fingerprint,
    usesModel: model,
    ...(ignoresNews ? { ignoresNews } : {}),
    contextTokens,
    steps: made,
    ...(calls > 1 ? { calls } : {}),
    ...(after.length ? { after: stepsOf('after', after) } : {}),
    parameters: table,
    values,
    configure: (given) => withValues(loaded, table, readParameters(name, table, given)),
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

function parameterMistakes({ value, at }: YamlFile<RecipeFile>): string[] {
  return Object.entries(value.parameters).flatMap(([name, parameter]) =>
    (['default', 'program'] as const).flatMap((field) => {
      const wrong = parameter[field] === undefined ? undefined : valueError(parameter, parameter[field]);
      return wrong === undefined ? [] : [`${at(['parameters', name, field])}: parameters.${name}.${field}: ${wrong}`];
    }),
  );
}

function whenMistakes({ file: { at } }: Loaded, { when = {} }: StepEntry, path: readonly PropertyKey[], table: ParameterTable) {
  return Object.entries(when).flatMap(([name, wanted]) => {
    if (name === 'decision') return [];
    const where = `${at([...path, 'when', name])}: ${path.join('.')}.when.${name}`;
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!parameter) return [`${where}: there is no parameter ${name}; there are ${['decision', ...Object.keys(table)].join(', ')}`];
    return [wanted].flat().flatMap((each) => {
      const wrong = valueError(parameter, each);
      return wrong === undefined ? [] : [`${where}: it can never be ${String(each)}: ${wrong}`];
    });
  });
}

/** Whether the parameters are as the step wants them. */
const holds = ({ when = {} }: StepEntry, values: ParameterValues): boolean =>
  Object.entries(when).every(([name, wanted]) => name === 'decision' || [wanted].flat().includes(values[name]!));

/** @throws RecipeError */
function stepOf(loaded: Loaded, entry: StepEntry, path: readonly PropertyKey[], values: ParameterValues): Step {
  const { file, kinds, texts } = loaded;
  const { step, name = step, when, needs, with: given = {} } = entry;
  const here = `${file.at(path)}: ${path.join('.')}`;
  const kind = kinds.find((each) => each.step === step);
  if (!kind) throw new RecipeError([`${here}: there is no step ${step}; there are ${kinds.map((each) => each.step).join(', ')}`]);
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
  try {
    return {
      name,
      ...on,
      ...(needs === undefined ? {} : { needs: [needs].flat().map((each) => each.slice('note.'.length)) }),
      ...kind.create(result.data, setup),
    };
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

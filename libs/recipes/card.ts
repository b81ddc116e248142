import { contextOf, type ParameterTable, type ParameterValues, readParameters, valueError, withCommonParameters } from './parameters.ts';
import { type RecipeFile, recipeFileShape, type StepEntry } from './recipe-file.ts';
import { parseYaml, RecipeError, type YamlFile } from './yaml-file.ts';

/** What others need to know of a recipe: all that its file says, without the code of its steps. */
export interface RecipeCard {
  readonly name: string;
  /** One line for lists. */
  readonly description: string;
  /** The path of its file; absent for recipes of the product. */
  readonly file?: string;
  /** Without a model thoughts cost nothing: pauses are short, and no step is skipped when time is short. */
  readonly usesModel: boolean;
  /** It never reads the news, so the arena need not compute them. */
  readonly ignoresNews?: boolean;
  /** The limit for a prompt and its reply together, in tokens; `num_ctx` of the model server must be as large. */
  readonly contextTokens: number;
  /** How many calls of the model a decision makes at most, where its file says so; else its steps are counted where they are loaded. */
  readonly calls?: number;
  /** How many it takes on average. */
  readonly meanCalls?: number;
  /** The rule sets it is made for. Absent: every one. */
  readonly games?: readonly string[];
  /** The steps that run once when a round is over, its roles and winners known. */
  readonly after?: readonly { readonly name: string }[];
  readonly parameters?: ParameterTable;
  /** The values of all parameters. */
  readonly values?: ParameterValues;
  /** The same recipe with other values. Absent: it has no parameters. @throws Error naming everything that is wrong */
  configure?(given: ParameterValues): RecipeCard;
}

/** Where the files of a recipe are. */
export interface RecipeSource {
  /** The path of the recipe's file, for messages. */
  readonly path: string;
  readonly text: string;
  /** Where it is, if not among the recipes of the product. */
  readonly folder?: string;
  /** Reads a file that the recipe names, by its path relative to the recipe. @throws Error when there is none */
  read(path: string): string;
}

/** Parses the file of a recipe. @throws RecipeError with every mistake of its shape */
export function parseRecipe({ path, text }: RecipeSource): { readonly file: YamlFile<RecipeFile>; readonly table: ParameterTable } {
  const file = parseYaml(path, text, recipeFileShape);
  return { file, table: withCommonParameters(file.value.parameters, file.value.model) };
}

/**
 * Reads the card of a recipe, and checks its file but for what only the code of its steps knows: their kinds, their own parameters, their prompts.
 * @throws RecipeError with every mistake
 */
export function readCard(source: RecipeSource): RecipeCard {
  const { file, table } = parseRecipe(source);
  const mistakes = parameterMistakes(file);
  for (const part of mistakes.length ? [] : (['steps', 'after'] as const))
    for (const [i, entry] of file.value[part].entries()) mistakes.push(...whenMistakes(file, entry, [part, i], table));
  if (mistakes.length) throw new RecipeError(mistakes);
  return cardOf(file.value, table, readParameters(file.value.name, table, {}));
}

/** The card of a recipe with these values. */
export function cardOf(file: RecipeFile, table: ParameterTable, values: ParameterValues): RecipeCard {
  const { name, description, model, ignoresNews, contextTokens, calls, meanCalls, games, after } = file;
  return {
    name,
    description,
    usesModel: model,
    ...(ignoresNews ? { ignoresNews } : {}),
    contextTokens: contextOf(values, contextTokens),
    ...(calls === undefined ? {} : { calls }),
    ...(meanCalls === undefined ? {} : { meanCalls }),
    ...(games === undefined ? {} : { games }),
    ...(after.length
      ? { after: after.filter((entry) => holds(entry, values)).map(({ step, name: called = step }: StepEntry) => ({ name: called })) }
      : {}),
    parameters: table,
    values,
    configure: (given) => cardOf(file, table, readParameters(name, table, given)),
  };
}

/** Whether the parameters are as the step wants them. */
export const holds = ({ when = {} }: StepEntry, values: ParameterValues): boolean =>
  Object.entries(when).every(([name, wanted]) => name === 'decision' || [wanted].flat().includes(values[name]!));

/** What is wrong with the values that parameters have in the file. */
export function parameterMistakes({ value, at }: YamlFile<RecipeFile>): string[] {
  return Object.entries(value.parameters).flatMap(([name, parameter]) =>
    (['default', 'program'] as const).flatMap((field) => {
      const wrong = parameter[field] === undefined ? undefined : valueError(parameter, parameter[field]);
      return wrong === undefined ? [] : [`${at(['parameters', name, field])}: parameters.${name}.${field}: ${wrong}`];
    }),
  );
}

/** What is wrong with the `when` of a step: parameters that are not there, and values that they never have. @param path of the step */
export function whenMistakes(
  { at }: YamlFile<RecipeFile>,
  { when = {} }: StepEntry,
  path: readonly PropertyKey[],
  table: ParameterTable,
): readonly string[] {
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

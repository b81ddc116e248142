import { z } from 'zod';

export type ParameterValue = string | number | boolean;
export interface ParameterValues {
  readonly [name: string]: ParameterValue;
}

const about = {
  description: z.string().min(1),
  unit: z.string().optional().describe('What a number counts: messages, tokens'),
  source: z.string().optional().describe('Where the default comes from: a section of a paper'),
};
const numbers = { minimum: z.number().optional(), maximum: z.number().optional() };

/** A parameter of a recipe, as its file has it. `program` is its value under `source: program`. */
export const parameterShape = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('integer'), default: z.int(), program: z.int().optional(), ...numbers, ...about }),
  z.strictObject({ type: z.literal('number'), default: z.number(), program: z.number().optional(), ...numbers, ...about }),
  z.strictObject({ type: z.literal('boolean'), default: z.boolean(), program: z.boolean().optional(), ...about }),
  z.strictObject({
    type: z.literal('choice'),
    choices: z.array(z.string().min(1)).min(1),
    default: z.string(),
    program: z.string().optional(),
    ...about,
  }),
  z.strictObject({ type: z.literal('text'), default: z.string(), program: z.string().optional(), ...about }),
]);
export type Parameter = z.output<typeof parameterShape>;
export interface ParameterTable {
  readonly [name: string]: Parameter;
}

/** The parameter of every recipe whose paper and program differ. */
const sourceParameter: Parameter = {
  type: 'choice',
  choices: ['paper', 'program'],
  default: 'paper',
  description: 'Whether values on which paper and program differ are those of the paper or of the program',
};

/** The parameter of every recipe with a model. */
const layoutParameter: Parameter = {
  type: 'choice',
  choices: ['paper', 'shared'],
  default: 'shared',
  description: 'The order of prompts: as in the paper, or first what all seats of a table share, which a model server then computes once',
};

/** How the model of a seat is asked, whatever the recipe. The model itself belongs to the seat, and `temperature` to the recipe. */
const modelParameters: ParameterTable = {
  thinking: {
    type: 'choice',
    choices: ['recipe', 'off', 'on', 'low', 'medium', 'high'],
    default: 'recipe',
    description: 'Whether a model that can think does so before it answers, or how much; recipe: as its steps say',
  },
  topP: {
    type: 'number',
    default: 1,
    minimum: 0,
    maximum: 1,
    description: 'Top-p sampling: tokens are drawn from the most likely ones with this total probability',
  },
  context: {
    type: 'integer',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    unit: 'tokens',
    description: 'A prompt and its reply together, at most; 0: as much as the recipe and the model allow',
  },
};

/** The names that no recipe can give to a parameter of its own. */
export const COMMON_NAMES: readonly string[] = ['decision', 'source', 'layout', 'model', ...Object.keys(modelParameters)];

/** How the model of a seat is asked, from the values of its recipe. */
export interface ModelSettings {
  readonly think?: boolean | ThinkingLevel;
  readonly topP?: number;
}
export type ThinkingLevel = 'low' | 'medium' | 'high';

/** What `values` change in every request of the seat. */
export function modelSettings({ thinking = 'recipe', topP = 1 }: ParameterValues = {}): ModelSettings {
  return {
    ...(thinking === 'recipe' ? {} : { think: thinking === 'on' || (thinking !== 'off' && (thinking as ThinkingLevel)) }),
    ...(topP === 1 ? {} : { topP: topP as number }),
  };
}

/** The limit of tokens that a seat is given; `usual` where it has none of its own. */
export const contextOf = ({ context }: ParameterValues = {}, usual: number): number =>
  typeof context === 'number' && context > 0 ? Math.min(context, usual) : usual;

/** Adds what recipes need not declare: `source` where a parameter has a value of its own for the program; with a model `layout` and its settings. */
export function withCommonParameters(table: ParameterTable, usesModel: boolean): ParameterTable {
  const hasProgram = Object.values(table).some(({ program }) => program !== undefined);
  return {
    ...(hasProgram ? { source: sourceParameter } : {}),
    ...table,
    ...(usesModel ? { layout: layoutParameter, ...modelParameters } : {}),
  };
}

/** The set of strategies that the parameter `strategies` of a recipe names; undefined: none. */
export function strategySetOf(values: ParameterValues = {}): string | undefined {
  const { strategies } = values;
  return typeof strategies !== 'string' || strategies === 'off' ? undefined : strategies;
}

/** The pool of experience that the parameter `experience` of a recipe names; undefined: none. */
export const poolOf = ({ experience }: ParameterValues = {}): string | undefined =>
  typeof experience !== 'string' || experience === '' ? undefined : experience;

/** The policy that the parameter `policy` of a recipe names, where its tactics are chosen by one; undefined: none is asked. */
export const policyOf = ({ tactic, policy }: ParameterValues = {}): string | undefined =>
  tactic === 'rl' ? (typeof policy === 'string' ? policy : '') : undefined;

/** Why a value does not fit its parameter; undefined when it does. */
export function valueError(parameter: Parameter, value: unknown): string | undefined {
  switch (parameter.type) {
    case 'integer':
    case 'number': {
      const { type, minimum = -Infinity, maximum = Infinity } = parameter;
      if (typeof value !== 'number' || !Number.isFinite(value) || (type === 'integer' && !Number.isInteger(value)))
        return `it is ${type === 'integer' ? 'a whole number' : 'a number'}`;
      if (value >= minimum && value <= maximum) return undefined;
      return minimum === -Infinity
        ? `it is at most ${maximum}`
        : maximum === Infinity
          ? `it is at least ${minimum}`
          : `it is from ${minimum} to ${maximum}`;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'it is on or off';
    case 'choice':
      return parameter.choices.includes(value as string) ? undefined : `it is one of ${parameter.choices.join(', ')}`;
    case 'text':
      return typeof value === 'string' ? undefined : 'it is a text';
  }
}

const SWITCH: { readonly [word: string]: boolean } = { on: true, off: false, true: true, false: false };

/** A value as a person writes it: `10`, `off`. What does not fit is returned unchanged. */
function asWritten({ type }: Parameter, value: ParameterValue): ParameterValue {
  if (typeof value !== 'string' || type === 'choice' || type === 'text') return value;
  if (type === 'boolean') return SWITCH[value.toLowerCase()] ?? value;
  return value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
}

/**
 * The values of all parameters: the given ones and the defaults.
 * @throws Error naming every unknown parameter and every value that does not fit, and what there is
 */
export function readParameters(recipe: string, table: ParameterTable, given: ParameterValues): ParameterValues {
  const mistakes: string[] = [];
  const values: { [name: string]: ParameterValue } = {};
  for (const [name, value] of Object.entries(given)) {
    const parameter = Object.hasOwn(table, name) ? table[name] : undefined;
    if (!parameter) {
      const there = Object.keys(table).join(', ');
      mistakes.push(`the recipe ${recipe} has no parameter ${name.slice(0, 60)}; ${there ? `it has ${there}` : 'it has none'}`);
      continue;
    }
    const written = asWritten(parameter, value);
    const wrong = valueError(parameter, written);
    if (wrong === undefined) values[name] = written;
    else mistakes.push(`the parameter ${name} of ${recipe} cannot be ${String(value).slice(0, 60)}: ${wrong}`);
  }
  if (mistakes.length) throw new Error(mistakes.join('; '));
  const isProgram = values['source'] === 'program';
  const usual = ({ default: paper, program }: Parameter): ParameterValue => (isProgram ? (program ?? paper) : paper);
  return Object.fromEntries(Object.entries(table).map(([name, parameter]) => [name, values[name] ?? usual(parameter)]));
}

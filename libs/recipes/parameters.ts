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

/** Adds what recipes need not declare: `source` where a parameter has a value of its own for the program, `layout` with a model. */
export function withCommonParameters(table: ParameterTable, usesModel: boolean): ParameterTable {
  const hasProgram = Object.values(table).some(({ program }) => program !== undefined);
  return { ...(hasProgram ? { source: sourceParameter } : {}), ...table, ...(usesModel ? { layout: layoutParameter } : {}) };
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

import { z } from 'zod';
import { CAPABILITIES, type ModelSpec } from './engine/model-spec.ts';
import { PROCESS_DEFAULTS, type SimulatorOptions } from './options.ts';

const ms = z.coerce.number().min(0);

/** `name=completion+thinking,name2=embedding`; without `=` a model completes and calls tools. */
const models = z.string().transform((text, context): readonly ModelSpec[] =>
  listed(text).map((entry) => {
    const [name = '', can] = entry.split('=');
    const capabilities = z.array(z.enum(CAPABILITIES)).safeParse(can?.split('+') ?? ['completion', 'tools']);
    if (name === '') context.addIssue(`"${entry}" has no name; write name=completion+thinking`);
    if (!capabilities.success) context.addIssue(`"${entry}": after = write some of ${CAPABILITIES.join(', ')} with + between them`);
    return { name, capabilities: capabilities.data ?? [] };
  }),
);

/** Milliseconds per token with 1, 2, ... busy slots. */
const perToken = z.string().transform((text, context) => {
  const numbers = z.array(ms).min(1).safeParse(listed(text));
  if (!numbers.success) context.addIssue('write milliseconds, or several with commas for 1, 2, ... busy slots: 12,14,18');
  return numbers.data ?? [];
});

const listed = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The simulator's environment variables. */
export const environment = z.object({
  SIM_HOST: z.string().min(1).default(PROCESS_DEFAULTS.host),
  SIM_PORT: z.coerce.number().int().min(0).max(65_535).default(PROCESS_DEFAULTS.port),
  SIM_MODELS: models.optional(),
  SIM_SLOTS: z.coerce.number().int().min(1).default(PROCESS_DEFAULTS.slots),
  SIM_LOAD_MS: ms.default(PROCESS_DEFAULTS.loadMs),
  SIM_PREFILL_MS_PER_TOKEN: ms.default(PROCESS_DEFAULTS.prefillMsPerToken),
  SIM_DECODE_MS_PER_TOKEN: perToken.default([...PROCESS_DEFAULTS.decodeMsPerToken]),
  SIM_SEED: z.coerce.number().int().default(PROCESS_DEFAULTS.seed),
});

/** Parses the environment. @throws Error naming every mistake */
export const readConfig = (env: Readonly<Record<string, string | undefined>> = process.env): SimulatorOptions => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const read = environment.safeParse(given);
  if (!read.success) throw new Error(`The environment is invalid:\n${z.prettifyError(read.error)}`);
  return Object.fromEntries(Object.entries(read.data).map(([variable, value]) => [optionOf(variable), value])) as SimulatorOptions;
};

/** SIM_LOAD_MS: loadMs. */
const optionOf = (variable: string): string =>
  variable
    .slice('SIM_'.length)
    .toLowerCase()
    .replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

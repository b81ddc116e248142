import { z } from 'zod';
import { logText } from '@maw/text/sanitize-text.ts';
import { isBareTemplate, type Takes, takesOf } from './families/families.ts';
import type { ListedModel, ModelDetails } from './provider.ts';

// Responses are read leniently: a field that is missing or malformed counts as absent.
const MAX_MODELS = 2_000;
const text = z.string().catch('');
const capabilities = z.array(z.string()).optional().catch(undefined);
const details = z.object({ family: text }).catch({ family: '' });
const listedModel = z.object({
  name: z.string(),
  digest: text,
  details,
  capabilities,
  remote_host: z.unknown().optional(),
  remote_model: z.unknown().optional(),
});

/** Reads `/api/tags`. @throws Error when it is no list */
export function parseModelList(response: unknown): readonly ListedModel[] {
  const list = z.object({ models: z.array(z.unknown()).nullable() }).safeParse(response);
  if (!list.success) throw new Error('its /api/tags is no list of models');
  return (list.data.models ?? []).slice(0, MAX_MODELS).flatMap((entry) => {
    const { data } = listedModel.safeParse(entry);
    if (!data) return [];
    const { name, digest, remote_host, remote_model } = data;
    return { name, digest, family: data.details.family, capabilities: data.capabilities, isRemote: Boolean(remote_host || remote_model) };
  });
}

/** Reads `/api/version`. @throws Error when there is none */
export function parseVersion(response: unknown): string {
  const { data } = z.object({ version: z.string() }).safeParse(response);
  if (!data) throw new Error('its /api/version has no version');
  return logText(data.version, 60);
}

/** Whether this version of Ollama may lose slots, as those before 0.33 do. One that was built without a version calls itself 0.0.0. */
export const isOutdated = (version = ''): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 0 && minor > 0 && minor < 33;
};

/** Reads the names of `/api/ps`. */
export const parseResident = (response: unknown): readonly string[] =>
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .catch({ models: [] })
    .parse(response)
    .models.map(({ name }) => name);

const shown = z.object({
  capabilities,
  details,
  template: z.string().optional().catch(undefined),
  /** Since 0.40: where the prompt really comes from; before that a renderer is named. */
  template_source: z.string().optional().catch(undefined),
  renderer: text,
  thinking: z
    .object({ values: z.array(z.unknown()) })
    .optional()
    .catch(undefined),
  model_info: z.record(z.string(), z.unknown()).catch({}),
});

/** Reads `/api/show`; undefined: it did not answer. */
export function parseModelInfo(response: unknown, listed: ListedModel, host: string): ModelDetails {
  const { data } = shown.safeParse(response);
  const family = data?.details.family || listed.family;
  const told = { kind: 'ollama', host, model: listed.name, family, capabilities: data?.capabilities ?? listed.capabilities } as const;
  if (!data) return { capabilities: told.capabilities, family, takes: takesOf(told) };
  const { template = '', template_source: source, renderer, thinking, model_info: info } = data;
  const inFile = info['tokenizer.chat_template'];
  const isBare = template === '' || isBareTemplate(template);
  const isBase = source === undefined ? template !== '' && isBare && renderer === '' && typeof inFile !== 'string' : source === 'none';
  const used = renderer !== '' ? undefined : !isBare ? template : typeof inFile === 'string' ? inFile : undefined;
  const contextLength = Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1];
  const facts = {
    isBase,
    ...(typeof contextLength === 'number' ? { contextLength } : {}),
    ...(thinking ? { thinking: thinkingOf(thinking.values) } : {}),
  };
  return { capabilities: told.capabilities, family, takes: takesOf({ ...told, template: used, facts }) };
}

/** From the values that the field `think` takes. */
function thinkingOf(values: readonly unknown[]): Takes['thinking'] {
  if (values.includes(false)) return values.length > 1 ? 'choice' : 'never';
  return values.some((value) => typeof value === 'string') ? 'levels' : 'always';
}

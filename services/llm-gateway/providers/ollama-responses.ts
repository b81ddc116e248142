import { z } from 'zod';
import { sanitizeText } from '../sanitize-text.ts';
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
  return sanitizeText(data.version, 60);
}

/** Whether this version of Ollama may lose slots, as those before 0.33 do. */
export const isOutdated = (version = ''): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 0 && minor < 33;
};

/** Reads the names of `/api/ps`. */
export const parseResident = (response: unknown): readonly string[] =>
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .catch({ models: [] })
    .parse(response)
    .models.map(({ name }) => name);

/** Reads `/api/show`. */
export function parseModelInfo(response: unknown): ModelDetails {
  const { data } = z.object({ capabilities, details }).safeParse(response);
  return { capabilities: data?.capabilities, family: data?.details.family ?? '' };
}

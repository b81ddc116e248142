import { z } from 'zod';
import { sanitizeText } from '../sanitize-text.ts';

/** What servers say of themselves, read leniently: what is missing or odd is as if it had not been said. */
const MOST_MODELS = 2_000;

const text = z.string().catch('');
const capabilities = z.array(z.string()).optional().catch(undefined);
const details = z.object({ family: text }).catch({ family: '' });

const listed = z.object({
  name: z.string(),
  digest: text,
  details,
  capabilities,
  remote_host: z.unknown().optional(),
  remote_model: z.unknown().optional(),
});

/** A line of `/api/tags`. */
export interface Listed {
  readonly name: string;
  readonly digest: string;
  readonly family: string;
  readonly capabilities: readonly string[] | undefined;
  /** It runs somewhere else. */
  readonly isRemote: boolean;
}

/** The models of `/api/tags`. @throws Error when it is no list */
export function listing(said: unknown): readonly Listed[] {
  const all = z.object({ models: z.array(z.unknown()).nullable() }).safeParse(said);
  if (!all.success) throw new Error('its /api/tags is no list of models');
  return (all.data.models ?? []).slice(0, MOST_MODELS).flatMap((one) => {
    const { data } = listed.safeParse(one);
    if (!data) return [];
    const { name, digest, remote_host, remote_model } = data;
    return { name, digest, family: data.details.family, capabilities: data.capabilities, isRemote: Boolean(remote_host || remote_model) };
  });
}

/** The version of `/api/version`. @throws Error when there is none */
export function versionOf(said: unknown): string {
  const { data } = z.object({ version: z.string() }).safeParse(said);
  if (!data) throw new Error('its /api/version has no version');
  return sanitizeText(data.version, 60);
}

/** Whether a version of Ollama may lose slots (document ollama, section 11). */
export const isOld = (version = ''): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major === 0 && minor < 33;
};

/** The names of `/api/ps`. */
export const resident = (said: unknown): readonly string[] =>
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .catch({ models: [] })
    .parse(said)
    .models.map(({ name }) => name);

/** Capabilities and family of `/api/show`. */
export function shown(said: unknown): { readonly capabilities: readonly string[] | undefined; readonly family: string } {
  const { data } = z.object({ capabilities, details }).safeParse(said);
  return { capabilities: data?.capabilities, family: data?.details.family ?? '' };
}

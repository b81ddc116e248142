import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../equipment/source/repository.ts';
import type { Resource } from './kustomize.ts';

export const COMPONENT = join(root, 'infra/k8s/components/restore-test');

/** What the restore test creates beside the live cluster, but for its owner. */
export const restoredFrom = (live: Resource): Resource =>
  merged(live, JSON.parse(readFileSync(join(COMPONENT, 'restored.json'), 'utf8'))) as unknown as Resource;

/** A JSON merge patch (RFC 7396). */
export function merged(into: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const result: Record<string, unknown> = isObject(into) ? { ...into } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

import type { ServerKind } from '../server-options.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';

export const SERVER_KINDS = ['ollama', 'openai'] as const satisfies readonly ServerKind[];
export const DEFAULT_KIND: ServerKind = 'ollama';

/** The client of each kind of model server. */
export const PROVIDERS = { ollama, openai } as const satisfies Record<ServerKind, unknown>;

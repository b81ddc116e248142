import type { ServerKind, ServerOptions } from '../options.ts';
import { ollama } from './ollama.ts';
import { openai } from './openai.ts';
import type { Provider } from './provider.ts';

/** Creates the client of a server. @param now milliseconds since the epoch */
type ProviderFactory = (server: ServerOptions, stallMs: number, now: () => number) => Provider;

/** The client of each kind of model server. */
export const providers: Readonly<Record<ServerKind, ProviderFactory>> = { ollama, openai };

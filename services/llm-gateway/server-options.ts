import type { ServerAddress } from './address.ts';

/** The kinds of model servers; `providers/providers.ts` has the client of each. */
export type ServerKind = 'ollama' | 'openai';

export interface ServerOptions extends ServerAddress {
  /** Requests it is sent at once: its OLLAMA_NUM_PARALLEL, which it does not report. */
  readonly slots: number;
  /** Nobody has said how many slots there are: they are at most these, and one until a check has told. */
  readonly isGuess?: boolean;
  /** Undefined: `DEFAULT_KIND`. */
  readonly kind?: ServerKind;
  /** The file of its key, which is sent as a bearer token. It is read at each health check, so that a key can be rotated. */
  readonly keyFile?: string;
  /** The key itself, where no file holds it. */
  readonly key?: string;
}

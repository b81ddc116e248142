import type { Chatted, ChatOptions } from './chat.ts';
import type { Data } from '@maw/contracts/contracts.ts';
import type { Kind } from '../options.ts';
import type { Listed } from './ollama-responses.ts';

/** One call of a model server: everything it does ends with `signal`, which also closes its connection. */
export interface Call {
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
}

/** What is the same for everybody: another value would load the model again. */
export interface LoadOptions {
  readonly numCtx: number;
  readonly keepAlive: string | number;
}

/** Milliseconds. */
export interface Tried {
  readonly waited: number;
  readonly worked: number;
}

export interface Embedded {
  readonly embeddings: readonly (readonly number[])[];
  readonly model: string;
  readonly promptTokens: number;
  /** Milliseconds. */
  readonly times: { readonly load: number; readonly work: number };
}

/** What a kind of model server can do, whatever it speaks. Everything throws ServerSaid, InvalidAnswer, or what the network or the signal throws. */
export interface Provider {
  readonly kind: Kind;
  /** Streamed always, for it shows a stall and can be ended early, then collected and checked. */
  chat(asked: Data<'llm.complete'>, options: ChatOptions, call: Call): Promise<Chatted>;
  embed(input: readonly string[], options: Pick<ChatOptions, 'model' | 'numCtx' | 'keepAlive'>, call: Call): Promise<Embedded>;
  /** Undefined when it does not tell. */
  version(signal: AbortSignal): Promise<string | undefined>;
  /** All models it has; those of clouds and other hosts are marked. */
  list(signal: AbortSignal): Promise<readonly Listed[]>;
  /** What the list does not say of one model; undefined when there is no more. */
  show(
    model: string,
    signal: AbortSignal,
  ): Promise<{ readonly capabilities: readonly string[] | undefined; readonly family: string } | undefined>;
  /** The names of the models that are in its memory; `all` when it keeps all of them there, as far as anybody can know. */
  resident(signal: AbortSignal): Promise<readonly string[] | 'all'>;
  /** Brings a model into its memory with the options that are the same for everybody. @param canChat whether it can, or only makes vectors */
  load(model: string, options: LoadOptions & { readonly canChat: boolean }, signal: AbortSignal): Promise<void>;
  /** Has it say one token, and tells how long that waited for a slot and took in one, in milliseconds. Absent where nobody can know. */
  tryOut?(model: string, options: LoadOptions, signal: AbortSignal): Promise<Tried>;
  /** Cuts all connections. */
  close(): Promise<void>;
}

import type { ReplyData, Data } from '@maw/contracts/contracts.ts';
import type { ServerKind } from '../server-options.ts';
import type { AnswerCheck, RepairHint } from '../request.ts';
import type { Takes } from './families/families.ts';

/** One call of a model server. Aborting `signal` closes its connection, which is how the server learns of it. */
export interface CallOptions {
  readonly signal: AbortSignal;
  readonly headers: Readonly<Record<string, string>>;
}

/** The same for all requests: other values would load the model again. */
export interface LoadOptions {
  readonly numCtx: number;
  readonly keepAlive: string | number;
}

export interface ChatOptions extends LoadOptions {
  /** As the server lists it. */
  readonly model: string;
  readonly takes: Takes;
  readonly check: AnswerCheck | undefined;
  /** What the caller asked for, or less when there is no time for more. */
  readonly maxTokens: number;
  /** The last answer was invalid: the server is told why and asked again. */
  readonly repairHint: RepairHint | undefined;
  /** Called with each piece of the answer. */
  onPiece(piece: string): void;
}

/** The answer of one call. Times in milliseconds. */
export type ChatResult = Pick<ReplyData<'llm.complete'>, 'content' | 'thinking' | 'toolCalls' | 'model' | 'tokens' | 'reason'> & {
  readonly times: { readonly load: number; readonly prefill: number; readonly decode: number };
};

export interface EmbedResult {
  readonly embeddings: readonly (readonly number[])[];
  readonly model: string;
  readonly promptTokens: number;
  /** Milliseconds. */
  readonly times: { readonly load: number; readonly work: number };
}

/** A model as a server lists it. */
export interface ListedModel {
  readonly name: string;
  readonly digest: string;
  readonly family: string;
  /** Undefined when the list does not say. */
  readonly capabilities: readonly string[] | undefined;
  /** The program or company behind it, where the list says so. */
  readonly owner?: string | undefined;
  /** It runs on another host. */
  readonly isRemote: boolean;
}

export type ModelDetails = Pick<ListedModel, 'capabilities' | 'family'> & { readonly takes: Takes };

/** How long a tiny request waited for a slot and worked in one. */
export interface SlotTiming {
  readonly waitedMs: number;
  readonly workedMs: number;
}

/** The protocol of a kind of model server. Its functions throw ServerError, InvalidAnswer, and what the network or the signal throws. */
export interface Provider {
  readonly kind: ServerKind;
  /** Always streamed, because that shows stalls and can be aborted early; then collected and checked. */
  chat(request: Data<'llm.complete'>, options: ChatOptions, call: CallOptions): Promise<ChatResult>;
  embed(input: readonly string[], options: LoadOptions & { readonly model: string }, call: CallOptions): Promise<EmbedResult>;
  /** Undefined when the server does not report one. */
  version(signal: AbortSignal): Promise<string | undefined>;
  list(signal: AbortSignal): Promise<readonly ListedModel[]>;
  /** What the list does not say of a model, as far as the server tells it. */
  show(model: ListedModel, signal: AbortSignal): Promise<ModelDetails>;
  /** The names of the models in memory; `all` when the server keeps all there, as far as can be known. */
  resident(signal: AbortSignal): Promise<readonly string[] | 'all'>;
  /** Loads a model into memory. @param options.canChat false: the model only makes embeddings */
  load(model: string, options: LoadOptions & { readonly canChat: boolean }, signal: AbortSignal): Promise<void>;
  /** Times the generation of one token. Absent where it cannot be measured. */
  timeSlot?(model: string, options: LoadOptions, signal: AbortSignal): Promise<SlotTiming>;
  /** Cuts all connections. */
  close(): Promise<void>;
}

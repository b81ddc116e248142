import { type Context, context } from '@opentelemetry/api';
import type { ReplyData, Message } from '@maw/contracts/contracts.ts';
import type { Refusal } from '@maw/contracts/refusal.ts';
import type { ServerKind } from './server-options.ts';

/*
 * The phases of a request. `scheduler/lifecycle.ts` is the only writer of `state`; everybody else reads it.
 *
 *   register ── refused at admission, replayed from a recording ────────────────────────────▶ ended
 *       │
 *       │ enqueue
 *       ▼
 *     queued ── late, infeasible, cancelled, abandoned, no server in time ───────────────────▶ ended
 *       │  ▲
 *       │  └──── enqueue: failed over, waits for its server, repaired ───────┐
 *       │ start: it is its turn and it has a slot                            │
 *       ▼                                                                    │
 *     running ───────────────────────────────────────────────────────────────┤
 *                                                                            └─ answered, refused, late, cancelled, abandoned ─▶ ended
 *
 * A request ends exactly once. A running one may end before its server call does: the call is aborted and unwinds afterwards.
 */

export type RequestMessage = Message<'llm.complete'> | Message<'llm.embed'>;
export type Completion = ReplyData<'llm.complete'>;
export type Embedding = ReplyData<'llm.embed'>;
export type ModelAnswer = Completion | Embedding;

/** Most urgent first. Set by whoever runs the game, never by an agent. */
export const URGENCIES = ['critical', 'talk', 'background'] as const;
export type Urgency = (typeof URGENCIES)[number];

/** `lost`: this gateway gives the request up because it closes or loses the lead, so that another one can run it. */
export type Outcome = { readonly answer: ModelAnswer } | { readonly refusal: Refusal } | { readonly lost: Error };

/** The client has closed its connection: the request was given up by its caller, not because a gateway closes. */
export class ClientDisconnected extends Error {
  override readonly name = 'ClientDisconnected';
  constructor() {
    super('the client has disconnected');
  }
}

/** The `outcome` label of a request in metrics. */
export type EndReason = 'done' | 'limited' | 'late' | 'dropped' | 'cancelled' | 'invalid' | 'failed';

/** Says what is wrong with an answer; undefined: nothing. */
export type AnswerCheck = (content: string) => string | undefined;

/** What is known of the cost of a request beforehand. */
export interface RequestSize {
  /** Requests of one kind have answers of similar length. */
  readonly kind: string;
  readonly promptTokens: number;
  /** 0 for embeddings. */
  readonly maxTokens: number;
}

/** An invalid answer and what is wrong with it; both empty when the answer was not complete. */
export interface RepairHint {
  readonly answer: string;
  readonly problem: string;
}

/** How a caller wants its request run. */
export interface RunOptions {
  /** Called with each piece of the answer as it arrives, and the name of the model; the request may still be refused. */
  readonly onPiece?: ((piece: string, model: string) => void) | undefined;
  /** Charged for the slot time; default: the game. */
  readonly account?: string | undefined;
  /** By whose name its use is counted, a key's or an agent's; default: the service that sent the message. */
  readonly payer?: string | undefined;
  /** Whether no other request can have its id: then its outcome is not kept. */
  readonly isUnique?: boolean;
  /** Whether the caller takes an answer that does not fit its format, with the reason: then none is asked for again. */
  readonly takesUnfit?: boolean;
  /** The key it came with; undefined: it came by message, or from a caller that needs no key. */
  readonly key?: RequestKey | undefined;
}

/** The limits that a key has of its own, beside those of its agent. 0 or undefined: none. */
export type KeyLimits = {
  readonly [name in 'agentRpm' | 'agentBurst' | 'agentTpm' | 'agentConcurrency' | 'tokensPerDay']?: number | undefined;
};

/** A key of the HTTP API, as the scheduler knows it. */
export interface RequestKey {
  readonly id: string;
  readonly limits: KeyLimits;
  /** The models it may ask, by `keyOf` their names; undefined: all. */
  readonly models?: readonly string[] | undefined;
}

export interface ServerIdentity {
  readonly name: string;
  readonly kind: ServerKind;
  readonly url: string;
}

/** One attempt on one server, from taking a slot to releasing it. Times in milliseconds since the epoch. */
export interface Attempt {
  /** 1 for the first. */
  readonly number: number;
  readonly server: ServerIdentity;
  /** Whether the game's last request ran on this server too. */
  readonly isWarm: boolean;
  readonly startedAt: number;
  /** Undefined while the model is being loaded. */
  sentAt: number | undefined;
  firstPieceAt: number | undefined;
  /** Undefined while it holds its slot. */
  endedAt: number | undefined;
  /** Tokens the server has counted, also for an answer that was rejected. */
  usedTokens: number;
  /** Those of them that it generated. */
  generatedTokens: number;
  /** Whether a piece of the answer was passed on, so that it cannot be taken back. */
  isHeard: boolean;
}

/** What earlier attempts mean for the next one. */
export interface RetryState {
  /** Servers that are avoided. */
  readonly failedOn: ReadonlySet<string>;
  readonly repairs: number;
  readonly repairHint: RepairHint | undefined;
  /** Why the last attempt failed. */
  readonly failure: string | undefined;
}

/** A request in the fair queue. */
export interface QueuedRequest {
  readonly id: string;
  readonly game: string;
  readonly urgency: Urgency;
  readonly rank: number;
  readonly lane: string;
  readonly request: LlmRequest;
}

interface Queued {
  readonly phase: 'queued';
  /** Undefined until it is admitted. */
  readonly entry: QueuedRequest | undefined;
  /** Since when no healthy server can run it, in milliseconds since the epoch. */
  readonly unservedSince: number | undefined;
}

interface Running {
  readonly phase: 'running';
  /** Undefined while a recording is read. */
  readonly attempt: Attempt | undefined;
}

interface Ended {
  readonly phase: 'ended';
  readonly wasRunning: boolean;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

type RequestState = Queued | Running | Ended;

/** What admission has granted. */
export interface Grant {
  /** Settles budgets and limits with the tokens used, at the end. Idempotent. */
  settle(tokens: number, at: number): void;
}

export interface LlmRequest {
  readonly id: string;
  readonly message: RequestMessage;
  /** By whose name its use is counted. */
  readonly payer: string;
  /** The account its slot time is charged to. */
  readonly game: string;
  readonly urgency: Urgency;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
  readonly deadline: number;
  readonly size: RequestSize;
  /** The caller's trace: an attempt may be started by another request's end. */
  readonly context: Context;
  readonly isReplay: boolean;
  readonly onPiece: RunOptions['onPiece'];
  readonly isUnique: boolean;
  readonly takesUnfit: boolean;
  readonly key: RequestKey | undefined;
  /** Aborted when the answer is no longer wanted. */
  readonly abort: AbortController;
  readonly outcome: PromiseWithResolvers<Outcome>;
  readonly attempts: Attempt[];
  /** How many callers wait for it: a message may be delivered twice. */
  waiters: number;
  deadlineTimer: NodeJS.Timeout | undefined;
  /** Undefined until it is admitted. */
  grant: Grant | undefined;
  check: AnswerCheck | undefined;
  retry: RetryState;
  state: RequestState;
}

const FIRST_TRY: RetryState = { failedOn: new Set(), repairs: 0, repairHint: undefined, failure: undefined };

type New = Pick<LlmRequest, 'message' | 'arrivedAt' | 'deadline'> & RunOptions & { readonly isReplay?: boolean };

export function newRequest({
  message,
  arrivedAt,
  deadline,
  onPiece,
  account,
  payer = message.source,
  isUnique = false,
  takesUnfit = false,
  key,
  isReplay = false,
}: New): LlmRequest {
  const { id, subject, data } = message;
  return {
    id,
    message,
    payer,
    game: account ?? subject,
    urgency: data.urgency,
    arrivedAt,
    deadline,
    size: sizeOf(data),
    context: context.active(),
    isReplay,
    onPiece,
    isUnique,
    // Without a format there is nothing to fit: what is wrong then is wrong for everybody.
    takesUnfit: takesUnfit && 'format' in data && data.format !== undefined,
    key,
    abort: new AbortController(),
    outcome: Promise.withResolvers(),
    attempts: [],
    waiters: 0,
    deadlineTimer: undefined,
    grant: undefined,
    check: undefined,
    retry: FIRST_TRY,
    state: { phase: 'queued', entry: undefined, unservedSince: undefined },
  };
}

function sizeOf(data: RequestMessage['data']): RequestSize {
  if ('input' in data) return { kind: 'embed', promptTokens: estimateTokens(data.input), maxTokens: 0 };
  return { kind: data.kind, promptTokens: estimateTokens(data.messages.map(({ content }) => content)), maxTokens: data.maxTokens };
}

/** The name of the operation in the gen_ai convention. */
export const operationOf = ({ type }: RequestMessage): 'chat' | 'embeddings' => (type === 'llm.embed' ? 'embeddings' : 'chat');

/** About right for the languages that models were trained on most. */
const CHARACTERS_PER_TOKEN = 4;
export const estimateTokens = (texts: readonly string[]): number =>
  Math.ceil(texts.reduce((sum, text) => sum + text.length, 0) / CHARACTERS_PER_TOKEN);

export const usedTokens = ({ attempts }: LlmRequest): number => attempts.reduce((sum, attempt) => sum + attempt.usedTokens, 0);

/** Slot time of all attempts up to `at`, in milliseconds. */
export const slotMs = ({ attempts }: LlmRequest, at: number): number =>
  attempts.reduce((sum, { startedAt, endedAt = at }) => sum + Math.max(0, endedAt - startedAt), 0);

/** The last failure, to be appended to the detail of a refusal. */
export const earlierFailure = ({ retry: { failure } }: LlmRequest): string => (failure === undefined ? '' : `; before that, ${failure}`);

const CHARACTERS_PER_NUMBER = 10;

/** About how much memory an outcome takes, in characters. */
export function outcomeSize(outcome: Outcome): number {
  if ('refusal' in outcome) return 200 + outcome.refusal.detail.length;
  if ('lost' in outcome) return 200;
  const { answer } = outcome;
  if ('embeddings' in answer) return 200 + CHARACTERS_PER_NUMBER * answer.embeddings.reduce((sum, vector) => sum + vector.length, 0);
  const called = answer.toolCalls?.reduce((sum, call) => sum + call.arguments.length, 0) ?? 0;
  return 200 + answer.content.length + (answer.thinking?.length ?? 0) + called;
}

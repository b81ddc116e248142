import type { Attributes } from '@opentelemetry/api';
import { Refusal } from '@maw/contracts/refusal.ts';
import { attribute, span } from '@maw/telemetry/names.ts';
import { inSpan } from '@maw/telemetry/spans.ts';
import { InvalidAnswer, networkError, ServerSaid } from '../../providers/fault.ts';
import { type ModelAnswer, type RequestMessage, type Job, operationOf } from '../../request.ts';
import { SERVICE } from '../../options.ts';
import { sanitizeText } from '../../sanitize-text.ts';
import type { Model, Server } from '../../servers/server.ts';

/** What is known of a request when its span ends. Times since the epoch, in milliseconds. */
interface Ending {
  /** Undefined for one that joined another, or was answered before: what it took is on the span of that one. */
  readonly job: Job | undefined;
  readonly answer: ModelAnswer | undefined;
  readonly error: unknown;
  readonly model: Model | undefined;
  /** Whether nobody wants it any more, or it was refused while it ran. */
  readonly isGivenUp: boolean;
  readonly at: number;
}

/** What a request is followed by. */
interface Following {
  readonly signal: AbortSignal;
  now(): number;
  /** The model that a job is for, as a server lists it. */
  modelOf(job: Job): Model | undefined;
}

/**
 * Runs `body` in the span of a request, from its arrival to its end: waiting and retries included.
 * @param body is given a function that says which job is the request's own, and returns it
 */
export function inRequestSpan(
  asked: RequestMessage,
  { signal, now, modelOf }: Following,
  body: (own: (job: Job) => Job) => Promise<ModelAnswer>,
): Promise<ModelAnswer> {
  const operation = operationOf(asked);
  return inSpan(SERVICE, operation, { kind: 'client' }, async (spanned) => {
    let job: Job | undefined;
    const tell = (answer: ModelAnswer | undefined, error?: unknown): void => {
      if (!spanned.isRecording()) return;
      const model = job && modelOf(job);
      if (model) spanned.updateName(span.model(operation, model.name));
      const isGivenUp = signal.aborted || (job?.stop.signal.aborted ?? false);
      spanned.setAttributes(requestAttributes(asked, { job, answer, error, model, isGivenUp, at: now() }));
    };
    try {
      const answer = await body((begun) => (job = begun));
      tell(answer);
      return answer;
    } catch (error) {
      tell(undefined, error);
      throw error;
    }
  });
}

/** The attributes of the span of a request. What was asked for is there, and nothing of what was said. */
const requestAttributes = (asked: RequestMessage, { job, answer, error, model, isGivenUp, at }: Ending): Attributes => ({
  [attribute.table]: asked.subject,
  [attribute.messageId]: asked.id,
  [attribute.operation]: operationOf(asked),
  [attribute.game]: asked.subject,
  [attribute.agent]: sanitizeText(asked.data.agent, 100),
  [attribute.model]: model?.name,
  [attribute.error]: error === undefined ? undefined : typeOf(error, isGivenUp),
  ...dials(asked),
  ...(job ? { ...work(job, at), ...answered(answer) } : {}),
});

/** What the answer is drawn by, where it was given. */
function dials({ data }: RequestMessage): Attributes {
  if ('input' in data) return {};
  return {
    [attribute.output]: data.format === undefined ? 'text' : 'json',
    [attribute.maxTokens]: data.maxTokens,
    [attribute.temperature]: data.temperature,
    [attribute.topP]: data.topP,
    [attribute.seed]: data.seed,
    [attribute.stop]: data.stop,
  };
}

function work(job: Job, now: number): Attributes {
  const { endedAt: at = now, server, begunAt } = job;
  const slotMs = job.slotMs + (job.runSince === undefined ? 0 : Math.max(0, at - job.runSince));
  return {
    [attribute.stream]: job.hear ? true : undefined,
    [attribute.slackMs]: job.deadline - at,
    [attribute.firstChunk]: begunAt === undefined ? undefined : Math.max(0, begunAt - job.arrived) / 1000,
    // One that is played again has neither waited nor worked.
    [attribute.waitMs]: job.isReplayed ? undefined : Math.max(0, at - job.arrived - slotMs),
    ...(server
      ? { ...whereOf(server), [attribute.slotMs]: slotMs, [attribute.isWarm]: job.isWarm, [attribute.callAttempt]: job.attempts }
      : {}),
  };
}

const answered = (answer: ModelAnswer | undefined): Attributes =>
  answer === undefined
    ? {}
    : {
        [attribute.modelUsed]: answer.model,
        [attribute.inputTokens]: answer.tokens.prompt,
        ...('reason' in answer ? { [attribute.outputTokens]: answer.tokens.completion, [attribute.finish]: [answer.reason] } : {}),
      };

/** What is known of one attempt when its span ends. Times since the epoch, in milliseconds. */
interface AttemptEnding {
  readonly called:
    | {
        readonly model: string;
        readonly reason: string | undefined;
        readonly tokens: { readonly prompt: number; readonly completion: number };
      }
    | undefined;
  readonly error: unknown;
  readonly sentAt: number;
  readonly at: number;
}

/** The attributes of the span of an attempt. */
export function attemptAttributes(job: Job, server: Server, model: Model, { called, error, sentAt, at }: AttemptEnding): Attributes {
  const { signal } = job.stop;
  const isChat = operationOf(job.message) === 'chat';
  const tokens = called?.tokens ?? (error instanceof InvalidAnswer ? error.tokens : undefined);
  return {
    ...whereOf(server),
    [attribute.model]: model.name,
    [attribute.modelUsed]: called?.model,
    [attribute.inputTokens]: tokens?.prompt,
    [attribute.outputTokens]: isChat ? tokens?.completion : undefined,
    [attribute.finish]: called?.reason === undefined ? undefined : [called.reason],
    [attribute.firstChunk]: job.begunAt === undefined ? undefined : Math.max(0, job.begunAt - sentAt) / 1000,
    [attribute.callAttempt]: job.attempts,
    [attribute.isWarm]: job.isWarm,
    [attribute.slotMs]: Math.max(0, at - (job.runSince ?? sentAt)),
    [attribute.error]: error === undefined ? undefined : signal.aborted ? typeOf(signal.reason, true) : typeOf(error, false),
  };
}

const places = new WeakMap<Server, Attributes>();

function whereOf(server: Server): Attributes {
  let place = places.get(server);
  if (!place) {
    const { hostname, port, protocol } = new URL(server.options.url);
    place = {
      [attribute.provider]: server.provider.kind,
      [attribute.server]: hostname.replace(/^\[(.*)\]$/, '$1'),
      [attribute.port]: Number(port) || (protocol === 'https:' ? 443 : 80),
    };
    places.set(server, place);
  }
  return place;
}

/** What kind of error it was, in a word of which there are few; `_OTHER` is what the convention has for the rest. */
function typeOf(error: unknown, isGivenUp: boolean): string {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof InvalidAnswer) return 'invalid-answer';
  if (error instanceof ServerSaid) return error.status === 200 ? error.name : String(error.status);
  return isGivenUp ? 'cancelled' : (networkError(error).code ?? '_OTHER');
}

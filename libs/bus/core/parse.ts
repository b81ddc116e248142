import { type ContractName, contracts, type Message } from '@maw/contracts/contracts.ts';
import { UnreadableMessage } from '@maw/contracts/registry.ts';
import { MAX_MESSAGE_BYTES } from './message-limits.ts';
import { header } from './headers.ts';
import type { RawMessage } from './transport.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** @throws UnreadableMessage when the body is not JSON in UTF-8, or too large */
export function jsonOf({ body }: RawMessage): unknown {
  if (body.length > MAX_MESSAGE_BYTES) throw new UnreadableMessage(`${body.length} bytes; the limit is ${MAX_MESSAGE_BYTES}`);
  try {
    return JSON.parse(utf8.decode(body));
  } catch (cause) {
    throw new UnreadableMessage('not JSON in UTF-8', { cause });
  }
}

/** @throws UnreadableMessage when the body is no message of one of `types` */
export function messageOf<N extends ContractName>(raw: RawMessage, types: readonly N[]): Message<N> {
  const message = contracts.read(jsonOf(raw));
  // The reply is written for the type in the properties.
  if (raw.type !== undefined && raw.type !== message.type)
    throw new UnreadableMessage('the type in the body differs from the type in the properties');
  if (!types.includes(message.type as N)) throw new UnreadableMessage(`this queue does not accept ${message.type}`);
  return message as unknown as Message<N>;
}

/** The type of the request that a reply to this message answers; undefined when the message does not say. */
export function requestTypeOf({ headers, type }: RawMessage): string | undefined {
  const answers = headers[header.answers];
  const requested = typeof answers === 'string' ? answers : type;
  return requested !== undefined && requested.length <= 80 ? requested : undefined;
}

/** 1 for the first attempt. */
export function attemptOf({ headers }: RawMessage): number {
  const attempt = Number(headers[header.attempt] ?? 1);
  return Number.isSafeInteger(attempt) && attempt > 0 ? attempt : 1;
}

/** A type as the label of a metric; `unknown` unless a contract names it, so that strangers cannot add series. */
export function typeLabelOf(type: string | undefined): string {
  return type !== undefined && TYPES.has(type) ? type : 'unknown';
}

/** The source that a message claims, as the label of a metric; `unknown` unless it is one of our services. */
export function senderLabelOf(message: unknown): string {
  const source = (message as { source?: unknown } | null | undefined)?.source;
  return typeof source === 'string' && SERVICES.has(source) ? source : 'unknown';
}

const TYPES: ReadonlySet<string> = new Set(contracts.all.flatMap(({ name }) => [name, `${name}.reply`]));
const SERVICES: ReadonlySet<string> = new Set(contracts.all.flatMap(({ from, to }) => [...from, ...to]));

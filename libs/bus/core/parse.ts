import { type ContractName, contracts, type Message } from '@maw/contracts/contracts.ts';
import { UnreadableMessage } from '@maw/contracts/registry.ts';
import { header, MAX_MESSAGE_BYTES } from './topology.ts';
import type { RawMessage } from './transport.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The JSON in a parcel.
 * @throws UnreadableMessage when it is none, or too large to be looked at
 */
export function jsonOf({ body }: RawMessage): unknown {
  if (body.length > MAX_MESSAGE_BYTES) throw new UnreadableMessage(`${body.length} bytes: at most ${MAX_MESSAGE_BYTES} are read`);
  try {
    return JSON.parse(utf8.decode(body));
  } catch (cause) {
    throw new UnreadableMessage('no JSON in UTF-8', { cause });
  }
}

/**
 * The message in a parcel.
 * @throws UnreadableMessage also when it is none of `types`
 */
export function messageOf<N extends ContractName>(parcel: RawMessage, types: readonly N[]): Message<N> {
  const message = contracts.read(jsonOf(parcel));
  // Whoever asked would be answered as if it had asked something else.
  if (parcel.type !== undefined && parcel.type !== message.type) throw new UnreadableMessage('inside is another type than outside');
  if (!types.includes(message.type as N)) throw new UnreadableMessage(`nobody takes ${message.type} from this queue`);
  return message as unknown as Message<N>;
}

/** The type that the answer to a parcel is an answer to; undefined when the parcel does not say. */
export function askedType({ headers, type }: RawMessage): string | undefined {
  const noted = headers[header.answers];
  const asked = typeof noted === 'string' ? noted : type;
  return asked !== undefined && asked.length <= 80 ? asked : undefined;
}

/** 1 for the first try. */
export function attemptOf({ headers }: RawMessage): number {
  const attempt = Number(headers[header.attempt] ?? 1);
  return Number.isSafeInteger(attempt) && attempt > 0 ? attempt : 1;
}

/** A type as the label of a metric: what no contract names is not counted by name. */
export function labelOf(type: string | undefined): string {
  const name = type?.replace(/\.reply$/, '');
  return type !== undefined && contracts.all.some((contract) => contract.name === name) ? type : 'unknown';
}

/** Whom something says it is from, as the label of a metric: who is none of our services is not counted by name. */
export function senderLabelOf(said: unknown): string {
  const source = (said as { source?: unknown } | null | undefined)?.source;
  return typeof source === 'string' && SERVICES.has(source) ? source : 'unknown';
}

const SERVICES: ReadonlySet<string> = new Set(contracts.all.flatMap(({ from, to }) => [...from, ...to]));

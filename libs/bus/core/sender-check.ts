import type { Contract } from '@maw/contracts/contract.ts';
import { contracts } from '@maw/contracts/contracts.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { jsonOf, requestTypeOf, typeLabelOf } from './parse.ts';
import { header } from './headers.ts';
import { OPERATOR, requesterOf } from './topology.ts';
import type { RawMessage } from './transport.ts';

/**
 * Why a message counts as forged: it has no authenticated sender (`no-user`); the sender may not speak for the service in `source`
 * (`other-user`); that service never sends this type (`not-its-type`); the reply would go to somebody else (`reply-to`).
 */
export const FORGERIES = ['no-user', 'other-user', 'not-its-type', 'reply-to'] as const;
type Forgery = (typeof FORGERIES)[number];

interface Claim {
  readonly type: string;
  readonly source: string;
}

export type SenderCheck = ReturnType<typeof createSenderCheck>;

interface SenderCheckOptions {
  readonly service: string;
  /** Who we are to the broker. */
  readonly user: string;
  /** False lets every message pass, for brokers where all services share a user. */
  readonly isChecking: boolean;
}

/** Compares the sender that a message claims with the user that the broker authenticated, by what the contracts allow. */
export function createSenderCheck({ service, user, isChecking }: SenderCheckOptions) {
  const of = (raw: RawMessage) => senderOf(raw, user);
  return {
    /** The original sender, also of a copy that the service itself or the operator has sent again. */
    of,
    /** The same when senders are checked; otherwise the source that the message claims. */
    serviceOf: (raw: RawMessage, { source }: Claim): string | undefined => (isChecking ? of(raw) : source),
    /** Undefined when the sender is genuine, or checking is off. @param message undefined when it cannot be read */
    forgery: (raw: RawMessage, message: Claim | undefined): Forgery | undefined =>
      isChecking ? forgeryIn(raw, of(raw), message) : undefined,
    /** The same for the reply to a request of this type. */
    forgedReply: (raw: RawMessage, requestType: string): Forgery | undefined => (isChecking ? forgeryInReply(raw, requestType) : undefined),
    /** Counts a message that is dropped as forged. */
    count: (type: string | undefined, reason: Forgery): void => metrics.forged.inc({ service, type: typeLabelOf(type), reason }),
  };
}

/**
 * The original sender. A copy for a retry or the dead letters is sent under the name of the queue's service, and a header notes the original
 * sender. That header counts only in messages by `owner`, the service of the queue, and by the operator.
 */
export function senderOf({ user, headers }: RawMessage, owner: string): string | undefined {
  const original = headers[header.sender];
  return (user === owner || user === OPERATOR) && typeof original === 'string' ? original : user;
}

function forgeryIn(raw: RawMessage, sender: string | undefined, message: Claim | undefined): Forgery | undefined {
  if (sender === undefined) return 'no-user';
  if (message) {
    const contract = contracts.all.find(({ name }) => name === message.type);
    const from: readonly string[] = contract?.from ?? [];
    if (!from.includes(message.source) || !from.includes(sender)) return 'not-its-type';
    if (sender !== message.source && !speaksFor(sender, message.source, message.type)) return 'other-user';
  }
  if (raw.replyTo === undefined) return undefined;
  const requester = requesterOf(raw.replyTo);
  const isGenuine =
    requester !== undefined &&
    (requester === sender || (message && speaksFor(sender, requester, message.type) && requests(requester, requestTypeOf(raw))));
  return isGenuine ? undefined : 'reply-to';
}

function forgeryInReply(raw: RawMessage, requestType: string): Forgery | undefined {
  const { user } = raw;
  if (user === undefined) return 'no-user';
  if (!respondersOf(requestType).includes(user)) return 'not-its-type';
  return sourceIn(raw, user) === user ? undefined : 'other-user';
}

/** The source that a reply claims; `otherwise` when it cannot be read, as it claims nothing then. */
function sourceIn(raw: RawMessage, otherwise: string): unknown {
  try {
    return (jsonOf(raw) as { source?: unknown } | null)?.source;
  } catch {
    return otherwise;
  }
}

/** Whether `service` may send this type in the name of `other`: it receives a request from it that it passes on so. */
const speaksFor = (service: string, other: string, type: string): boolean =>
  contracts.all.some((one) => one.forwardedAs === type && isRequestOf(one, other) && (one.to as readonly string[]).includes(service));

const requests = (service: string, type: string | undefined): boolean =>
  contracts.all.some((one) => one.name === type && isRequestOf(one, service));

/** Who may reply to requests of this type: their receivers, and those to whom these pass them on. */
export function respondersOf(type: string): readonly string[] {
  const contractOf = (name: string | undefined) => contracts.all.find((one) => one.name === name);
  const contract = contractOf(type);
  return [...(contract?.to ?? []), ...(contractOf(contract?.forwardedAs)?.to ?? [])];
}

const isRequestOf = ({ from, reply }: Contract, service: string): boolean =>
  reply !== undefined && (from as readonly string[]).includes(service);

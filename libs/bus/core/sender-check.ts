import { contracts } from '@maw/contracts/contracts.ts';
import type { Contract, Service } from '@maw/contracts/contract.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { askedType, jsonOf, labelOf } from './parse.ts';
import { requesterOf, header, OPERATOR } from './topology.ts';
import type { RawMessage } from './transport.ts';

/**
 * Why a message is taken for forged: it names no sender that was checked (`no-user`); its sender may not speak for the service that it says it
 * is from (`other-user`); that service never says this (`not-its-type`); it wants the answer to go to somebody else (`reply-to`).
 */
export type Forgery = 'no-user' | 'other-user' | 'not-its-type' | 'reply-to';

/** Whether messages are from whom they say. Who carries them has checked their user; here it is held against what they say. */
export interface SenderCheck {
  /** The first sender, also of a copy that we or the operator of the dead letters have sent again. */
  of(parcel: RawMessage): string | undefined;
  /** Undefined when all is well, or nobody asked us to check. `message`: undefined when it cannot be read. */
  forgery(parcel: RawMessage, message: { readonly type: string; readonly source: string } | undefined): Forgery | undefined;
  /** The same of an answer to a request of type `asked`. */
  forgedAnswer(parcel: RawMessage, asked: string): Forgery | undefined;
  /** Counts one that is dropped. */
  count(type: string | undefined, why: Forgery): void;
}

/**
 * Checks senders by the contracts.
 * @param given `user`: who we are to the broker; `isChecking`: false lets everything pass, for installations where all services are one user
 */
export function createSenderCheck(given: { readonly service: string; readonly user: string; readonly isChecking: boolean }): SenderCheck {
  const { service, user, isChecking } = given;
  const of = (parcel: RawMessage) => senderOf(parcel, user);
  return {
    of,
    forgery: (parcel, message) => (isChecking ? forgeryIn(parcel, of(parcel), message) : undefined),
    forgedAnswer: (parcel, asked) => (isChecking ? forgeryInAnswer(parcel, asked) : undefined),
    count: (type, reason) => metrics.forged.inc({ service, type: labelOf(type), reason }),
  };
}

/**
 * Who sent a parcel first. A user sends what it puts aside under its own name, because the broker lets nobody use another's, and notes the
 * first sender on it; that note is believed only where it is by `owner`, the service of the queue, or by the operator.
 */
export function senderOf({ user, headers }: RawMessage, owner: string): string | undefined {
  const noted = headers[header.sender];
  return (user === owner || user === OPERATOR) && typeof noted === 'string' ? noted : user;
}

function forgeryIn(
  parcel: RawMessage,
  sender: string | undefined,
  message: { type: string; source: string } | undefined,
): Forgery | undefined {
  if (sender === undefined) return 'no-user';
  if (message) {
    const contract = contracts.all.find(({ name }) => name === message.type);
    const from: readonly string[] = contract?.from ?? [];
    if (!from.includes(message.source) || !from.includes(sender)) return 'not-its-type';
    if (sender !== message.source && !speaksFor(sender, message.source)) return 'other-user';
  }
  if (parcel.replyTo === undefined) return undefined;
  const asker = requesterOf(parcel.replyTo);
  const isTheirs = asker !== undefined && (asker === sender || (message && speaksFor(sender, asker) && asks(asker, askedType(parcel))));
  return isTheirs ? undefined : 'reply-to';
}

function forgeryInAnswer(parcel: RawMessage, asked: string): Forgery | undefined {
  const { user } = parcel;
  if (user === undefined) return 'no-user';
  if (!answerersOf(asked).includes(user)) return 'not-its-type';
  return sourceIn(parcel, user) === user ? undefined : 'other-user';
}

/** Whom an answer says it is from; `otherwise` where it cannot be read, for then it says nothing. */
function sourceIn(parcel: RawMessage, otherwise: string): unknown {
  try {
    return (jsonOf(parcel) as { source?: unknown } | null)?.source;
  } catch {
    return otherwise;
  }
}

/** Whether one may pass on what another has asked of it: it takes a command of the other that is answered. */
const speaksFor = (service: string, other: string): boolean => contracts.all.some((one) => isAskedBy(one, other) && goesTo(one, service));

const asks = (service: string, type: string | undefined): boolean =>
  contracts.all.some((one) => one.name === type && isAskedBy(one, service));

/** Who may answer requests of this type: who takes them, and to whom those may pass them on. */
export function answerersOf(type: string): readonly string[] {
  const takers = contracts.all.find(({ name }) => name === type)?.to ?? [];
  return [...new Set([...takers, ...takers.flatMap(answerersTo)])];
}

/** The services that may answer one at first hand: those it sends commands to that are answered. */
const answerersTo = (service: Service): readonly Service[] =>
  contracts.all.filter((one) => isAskedBy(one, service)).flatMap(({ to }) => to);

const isAskedBy = ({ from, reply }: Contract, service: string): boolean =>
  reply !== undefined && (from as readonly string[]).includes(service);
const goesTo = ({ to }: Contract, service: string): boolean => (to as readonly string[]).includes(service);

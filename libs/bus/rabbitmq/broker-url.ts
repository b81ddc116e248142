import type { ConnectionOptions } from 'node:tls';
import { explainTlsError } from '@maw/telemetry/tls-error.ts';

/** How an encrypted connection is checked, and how we show who we are. All of it is text in PEM but the name. */
export interface TlsOptions {
  /** Whose signature is trusted; the authorities that Node knows when not given. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name that the certificate must be for; the host in the address when not given. */
  readonly serverName?: string | undefined;
}

/** A broker, and who we are there. */
export interface BrokerOptions {
  readonly url: string;
  readonly tls?: TlsOptions | undefined;
}

/** The same, looked at: what the driver is given. */
export interface BrokerAddress {
  /** With the heartbeat that finds a dead connection in time. */
  readonly url: string;
  /** The user in it. */
  readonly user: string;
  /** Host and virtual host, for people. */
  readonly place: string;
  /** Options of the socket. An encrypted connection is always checked, whatever the environment of Node says. */
  readonly socket: ConnectionOptions;
}

/**
 * Looks at the address of a broker.
 * @throws Error when it is none, or certificates are given for one that is not encrypted; it never says the address, which holds a password
 */
export function parseBrokerUrl({ url, tls = {} }: BrokerOptions, heartbeatS: number): BrokerAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['amqp:', 'amqps:'].includes(parsed.protocol) || !parsed.hostname)
    throw new Error('AMQP_URL is no address of a broker: write it as amqp://user:password@host:5672, or amqps:// for an encrypted one');
  if (!isDecodable(parsed.username) || !isDecodable(parsed.password))
    throw new Error('AMQP_URL has a % in its user or password that stands for nothing: write % itself as %25');
  const { ca, cert, key, serverName } = tls;
  const isEncrypted = parsed.protocol === 'amqps:';
  if (!isEncrypted && [ca, cert, key, serverName].some((each) => each !== undefined))
    throw new Error('AMQP_URL begins with amqp://, so nothing is encrypted, but certificates are given (AMQP_CA ...): write amqps://');
  if ((cert === undefined) !== (key === undefined)) throw new Error('AMQP_CERT and AMQP_KEY go together: give both or none');
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', `${heartbeatS}`);
  const given = { ca, cert, key, servername: serverName };
  return {
    url: parsed.href,
    user: decodeURIComponent(parsed.username) || 'guest',
    place: describeBroker(parsed.href),
    socket: isEncrypted
      ? { rejectUnauthorized: true, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) }
      : {},
  };
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}

/** Host and virtual host of an address, for people; without its password, also where that has a /, ? or # in it, so that the rest looks like a path. */
export function describeBroker(url: string): string {
  const { host, username, pathname } = new URL(url);
  if (username === '' && url.includes('@')) return `...@${url.slice(url.lastIndexOf('@') + 1)}`;
  return `${host}${pathname === '/' ? '' : pathname}`;
}

/** What is wrong with a connection, and what to set, where we know better than the error. */
export function explainBrokerError(error: unknown, place: string): string | undefined {
  const advice = explainTlsError(error, `the broker at ${place}`, 'AMQP');
  if (advice) return advice;
  const { message = '', code } = error as { message?: string; code?: unknown };
  if (code === 403 && /configure access|access to (queue|exchange)/i.test(message))
    return `${message}; this user may not declare anything: set AMQP_DECLARE=no, and import infra/rabbitmq/definitions.json once`;
  return undefined;
}

/** Whether trying again cannot help: the broker is there and does not let us in, it is not who it should be, or its queues are not as they should be. */
export const isPermanentFailure = (error: Error): boolean =>
  [403, 404, 406, 530].includes((error as { code?: number }).code ?? 0) ||
  /ACCESS.REFUSED|NOT.ALLOWED|PRECONDITION.FAILED/i.test(error.message) ||
  explainTlsError(error, '', '') !== undefined;

import type { ConnectionOptions } from 'node:tls';
import { explainTlsError } from '@maw/telemetry/tls-error.ts';

/** For a TLS connection. All but `serverName` is PEM text. */
export interface TlsOptions {
  /** The trusted certificate authority. Default: those that Node trusts. */
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  /** The name in the broker's certificate. Default: the host of the URL. */
  readonly serverName?: string | undefined;
}

export interface BrokerOptions {
  readonly url: string;
  readonly tls?: TlsOptions | undefined;
}

/** A parsed broker URL. */
export interface BrokerAddress {
  /** With a heartbeat. */
  readonly url: string;
  readonly user: string;
  /** Host and virtual host, for people. */
  readonly label: string;
  /** Host and port, for telemetry. */
  readonly server: { readonly address: string; readonly port: number };
  /** Options of the socket. Certificates are always verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says. */
  readonly socket: ConnectionOptions;
}

/** @throws Error when the URL is invalid, or certificates are given without TLS. The message never holds the URL, which has a password. */
export function parseBrokerUrl({ url, tls = {} }: BrokerOptions, heartbeatS: number): BrokerAddress {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['amqp:', 'amqps:'].includes(parsed.protocol) || !parsed.hostname)
    throw new Error('AMQP_URL is not a broker URL: write amqp://user:password@host:5672, or amqps:// for TLS');
  if (!isDecodable(parsed.username) || !isDecodable(parsed.password))
    throw new Error('AMQP_URL has an invalid % escape in its user or password: write % as %25');
  const { ca, cert, key, serverName } = tls;
  const isEncrypted = parsed.protocol === 'amqps:';
  if (!isEncrypted && [ca, cert, key, serverName].some((each) => each !== undefined))
    throw new Error('AMQP_URL is amqp://, without TLS, but certificates are given (AMQP_CA ...): write amqps://');
  if ((cert === undefined) !== (key === undefined)) throw new Error('AMQP_CERT and AMQP_KEY go together: give both or none');
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', `${heartbeatS}`);
  const given = { ca, cert, key, servername: serverName };
  return {
    url: parsed.href,
    user: decodeURIComponent(parsed.username) || 'guest',
    label: describeBroker(parsed.href),
    server: { address: parsed.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(parsed.port) || (isEncrypted ? 5671 : 5672) },
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

/** Host and virtual host of a URL, for people. Leaves out the password, even one with an unescaped /, ? or #, which parses as a path. */
export function describeBroker(url: string): string {
  const { host, username, pathname } = new URL(url);
  if (username === '' && url.includes('@')) return `...@${url.slice(url.lastIndexOf('@') + 1)}`;
  return `${host}${pathname === '/' ? '' : pathname}`;
}

/** What is wrong and what to change, where we know better than the error. */
export function explainBrokerError(error: unknown, label: string): string | undefined {
  const advice = explainTlsError(error, `the broker at ${label}`, 'AMQP');
  if (advice) return advice;
  const { message = '', code } = error as { message?: string; code?: unknown };
  if (code === 403 && /configure access|access to (queue|exchange)/i.test(message))
    return `${message}; this user has no permission to declare: set AMQP_DECLARE=no, and import infra/rabbitmq/definitions.json once`;
  return undefined;
}

/** Whether reconnecting is pointless: the broker rejects us, its certificate is wrong, or its queues have other arguments. */
export const isPermanentFailure = (error: Error): boolean =>
  [403, 404, 406, 530].includes((error as { code?: number }).code ?? 0) ||
  /ACCESS.REFUSED|NOT.ALLOWED|PRECONDITION.FAILED/i.test(error.message) ||
  explainTlsError(error, '', '') !== undefined;

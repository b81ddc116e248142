import { isIPv4 } from 'node:net';

/** Whether an address to listen on can be reached from this machine alone. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/**
 * Whether a `Host` header names this machine. A page from elsewhere whose name was pointed at this machine (DNS rebinding) sends its own
 * name: it is not let in without a token.
 */
export const isLoopbackName = (host: string | undefined): boolean =>
  host !== undefined &&
  isLoopback(
    host
      .replace(/:\d+$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase(),
  );

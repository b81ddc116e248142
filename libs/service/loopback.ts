import type { IncomingHttpHeaders } from 'node:http';
import { isIPv4 } from 'node:net';

/** Whether a listener on this host is reachable from this machine only. */
export const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));

/** Whether a `Host` header names this machine. In a DNS rebinding attack it has the name of the attacker's page instead. */
export const isLoopbackName = (host: string | undefined): boolean =>
  host !== undefined &&
  isLoopback(
    host
      .replace(/:\d+$/, '')
      .replace(/^\[(.*)\]$/, '$1')
      .toLowerCase(),
  );

/** Whether a browser says that a page of another address sends a request. Some programs send an `Origin` too: the address that they connect to. */
export const isOtherOrigin = ({ origin, host }: Pick<IncomingHttpHeaders, 'origin' | 'host'>): boolean =>
  origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host);

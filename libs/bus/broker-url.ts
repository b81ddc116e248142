/**
 * The address with the heartbeat that finds a dead connection in time.
 * @throws Error when it is no address of a broker; it never says the address, which holds a password
 */
export function brokerUrl(url: string, heartbeatS: number): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['amqp:', 'amqps:'].includes(parsed.protocol) || !parsed.hostname)
    throw new Error('AMQP_URL is no address of a broker: write it as amqp://user:password@host:5672');
  if (!parsed.searchParams.has('heartbeat')) parsed.searchParams.set('heartbeat', `${heartbeatS}`);
  return parsed.href;
}

/** Host and virtual host of an address, for people; without its password. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname === '/' ? '' : pathname}`;
}

/** Whether trying again cannot help: the broker is there and does not let us in, or its queues are declared otherwise. */
export const isHopeless = (error: Error): boolean =>
  [403, 406, 530].includes((error as { code?: number }).code ?? 0) || /ACCESS.REFUSED|NOT.ALLOWED|PRECONDITION.FAILED/i.test(error.message);

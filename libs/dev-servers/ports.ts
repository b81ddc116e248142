import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * The first port, and the one after the last: below the ephemeral ports of Linux (32768) and macOS (49152), which an outgoing connection could
 * take between the check and the listening.
 */
const [FIRST, END] = [15_000, 32_000];
/** How many ports in use are skipped. */
const MAX_TRIES = 1_000;

/** Distinct ports of 127.0.0.1 that are free now, from that range. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const held: { readonly port: number; readonly server: Server }[] = [];
  try {
    for (let tries = 0; held.length < count; tries++) {
      const port = randomInt(FIRST, END);
      const server = createServer();
      const listening = once(server, 'listening');
      server.listen(port, '127.0.0.1');
      const isFree = await listening.then(
        () => true,
        (error: unknown) => {
          if ((error as { code?: string }).code === 'EADDRINUSE' && tries < MAX_TRIES) return false;
          throw error;
        },
      );
      if (isFree) held.push({ port, server });
    }
    return held.map(({ port }) => port);
  } finally {
    await Promise.all(held.map(({ server }) => once(server.close(), 'close')));
  }
}

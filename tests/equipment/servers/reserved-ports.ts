import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Dice } from '@maw/games/kernel/dice.ts';

/** Below the ports that systems give to those who do not mind which: while a process is dead, none of the many connections here may get its port. */
const FIRST = 15_000;
const LAST = 32_000;
const MAX_TRIES = 1_000;

/** Ports of 127.0.0.1 that nobody listens on, each another, and that stay free while those who are to have them are dead. @throws Error when there are none */
export async function lastingPorts(count: number, dice: Dice): Promise<readonly number[]> {
  const ports = new Set<number>();
  for (let tries = 0; ports.size < count; tries++) {
    if (tries > MAX_TRIES) throw new Error(`no ${count} ports are free between ${FIRST} and ${LAST}`);
    const port = FIRST + dice.below(LAST - FIRST);
    if (!ports.has(port) && (await isFree(port))) ports.add(port);
  }
  return [...ports];
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}

import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { lastingPorts } from './reserved-ports.ts';

it('ports that last are each another, free, and below those that are given out', async () => {
  const ports = await lastingPorts(20, diceOf('seed', 'ports'));
  expect(new Set(ports).size).toBe(20);
  for (const port of ports) expect(port).toBeLessThan(32_768);
  const taken = createServer().listen(ports[0], '127.0.0.1');
  await once(taken, 'listening');
  const others = await lastingPorts(20, diceOf('seed', 'ports')); // the same dice: the same ports but the one
  expect(others).not.toContain(ports[0]);
  taken.close();
});

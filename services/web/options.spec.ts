import { expect, it } from '@jest/globals';
import { defaultOptions } from './options.ts';

it('one address may hold an eighth of all connections, and as many as eighty-five browsers open at most', () => {
  const { maxConnections, maxConnectionsPerClient } = defaultOptions;
  expect(maxConnectionsPerClient).toBe(512);
  expect(maxConnections / maxConnectionsPerClient).toBe(8);
  expect(Math.floor(maxConnectionsPerClient / 6)).toBe(85);
});

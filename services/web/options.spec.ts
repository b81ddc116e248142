import { expect, it } from '@jest/globals';
import { usualOptions } from './options.ts';

it('one address may hold an eighth of all connections, and as many as eighty-five browsers open at most', () => {
  const { connectionsMost, connectionsPerAddress } = usualOptions;
  expect(connectionsPerAddress).toBe(512);
  expect(connectionsMost / connectionsPerAddress).toBe(8);
  expect(Math.floor(connectionsPerAddress / 6)).toBe(85);
});

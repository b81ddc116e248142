import { expect, it } from '@jest/globals';
import { opaqueId } from './opaque-id.ts';

it('depends on every part, the table and the key, and on nothing else', () => {
  const id = opaqueId('t1', 'key', 'message', 7, 'said-Hideout-2');
  expect(id).toMatch(/^t1\/[\w-]{22}$/);
  expect(opaqueId('t1', 'key', 'message', 7, 'said-Hideout-2')).toBe(id);
  const others = [
    opaqueId('t1', 'other', 'message', 7, 'said-Hideout-2'),
    opaqueId('t2', 'key', 'message', 7, 'said-Hideout-2'),
    opaqueId('t1', 'key', 'message', 8, 'said-Hideout-2'),
    opaqueId('t1', 'key', 'message', 7, 'said-Hideout', 2),
  ].map((other) => other.slice('t1/'.length));
  expect(new Set([id.slice('t1/'.length), ...others]).size).toBe(5);
});

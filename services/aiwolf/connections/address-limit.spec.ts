import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { addressLimit } from './address-limit.ts';

it('admits so many connections of each address at once', () => {
  const { admits } = addressLimit(2);
  const from = (remoteAddress: string) => Object.assign(new EventEmitter(), { remoteAddress }) as unknown as Socket;
  const first = from('::1');
  expect([first, from('::1'), from('::1'), from('10.0.0.7')].map(admits)).toEqual([true, true, false, true]);
  first.emit('close');
  expect([from('::1'), from('::1')].map(admits)).toEqual([true, false]);
});

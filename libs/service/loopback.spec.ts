import { describe, expect, it } from '@jest/globals';
import { isLoopback } from './loopback.ts';

describe('isLoopback', () => {
  it('recognises loopback addresses only', () => {
    expect(['127.0.0.1', '127.1.2.3', 'localhost', '::1'].filter((each) => !isLoopback(each))).toEqual([]);
    expect(['0.0.0.0', '::', '10.0.0.1', '127.0.0.1.example.org', '128.0.0.1', '', 'example.org'].filter(isLoopback)).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { logText } from './sanitize-text.ts';

describe('logText', () => {
  it('returns one short line without control, invisible or bidirectional characters', () => {
    expect(logText('a\r\nINFO forged\u202e\u200b\u0000\u001b[31mred\ud800')).toBe('a INFO forged [31mred\ufffd');
    expect([...logText('😀'.repeat(2_000), 10)]).toHaveLength(10);
    expect(logText('x'.repeat(1_000_000)).length).toBeLessThanOrEqual(500);
  });
});

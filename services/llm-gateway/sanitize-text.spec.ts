import { describe, expect, it } from '@jest/globals';
import { sanitizeText } from './sanitize-text.ts';

describe('sanitizeText', () => {
  it('returns one short line without control, invisible or bidirectional characters', () => {
    expect(sanitizeText('a\r\nINFO forged\u202e\u200b\u0000\u001b[31mred\ud800')).toBe('a INFO forged [31mred\ufffd');
    expect([...sanitizeText('😀'.repeat(2_000), 10)]).toHaveLength(10);
    expect(sanitizeText('x'.repeat(1_000_000)).length).toBeLessThanOrEqual(500);
  });
});

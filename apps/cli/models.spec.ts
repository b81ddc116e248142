import { describe, expect, it } from '@jest/globals';
import { ollamaUrl } from './models.ts';

describe('OLLAMA_HOST', () => {
  it.each([
    [undefined, 'http://127.0.0.1:11434'],
    ['0.0.0.0', 'http://127.0.0.1:11434'],
    ['gpu', 'http://gpu:11434'],
    [':8080', 'http://127.0.0.1:8080'],
    ['http://gpu:1234/', 'http://gpu:1234'],
  ])('%j is %s', (host, url) => expect(ollamaUrl(host)).toBe(url));

  it('with an invalid address is rejected', () => expect(() => ollamaUrl('http://')).toThrow('OLLAMA_HOST is no address'));
});

import { describe, expect, it } from '@jest/globals';
import { isCloud, isModelName, keyOf } from './model-name.ts';

describe('model names', () => {
  it('are equal with and without the tag latest, ignoring case', () => {
    expect(keyOf('Llama3.1')).toBe(keyOf('llama3.1:latest'));
    expect(keyOf('host:5000/own/name')).toBe('host:5000/own/name:latest');
    expect(keyOf('qwen3:8b')).not.toBe(keyOf('qwen3'));
  });

  it('are recognised as cloud models by their tag', () => {
    for (const name of ['gpt-oss:cloud', 'gpt-oss:120b-cloud', 'Kimi:CLOUD']) expect(isCloud(name)).toBe(true);
    for (const name of ['cloudy', 'cloud:7b', 'llama3.1']) expect(isCloud(name)).toBe(false);
  });

  it('are validated', () => {
    for (const name of ['llama3.1', 'qwen3:8b', 'hf.co/own/Model-GGUF:Q4_K_M', 'host:5000/own/name:tag'])
      expect(isModelName(name)).toBe(true);
    for (const name of ['', 'a b', 'a:b:c', '../etc', 'a\n', 'x'.repeat(201), '<b>']) expect(isModelName(name)).toBe(false);
  });
});

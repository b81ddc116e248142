import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

describe('the configuration', () => {
  it('has defaults for a demonstration', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 11_434, slots: 4, loadMs: 1500, seed: 1 });
    expect(readConfig({ SIM_PORT: '' }).port).toBe(11_434);
  });

  it('parses every kind of value', () => {
    const read = readConfig({
      SIM_HOST: '0.0.0.0',
      SIM_PORT: '0',
      SIM_MODELS: 'simulated:a=completion+thinking, other',
      SIM_SLOTS: '2',
      SIM_LOAD_MS: '0',
      SIM_DECODE_MS_PER_TOKEN: '1,2.5',
      SIM_SEED: '7',
    });
    expect(read).toMatchObject({
      host: '0.0.0.0',
      port: 0,
      slots: 2,
      loadMs: 0,
      seed: 7,
      models: [
        { name: 'simulated:a', capabilities: ['completion', 'thinking'] },
        { name: 'other', capabilities: ['completion', 'tools'] },
      ],
      decodeMsPerToken: [1, 2.5],
    });
  });

  it('reports all mistakes together', () => {
    const wrong = {
      SIM_PORT: 'x',
      SIM_SLOTS: '0',
      SIM_MODELS: 'a=flying',
      SIM_DECODE_MS_PER_TOKEN: 'fast',
    };
    let message = '';
    try {
      readConfig(wrong);
    } catch (error) {
      message = String(error);
    }
    for (const part of [...Object.keys(wrong), 'a=flying']) expect(message).toContain(part);
  });
});

import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

describe('the configuration', () => {
  it('has defaults for a demonstration', () => {
    expect(readConfig({})).toMatchObject({ host: '127.0.0.1', port: 11_434, slots: 4, maxQueue: 512, version: '0.33.0', faults: [] });
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
      SIM_FAULTS: 'half-line=0.1,wedge=1',
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
      faults: [
        { name: 'half-line', probability: 0.1 },
        { name: 'wedge', probability: 1 },
      ],
    });
  });

  it('reports all mistakes together', () => {
    const wrong = {
      SIM_PORT: 'x',
      SIM_SLOTS: '0',
      SIM_MODELS: 'a=flying',
      SIM_FAULTS: 'rain=0.5,wedge=2',
      SIM_DECODE_MS_PER_TOKEN: 'fast',
    };
    let message = '';
    try {
      readConfig(wrong);
    } catch (error) {
      message = String(error);
    }
    for (const part of [...Object.keys(wrong), 'a=flying', 'unknown fault "rain"', 'wedge=0.05']) expect(message).toContain(part);
  });
});

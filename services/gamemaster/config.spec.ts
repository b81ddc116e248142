import { expect, it } from '@jest/globals';
import { config } from './config.ts';

it('rejects a heartbeat so short that an ordinary pause of the process would be an outage', () => {
  const given = (PULSE_MS: string) => config({ DATABASE_URL: 'postgres://db/maw', PULSE_MS });
  expect(given('50').PULSE_MS).toBe(50);
  expect(() => given('49')).toThrow(/PULSE_MS/);
});

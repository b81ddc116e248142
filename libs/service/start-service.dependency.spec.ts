import { describe, expect, it } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { connectDependency } from './start-service.ts';
import type { Check } from './ops-server.ts';

const temporary = (message: string) => Object.assign(new Error(message), { isTemporary: true });

describe('connectDependency', () => {
  it('retries temporary failures, with the reason in log and readiness check', async () => {
    const lines: string[] = [];
    const log = logger('test', { destination: { write: (line) => void lines.push((JSON.parse(line) as { reason: string }).reason) } });
    const ready: { [name: string]: Check } = {};
    const shown = async () => {
      try {
        return await ready['database']!();
      } catch (error) {
        return (error as Error).message;
      }
    };
    const atEachTry: (string | void)[] = [];
    const failures = ['no connection left', 'no connection left', 'no answer'];
    const open = async () => {
      atEachTry.push(await shown());
      const failure = failures.shift();
      if (failure !== undefined) throw temporary(failure);
      return 'a store';
    };
    const opened = await connectDependency({ ready, log, retryMs: 1 }, 'database', { open, check: (one) => `answers: ${one}` });
    expect(opened).toBe('a store');
    expect(atEachTry).toEqual(['not connected yet', 'no connection left', 'no connection left', 'no answer']);
    expect(lines).toEqual(['no connection left', 'no answer']);
    expect(await shown()).toBe('answers: a store');
  });

  it('throws any other error at once', async () => {
    const open = () => Promise.reject(new Error('wrong password'));
    const log = logger('test', { level: 'silent' });
    await expect(connectDependency({ ready: {}, log }, 'database', { open, check: () => undefined })).rejects.toThrow('wrong password');
  });
});

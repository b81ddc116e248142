import { expect, it, jest } from '@jest/globals';
import { logger } from '@maw/telemetry/log.ts';
import { ConfigError } from './config.ts';
import { nodeProblem } from './node-problem.ts';
import { readServiceConfig } from './start-service.ts';

it('logs all mistakes of a configuration in one line without a stack, and exits with 1', () => {
  const lines: string[] = [];
  const log = logger('web', { destination: { write: (line) => void lines.push(line) } });
  const exit = jest.fn() as unknown as (code: 1) => never;
  const mistakes = ['PORT: must be a number (given: "abc")', 'DATABASE_URL: is required, and is not set'];
  readServiceConfig(
    'web',
    () => {
      throw new ConfigError(mistakes);
    },
    exit,
    log,
  );
  expect(exit).toHaveBeenCalledWith(1);
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toEqual({
    level: 'fatal',
    time: expect.any(String),
    service: 'web',
    mistakes,
    message: 'the configuration is invalid',
  });
});

it('warns of a variable that does nothing any more, and reads the rest', () => {
  const lines: string[] = [];
  const log = logger('web', { destination: { write: (line) => void lines.push(line) } });
  process.env['CELL'] = 'eu1';
  try {
    expect(readServiceConfig('web', () => 'read', undefined, log)).toBe('read');
  } finally {
    delete process.env['CELL'];
  }
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', message: 'CELL is set, and does nothing any more' }]);
});

it('names the Node to use instead of one that is too old', () => {
  expect([nodeProblem(), nodeProblem('24.0.0'), nodeProblem('26.1.0')]).toEqual([undefined, undefined, undefined]);
  expect(nodeProblem('22.19.0')).toMatch(/^this is Node 22\.19\.0, and maw needs 24 or later: use \.\/maw/);
});

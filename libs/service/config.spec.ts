import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { temporaryFolder } from '@maw/tests/equipment/temporary-folder.ts';
import { ConfigError, readConfig } from './config.ts';
import { busFields, lifeFields, storeFields, telemetryFields } from './config-fields.ts';

const schema = z.object({
  ...busFields,
  ...storeFields,
  ...telemetryFields,
  ...lifeFields,
  API_TOKEN: z.string().min(8).optional().describe('What the door asks for'),
});
const DATABASE_URL = 'postgres://maw@db/maw';

function mistakesOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(schema, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.mistakes;
    throw error;
  }
  throw new Error('no mistake was found');
}

describe('readConfig', () => {
  it('returns typed values and defaults for the fields of the schema only', () => {
    const config = readConfig(schema, { DATABASE_URL, PORT: '8080', OTEL_TRACES_SAMPLER_ARG: '0.1', HOME: '/root' });
    expect(config).toEqual({
      AMQP_URL: 'amqp://guest:guest@127.0.0.1:5672',
      AMQP_DECLARE: true,
      AMQP_CHECK_SENDER: false,
      DATABASE_URL,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_TRACES_SAMPLER_ARG: 0.1,
      TRACED_TABLES: 1,
      HOST: '127.0.0.1',
      PORT: 8080,
      MAW_OPEN: '0',
      GRACE_MS: 10_000,
      LOG_LEVEL: 'info',
    });
  });

  it('treats an empty variable as not set', () => {
    expect(readConfig(schema, { DATABASE_URL, PORT: '', GRACE_MS: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toMatchObject({
      PORT: 0,
      GRACE_MS: 10_000,
    });
    expect(mistakesOf({ DATABASE_URL: '' })).toEqual([expect.stringMatching(/^DATABASE_URL: is required .*not set$/)]);
  });

  it('reports all mistakes at once, one per line, with the given values', () => {
    const env = {
      PORT: 'eighty',
      GRACE_MS: '1.5',
      OTEL_TRACES_SAMPLER_ARG: '2',
      LOG_LEVEL: 'loud',
      AMQP_URL: 'http://h',
      OTEL_RESOURCE_ATTRIBUTES: 'a=1,b',
    };
    const mistakes = mistakesOf(env);
    expect(mistakes).toEqual([
      'AMQP_URL: must be a URL (URL of the broker: amqp:// or amqps://) (given: hidden)',
      expect.stringMatching(/^DATABASE_URL: is required/),
      'OTEL_TRACES_SAMPLER_ARG: must be at most 1 (given: "2")',
      'OTEL_RESOURCE_ATTRIBUTES: must be name=value pairs with commas between them; write a comma in a value as %2C (given: "a=1,b")',
      'PORT: must be a number (given: "eighty")',
      'GRACE_MS: must be a whole number (given: "1.5")',
      'LOG_LEVEL: must be one of debug, info, warn, error, fatal, silent (given: "loud")',
    ]);
    expect(() => readConfig(schema, env)).toThrow(mistakes.join('\n'));
  });

  it('never shows a secret, nor a URL with a password', () => {
    const text = mistakesOf({
      AMQP_URL: 'amq://u:opensesame@h',
      DATABASE_URL: 'opensesame',
      API_TOKEN: 'sesame',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'u:opensesame@collector:4318',
    }).join('\n');
    expect(text.split('\n')).toHaveLength(4);
    expect(text).not.toContain('sesame');
  });
});

describe('a value in a file', () => {
  const folder = temporaryFolder();
  const file = (content: string) => {
    const path = join(folder, 'secret');
    writeFileSync(path, content);
    return path;
  };

  it('is read from NAME_FILE, without the final line break', () => {
    const config = readConfig(schema, { DATABASE_URL, API_TOKEN_FILE: file('open  sesame \n'), PORT_FILE: file('open  sesame \n') && '' });
    expect(config.API_TOKEN).toBe('open  sesame ');
    expect(readConfig(schema, { DATABASE_URL_FILE: file(`${DATABASE_URL}\r\n`) }).DATABASE_URL).toBe(DATABASE_URL);
  });

  it('is validated like any other, but not shown', () => {
    const mistakes = mistakesOf({ DATABASE_URL, API_TOKEN_FILE: file('sesame') });
    expect(mistakes).toEqual([expect.stringMatching(/^API_TOKEN: .*\(given: hidden\)$/)]);
    expect(mistakesOf({ DATABASE_URL_FILE: file('\n') })).toEqual([expect.stringContaining('DATABASE_URL: is required')]);
  });

  it('that cannot be read is reported with the other mistakes', () => {
    expect(mistakesOf({ DATABASE_URL_FILE: join(folder, 'nothing'), PORT: '-1' })).toEqual([
      'DATABASE_URL_FILE: the file cannot be read: ENOENT',
      'PORT: must be at least 0 (given: "-1")',
    ]);
  });

  it('cannot be combined with the variable itself', () => {
    expect(mistakesOf({ DATABASE_URL, DATABASE_URL_FILE: file(DATABASE_URL) })).toEqual([
      'DATABASE_URL: is set, and so is DATABASE_URL_FILE; set one of them',
    ]);
  });
});

it('has a description of every shared variable', () => {
  const shared = { ...busFields, ...storeFields, ...telemetryFields, ...lifeFields };
  expect(Object.entries(shared).filter(([, field]) => !field.description)).toEqual([]);
});

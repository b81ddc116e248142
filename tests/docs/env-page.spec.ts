import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { envPage } from './env-page.ts';

const schema = z.object({
  GRACE_MS: z.coerce.number().default(10_000).describe('How long a shutdown may take'),
  DATABASE_URL: z.string().describe('URL of the database'),
  API_TOKEN: z.string().optional().describe('What the door asks for'),
  FORMAT: z.enum(['json', 'text']).default('json').describe('Of the log'),
});

it('has a row per variable, with default and meaning', () => {
  expect(envPage('player', schema).split('\n')).toEqual([
    '## player',
    '',
    '| Variable | Default | Meaning |',
    '| --- | --- | --- |',
    '| `GRACE_MS` | `10000` | How long a shutdown may take |',
    '| `DATABASE_URL` | **required** | URL of the database |',
    '| `API_TOKEN` | none | What the door asks for |',
    '| `FORMAT` | `json` | Of the log: `json`, `text` |',
    '',
  ]);
});

import { ADMIN } from '../../web/in-process-web.ts';
import { benchmark } from '../benchmark.ts';
import { type Figure, figuresTable } from '../figures.ts';
import { startMeasuredProcess } from '../measured-process.ts';
import { decimal, integer } from '../options.ts';
import { followTables, type FollowResult } from './followed-tables.ts';

export const watching = benchmark({
  name: 'watching',
  description: 'many watchers with one spectator link, and many tables in one stream: order, latency and memory',
  options: {
    watchers: integer('readers of one table', { fallback: 500 }),
    tables: integer('tables of the one stream', { fallback: 200, max: 200 }),
    rate: decimal('speeches a second, every other one at the table that all watch', { fallback: 10 }),
    seconds: integer('how long people talk', { fallback: 600 }),
  },
  async measure({ watchers, tables, rate, seconds }, { signal }) {
    const system = await startMeasuredProcess('./web/web-process.ts', '');
    try {
      const at = { url: system.url, admin: ADMIN, rss: async () => (await system.rss()) ?? Number.NaN };
      const result = await followTables(at, { watchers, tables, perSecond: rate, seconds, signal });
      const figures = figuresOf(result);
      const text = [figuresTable(figures), ...result.wrong.slice(0, 20)].join('\n');
      return { text, json: figures, hasFailed: result.wrong.length > 0 };
    } finally {
      system.close();
    }
  },
});

const figuresOf = ({ wrong, events, p50, p99, perReader, growth }: FollowResult): readonly Figure[] => [
  { what: 'events read', unit: '', runs: [events] },
  { what: 'missing, repeated or out of order', unit: '', runs: [wrong.length] },
  { what: 'from speaking to a reader, p50', unit: 'ms', runs: [p50] },
  { what: 'from speaking to a reader, p99', unit: 'ms', runs: [p99] },
  { what: 'memory of one reader', unit: 'KiB', runs: [perReader / 1024] },
  { what: 'growth in the second half', unit: 'MiB', runs: [growth / 2 ** 20] },
];

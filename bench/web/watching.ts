import { builtConsole } from '@maw/tests/equipment/servers/built-console.ts';
import { chromiumPath, NO_CHROMIUM, startChromium } from '@maw/tests/equipment/servers/chromium.ts';
import { benchmark } from '../benchmark.ts';
import { type Figure, figuresTable } from '../figures.ts';
import { decimal, integer } from '../options.ts';
import { readProcessMetrics } from '../scale/process-metrics.ts';
import { WITHOUT_LIMITS, withServers, withSystem } from '../system-under-test.ts';
import { followTables, type FollowResult } from './followed-tables.ts';
import { openTablesPage } from './tables-page.ts';

/** Garbage is collected so often that memory shows what is held. */
const SMALL_HEAP = '--max-old-space-size=160';

export const watching = benchmark({
  name: 'watching',
  description: 'many watchers with one spectator link, and many tables in one stream and in one page: order, latency and memory',
  options: {
    watchers: integer('readers of one table', { fallback: 500 }),
    tables: integer('tables of the one stream', { fallback: 200, max: 200 }),
    rate: decimal('speeches a second, every other one at the table that all watch', { fallback: 10 }),
    seconds: integer('how long people talk', { fallback: 600 }),
  },
  findObstacle: async () => (chromiumPath === undefined ? NO_CHROMIUM : undefined),
  async measure({ watchers, tables, rate: perSecond, seconds }, { signal, say }) {
    say('building the page, unless it is built');
    const consoleDir = await builtConsole();
    say('starting a broker, a database, the services and Chromium');
    const browser = await startChromium({ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
    try {
      const given = { consoleDir, env: { ...WITHOUT_LIMITS, web: { ...WITHOUT_LIMITS.web, NODE_OPTIONS: SMALL_HEAP } } };
      const result = await withServers((urls) =>
        withSystem(urls, given, signal, async (system) => {
          const { url, adminToken: admin } = system;
          const memory = async () => {
            const { memory: resident, heap } = (await readProcessMetrics(system)).find(({ name }) => name === 'web')!;
            return { resident: resident * 2 ** 20, heap: heap * 2 ** 20 };
          };
          const openPage = () => openTablesPage(browser, url, admin);
          return followTables({ url, admin, memory }, { watchers, tables, perSecond, seconds, openPage, signal });
        }),
      );
      const figures = figuresOf(result);
      const text = [figuresTable(figures), ...result.wrong.slice(0, 20)].join('\n');
      return { text, json: figures, hasFailed: result.wrong.length > 0 };
    } finally {
      await browser.close();
    }
  },
});

const figuresOf = ({ wrong, events, p50, p99, perReader, growth, pageGrowth }: FollowResult): readonly Figure[] => [
  { what: 'events read', unit: '', runs: [events] },
  { what: 'missing, repeated or out of order', unit: '', runs: [wrong.length] },
  { what: 'from speaking to a reader, p50', unit: 'ms', runs: [p50] },
  { what: 'from speaking to a reader, p99', unit: 'ms', runs: [p99] },
  { what: 'memory of web for a reader', unit: 'KiB', runs: [perReader / 1024] },
  { what: 'growth of the memory of web in the second half', unit: 'MiB', runs: [growth.resident / 2 ** 20] },
  { what: 'growth of the heap of web in the second half', unit: 'MiB', runs: [growth.heap / 2 ** 20] },
  { what: 'growth of the heap of the page in the second half', unit: 'KiB', runs: [pageGrowth / 1024] },
];

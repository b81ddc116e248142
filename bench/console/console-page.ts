import type { System } from '@maw/cli/up/system.ts';
import { builtConsole, firstFiles, gzippedBytes } from '@maw/tests/equipment/servers/built-console.ts';
import { chromiumPath, NO_CHROMIUM, startChromium } from '@maw/tests/equipment/servers/chromium.ts';
import { benchmark, type BenchmarkContext, figuresResult } from '../benchmark.ts';
import { type Figure, quantile } from '../figures.ts';
import { decimal, integer, type Values } from '../options.ts';
import { readProcessMetrics } from '../scale/process-metrics.ts';
import { WITHOUT_LIMITS, withServers, withSystem } from '../system-under-test.ts';
import { dragThrough, firstContentfulPaint, untilTapeIsRead, withPage } from './browser-pages.ts';
import type { Frames } from './frames.ts';
import { fillTape, measureSpeeches, type Site, type SpeechesResult } from './speeches.ts';

const DRAG_MS = 4_000;

const options = {
  runs: integer('how often it is measured', { fallback: 5 }),
  acts: integer('speeches of a person at the table that the page shows, in each of the two measurements of a run', { fallback: 200 }),
  rate: decimal('speeches a second', { fallback: 5 }),
  followers: integer('spectators besides the page, in the second of them', { fallback: 500 }),
  events: integer('events of the tape that is dragged through', { fallback: 2_000, min: 10 }),
};

interface ConsoleRun {
  readonly lobbyPaintMs: number;
  readonly alone: SpeechesResult;
  readonly watched: SpeechesResult;
  readonly openedMs: number;
  readonly frames: Frames;
}

export const consolePage = benchmark({
  name: 'console',
  description: 'the page in Chromium: from an act to the page, first paint, a long tape, memory and bytes of a spectator',
  options,
  findObstacle: async () => (chromiumPath === undefined ? NO_CHROMIUM : undefined),
  async measure(values, context) {
    context.say('building the page, unless it is built');
    const consoleDir = await builtConsole();
    context.say('starting a broker, a database, the services and Chromium');
    const runs = await withServers((urls) =>
      withSystem(urls, { consoleDir, env: WITHOUT_LIMITS }, context.signal, (system) => measureRuns(system, values, context)),
    );
    if (!runs.length) return undefined;
    const missing = runs.reduce((sum, { alone, watched }) => sum + alone.missing + watched.missing, 0);
    return { ...figuresResult(figuresOf(runs, values, gzippedBytes(consoleDir, firstFiles(consoleDir)))), hasFailed: missing > 0 };
  },
});

/** The runs that were finished before an interruption. */
async function measureRuns(
  system: System,
  values: Values<typeof options>,
  { signal, say }: BenchmarkContext,
): Promise<readonly ConsoleRun[]> {
  const browser = await startChromium({ handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false });
  const runs: ConsoleRun[] = [];
  try {
    const memory = async () => (await readProcessMetrics(system)).find(({ name }) => name === 'web')!.memory;
    const site: Site = { url: system.url, admin: system.adminToken, browser, memory };
    say(`filling a tape with ${values.events} events`);
    const longTape = await fillTape(site, values.events, signal);
    for (let run = 1; run <= values.runs && !signal.aborted; run++) {
      const one = await measureRun(site, longTape, values, signal);
      signal.throwIfAborted();
      runs.push(one);
      const [alone, watched] = [one.alone, one.watched].map(({ latencies }) => quantile(latencies, 0.5));
      say(`run ${run} of ${values.runs}: act to page ${alone} ms, with ${values.followers} more spectators ${watched} ms (medians)`);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    await browser.close();
  }
  return runs;
}

async function measureRun(site: Site, longTape: string, values: Values<typeof options>, signal: AbortSignal): Promise<ConsoleRun> {
  const { acts, rate: perSecond, followers, events } = values;
  const lobbyPaintMs = await withPage(site.browser, `${site.url}/#token=${site.admin}`, firstContentfulPaint);
  const alone = await measureSpeeches(site, { acts, perSecond, followers: 0, signal });
  const watched = await measureSpeeches(site, { acts, perSecond, followers, signal });
  return withPage(site.browser, longTape, async (page) => {
    const openedMs = await untilTapeIsRead(page, events);
    return { lobbyPaintMs, alone, watched, openedMs, frames: await dragThrough(page, DRAG_MS) };
  });
}

function figuresOf(runs: readonly ConsoleRun[], { followers, events }: Values<typeof options>, pageBytes: number): readonly Figure[] {
  const figure = (what: string, unit: string, of: (run: ConsoleRun) => number): Figure => ({ what, unit, runs: runs.map(of) });
  const many = `and ${followers} more spectators`;
  return [
    figure('act to page, p50', 'ms', ({ alone }) => quantile(alone.latencies, 0.5)),
    figure('act to page, p99', 'ms', ({ alone }) => quantile(alone.latencies, 0.99)),
    figure(`act to page ${many}, p50`, 'ms', ({ watched }) => quantile(watched.latencies, 0.5)),
    figure(`act to page ${many}, p99`, 'ms', ({ watched }) => quantile(watched.latencies, 0.99)),
    figure('acts that never came into the page', '', ({ alone, watched }) => alone.missing + watched.missing),
    figure('first contentful paint, lobby', 'ms', ({ lobbyPaintMs }) => lobbyPaintMs),
    figure('first contentful paint, table', 'ms', ({ alone }) => alone.tablePaintMs),
    figure(`opening a tape of ${events} events`, 'ms', ({ openedMs }) => openedMs),
    figure('dragging through it', 'frames/s', ({ frames }) => frames.perSecond),
    figure('longest frame', 'ms', ({ frames }) => frames.longestMs),
    figure('memory of web for a spectator', 'KiB', ({ watched }) => watched.followerKib),
    figure('an event on the connection of a spectator', 'bytes', ({ watched }) => watched.eventBytes),
    { what: 'the page, gzip', unit: 'KiB', runs: [pageBytes / 1024] },
  ];
}

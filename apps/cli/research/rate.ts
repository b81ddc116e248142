import { setImmediate } from 'node:timers/promises';
import { ratingReport } from '@maw/lab/ratings/report.ts';
import { headingOf, type Section, sectionsOf } from '@maw/lab/ratings/report-tables.ts';
import { bootstrapStrengths } from '@maw/lab/ratings/strength/bootstrap.ts';
import { fitStrengths, type StrengthFit } from '@maw/lab/ratings/strength/bradley-terry.ts';
import { groupsOf } from '@maw/lab/ratings/strength/design.ts';
import { rankAgents } from '@maw/lab/ratings/strength/ranking.ts';
import type { CliConfig } from '../config.ts';
import { numberColumns, say } from '../output.ts';
import { withProgress } from '../progress.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import { createPaint, type Paint } from '../transcript.ts';
import { readResults } from '@maw/lab/results/read-results.ts';

interface RateOptions {
  readonly bootstrap: number;
  readonly seed: string;
  /** The bounds of the sequential test, in normalised Elo. */
  readonly elo: readonly [number, number];
  readonly json: boolean;
}

/**
 * `maw rate`. What it prints depends on the games and the options alone, not on the order of games.
 * @returns the exit code: 130 when it was stopped
 * @throws Error naming what is wrong with the file
 */
export async function rate(file: string, options: RateOptions, config: CliConfig, signal: AbortSignal): Promise<number> {
  const { bootstrap, seed, elo, json } = options;
  try {
    const { games: all, ...reading } = await readResults(file, signal);
    const groups = groupsOf(all);
    if (groups.length > 1 && !json)
      say(
        sanitizeText(
          `These groups of agents never met, so each is rated for itself: ${groups.map((group) => group.join(', ')).join(' | ')}`,
        ),
      );
    for (const group of groups) {
      const games = all.filter(({ seats: [first] }) => group.includes(first!.agent));
      const fit = fitStrengths(games);
      const ranking = rankAgents(fit, await resample(fit, seed, bootstrap, signal));
      const whole = ratingReport(games, ranking, { elo0: elo[0], elo1: elo[1] });
      // without seats in the file they are the order of its rows
      const report = reading.hasSeats ? whole : { ...whole, bias: whole.bias.filter(({ test }) => test === 'agents by role') };
      if (json) say(JSON.stringify({ type: 'ratings', seed, ...report }));
      else {
        say(sanitizeText(headingOf(report, seed)));
        printSections(sectionsOf(report, games, reading), createPaint(config.isColour));
      }
    }
    return 0;
  } catch (error) {
    if (!signal.aborted) throw error;
    return 130;
  }
}

function printSections(sections: readonly Section[], paint: Paint): void {
  for (const { title, parts } of sections) {
    say(`\n${paint('bold', title)}`);
    for (const part of parts)
      say(
        typeof part === 'string'
          ? `  ${sanitizeText(part)}`
          : numberColumns(
              part.map((row) => row.map(sanitizeText)),
              '  ',
            ),
      );
  }
}

/** How long computing goes on before signals are looked at, in milliseconds. */
const SLICE_MS = 50;

async function resample(fit: StrengthFit, seed: string, times: number, signal: AbortSignal): Promise<readonly Float64Array[]> {
  const resampled = bootstrapStrengths(fit, seed);
  const draws: Float64Array[] = [];
  return withProgress(times, async (at) => {
    for (let sliceEnd = performance.now() + SLICE_MS; draws.length < times;) {
      draws.push(resampled.next().value);
      if (performance.now() < sliceEnd) continue;
      at(draws.length);
      await setImmediate();
      signal.throwIfAborted();
      sliceEnd = performance.now() + SLICE_MS;
    }
    return draws;
  });
}

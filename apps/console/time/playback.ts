/** How fast a recording is played, against the pace at which people read. */
export const SPEEDS = [0.5, 1, 2, 4, 8] as const;
export type Speed = (typeof SPEEDS)[number];

/** What shows nothing new passes at once. */
const SILENT_MS = 60;
const GLANCE_MS = 900;
/** People read about 15 characters a second. */
const MS_PER_CHARACTER = 65;
const MAX_LINE_MS = 20_000;

/** How long a line stays before the next event, in milliseconds. @param line what it shows; undefined: nothing */
export function readingMs(line: string | undefined, speed: Speed): number {
  if (line === undefined) return SILENT_MS;
  return Math.min(MAX_LINE_MS, GLANCE_MS + [...line].length * MS_PER_CHARACTER) / speed;
}

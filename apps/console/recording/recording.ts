import type { Seen } from '../api/shapes.ts';
import type { EyeName } from '../scene/eyes.ts';

/** How likely a seat finds others to be against the village, at a time. */
export interface Suspicion {
  readonly seat: number;
  /** In milliseconds since the epoch: when the mind began to weigh what it knew. */
  readonly at: number;
  readonly round: number;
  /** By seat. */
  readonly of: readonly number[];
}

/** A game as one eye saw it, for a file that plays without a server. */
export interface Recording {
  /** What it is called: the table, or the file of the record. */
  readonly name: string;
  readonly eye: EyeName;
  /** When it was made, in milliseconds since the epoch. */
  readonly made: number;
  readonly seen: readonly Seen[];
  /** What minds suspected, in a file of everything. */
  readonly suspicions?: readonly Suspicion[] | undefined;
}

/** The page of a recording as the build makes it, beside index.html. */
export const RECORDING_PAGE = 'recording.html';

const ID = 'recording';
/** Where the build leaves room for the recording. */
export const RECORDING_SLOT = `<script type="application/json" id="${ID}"></script>`;

/**
 * The file of a recording. What was said cannot leave the element that holds it: JSON needs no `<`.
 * @param page the built page, with a slot for the recording
 * @throws Error when it is another page
 */
export function recordingFile(page: string, { seen, ...recording }: Recording): string {
  const [before, after, ...others] = page.split(RECORDING_SLOT);
  if (before === undefined || after === undefined || others.length)
    throw new Error('the page has no place for a recording; build it again');
  // What led to an act is only known to the server that it happened on.
  const json = JSON.stringify({ ...recording, seen: seen.map(({ n, at, event }) => ({ n, at, event })) });
  return [before, RECORDING_SLOT.replace('><', () => `>${escapeJson(json)}<`), after].join('');
}

const escapeJson = (json: string): string =>
  json.replaceAll('<', '\\u003c').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

/** The recording in the page of a file. */
export const recordingIn = (document: Pick<Document, 'getElementById'>): Recording =>
  JSON.parse(document.getElementById(ID)!.textContent) as Recording;

/** What a recording holds, so that nobody gives away more than they mean to. */
export function holdsOf(eye: EyeName): 'everything' | 'seat' | 'public' {
  return eye === 'narrator' ? 'everything' : eye === 'audience' ? 'public' : 'seat';
}

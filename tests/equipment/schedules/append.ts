import type { AppendMetadata, RecordedEvent } from '@maw/store/ports/tapes.ts';

/** The only table of a schedule. */
export const TABLE = 't';
/** A time in the future, so that no deadline derived from it has passed. */
export const START = Date.UTC(2040, 0, 1);

/** One append to the tape. */
export interface Written {
  readonly after: number;
  readonly events: readonly RecordedEvent['event'][];
  readonly writing: AppendMetadata;
}

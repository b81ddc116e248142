import type { Client } from './client.ts';
import { type Following, followStream, type Frame } from './follow.ts';
import type { Positions } from './leader.ts';

export interface FollowingTables extends Omit<Following, 'open'> {
  readonly client: Pick<Client, 'stream'>;
  /** Through which eye. */
  readonly as: string;
  /** The last event of each table that the reader has; moved on with every event. */
  readonly positions: Positions;
}

/** Follows many views in one stream, each from its position. @throws ApiProblem when the server refuses it */
export const followTables = ({ client, as, positions, onFrame, ...following }: FollowingTables): Promise<void> =>
  followStream({
    ...following,
    open: (signal) => client.stream('/events', { as, tables: Array.from(positions, (each) => each.join(':')).join(',') }, signal),
    onFrame(frame) {
      const table = tableOf(frame);
      if (frame.event === 'seen' && positions.has(table)) positions.set(table, (frame.data as { readonly n: number }).n);
      onFrame(frame);
    },
  });

/** The table that an event is about. */
export const tableOf = ({ data }: Frame): string => (data as { readonly table: string }).table;

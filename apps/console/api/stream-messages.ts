import type { ApiClient } from '@maw/api-client/client.ts';
import { ApiProblem, type ProblemFields } from '@maw/api-client/problem.ts';
import { type Following, followStream, type Frame, type Link } from '@maw/api-client/stream.ts';
import type { Positions } from './leader.ts';
import { problemOf } from './problem.ts';

/** What the tab that reads a stream passes on to the others. */
export type StreamMessage =
  /** `readAt`: when it came, by the clock of this machine. */
  | { readonly kind: 'frame'; readonly frame: Frame; readonly readAt: number }
  | { readonly kind: 'link'; readonly link: Link }
  /** The server refuses the stream. */
  | { readonly kind: 'problem'; readonly status: number; readonly reason: string; readonly detail: string };

/** Follows a stream: what it brings, and that the server refuses it, become messages. */
export async function emitStream(
  emit: (message: StreamMessage) => void,
  follow: (onLink: (link: Link) => void) => AsyncIterable<Frame>,
): Promise<void> {
  try {
    for await (const frame of follow((link) => emit({ kind: 'link', link }))) emit({ kind: 'frame', frame, readAt: Date.now() });
  } catch (error) {
    const { status, reason, detail } = problemOf(error);
    emit({ kind: 'problem', status, reason, detail });
  }
}

interface FollowingTables extends Following {
  readonly client: Pick<ApiClient, 'open'>;
  /** Through which eye. */
  readonly as: string;
  /** The last event of each table that the reader has; moved on with every event. */
  readonly positions: Positions;
}

/** Follows many views in one stream, each from its position. @throws ApiProblem when the server refuses it */
export async function* followTables({ client, as, positions, ...following }: FollowingTables): AsyncGenerator<Frame> {
  const tables = (): string => Array.from(positions, (each) => each.join(':')).join(',');
  const open = (signal: AbortSignal): Promise<Response> => client.open('/events', { as, tables: tables() }, { signal, forMs: 0 });
  for await (const frame of followStream(open, following)) {
    const table = tableOf(frame);
    if (frame.event === 'seen' && positions.has(table)) positions.set(table, (frame.data as { readonly n: number }).n);
    yield frame;
  }
}

/** The table that an event is about. */
export const tableOf = ({ data }: Frame): string => (data as { readonly table: string }).table;

/** A refusal as it was before it was passed on. */
export const problemIn = ({ status, reason, detail }: ProblemFields): ApiProblem => new ApiProblem(status, reason, detail);

/** The name of what tabs with the same token share. It tells tokens apart without showing them (FNV-1a). */
export function sharedName(what: string, token = ''): string {
  let hash = 0x811c9dc5;
  for (const character of token) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return `maw ${what} ${hash.toString(36)}`;
}

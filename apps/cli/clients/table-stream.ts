import type { ApiClient } from '@maw/api-client/client.ts';
import { followStream, type Link } from '@maw/api-client/stream.ts';
import type { AnswerOf } from '@maw/contracts/http/routes.ts';

type View = AnswerOf<'GET /tables/:table/view'>;
export type SeenEvent = View['seen'][number];
/** The time at the table, as everybody may know it. */
export type TableClock = NonNullable<View['clock']>;
export type OpenQuestions = Pick<View, 'asked' | 'brief' | 'alive' | 'life' | 'holder'>;

/** What the stream of a table brings. */
export type TableUpdate =
  | { readonly kind: 'seen'; readonly seen: SeenEvent }
  | { readonly kind: 'asked'; readonly asked: OpenQuestions }
  | { readonly kind: 'clock'; readonly clock: TableClock }
  | { readonly kind: 'over' };

/** Reads events that are sent as one JSON value per line. */
export async function* readTape(response: Response): AsyncGenerator<SeenEvent> {
  let rest = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line) yield JSON.parse(line) as SeenEvent;
  }
}

export interface FollowOptions {
  readonly as?: string;
  /** The number of the last event that is known. */
  readonly after?: number;
  readonly signal?: AbortSignal;
  /** How long the pauses of a stream that keeps breaking may be together, in milliseconds. Default: a minute. */
  readonly forMs?: number;
  onLink?(link: Link): void;
}

/**
 * Follows a table until it is over: every event once and in order, also when the connection breaks.
 * @throws ApiProblem when it is refused, and when no connection has worked for `forMs`
 */
export async function* followTable(
  web: Pick<ApiClient, 'open'>,
  table: string,
  { as, after = 0, signal, forMs = 60_000, onLink }: FollowOptions,
): AsyncGenerator<TableUpdate> {
  let last = after;
  const open = (stop: AbortSignal) => web.open('/tables/:table/events', { table, as, after: last }, { signal: stop, forMs: 0 });
  for await (const { event, data } of followStream(open, { signal, forMs, ...(onLink && { onLink }) })) {
    if (event === 'seen') {
      last = (data as SeenEvent).n;
      yield { kind: 'seen', seen: data as SeenEvent };
    } else if (event === 'asked') yield { kind: 'asked', asked: data as OpenQuestions };
    else if (event === 'clock') yield { kind: 'clock', clock: data as TableClock };
    else if (event === 'over') {
      yield { kind: 'over' };
      return;
    }
  }
}

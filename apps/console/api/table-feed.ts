import type { ApiClient } from '@maw/api-client/client.ts';
import type { Link } from '@maw/api-client/stream.ts';
import { shareStream, type Tabs } from './leader.ts';
import type { ApiProblem, ProblemFields } from '@maw/api-client/problem.ts';
import { problemOf } from './problem.ts';
import type { Asked, Clock, Seen, View } from './shapes.ts';
import { emitStream, followTables, type StreamMessage, problemIn, sharedName, tableOf } from './stream-messages.ts';

/** What the view of a table brings. Every event comes once, in order and without gaps. */
export interface FeedListener {
  onSeen(seen: Seen): void;
  onView(view: View): void;
  onAsked(asked: Asked): void;
  /** @param readAt when it came, by the clock of this machine */
  onClock(clock: Clock, readAt: number): void;
  onLink(link: Link): void;
  onOver(): void;
  /** The server refuses the view, or the page cannot read it; nothing more comes. */
  onProblem(problem: ApiProblem): void;
}

export interface FeedOptions {
  readonly client: ApiClient;
  readonly table: string;
  /** Through which eye: `narrator`, `audience`, `seat:3`. */
  readonly as: string;
  readonly listener: FeedListener;
  readonly signal: AbortSignal;
  readonly tabs: Tabs<StreamMessage>;
  /** The number of the last event that the listener has. */
  readonly after?: number;
}

const PAGE = 1_000;

interface Feed extends FeedOptions {
  /** The number of the last event that was passed on. */
  last: number;
  /** Messages wait for the one before: a gap is filled by a request. */
  queue: Promise<void>;
  /** Aborted when nothing more can come. */
  readonly ended: AbortController;
}

/** Follows a view, from its first event or after the last one read, until the signal is aborted, over one stream per browser. */
export function followTable(options: FeedOptions): void {
  const feed: Feed = { ...options, last: options.after ?? 0, queue: Promise.resolve(), ended: new AbortController() };
  readOn(feed).then(
    (isOver) => (isOver ? feed.listener.onOver() : listen(feed)),
    (error: unknown) => refuse(feed, problemOf(error)),
  );
}

function listen(feed: Feed): void {
  const { client, table, as, signal, tabs, ended } = feed;
  shareStream(tabs, {
    name: sharedName(as, client.token),
    topic: table,
    position: () => feed.last,
    signal: AbortSignal.any([signal, ended.signal]),
    topicOf: (message) => (message.kind === 'frame' ? tableOf(message.frame) : undefined),
    kindOf: (message) => (message.kind === 'frame' ? message.frame.event : message.kind),
    hear(message) {
      feed.queue = feed.queue.then(() => take(feed, message)).catch((error: unknown) => refuse(feed, problemOf(error)));
    },
    run: (positions, emit, running) => emitStream(emit, (onLink) => followTables({ client, as, positions, signal: running, onLink })),
  });
}

async function take(feed: Feed, message: StreamMessage): Promise<void> {
  const { listener, signal, ended } = feed;
  if (signal.aborted || ended.signal.aborted) return;
  if (message.kind === 'link') return listener.onLink(message.link);
  if (message.kind === 'problem') return refuse(feed, message);
  const { table, ...data } = message.frame.data as { readonly table: string };
  if (table !== feed.table) return;
  switch (message.frame.event) {
    case 'seen':
      return takeSeen(feed, data as Seen);
    case 'asked':
      return listener.onAsked(data as Asked);
    case 'clock':
      return listener.onClock(data as Clock, message.readAt);
    case 'over':
      ended.abort();
      return listener.onOver();
    case 'problem':
      return refuse(feed, data as ApiProblem);
  }
}

function refuse({ signal, ended, listener }: Feed, problem: ProblemFields): void {
  if (signal.aborted) return;
  ended.abort();
  listener.onProblem(problemIn(problem));
}

async function takeSeen(feed: Feed, seen: Seen): Promise<void> {
  if (seen.n > feed.last + 1) await readOn(feed);
  if (seen.n !== feed.last + 1) return;
  feed.last = seen.n;
  feed.listener.onSeen(seen);
}

/**
 * Reads all events after the last one, however long the server cannot be reached. Returns whether the table is over.
 * @throws ApiProblem when the server refuses; the reason of the signal once that is aborted
 */
async function readOn(feed: Feed): Promise<boolean> {
  const { client, table, as, listener, signal } = feed;
  for (;;) {
    const wanted = { table, as, after: feed.last, limit: PAGE };
    const view = await client.get('/tables/:table/view', wanted, { signal, forMs: Infinity, onFailure: () => listener.onLink('lost') });
    signal.throwIfAborted();
    for (const seen of view.seen) {
      feed.last = seen.n;
      listener.onSeen(seen);
    }
    listener.onView(view);
    if (!view.more) return view.summary.stage === 'over';
  }
}

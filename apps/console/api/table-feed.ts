import type { Client } from './client.ts';
import { tablePath } from './client.ts';
import { followStream, type Frame, type Link } from './follow.ts';
import { shareStream, type Tabs } from './leader.ts';
import { ApiProblem, problemOf } from './problem.ts';
import { sendUntilAnswered } from './retry.ts';
import type { Asked, Clock, Seen, View } from './shapes.ts';

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
  readonly client: Client;
  readonly table: string;
  /** Through which eye: `narrator`, `audience`, `seat:3`. */
  readonly as: string;
  readonly listener: FeedListener;
  readonly signal: AbortSignal;
  readonly tabs: Tabs<Message>;
  readonly silenceMs?: number;
}

/** What the tab that leads passes on to the others. */
export type Message =
  | { readonly kind: 'frame'; readonly frame: Frame; readonly readAt: number }
  | { readonly kind: 'link'; readonly link: Link }
  | { readonly kind: 'problem'; readonly status: number; readonly reason: string; readonly detail: string };

const PAGE = 1_000;

interface Feed extends FeedOptions {
  /** The number of the last event that was passed on. */
  last: number;
  /** Messages wait for the one before: a gap is filled by a request. */
  queue: Promise<void>;
}

/** Follows a view from its first event until the signal is aborted, over one stream per browser. */
export function followTable(options: FeedOptions): void {
  const feed: Feed = { ...options, last: 0, queue: Promise.resolve() };
  readOn(feed).then(() => listen(feed), failureOf(feed));
}

const failureOf =
  ({ signal, listener }: Feed) =>
  (error: unknown): void => {
    if (!signal.aborted) listener.onProblem(problemOf(error));
  };

function listen(feed: Feed): void {
  const { client, table, as, signal, silenceMs, tabs } = feed;
  const path = tablePath(table, '/events');
  shareStream(tabs, {
    name: `maw ${table} ${as} ${shortHash(client.token ?? '')}`,
    signal,
    kindOf: (message) => (message.kind === 'frame' ? message.frame.event : message.kind),
    hear(message) {
      feed.queue = feed.queue.then(() => take(feed, message)).catch(failureOf(feed));
    },
    async run(emit, running) {
      const done = new AbortController();
      const following = followStream({
        open: (lastId, stop) => client.stream(path, { as, after: feed.last }, lastId, stop),
        lastId: String(feed.last),
        onFrame(frame) {
          emit({ kind: 'frame', frame, readAt: Date.now() });
          if (frame.event === 'over') done.abort();
        },
        onLink: (link) => emit({ kind: 'link', link }),
        signal: AbortSignal.any([running, done.signal]),
        ...(silenceMs === undefined ? {} : { silenceMs }),
      });
      await following.catch((error: unknown) => {
        const { status, reason, detail } = problemOf(error);
        emit({ kind: 'problem', status, reason, detail });
      });
    },
  });
}

async function take(feed: Feed, message: Message): Promise<void> {
  const { listener } = feed;
  if (message.kind === 'link') return listener.onLink(message.link);
  if (message.kind === 'problem') return listener.onProblem(new ApiProblem(message.status, message.reason, message.detail));
  const { event, data } = message.frame;
  switch (event) {
    case 'seen':
      return takeSeen(feed, data as Seen);
    case 'asked':
      return listener.onAsked(data as Asked);
    case 'clock':
      return listener.onClock(data as Clock, message.readAt);
    case 'over':
      return listener.onOver();
  }
}

async function takeSeen(feed: Feed, seen: Seen): Promise<void> {
  if (seen.n > feed.last + 1) await readOn(feed);
  if (seen.n !== feed.last + 1) return;
  feed.last = seen.n;
  feed.listener.onSeen(seen);
}

/** Reads all events after the last one, however long the server cannot be reached. @throws ApiProblem when it refuses */
async function readOn(feed: Feed): Promise<void> {
  const { client, table, as, listener, signal } = feed;
  for (;;) {
    const view = await sendUntilAnswered(() => client.get<View>(tablePath(table, '/view'), { as, after: feed.last, limit: PAGE }), {
      signal,
      onFailure: () => listener.onLink('lost'),
    });
    if (signal.aborted) return;
    for (const seen of view.seen) {
      feed.last = seen.n;
      listener.onSeen(seen);
    }
    listener.onView(view);
    if (!view.more) return;
  }
}

/** Tells tokens apart without showing them (FNV-1a). */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0;
  return hash.toString(36);
}

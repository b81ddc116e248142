/** What tabs of one browser need to share a stream of messages: Web Locks and BroadcastChannel, or twins of them. */
export interface Tabs<M> {
  /** Runs `work` while this tab holds the lock; waits for it until the signal is aborted. Undefined: this browser has no locks here. */
  readonly lock: ((name: string, signal: AbortSignal, work: () => Promise<void>) => Promise<void>) | undefined;
  channel(name: string): Channel<Posted<M>>;
}

export interface Channel<M> {
  post(message: M): void;
  onMessage(hear: (message: M) => void): void;
  close(): void;
}

interface Hello {
  readonly kind: 'hello';
}
export type Posted<M> = Hello | { readonly kind: 'message'; readonly message: M };

export interface Shared<M> {
  /** Tabs with the same name share one stream. */
  readonly name: string;
  /** Holds the stream for all tabs; runs in one of them at a time. Rejects never: what fails is a message too. */
  run(emit: (message: M) => void, signal: AbortSignal): Promise<void>;
  hear(message: M): void;
  /** A tab that joins gets the latest message of each kind: the state, and how far the events are. */
  kindOf(message: M): string;
  readonly signal: AbortSignal;
}

/**
 * Shares one stream between the tabs of a browser, which opens at most six connections to a server: the tab with the lock runs it and passes
 * everything on. When it closes, another tab leads. A message may be missed or come twice at that moment: the receiver orders by number.
 */
export function shareStream<M>({ lock, channel }: Tabs<M>, shared: Shared<M>): void {
  const { name, run, hear, kindOf, signal } = shared;
  if (signal.aborted) return;
  if (!lock) {
    void run(hear, signal);
    return;
  }
  const tabs = channel(name);
  const latest = new Map<string, M>();
  let isLeader = false;
  const post = (message: M): void => tabs.post({ kind: 'message', message });
  tabs.onMessage((posted) => {
    if (posted.kind === 'message') hear(posted.message);
    else if (isLeader) for (const message of latest.values()) post(message);
  });
  tabs.post({ kind: 'hello' });
  const lead = async (): Promise<void> => {
    isLeader = true;
    await run((message) => {
      latest.set(kindOf(message), message);
      post(message);
      hear(message);
    }, signal);
  };
  signal.addEventListener('abort', () => tabs.close());
  lock(name, signal, lead).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

/** The tabs of this browser. Locks need HTTPS or a loopback address. */
export function browserTabs<M>(): Tabs<M> {
  const { locks } = navigator as { readonly locks?: LockManager };
  return {
    lock: locks && ((name, signal, work) => locks.request(name, { signal }, work)),
    channel(name) {
      const channel = new BroadcastChannel(name);
      return {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin but its own
        post: (message) => channel.postMessage(message),
        onMessage: (hear) => channel.addEventListener('message', ({ data }) => hear(data as Posted<M>)),
        close: () => channel.close(),
      };
    },
  };
}

import { randomKey } from '@maw/api-client/client.ts';

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

/** What a tab follows, and how far it is. While it is open, it holds the lock of its name. */
interface Hello {
  readonly kind: 'hello';
  readonly tab: string;
  readonly topic: string;
  readonly position: number;
}
export type Posted<M> = Hello | { readonly kind: 'who' } | { readonly kind: 'message'; readonly message: M };

/** How far the reader of a stream is with each of its topics. */
export type Positions = Map<string, number>;

export interface Shared<M> {
  /** Tabs with the same name share one stream. */
  readonly name: string;
  /** What this tab follows in it. */
  readonly topic: string;
  /** How far this tab is with its topic. */
  position(): number;
  /**
   * Holds the stream of all topics for all tabs, and moves the positions on; runs in one tab at a time, and anew when a topic comes or goes.
   * Rejects never: what fails is a message too. Resolves before the signal is aborted when the server refuses the stream.
   */
  run(positions: Positions, emit: (message: M) => void, signal: AbortSignal): Promise<void>;
  /** Hears the messages of all topics. */
  hear(message: M): void;
  /** Undefined: it is about all topics. */
  topicOf(message: M): string | undefined;
  /** What kind of message of its topic it is: a tab that joins gets the latest of each. */
  kindOf(message: M): string;
  readonly signal: AbortSignal;
}

/** Topics that come and go so soon after each other change the stream once, in milliseconds. */
const SETTLE_MS = 50;
/** How many messages the leader keeps for tabs that join; older ones are dropped. */
const MAX_LATEST = 1_000;

/**
 * Shares one stream between the tabs of a browser, which opens at most six connections to a server: the tab with the lock runs it and passes
 * everything on. When it closes, another tab leads. A message may be missed or come twice at that moment: the receiver orders by number. A stream
 * that has ended by itself is opened again when a tab joins. A tab that gets no locks runs a stream of its own.
 */
export function shareStream<M>({ lock, channel }: Tabs<M>, shared: Shared<M>): void {
  const { name, topic, position, run, hear, signal } = shared;
  if (signal.aborted) return;
  const runAlone = (): void => void run(new Map([[topic, position()]]), hear, signal);
  if (!lock) return runAlone();
  const tabs = channel(name);
  const tab = randomKey();
  let isHeld = false;
  let isAlone = false;
  let leader: Leader | undefined;
  const hold: Hold = (held, work) =>
    void lock(`${name} ${held}`, signal, work).catch((error: unknown) => {
      if (signal.aborted || isAlone) return;
      if (leader) throw error;
      isAlone = true; // a page with an opaque origin has locks, but may not use them
      runAlone();
    });
  const sayHello = (): void => tabs.post({ kind: 'hello', tab, topic, position: position() });
  tabs.onMessage((posted) => {
    if (posted.kind === 'message') hear(posted.message);
    else if (posted.kind === 'hello') leader?.join(posted);
    else if (isHeld) sayHello();
  });
  signal.addEventListener('abort', () => tabs.close());
  hold(tab, () => {
    isHeld = true;
    sayHello();
    return aborted(signal);
  });
  hold('leader', () => {
    leader = leadTabs(shared, (message) => tabs.post({ kind: 'message', message }), hold);
    tabs.post({ kind: 'who' });
    return leader.run();
  });
}

/** Holds a lock of the shared stream during the work. */
type Hold = (name: string, work: () => Promise<void>) => void;

interface Leader {
  join(hello: Hello): void;
  run(): Promise<void>;
}

function leadTabs<M>(shared: Shared<M>, post: (message: M) => void, hold: Hold): Leader {
  const { topic: own, position, hear, topicOf, kindOf, signal } = shared;
  const positions: Positions = new Map([[own, position()]]);
  const topics = new Map<string, string>();
  const latest = new Map<string, M>();
  let changed = new AbortController();
  let hasEnded = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const change = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => changed.abort(), SETTLE_MS);
  };
  const leave = (tab: string): void => {
    const topic = topics.get(tab)!;
    topics.delete(tab);
    if (topic === own || [...topics.values()].includes(topic)) return;
    positions.delete(topic);
    for (const [key, message] of latest) if (topicOf(message) === topic) latest.delete(key);
    change();
  };
  const emit = (message: M): void => {
    if (signal.aborted) return;
    const key = `${topicOf(message) ?? ''} ${kindOf(message)}`;
    latest.delete(key); // the newest is the last
    latest.set(key, message);
    if (latest.size > MAX_LATEST) latest.delete(latest.keys().next().value!);
    post(message);
    hear(message);
  };
  return {
    join({ tab, topic, position: at }) {
      if (topics.has(tab)) return;
      topics.set(tab, topic);
      hold(tab, async () => leave(tab));
      for (const message of latest.values()) if ((topicOf(message) ?? topic) === topic) post(message);
      if (hasEnded) change();
      if (at >= (positions.get(topic) ?? Infinity)) return;
      positions.set(topic, at);
      change();
    },
    async run() {
      while (!signal.aborted) {
        changed = new AbortController();
        const running = AbortSignal.any([signal, changed.signal]);
        await shared.run(positions, emit, running);
        hasEnded = !running.aborted;
        if (hasEnded) latest.clear();
        await aborted(running);
        hasEnded = false;
      }
      clearTimeout(timer);
    },
  };
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

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

import type { ApiClient } from '@maw/api-client/client.ts';
import type { Link } from '@maw/api-client/stream.ts';
import type { Tabs } from '../api/leader.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import type { Asked, Clock, Summary } from '../api/shapes.ts';
import type { StreamMessage } from '../api/stream-messages.ts';
import { type FeedListener, followTable } from '../api/table-feed.ts';
import { createTape, deriveView, type GrowingTape, type Tape } from '../time/tape.ts';
import { type EyeName, eyeOf } from './eyes.ts';

/** How a table stands for this page. A new object after every change. */
export interface TableState {
  /** The view that came from the server; its moments grow in place. */
  readonly tape: Tape;
  readonly summary: Summary | undefined;
  readonly asked: Asked | undefined;
  readonly clock: ClockReading | undefined;
  readonly link: Link;
  readonly isOver: boolean;
  /** All events up to now have been read. */
  readonly isCurrent: boolean;
  readonly problem: ApiProblem | undefined;
}

/** A clock, and when it was read by the clock of this machine. */
export interface ClockReading extends Clock {
  readonly readAt: number;
}

export interface Session {
  /** The eye that the server was asked for. */
  readonly source: EyeName;
  get(): TableState;
  subscribe(changed: () => void): () => void;
  /** The view of an eye at this moment, derived from the source where that is the narrator's. */
  tapeOf(eye: EyeName): Tape;
  /** Asks the server again after a problem, from the last event that was read. */
  reopen(): void;
  close(): void;
}

export interface SessionOptions {
  readonly client: ApiClient;
  readonly table: string;
  /** The eye to ask the server for. */
  readonly source: EyeName;
  readonly tabs: Tabs<StreamMessage>;
}

const UNREAD: Omit<TableState, 'tape'> = {
  summary: undefined,
  asked: undefined,
  clock: undefined,
  link: 'connecting',
  isOver: false,
  isCurrent: false,
  problem: undefined,
};

/** Follows one view of a table and tells its listeners of changes, at most once per turn of the event loop. */
export function openSession({ client, table, source, tabs }: SessionOptions): Session {
  const closing = new AbortController();
  const tape = createTape();
  const derived = new Map<EyeName, { readonly tape: GrowingTape; upTo: number }>();
  const listeners = new Set<() => void>();
  let state: TableState = { ...UNREAD, tape };
  let isTold = true;
  const change = (to: Partial<TableState>): void => {
    state = { ...state, ...to };
    if (!isTold) return;
    isTold = false;
    queueMicrotask(() => {
      isTold = true;
      for (const listener of listeners) listener();
    });
  };
  const heard: FeedListener = {
    onSeen(seen) {
      tape.append(seen);
      change({});
    },
    onView({ summary, asked, brief, alive, life, holder, more }) {
      const isOver = summary.stage === 'over';
      change({ summary, asked: { asked, brief, alive, life, holder }, isCurrent: !more, ...(isOver && !more ? { isOver } : {}) });
    },
    onAsked: (asked) => change({ asked }),
    onClock: (clock, readAt) => change({ clock: { ...clock, readAt } }),
    onLink: (link) => link !== state.link && change({ link }),
    onOver: () => change({ isOver: true, link: 'live' }),
    onProblem: (problem) => change({ problem }),
  };
  const follow = (): void =>
    followTable({ client, table, as: source, tabs, listener: heard, signal: closing.signal, after: tape.moments.at(-1)?.seen.n ?? 0 });
  follow();
  return {
    source,
    get: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tapeOf(eye) {
      if (eye === source) return tape;
      const view = derived.get(eye) ?? { tape: createTape(), upTo: 0 };
      derived.set(eye, view);
      view.upTo = deriveView(tape, eyeOf(eye), view.tape, view.upTo);
      return view.tape;
    },
    reopen() {
      if (!state.problem) return;
      change({ problem: undefined, link: 'connecting' });
      follow();
    },
    close: () => closing.abort(),
  };
}

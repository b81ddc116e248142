import type { Link } from '@maw/api-client/stream.ts';
import type { ClockReading } from '../scene/session.ts';

/** What every panel of a task is given. */
export interface TaskProps<T> {
  readonly task: T;
  readonly clock: ClockReading | undefined;
  readonly link: Link;
  /** Nothing can be sent: the link is dead, or the game is paused. */
  readonly isFrozen: boolean;
  /** An answer of this question is on its way. */
  readonly isSending: boolean;
}

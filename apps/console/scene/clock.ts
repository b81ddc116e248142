import type { Moment } from '../time/tape.ts';
import type { ClockReading } from './session.ts';

/** Milliseconds that are left of a phase, and whether they run. Undefined: it ends by nothing that everybody may know. */
export interface TimeLeft {
  readonly ms: number;
  readonly isRunning: boolean;
}

/** A clock as it stands later, by the clock of this machine. A page that has slept may give a time before the reading: it then stands as read. */
export function clockAt(clock: ClockReading, now: number): ClockReading {
  const later = Math.max(now, clock.readAt);
  return { ...clock, now: clock.now + (later - clock.readAt), readAt: later };
}

/** The time left in a live game by the server's clock, which goes on from when it was read. */
export function timeLeft(clock: ClockReading | undefined, now: number): TimeLeft | undefined {
  if (clock?.until === undefined) return undefined;
  const serverNow = clock.pausedSince ?? clockAt(clock, now).now;
  return { ms: Math.max(0, clock.until - serverNow), isRunning: clock.pausedSince === undefined };
}

/** The time that was left at a moment, by the questions that its view knew of. */
export function timeLeftAt({ seen, after }: Moment): TimeLeft | undefined {
  const ends = after.open.map(({ until }) => until);
  return ends.length ? { ms: Math.max(0, Math.max(...ends) - seen.at), isRunning: false } : undefined;
}

/** `2:05`, `0:07`. */
export function formatTime(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (n: number): string => String(n).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

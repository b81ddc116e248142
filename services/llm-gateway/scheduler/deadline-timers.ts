import type { LlmRequest } from '../request.ts';

/** Ends requests at their deadlines. */
export interface DeadlineTimers {
  set(request: LlmRequest): void;
  clear(request: LlmRequest): void;
}

const MAX_TIMER_MS = 2 ** 31 - 1;

/** A timer may fire early, and none takes longer than 24 days: each checks the clock. */
export function deadlineTimers(now: () => number, onDeadline: (request: LlmRequest) => void): DeadlineTimers {
  const timers = new Map<LlmRequest, NodeJS.Timeout>();

  function set(request: LlmRequest): void {
    const left = request.deadline - now();
    if (left <= 0) onDeadline(request);
    else timers.set(request, setTimeout(set, Math.min(Math.ceil(left), MAX_TIMER_MS), request));
  }

  return {
    set,
    clear(request) {
      clearTimeout(timers.get(request));
      timers.delete(request);
    },
  };
}

import type { LlmRequest } from '../request.ts';

/** Calls `onDeadline` at the deadlines of requests. A timer may fire early, so each checks the clock. */
export function deadlineTimers(now: () => number, onDeadline: (request: LlmRequest) => void) {
  function set(request: LlmRequest): void {
    const left = request.deadline - now();
    if (left <= 0) onDeadline(request);
    else request.deadlineTimer = setTimeout(set, Math.ceil(left), request);
  }

  return {
    set,
    clear(request: LlmRequest): void {
      clearTimeout(request.deadlineTimer);
      request.deadlineTimer = undefined;
    },
  };
}

/** Message headers, besides the trace context. */
export const header = {
  attempt: 'x-attempt',
  /** The type of the original request, when it was forwarded as another one. */
  answers: 'x-answers',
  reason: 'x-reason',
  error: 'x-error',
  queue: 'x-queue',
  at: 'x-at',
  attempts: 'x-attempts',
  /** The original sender, on a copy for a retry or the dead letters. */
  sender: 'x-sender',
} as const;

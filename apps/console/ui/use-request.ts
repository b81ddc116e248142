import { type DependencyList, useCallback, useEffect, useState } from 'react';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import type { Patience } from '@maw/api-client/retry.ts';
import { problemOf } from '../api/problem.ts';

interface RequestState<T> {
  /** The last answer; it stays while another one is awaited, and until the server refuses. */
  readonly value?: T | undefined;
  /** The refusal, or what keeps the request from being answered: it is then sent again. */
  readonly problem?: ApiProblem | undefined;
}

export interface Requested<T> extends RequestState<T> {
  reload(): void;
}

/**
 * Sends a request when the page needs it, and again when what it depends on changes; while the server cannot be reached, with growing pauses.
 * Undefined: no request yet.
 * @param send passes on how patient it is
 */
export function useRequest<T>(send: ((patience: Patience) => Promise<T>) | undefined, on: DependencyList): Requested<T> {
  const [answer, setAnswer] = useState<RequestState<T>>({});
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!send) return undefined;
    const closing = new AbortController();
    const { signal } = closing;
    const tell = (next: (before: RequestState<T>) => RequestState<T>): void => {
      if (!signal.aborted) setAnswer(next);
    };
    tell(({ value }) => ({ value }));
    send({ signal, forMs: Infinity, onFailure: (problem) => tell(({ value }) => ({ value, problem })) }).then(
      (value) => tell(() => ({ value })),
      (error: unknown) => tell(() => ({ problem: problemOf(error) })),
    );
    return () => closing.abort();
    // oxlint-disable-next-line react/exhaustive-deps -- the caller says what the request depends on
  }, [...on, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  return { ...answer, reload };
}

/**
 * Sends a request again and again.
 * @param pauseMs after an answer, in milliseconds; undefined: it is the last one
 */
export function usePolled<T>(
  send: ((patience: Patience) => Promise<T>) | undefined,
  on: DependencyList,
  pauseMs: (value: T) => number | undefined,
): Requested<T> {
  const requested = useRequest(send, on);
  const { value, reload } = requested;
  useEffect(() => {
    const pause = value === undefined ? undefined : pauseMs(value);
    if (pause === undefined) return undefined;
    const timer = setTimeout(reload, pause);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- the pause begins with the answer
  }, [value, reload]);
  return requested;
}

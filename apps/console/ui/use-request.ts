import { type DependencyList, useCallback, useEffect, useState } from 'react';
import { type ApiProblem, problemOf } from '../api/problem.ts';

export interface Requested<T> {
  /** The last answer; it stays while another one is awaited. */
  readonly value: T | undefined;
  readonly problem: ApiProblem | undefined;
  readonly isLoading: boolean;
  reload(): void;
}

/** Sends a request when the page needs it, and again when what it depends on changes. Undefined: no request yet. */
export function useRequest<T>(send: (() => Promise<T>) | undefined, on: DependencyList): Requested<T> {
  const [answer, setAnswer] = useState<{ readonly value?: T; readonly problem?: ApiProblem; readonly isLoading: boolean }>({
    isLoading: true,
  });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!send) return;
    let isCurrent = true;
    setAnswer(({ value }) => ({ ...(value === undefined ? {} : { value }), isLoading: true }));
    send().then(
      (value) => isCurrent && setAnswer({ value, isLoading: false }),
      (error: unknown) => isCurrent && setAnswer({ problem: problemOf(error), isLoading: false }),
    );
    return () => void (isCurrent = false);
    // oxlint-disable-next-line react/exhaustive-deps -- the caller says what the request depends on
  }, [...on, attempt]);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  return { value: answer.value, problem: answer.problem, isLoading: answer.isLoading, reload };
}

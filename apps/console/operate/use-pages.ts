import { useCallback, useEffect, useRef, useState } from 'react';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import type { Patience } from '@maw/api-client/retry.ts';
import { problemOf } from '../api/problem.ts';

export interface Pages<T> {
  readonly rows: readonly T[];
  /** Whether there may be older ones. */
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly problem: ApiProblem | undefined;
  more(): void;
  /** Reads the newest page again and forgets the others. */
  reload(): void;
}

const LIMIT = 100;

/** A list that the server gives page by page, newest first, by the number of the last row. */
export function usePages<T extends { readonly n: number }>(
  read: (query: { readonly limit: number; readonly before?: number }, patience: Patience) => Promise<readonly T[]>,
): Pages<T> {
  const [state, setState] = useState<Pick<Pages<T>, 'rows' | 'hasMore' | 'problem'>>({ rows: [], hasMore: false, problem: undefined });
  const [isLoading, setLoading] = useState(true);
  const latest = useRef<AbortController>(undefined);
  const load = useCallback(
    async (known: readonly T[]) => {
      latest.current?.abort();
      latest.current = new AbortController();
      const { signal } = latest.current;
      setLoading(true);
      const last = known.at(-1);
      const fail = (problem: ApiProblem): void => {
        if (!signal.aborted) setState((before) => ({ ...before, problem }));
      };
      try {
        const page = await read({ limit: LIMIT, ...(last && { before: last.n }) }, { signal, forMs: Infinity, onFailure: fail });
        if (signal.aborted) return;
        setState({ rows: [...known, ...page], hasMore: page.length === LIMIT, problem: undefined });
      } catch (error) {
        fail(problemOf(error));
      }
      if (!signal.aborted) setLoading(false);
    },
    [read],
  );
  useEffect(() => {
    void load([]);
    return () => latest.current?.abort();
  }, [load]);
  return { ...state, isLoading, more: () => void load(state.rows), reload: useCallback(() => void load([]), [load]) };
}

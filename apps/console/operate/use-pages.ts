import { useCallback, useEffect, useRef, useState } from 'react';
import { type ApiProblem, problemOf } from '../api/problem.ts';

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
  read: (query: { readonly limit: number; readonly before?: number }) => Promise<readonly T[]>,
): Pages<T> {
  const [state, setState] = useState<Pick<Pages<T>, 'rows' | 'hasMore' | 'problem'>>({ rows: [], hasMore: false, problem: undefined });
  const [isLoading, setLoading] = useState(true);
  /** An answer to an earlier reading comes too late. */
  const latest = useRef<object>(undefined);
  const load = useCallback(
    async (known: readonly T[]) => {
      const reading = {};
      latest.current = reading;
      setLoading(true);
      const last = known.at(-1);
      try {
        const page = await read({ limit: LIMIT, ...(last && { before: last.n }) });
        if (latest.current !== reading) return;
        setState({ rows: [...known, ...page], hasMore: page.length === LIMIT, problem: undefined });
      } catch (error) {
        if (latest.current !== reading) return;
        setState((before) => ({ ...before, problem: problemOf(error) }));
      }
      setLoading(false);
    },
    [read],
  );
  useEffect(() => void load([]), [load]);
  return { ...state, isLoading, more: () => void load(state.rows), reload: useCallback(() => void load([]), [load]) };
}

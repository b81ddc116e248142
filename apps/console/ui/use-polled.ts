import { type DependencyList, useEffect } from 'react';
import type { Patience } from '@maw/api-client/retry.ts';
import { type Requested, useRequest } from './use-request.ts';

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

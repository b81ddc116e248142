import { useCallback, useEffect, useRef, useState } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { Link } from '@maw/api-client/stream.ts';
import { browserTabs } from '../api/leader.ts';
import { followLobby } from '../api/lobby-feed.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { problemOf } from '../api/problem.ts';
import type { Summary } from '../api/shapes.ts';
import type { StreamMessage } from '../api/stream-messages.ts';
import { NO_TABLES, shownTables, type TableFilter, withPage, withRequest, withTable } from '../api/table-list.ts';

export interface Tables {
  /** Undefined until the first page was read. */
  readonly tables: readonly Summary[] | undefined;
  /** A refusal, or what keeps a page from being read: it is then asked for again. */
  readonly problem: ApiProblem | undefined;
  /** Why the tables do not change: the server refuses the stream. */
  readonly refusal: ApiProblem | undefined;
  readonly link: Link;
  readonly hasMore: boolean;
  more(): void;
  /** Reads the list again, and opens the stream again: the server may have refused it. */
  reload(): void;
}

/** The pause after a key before the server searches, in milliseconds. */
const SEARCH_MS = 200;

/** Follows the list of tables, anew with each attempt. */
function useLobby(client: ApiClient, attempt: number, onTable: (summary: Summary) => void) {
  const [link, setLink] = useState<Link>('connecting');
  const [refusal, setRefusal] = useState<ApiProblem>();
  const [tabs] = useState(() => browserTabs<StreamMessage>());
  useEffect(() => {
    const closing = new AbortController();
    const onLink = (now: Link): void => {
      setLink(now);
      if (now === 'live') setRefusal(undefined);
    };
    followLobby({ client, tabs, listener: { onTable, onLink, onProblem: setRefusal }, signal: closing.signal });
    return () => closing.abort();
  }, [client, tabs, attempt, onTable]);
  return { link, refusal };
}

/** The tables that fit, newest first, as they change; older ones by page. */
export function useTables(client: ApiClient, filter: TableFilter, limit = 50): Tables {
  const { search, rules, stage, over } = filter;
  const [list, setList] = useState(NO_TABLES);
  const [problem, setProblem] = useState<ApiProblem>();
  const [attempt, setAttempt] = useState(0);
  const latest = useRef<AbortController>(undefined);
  const wanted = useRef(filter);
  wanted.current = filter;
  const onTable = useCallback((summary: Summary): void => setList((before) => withTable(before, summary, wanted.current)), []);
  const { link, refusal } = useLobby(client, attempt, onTable);
  const read = useCallback(
    async (after?: Summary): Promise<void> => {
      latest.current?.abort();
      latest.current = new AbortController();
      const { signal } = latest.current;
      const fail = (failure: ApiProblem): void => {
        if (!signal.aborted) setProblem(failure);
      };
      const query = { limit, search, rules, stage, over, ...(after && { before: after.opened, beforeTable: after.table }) };
      setList(withRequest);
      try {
        const { tables } = await client.get('/tables', query, { signal, forMs: Infinity, onFailure: fail });
        if (signal.aborted) return;
        setList((before) => withPage(before, tables, { limit, isFirst: !after }));
        setProblem(undefined);
      } catch (error) {
        fail(problemOf(error));
      }
    },
    [client, search, rules, stage, over, limit],
  );
  useEffect(() => {
    const soon = setTimeout(() => void read(), search ? SEARCH_MS : 0);
    return () => {
      clearTimeout(soon);
      latest.current?.abort();
    };
  }, [read, search, attempt]);
  const wasLost = useRef(false);
  useEffect(() => {
    // the lobby tells of the newest only: others may have changed meanwhile
    if (link === 'live' && wasLost.current) void read();
    wasLost.current = link === 'lost';
  }, [link, read]);
  return {
    tables: list.isRead ? shownTables(list, filter) : undefined,
    problem: list.isRead && problem?.isTemporary ? undefined : problem,
    refusal,
    link,
    hasMore: list.pageEnd !== undefined,
    more: () => void read(list.pageEnd),
    reload: () => setAttempt((count) => count + 1),
  };
}

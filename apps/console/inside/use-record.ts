import type { Patience } from '@maw/api-client/retry.ts';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { problemOf } from '../api/problem.ts';
import type { Summary } from '../api/shapes.ts';
import { createTape, type Tape } from '../time/tape.ts';
import {
  AT_ONCE,
  cachedDecisions,
  type Decision,
  type GetDecision,
  mergeDecisions,
  readDecisions,
  type ReadThoughts,
  type WholeDecision,
} from './thoughts.ts';

/** What is known of the minds of a table; a new object after every change. */
export interface TableRecord {
  readonly summary: Summary;
  readonly decisions: readonly Decision[];
  /** The narrator's view, where it may be seen; its moments grow in place. */
  readonly tape: Tape;
  readonly get: GetDecision;
}

export interface RecordRequest {
  readonly record: TableRecord | undefined;
  readonly problem: ApiProblem | undefined;
  retry(): void;
}

const EVERY_MS = 4_000;

/** The list of decisions and the narrator's view of a table, read again every few seconds until it is over. */
export function useRecord(client: ApiClient, table: string): RecordRequest {
  const [record, setRecord] = useState<TableRecord>();
  const [problem, setProblem] = useState<ApiProblem>();
  const [attempt, setAttempt] = useState(0);
  const read = useMemo(() => recordReader(client, table), [client, table]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const closing = new AbortController();
    const { signal } = closing;
    const fail = (failure: ApiProblem): void => {
      if (!signal.aborted) setProblem(failure);
    };
    const again = async (): Promise<void> => {
      try {
        const next = await read({ signal, forMs: Infinity, onFailure: fail });
        if (signal.aborted) return;
        setRecord(next);
        setProblem(undefined);
        if (next.summary.stage !== 'over') timer = setTimeout(() => void again(), EVERY_MS);
      } catch (error) {
        fail(problemOf(error));
      }
    };
    void again();
    return () => {
      closing.abort();
      clearTimeout(timer);
    };
  }, [read, attempt]);
  return { record, problem, retry: useCallback(() => setAttempt((count) => count + 1), []) };
}

/** Reads on where it ended before. */
function recordReader(client: ApiClient, table: string): (patience: Patience) => Promise<TableRecord> {
  const get = cachedDecisions((query) => client.get('/tables/:table/thoughts', { table, ...query }));
  const tape = createTape();
  let decisions: readonly Decision[] = [];
  return async (patience) => {
    const thoughts: ReadThoughts = (query) => client.get('/tables/:table/thoughts', { table, ...query }, patience);
    // the summary first: a table that is over then gets no more decisions
    const summary = await client.get('/tables/:table', { table }, patience);
    // decisions that were going on have more steps now
    const after = Math.max(0, decisions.length - 2 * summary.players.length);
    await readDecisions(thoughts, after, (page) => {
      decisions = mergeDecisions(decisions, page);
    });
    for (let more = true; more;) {
      const wanted = { table, as: 'narrator', after: tape.moments.length, limit: 1000 };
      const view = await client.get('/tables/:table/view', wanted, patience);
      // another reading may have come first
      for (const seen of view.seen) if (seen.n > tape.moments.length) tape.append(seen);
      ({ more } = view);
    }
    return { summary, decisions, tape, get };
  };
}

/** Reads decisions a few at a time, and tells how far it is. */
export function useDecisions(decisions: readonly Decision[], get: GetDecision) {
  const [state, setState] = useState<{ readonly whole: readonly WholeDecision[]; readonly problem?: ApiProblem }>({ whole: [] });
  const key = decisions.map(({ n, steps }) => `${n}:${steps}`).join(' ');
  useEffect(() => {
    let isCurrent = true;
    const read = async (): Promise<void> => {
      const whole: WholeDecision[] = [];
      for (let from = 0; from < decisions.length && isCurrent; from += AT_ONCE) {
        whole.push(...(await Promise.all(decisions.slice(from, from + AT_ONCE).map(get))));
        if (isCurrent) setState({ whole: [...whole] });
      }
    };
    read().catch((error: unknown) => isCurrent && setState(({ whole }) => ({ whole, problem: problemOf(error) })));
    return () => void (isCurrent = false);
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the decisions
  }, [key, get]);
  return { ...state, done: state.whole.length };
}

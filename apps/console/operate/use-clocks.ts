import { useEffect, useRef, useState } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { Link } from '@maw/api-client/stream.ts';
import { browserTabs } from '../api/leader.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import type { Clock } from '../api/shapes.ts';
import { type StreamMessage, problemIn } from '../api/stream-messages.ts';
import type { ClockReading } from '../scene/session.ts';
import { type ClockFollower, openClocks } from './follow-clocks.ts';

interface Clocks {
  readonly clocks: ReadonlyMap<string, ClockReading>;
  readonly link: Link;
  readonly problem: ApiProblem | undefined;
  /** Asks the server again after a problem. */
  reopen(): void;
}

/** How many tables one stream can hold. */
export const MAX_TABLES = 200;

/** The clocks of tables as they change, over one stream per browser. @param tables at most `MAX_TABLES` */
export function useClocks(client: ApiClient, tables: readonly string[]): Clocks {
  const [clocks, setClocks] = useState<Clocks['clocks']>(new Map());
  const [link, setLink] = useState<Link>('connecting');
  const [problem, setProblem] = useState<ApiProblem>();
  const [tabs] = useState(() => browserTabs<StreamMessage>());
  const [attempt, setAttempt] = useState(0);
  const follower = useRef<ClockFollower>(undefined);
  const names = tables.join();
  useEffect(() => {
    const hear = (message: StreamMessage): void => {
      if (message.kind === 'link') {
        if (message.link === 'live') setProblem(undefined);
        return setLink(message.link);
      }
      if (message.kind === 'problem') return setProblem(problemIn(message));
      const { event, data } = message.frame;
      const { table, ...clock } = data as Clock & { readonly table: string };
      if (event === 'clock') setClocks((before) => new Map(before).set(table, { ...clock, readAt: message.readAt }));
    };
    const opened = openClocks({ client, tabs, hear });
    follower.current = opened;
    return () => opened.close();
  }, [client, tabs, attempt]);
  useEffect(() => {
    const followed = new Set(names ? names.split(',') : []);
    follower.current!.follow([...followed]);
    setClocks((before) => new Map([...before].filter(([table]) => followed.has(table))));
  }, [client, tabs, attempt, names]);
  return { clocks, link, problem, reopen: () => setAttempt((count) => count + 1) };
}

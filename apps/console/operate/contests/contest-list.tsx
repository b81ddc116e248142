import { useState } from 'react';
import { Link } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import { contests as texts } from '../../text/en-contests.ts';
import { en } from '../../text/en.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { Progress, State } from './contest-parts.tsx';
import { costOf, hasMore, isActive, type Summary, timeLeftOf } from './standing.ts';
import { usePolled } from '../../ui/use-request.ts';
import styles from '../operate.module.css';

/** How often the list and a contest that runs are read again, in milliseconds. */
const EVERY_MS = 5_000;
const PAGE = 20;
/** As many as the server tells at once. */
const MAX_LISTED = 1_000;

/** The contests, newest first. */
export function ContestList({ client }: { readonly client: ApiClient }) {
  const [limit, setLimit] = useState(PAGE);
  const { value, problem, reload } = usePolled(
    (patience) => client.get('/contests', { limit }, patience),
    [client, limit],
    () => EVERY_MS,
  );
  if (problem && !value) return <ProblemNote problem={problem} retry={reload} />;
  if (!value) return null;
  if (!value.contests.length) return <p className={styles['empty']}>{texts.list.none}</p>;
  const { contest, state, progress, left, cost, since } = texts.list;
  return (
    <>
      <div className={styles['wide']} tabIndex={0} role="region" aria-label={en.operate.tabs.contests}>
        <table>
          <TableHead heads={[contest, state, progress, left, cost, since]} />
          <tbody>
            {value.contests.map((summary) => (
              <Row key={summary.contest} client={client} listed={summary} />
            ))}
          </tbody>
        </table>
      </div>
      {value.contests.length === limit && limit < MAX_LISTED && (
        <button type="button" onClick={() => setLimit(Math.min(MAX_LISTED, limit * 2))}>
          {texts.list.more}
        </button>
      )}
    </>
  );
}

function Row({ client, listed }: { readonly client: ApiClient; readonly listed: Summary }) {
  const { contest: id } = listed;
  const { value: view } = usePolled(
    hasMore(listed) ? (patience) => client.get('/contests/:contest', { contest: id }, patience) : undefined,
    [client, id, listed.state],
    ({ summary }) => (isActive(summary) ? EVERY_MS : undefined),
  );
  return (
    <tr>
      <th scope="row">
        <Link href={`/console/operate?show=contests&contest=${encodeURIComponent(id)}`}>{id}</Link>
      </th>
      <td>
        <State summary={listed} />
      </td>
      <td>
        <Progress summary={listed} />
      </td>
      <td>{isActive(listed) && timeLeftOf(view)}</td>
      <td>{costOf(view)}</td>
      <td>{new Date(listed.since).toLocaleString('en-GB')}</td>
    </tr>
  );
}

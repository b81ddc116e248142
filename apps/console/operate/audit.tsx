import { useCallback } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import { en } from '../text/en.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TableHead } from '../ui/table-head.tsx';
import { usePages } from './use-pages.ts';
import styles from './operate.module.css';

const texts = en.operate.audit;

/** What administrators did, newest first. */
export function AuditPage({ client }: { readonly client: ApiClient }) {
  const { rows, hasMore, isLoading, problem, more, reload } = usePages(
    useCallback(async (query, patience) => (await client.get('/audit', query, patience)).acts, [client]),
  );
  if (problem) return <ProblemNote problem={problem} retry={reload} />;
  return (
    <section aria-busy={isLoading}>
      <div className={styles['controls']}>
        <button type="button" onClick={reload}>
          {en.operate.refresh}
        </button>
      </div>
      {!isLoading && rows.length === 0 && <p className={styles['empty']}>{texts.none}</p>}
      {rows.length > 0 && (
        <div className={styles['wide']} tabIndex={0} role="region" aria-label={en.operate.tabs.audit}>
          <table>
            <TableHead heads={[texts.at, texts.who, texts.what, texts.about, texts.outcome, texts.from]} />
            <tbody>
              {rows.map(({ n, at, who, from, what, about, outcome }) => (
                <tr key={n}>
                  <td>
                    <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleString('en-GB')}</time>
                  </td>
                  <th scope="row">
                    <bdi>{who}</bdi>
                  </th>
                  <td>
                    <code>{what}</code>
                  </td>
                  <td className={styles['facts']}>
                    {Object.entries(about).map(([fact, value]) => (
                      <span key={fact}>
                        {fact}: {typeof value === 'string' ? <bdi>{value}</bdi> : JSON.stringify(value)}
                      </span>
                    ))}
                  </td>
                  <td data-outcome={outcome}>{outcome}</td>
                  <td>{from}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hasMore && (
        <button type="button" onClick={more} disabled={isLoading}>
          {texts.more}
        </button>
      )}
    </section>
  );
}

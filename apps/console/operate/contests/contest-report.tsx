import { useEffect, useRef, useState } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { problemOf } from '../../api/problem.ts';
import { contests as texts } from '../../text/en-contests.ts';
import { fill } from '../../text/en.ts';
import { download } from '../../recording/download.ts';
import { problemText } from '../../ui/problem-note.tsx';
import styles from '../operate.module.css';

const words = texts.report;
const FORMATS = ['html', 'csv', 'json'] as const;

interface Props {
  readonly client: ApiClient;
  readonly id: string;
}

/**
 * The report, made when it is asked for: it takes all results. It may run nothing, and load nothing; a link to a table leads away from here. In a
 * blob or a file its addresses have to be whole.
 */
export function ContestReport({ client, id }: Props) {
  const [page, setPage] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<ApiProblem>();
  const closing = useRef<AbortController>(undefined);
  useEffect(() => {
    closing.current = new AbortController();
    return () => closing.current?.abort();
  }, []);
  useEffect(() => () => void (page !== undefined && URL.revokeObjectURL(page)), [page]);
  const read = async (format: (typeof FORMATS)[number], use: (report: Blob) => void): Promise<void> => {
    const { signal } = closing.current!;
    setBusy(true);
    setProblem(undefined);
    try {
      const report = await client.open('/contests/:contest/report', { contest: id, format }, { signal });
      const text = (await report.text()).replaceAll('href="/t/', `href="${location.origin}/t/`);
      use(new Blob([text], { type: report.headers.get('content-type') ?? '' }));
    } catch (error) {
      if (!signal.aborted) setProblem(problemOf(error));
    }
    if (!signal.aborted) setBusy(false);
  };
  return (
    <div className={styles['tokens']} aria-busy={isBusy}>
      <div>
        <h2>{words.title}</h2>
        <p className={styles['about']}>{words.lead}</p>
      </div>
      <div className={styles['controls']}>
        <button type="button" disabled={isBusy} onClick={() => void read('html', (report) => setPage(URL.createObjectURL(report)))}>
          {page === undefined ? words.read : words.again}
        </button>
        <span>{words.download}</span>
        {FORMATS.map((format) => (
          <button
            key={format}
            type="button"
            disabled={isBusy}
            onClick={() => void read(format, (report) => download(report, `${id}.${format}`))}
          >
            {words.formats[format]}
          </button>
        ))}
        <span role="status">{isBusy && words.making}</span>
      </div>
      {problem && (
        <p role="alert" className={styles['refused']}>
          {problemText(problem)}
        </p>
      )}
      {page !== undefined && <ReportFrame page={page} title={fill(words.frame, { name: id })} />}
    </div>
  );
}

const ReportFrame = ({ page, title }: { readonly page: string; readonly title: string }) => (
  <iframe className={styles['report']} sandbox="allow-top-navigation-by-user-activation" src={page} title={title} />
);

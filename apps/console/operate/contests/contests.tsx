import { useState } from 'react';
import { useSearchParams } from 'wouter';
import type { ApiClient } from '@maw/api-client/client.ts';
import { contests as texts } from '../../text/en-contests.ts';
import { ContestList } from './contest-list.tsx';
import { ContestPage } from './contest.tsx';
import { OpenContest } from './open-contest.tsx';
import styles from '../operate.module.css';

/** The contests, or the one that the address names. */
export function ContestsPage({ client }: { readonly client: ApiClient }) {
  const [params, setParams] = useSearchParams();
  const [isOpening, setOpening] = useState(false);
  const contest = params.get('contest') ?? undefined;
  const show = (id: string | undefined): void => {
    setOpening(false);
    setParams({ show: 'contests', ...(id === undefined ? {} : { contest: id }) });
  };
  if (contest !== undefined) return <ContestPage key={contest} client={client} id={contest} back={() => show(undefined)} />;
  return (
    <section className={styles['tokens']}>
      <div>
        <button type="button" aria-expanded={isOpening} onClick={() => setOpening(!isOpening)}>
          {texts.list.open}
        </button>
      </div>
      {isOpening && <OpenContest client={client} onOpened={show} />}
      <ContestList client={client} />
    </section>
  );
}

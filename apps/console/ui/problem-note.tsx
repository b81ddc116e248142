import { refusalWords } from '@maw/contracts/refusal-words.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { en } from '../text/en.ts';
import styles from './ui.module.css';
import { HomeLink } from './visitor.tsx';

const WORDS: { readonly [reason: string]: string } = en.problem;

/** A refusal in words. */
export function problemText({ reason, detail }: Pick<ApiProblem, 'reason' | 'detail'>): string {
  const words = WORDS[reason];
  return words === undefined
    ? refusalWords({ reason, detail })
    : [words, detail && `${detail[0]!.toUpperCase()}${detail.slice(1)}.`].filter(Boolean).join(' ');
}

export function ProblemNote({ problem, retry }: { readonly problem: ApiProblem; readonly retry?: () => void }) {
  return (
    <div className={styles['problem']} role="alert">
      <h1>{en.problem.title}</h1>
      <p>{problemText(problem)}</p>
      <p className={styles['row']}>
        {retry && (
          <button type="button" onClick={retry}>
            {en.problem.retry}
          </button>
        )}
        <HomeLink />
      </p>
    </div>
  );
}

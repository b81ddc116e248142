import { useState } from 'react';
import { problemOf } from '../api/problem.ts';
import { en, fill } from '../text/en.ts';
import { problemText } from '../ui/problem-note.tsx';

export interface Action {
  readonly isBusy: boolean;
  /** What came of it, in words. */
  readonly words: { readonly text: string; readonly isRefused: boolean } | undefined;
  /** Returns the answer; undefined when it was refused. @param path the address, for people */
  run<T>(path: string, send: () => Promise<T>): Promise<T | undefined>;
}

/** Something that an operator does, once at a time. */
export function useAction(): Action {
  const [isBusy, setBusy] = useState(false);
  const [words, setWords] = useState<Action['words']>();
  return {
    isBusy,
    words,
    async run(path, send) {
      setBusy(true);
      setWords(undefined);
      try {
        const answer = await send();
        setWords({ text: en.operate.tables.done, isRefused: false });
        return answer;
      } catch (error) {
        const problem = problemOf(error);
        const isMissing = problem.reason === 'unknown-route' || problem.reason === 'wrong-method';
        setWords({ text: isMissing ? fill(en.operate.tables.missing, { path }) : problemText(problem), isRefused: true });
        return undefined;
      } finally {
        setBusy(false);
      }
    },
  };
}

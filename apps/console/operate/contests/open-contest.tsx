import { type DragEvent, type FormEvent, useState } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { problemOf } from '../../api/problem.ts';
import { contests as texts } from '../../text/en-contests.ts';
import { fill } from '../../text/en.ts';
import { problemText } from '../../ui/problem-note.tsx';
import uiStyles from '../../ui/ui.module.css';
import styles from '../operate.module.css';

const words = texts.open;
/** The web service takes 64 KiB in all. */
const MAX_KB = 60;

interface Props {
  readonly client: ApiClient;
  onOpened(contest: string): void;
}

/** Takes the file of a contest. Its mistakes are told as the server found them, with their lines. */
export function OpenContest({ client, onOpened }: Props) {
  const [text, setText] = useState('');
  const [mistakes, setMistakes] = useState<readonly string[]>([]);
  const [isBusy, setBusy] = useState(false);
  const take = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    const { name, size } = file;
    if (size > MAX_KB * 1024) return setMistakes([fill(words.tooLarge, { name, kilobytes: MAX_KB })]);
    try {
      setText(await file.text());
      setMistakes([]);
    } catch (error) {
      setMistakes([fill(words.unreadable, { name, why: String(error) })]);
    }
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    void take(event.dataTransfer.files[0]);
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setMistakes([]);
    try {
      onOpened((await client.post('/contests', {}, { contest: text })).contest);
    } catch (error) {
      setMistakes(mistakesOf(problemOf(error)));
      setBusy(false);
    }
  };
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <h2>{words.title}</h2>
      <p>{words.lead}</p>
      <label>
        {words.file}
        <input type="file" accept=".yaml,.yml,.json" onChange={({ target }) => void take(target.files?.[0])} />
      </label>
      <label>
        {words.text}
        <textarea
          required
          rows={14}
          spellCheck={false}
          className={styles['source']}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </label>
      <Mistakes mistakes={mistakes} />
      <button type="submit" disabled={isBusy}>
        {words.submit}
      </button>
    </form>
  );
}

function Mistakes({ mistakes }: { readonly mistakes: readonly string[] }) {
  if (!mistakes.length) return null;
  return (
    <div role="alert" className={styles['refused']}>
      <p>{words.failed}</p>
      <ul className={uiStyles['mistakes']}>
        {mistakes.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </div>
  );
}

/** Each mistake of a contest is a line. */
const mistakesOf = (problem: ApiProblem): readonly string[] =>
  problem.reason === 'bad-contest' ? problem.detail.split('\n') : [problemText(problem)];

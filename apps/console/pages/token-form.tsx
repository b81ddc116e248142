import { type FormEvent, useState } from 'react';
import { linkAddress, readLinkAddress } from '@maw/contracts/http/link-code.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { tokenInFragment } from '../api/token.ts';
import { en } from '../text/en.ts';
import { problemText } from '../ui/problem-note.tsx';
import styles from '../ui/ui.module.css';
import { useTokens } from '../ui/visitor.tsx';

interface TokenFormProps {
  readonly table?: string;
  /** Why one is asked for. Of a token that was refused it is shown. */
  readonly problem: ApiProblem | undefined;
}

/** Takes a token, or a link that has one in its fragment. */
export function TokenForm({ table, problem }: TokenFormProps) {
  const { keep } = useTokens();
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = text.trim();
    const link = readLinkAddress(given);
    if (link) return location.assign(linkAddress(link.at, link.code));
    const token = given.includes('#') ? tokenInFragment(given.slice(given.indexOf('#'))) : given;
    if (token) keep(table, token);
  };
  return (
    <form className={styles['card']} onSubmit={submit}>
      <h1>{table === undefined ? en.token.title : en.token.tableTitle}</h1>
      <p>{problem?.reason === 'bad-token' ? problemText(problem) : table === undefined ? en.token.lead : en.token.table}</p>
      <label className={styles['field']}>
        {en.token.label}
        <input type="password" autoComplete="off" required value={text} onChange={({ target }) => setText(target.value)} />
      </label>
      <button type="submit" className={styles['primary']}>
        {en.token.use}
      </button>
    </form>
  );
}

import { type FormEvent, useState } from 'react';
import { tokenInFragment } from '../api/token.ts';
import { en } from '../text/en.ts';
import styles from '../ui/ui.module.css';
import { useTokens } from '../ui/visitor.tsx';

/** Takes a token, or a link that has one in its fragment. */
export function TokenForm({ table }: { readonly table?: string }) {
  const { keep } = useTokens();
  const [text, setText] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = text.trim();
    const token = given.includes('#') ? tokenInFragment(given.slice(given.indexOf('#'))) : given;
    if (token) keep(table, token);
  };
  return (
    <form className={styles['card']} onSubmit={submit}>
      <h1>{en.token.title}</h1>
      <p>{en.token.lead}</p>
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

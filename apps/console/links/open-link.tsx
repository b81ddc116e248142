import { type FormEvent, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { problemOf } from '../api/problem.ts';
import { en } from '../text/en.ts';
import { problemText } from '../ui/problem-note.tsx';
import styles from '../ui/ui.module.css';
import { clientWith, useTokens } from '../ui/visitor.tsx';

/** Opens the table that a code stands for: the one in the fragment, which is taken out of the address, or one that is typed. */
export function OpenLinkPage() {
  const { keep } = useTokens();
  const [, navigate] = useLocation();
  const [code, setCode] = useState('');
  const [isSending, setSending] = useState(location.hash.length > 1);
  const [refused, setRefused] = useState<ApiProblem>();
  const open = async (typed: string): Promise<void> => {
    setSending(true);
    try {
      const { table, role, token } = await clientWith(undefined).post('/links/open', {}, { code: typed.slice(0, 40) }, { forMs: 0 });
      keep(table, token);
      navigate(`/t/${encodeURIComponent(table)}${role === 'join' ? '/join' : ''}${location.search}`, { replace: true });
    } catch (error) {
      setRefused(problemOf(error));
      setSending(false);
    }
  };
  useEffect(() => {
    const given = location.hash.slice(1);
    history.replaceState(history.state, '', location.pathname + location.search);
    if (given) void open(given);
    // oxlint-disable-next-line react/exhaustive-deps -- the address is read once
  }, []);
  if (isSending) return <p className={styles['notice']}>{en.links.opening}</p>;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    void open(code);
  };
  return (
    <form className={styles['card']} onSubmit={submit}>
      <h1>{en.links.openTitle}</h1>
      {refused && <p role="alert">{problemText(refused)}</p>}
      <p>{en.links.openLead}</p>
      <label className={styles['field']}>
        {en.links.code}
        <input required autoComplete="off" autoCapitalize="characters" value={code} onChange={({ target }) => setCode(target.value)} />
      </label>
      <button type="submit" className={styles['primary']}>
        {en.links.open}
      </button>
    </form>
  );
}

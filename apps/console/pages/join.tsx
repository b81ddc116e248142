import { type FormEvent, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { tablePath } from '../api/client.ts';
import { type ApiProblem, problemOf } from '../api/problem.ts';
import type { JoinedSeat } from '../api/shapes.ts';
import { en } from '../text/en.ts';
import { problemText } from '../ui/problem-note.tsx';
import styles from '../ui/ui.module.css';
import { useTokens, useVisitor } from '../ui/visitor.tsx';
import { TokenForm } from './token-form.tsx';

/** Takes a seat by invitation: the token in the link permits it. */
export function JoinPage({ table }: { readonly table: string }) {
  const { client, me, problem } = useVisitor(table);
  const { keep, hasSeat, goBackToSeat } = useTokens();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [refused, setRefused] = useState<ApiProblem>();
  const [isSending, setSending] = useState(false);
  if (problem?.status === 401) return <TokenForm table={table} />;
  const there = `/t/${encodeURIComponent(table)}`;
  if (me?.role === 'seat') return <Redirect to={there} replace />;
  const mayJoin = me === undefined || me.role === 'join' || me.role === 'admin' || me.role === 'anybody';
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSending(true);
    try {
      const { token } = await client.post<JoinedSeat>(tablePath(table, '/seats'), { name: name.trim() });
      keep(table, token);
      navigate(there, { replace: true });
    } catch (error) {
      setRefused(problemOf(error));
      setSending(false);
    }
  };
  return (
    <form className={styles['card']} onSubmit={(event) => void submit(event)}>
      <h1>{en.join.title}</h1>
      <p>{mayJoin ? en.join.lead : en.join.notInvited}</p>
      {hasSeat(table) && (
        <>
          <p>{en.join.seated}</p>
          <button type="button" className={styles['primary']} onClick={() => goBackToSeat(table)}>
            {en.join.goOn}
          </button>
        </>
      )}
      <label className={styles['field']}>
        {en.join.name}
        <input
          required
          autoFocus
          maxLength={24}
          autoComplete="nickname"
          dir="auto"
          value={name}
          onChange={({ target }) => setName(target.value)}
        />
        <small>{en.join.hint}</small>
      </label>
      {refused && <p role="alert">{problemText(refused)}</p>}
      <button type="submit" className={styles['primary']} disabled={!mayJoin || isSending}>
        {en.join.submit}
      </button>
    </form>
  );
}

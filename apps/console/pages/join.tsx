import { type FormEvent, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { tablePath } from '../api/client.ts';
import { type ApiProblem, problemOf } from '../api/problem.ts';
import type { JoinedSeat, Summary } from '../api/shapes.ts';
import { en, fill } from '../text/en.ts';
import { problemText } from '../ui/problem-note.tsx';
import styles from '../ui/ui.module.css';
import { useRequest } from '../ui/use-request.ts';
import { useTokens, useVisitor, type Visitor } from '../ui/visitor.tsx';
import { TokenForm } from './token-form.tsx';

/** Takes a seat by invitation: the token in the link permits it. */
export function JoinPage({ table }: { readonly table: string }) {
  const visitor = useVisitor(table);
  const { client, me, problem } = visitor;
  const { keep, hasSeat, goBackToSeat } = useTokens();
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [refused, setRefused] = useState<ApiProblem>();
  const [isSending, setSending] = useState(false);
  const taken = useTaken(visitor, table, refused);
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
      <p role={taken && 'alert'}>{taken ?? (mayJoin ? en.join.lead : en.join.notInvited)}</p>
      {hasSeat(table) && (
        <>
          <p>{en.join.seated}</p>
          <button type="button" className={styles['primary']} onClick={() => goBackToSeat(table)}>
            {en.join.goOn}
          </button>
        </>
      )}
      {taken === undefined && (
        <>
          <NameField name={name} onName={setName} />
          {refused && <p role="alert">{problemText(refused)}</p>}
          <button type="submit" className={styles['primary']} disabled={!mayJoin || isSending}>
            {en.join.submit}
          </button>
        </>
      )}
    </form>
  );
}

function NameField({ name, onName }: { readonly name: string; onName(name: string): void }) {
  return (
    <label className={styles['field']}>
      {en.join.name}
      <input
        required
        autoFocus
        maxLength={24}
        autoComplete="nickname"
        dir="auto"
        value={name}
        onChange={({ target }) => onName(target.value)}
      />
      <small>{en.join.hint}</small>
    </label>
  );
}

/**
 * Why the seat of an invitation cannot be taken any more, in words. Undefined: it can, or the invitation is for any seat.
 * @param refused asks again: another may have taken the seat since the page was opened
 */
function useTaken({ client, me }: Visitor, table: string, refused: ApiProblem | undefined): string | undefined {
  const seat = me?.role === 'join' ? me.seat : undefined;
  const { value: summary } = useRequest(seat === undefined ? undefined : () => client.get<Summary>(tablePath(table)), [
    client,
    table,
    seat,
    refused,
  ]);
  const name = seat === undefined ? undefined : summary?.players[seat]?.name;
  if (seat === undefined || name === undefined) return undefined;
  return fill(summary?.stage === 'lobby' ? en.join.used : en.join.begun, { number: seat + 1, name });
}

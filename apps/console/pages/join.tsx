import { type FormEvent, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { problemOf } from '../api/problem.ts';
import type { Summary } from '../api/shapes.ts';
import { en, fill } from '../text/en.ts';
import { ProblemNote, problemText } from '../ui/problem-note.tsx';
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
  const { closed, missing } = useClosed(visitor, table, refused);
  if (problem?.status === 401) return <TokenForm table={table} problem={problem} />;
  if (missing) return <ProblemNote problem={missing} />;
  const there = `/t/${encodeURIComponent(table)}`;
  if (me?.role === 'seat') return <Redirect to={there} replace />;
  const mayJoin = me === undefined || me.role === 'join' || me.role === 'admin' || me.role === 'anybody';
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSending(true);
    try {
      const { token } = await client.post('/tables/:table/seats', { table }, { name: name.trim() });
      keep(table, token);
      navigate(there, { replace: true });
    } catch (error) {
      setRefused(problemOf(error));
      setSending(false);
    }
  };
  return (
    <form className={styles['card']} onSubmit={(event) => void submit(event)}>
      <h1>{mayJoin && closed === undefined ? en.join.title : en.join.noSeat}</h1>
      <p role={closed && 'alert'}>{closed ?? (mayJoin ? en.join.lead : en.join.notInvited)}</p>
      {hasSeat(table) && (
        <>
          <p>{en.join.seated}</p>
          <button type="button" className={styles['primary']} onClick={() => goBackToSeat(table)}>
            {en.join.goOn}
          </button>
        </>
      )}
      {closed === undefined && (
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
 * Why no seat can be taken any more, in words; undefined: one can, as far as is known. `missing`: the server has no such table.
 * @param refused asks again: another may have taken the seat since the page was opened
 */
function useClosed({ client, me }: Visitor, table: string, refused: ApiProblem | undefined) {
  const { value, problem } = useRequest(me && ((patience) => client.get('/tables/:table', { table }, patience)), [
    client,
    table,
    me,
    refused,
  ]);
  const seat = me?.role === 'join' ? me.seat : undefined;
  return { closed: value && whyClosed(value, seat), missing: problem?.isTemporary ? undefined : problem };
}

function whyClosed({ stage, players }: Summary, seat: number | undefined): string | undefined {
  if (stage !== 'lobby') return en.join.begun;
  const name = seat === undefined ? undefined : players[seat]?.name;
  return name === undefined ? undefined : fill(en.join.used, { number: seat! + 1, name });
}

import { lazy, Suspense } from 'react';
import { en } from '../text/en.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useVisitor } from '../ui/visitor.tsx';
import { TokenForm } from './token-form.tsx';

/** Loaded when it is wanted: most visitors play or watch. */
const Operate = lazy(async () => ({ default: (await import('../operate/operate.tsx')).Operate }));

/** What administrators do with tables, contests, models and tokens. */
export function OperatePage() {
  const { client, me, problem, reload } = useVisitor();
  if (problem && problem.status !== 401) return <ProblemNote problem={problem} retry={reload} />;
  if (me && (me.role === 'admin' || me.isOpen))
    return (
      <Suspense>
        <Operate client={client} />
      </Suspense>
    );
  if (!me && !problem) return null;
  return (
    <>
      <p role="status">{en.operate.forAdmins}</p>
      <TokenForm problem={problem} />
    </>
  );
}

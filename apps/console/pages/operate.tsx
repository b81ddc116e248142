import { Operate } from '../operate/operate.tsx';
import { en } from '../text/en.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useVisitor } from '../ui/visitor.tsx';
import { TokenForm } from './token-form.tsx';

/** What administrators do with tables, models and tokens. */
export function OperatePage() {
  const { client, me, problem, reload } = useVisitor();
  if (problem && problem.status !== 401) return <ProblemNote problem={problem} retry={reload} />;
  if (me && (me.role === 'admin' || me.isOpen)) return <Operate client={client} />;
  if (!me && !problem) return null;
  return (
    <>
      <p role="status">{en.operate.forAdmins}</p>
      <TokenForm />
    </>
  );
}

import { Inside } from '../inside/inside.tsx';
import { en } from '../text/en.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useVisitor } from '../ui/visitor.tsx';
import { TokenForm } from './token-form.tsx';

/** The minds of one table, for those who may read their thoughts. */
export function InsidePage({ table }: { readonly table: string }) {
  const { client, me, problem, reload } = useVisitor(table);
  if (problem?.status === 401) return <TokenForm table={table} problem={problem} />;
  if (problem) return <ProblemNote problem={problem} retry={reload} />;
  if (!me) return <p role="status">{en.inside.loading}</p>;
  return <Inside client={client} table={table} />;
}

import { useMemo } from 'react';
import { en, fill } from '../text/en.ts';
import { type DiffLine, diffLines, foldEqual } from './line-diff.ts';
import { type ModelCall, promptLines } from './step-view.ts';
import styles from './inside.module.css';

export type PromptShown = 'difference' | 'whole';

interface Props {
  readonly call: ModelCall;
  /** The prompt it is compared with. */
  readonly last: readonly string[] | undefined;
  readonly shown: PromptShown;
  onShow(shown: PromptShown): void;
}

/** The prompt of a call: what changed since the last one of its step, or all of it. */
export function Prompt({ call, last, shown, onShow }: Props) {
  const lines = useMemo(() => promptLines(call), [call]);
  const diff = useMemo(() => last && diffLines(last, lines), [last, lines]);
  const isDifference = shown === 'difference' && diff !== undefined;
  return (
    <section className={styles['prompt']}>
      <div className={styles['promptHead']}>
        <h4>{en.inside.prompt}</h4>
        {diff ? (
          <fieldset className={styles['switch']}>
            <legend className={styles['hidden']}>{en.inside.prompt}</legend>
            {(['difference', 'whole'] as const).map((each) => (
              <button key={each} type="button" aria-pressed={each === shown} onClick={() => onShow(each)}>
                {en.inside.promptShown[each]}
              </button>
            ))}
          </fieldset>
        ) : (
          <span className={styles['about']}>{en.inside.firstPrompt}</span>
        )}
      </div>
      {isDifference ? <Difference diff={diff} /> : <Messages messages={call.messages} />}
    </section>
  );
}

const Messages = ({ messages }: Pick<ModelCall, 'messages'>) =>
  messages.map(({ role, content }, i) => (
    <div key={i} className={styles['message']}>
      <span className={styles['role']}>{role}</span>
      <pre dir="auto">{content}</pre>
    </div>
  ));

function Difference({ diff }: { readonly diff: readonly DiffLine[] }) {
  const count = (sign: DiffLine['sign']): number => diff.filter((line) => line.sign === sign).length;
  const [added, removed] = [count('+'), count('-')];
  if (!added && !removed) return <p className={styles['about']}>{en.inside.samePrompt}</p>;
  return (
    <div className={styles['diff']}>
      <p className={styles['about']}>
        <ins>{fill(en.inside.added, { count: added })}</ins> <del>{fill(en.inside.removed, { count: removed })}</del>
      </p>
      {foldEqual(diff).map((part, i) =>
        'skipped' in part ? (
          <p key={i} className={styles['left']}>
            {fill(en.inside.left, { count: part.skipped })}
          </p>
        ) : (
          <pre key={i}>
            {part.lines.map(({ sign, text }, line) => {
              const Tag = ({ ' ': 'span', '+': 'ins', '-': 'del' } as const)[sign];
              return (
                <Tag key={line} dir="auto">
                  {text || ' '}
                </Tag>
              );
            })}
          </pre>
        ),
      )}
    </div>
  );
}

import { useVirtualizer } from '@tanstack/react-virtual';
import { stepOf } from '@maw/games/kernel/question.ts';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { en, fill, named } from '../text/en.ts';
import { placeName } from './place-name.ts';
import { PlayerName } from '../ui/player.tsx';
import { type Gist, gistOf, stepView } from './step-view.ts';
import { OutcomeBadge, Said } from './step.tsx';
import type { Decision, GetDecision } from './thoughts.ts';
import { useDecisions } from './use-record.ts';
import styles from './inside.module.css';

interface Props {
  /** All those of the seats that are shown. */
  readonly decisions: readonly Decision[];
  readonly get: GetDecision;
  readonly chosen: string | undefined;
  readonly names: readonly (string | undefined)[];
  onChoose(decision: Decision): void;
}

const ROW_PX = 76;
/** The kind of decisions that led to no answer. */
const SILENT = 'none';

const kindsOf = ({ answers }: Gist): readonly string[] => (answers.length ? answers.map(({ question }) => stepOf(question)) : [SILENT]);

const isWanted = (gist: Gist | undefined, kind: string, outcome: string): boolean =>
  gist ? (!kind || kindsOf(gist).includes(kind)) && (!outcome || gist.outcome === outcome) : !kind && !outcome;

/** The decisions as a list of any length, of one kind and outcome or of all; the arrow keys go through it. */
export function DecisionList({ decisions: all, get, chosen, names, onChoose }: Props) {
  const [kind, setKind] = useState('');
  const [outcome, setOutcome] = useState('');
  const { whole } = useDecisions(all, get);
  const gists = useMemo(() => new Map(whole.map(({ decision, steps }) => [decision.decision, gistOf(steps.map(stepView))])), [whole]);
  const decisions = all.filter(({ decision }) => isWanted(gists.get(decision), kind, outcome));
  const known = [...gists.values()];
  const box = useRef<HTMLDivElement>(null);
  const at = decisions.findIndex(({ decision }) => decision === chosen);
  const rows = useVirtualizer({ count: decisions.length, getScrollElement: () => box.current, estimateSize: () => ROW_PX, overscan: 12 });
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: 'auto' });
  }, [at]); // the list itself changes at every scroll
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const next = step === undefined ? undefined : decisions[at + step];
    if (!next) return;
    event.preventDefault();
    onChoose(next);
  };
  return (
    <nav className={styles['list']} aria-label={en.inside.list}>
      <p className={styles['count']}>
        {fill(en.inside.count, { count: decisions.length })}{' '}
        {choice(en.inside.kind, kind, setKind, known.flatMap(kindsOf), en.inside.places)}{' '}
        {choice(
          en.inside.outcome,
          outcome,
          setOutcome,
          known.flatMap((gist) => gist.outcome ?? []),
          en.inside.outcomes,
        )}
      </p>
      <div ref={box} className={styles['scroll']} onKeyDown={move} tabIndex={-1}>
        <ol className={styles['rows']} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const one = decisions[index]!;
            return (
              <li
                key={one.decision}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={decisions.length}
                aria-posinset={index + 1}
              >
                <button type="button" aria-current={one.decision === chosen} onClick={() => onChoose(one)}>
                  <span className={styles['number']}>{one.n}</span>
                  <PlayerName seat={one.seat} name={names[one.seat]} />
                  <span className={styles['phase']}>{placeName(one.phase)}</span>
                  <GistLines gist={gists.get(one.decision)} names={names} ms={one.ended - one.began} />
                </button>
              </li>
            );
          })}
        </ol>
      </div>
    </nav>
  );
}

/** A choice of one of some values, or of all. */
const choice = (
  label: string,
  value: string,
  set: (to: string) => void,
  values: readonly string[],
  texts: { readonly [value: string]: string },
) => (
  <select aria-label={label} value={value} onChange={({ target }) => set(target.value)}>
    <option value="">{fill(en.inside.anyOf, { label })}</option>
    {[...new Set(values)].toSorted().map((each) => (
      <option key={each} value={each}>
        {named(texts, each)}
      </option>
    ))}
  </select>
);

interface GistProps {
  readonly gist: Gist | undefined;
  readonly names: readonly (string | undefined)[];
  /** How long it lasted. */
  readonly ms: number;
}

/** What a decision did and why, and below how it came about and what it cost. */
function GistLines({ gist, names, ms }: GistProps) {
  const tokens = gist ? gist.promptTokens + gist.replyTokens : 0;
  return (
    <span className={styles['gist']}>
      <span>
        {gist?.answers.map(({ question, says }, i) => (
          <span key={i}>
            {named(en.inside.places, stepOf(question))}:{' '}
            {says.map((said, at) => (
              <Said key={at} said={said} names={names} />
            ))}{' '}
          </span>
        ))}
        {gist?.answers.length === 0 && en.inside.silence}
      </span>
      {gist?.reason !== undefined && <q>{gist.reason}</q>}
      <span>
        {gist?.outcome && <OutcomeBadge outcome={gist.outcome} />}{' '}
        {gist && gist.calls > 0 && `${fill(en.inside.cost, { calls: gist.calls, tokens })} · `}
        {seconds(ms)}
      </span>
    </span>
  );
}

export const seconds = (ms: number): string => fill(en.inside.lasted, { time: (ms / 1000).toFixed(1) });

import { type ReactNode, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { lineOf } from '../scene/lines.ts';
import { en, fill } from '../text/en.ts';
import type { Tape } from '../time/tape.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { PlayerName, Sentence } from '../ui/player.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useRequest } from '../ui/use-request.ts';
import { seconds } from './decision-list.tsx';
import { traceLink } from './links.ts';
import { placeName } from './place-name.ts';
import type { PromptShown } from './prompt.tsx';
import { OutcomeBadge, Step } from './step.tsx';
import { effortOf, stepView, type StepView, timelineOf } from './step-view.ts';
import type { Decision, GetDecision } from './thoughts.ts';
import styles from './inside.module.css';

interface Props {
  readonly table: string;
  readonly decision: Decision;
  /** The decisions of the seat around it. */
  readonly before: Decision | undefined;
  readonly after: Decision | undefined;
  readonly get: GetDecision;
  /** The numbers of the events that it led to. */
  readonly acts: readonly number[];
  readonly tape: Tape;
  readonly names: readonly (string | undefined)[];
  linkTo(decision: Decision): string;
}

/** What was thought in one decision, and what it led to. */
export function DecisionView(props: Props) {
  const { decision, before, after, get, names, linkTo } = props;
  const { value, problem, reload } = useRequest(() => get(decision), [get, decision.decision, decision.steps]);
  const { value: last } = useRequest(before && (() => get(before)), [get, before?.decision]);
  const steps = useMemo(() => value?.steps.map(stepView), [value]);
  const previous = useMemo(() => (last?.decision.decision === before?.decision ? last?.steps.map(stepView) : undefined), [last, before]);
  if (problem) return <ProblemNote problem={problem} retry={reload} />;
  return (
    <article className={styles['decision']} aria-busy={!steps}>
      <header>
        <h2>
          <PlayerName seat={decision.seat} name={names[decision.seat]} /> {placeName(decision.phase)}
        </h2>
        <p className={styles['about']}>
          {fill(en.inside.decision, { n: decision.n })} · {fill(en.inside.steps, { count: decision.steps })} ·{' '}
          {seconds(decision.ended - decision.began)} · <time>{new Date(decision.began).toLocaleString('en-GB')}</time>
        </p>
        <p className={styles['around']}>
          {before && <Link href={linkTo(before)}>← {en.inside.earlier}</Link>}
          {after && <Link href={linkTo(after)}>{en.inside.later} →</Link>}
        </p>
      </header>
      {steps && value?.decision.decision === decision.decision && <Thinking {...props} steps={steps} previous={previous} />}
    </article>
  );
}

type ThinkingProps = Props & { readonly steps: readonly StepView[]; readonly previous: readonly StepView[] | undefined };

function Thinking({ steps, previous, names, ...props }: ThinkingProps) {
  const [shown, onShow] = useState<PromptShown>('difference');
  const [isOpen, setOpen] = useState(true);
  return (
    <>
      <Facts {...props} steps={steps} names={names} />
      <Timeline steps={steps} />
      <p className={styles['toggle']}>
        <button type="button" onClick={() => setOpen(!isOpen)}>
          {isOpen ? en.inside.noneOpen : en.inside.all}
        </button>
      </p>
      {steps.map((step) => (
        <Step key={step.step} step={step} isOpen={isOpen} context={{ names, steps, previous, shown, onShow }} />
      ))}
    </>
  );
}

function Facts({ table, decision, acts, tape, names, steps }: Omit<ThinkingProps, 'previous'>) {
  const effort = effortOf(steps);
  const { recipe, parameters } = steps.findLast((step) => step.recipe !== undefined) ?? {};
  return (
    <dl className={styles['facts']}>
      {effort.outcome && (
        <Fact name={en.inside.outcome}>
          <OutcomeBadge outcome={effort.outcome} /> {en.inside.outcomeOf[effort.outcome]}
        </Fact>
      )}
      {effort.calls > 0 && (
        <>
          <Fact name={en.inside.calls}>
            {effort.failed ? fill(en.inside.callsOf, { count: effort.calls, failed: effort.failed }) : effort.calls}
          </Fact>
          <Fact name={en.inside.tokens}>{fill(en.inside.tokensOf, { prompt: effort.promptTokens, completion: effort.replyTokens })}</Fact>
          <Fact name={en.inside.modelTime}>{seconds(effort.modelMs)}</Fact>
        </>
      )}
      {recipe !== undefined && (
        <Fact name={en.inside.recipe}>
          {parameters ? (
            <details>
              <summary>{recipe}</summary>
              {Object.entries(parameters).map(([name, value]) => (
                <code key={name}>{`${name}=${String(value)} `}</code>
              ))}
            </details>
          ) : (
            recipe
          )}
        </Fact>
      )}
      <Fact name={en.inside.acts}>
        {acts.length === 0 && <span className={styles['about']}>{en.inside.noActs}</span>}
        {acts.map((n) => (
          <ActLine key={n} n={n} table={table} tape={tape} names={names} />
        ))}
      </Fact>
      {decision.trace !== undefined && (
        <Fact name={en.inside.trace}>
          <Trace trace={decision.trace} />
        </Fact>
      )}
    </dl>
  );
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** An event that the decision led to, with a link to its moment. */
function ActLine({ n, table, tape, names }: { readonly n: number } & Pick<Props, 'table' | 'tape' | 'names'>) {
  const moment = tape.moments[n - 1];
  const line = moment && tape.rules && lineOf(tape.rules, moment);
  if (!line) return null;
  return (
    <p className={styles['act']}>
      {line.kind === 'refused' && `${en.table.refused} ${line.text}`}
      {line.kind !== 'refused' && (line.parts ? <Sentence parts={line.parts} names={names} /> : <q dir="auto">{line.text}</q>)}{' '}
      <Link href={`/t/${encodeURIComponent(table)}?as=narrator&at=${n}`}>{fill(en.inside.moment, { n })}</Link>
    </p>
  );
}

const TRACES_AT = 'maw.traces';

/** The id of a trace, as a link once this browser knows where traces open. */
function Trace({ trace }: { readonly trace: string }) {
  const [template, setTemplate] = useState(() => localStorage.getItem(TRACES_AT) ?? '');
  const keep = (text: string): void => {
    setTemplate(text);
    localStorage.setItem(TRACES_AT, text);
  };
  const link = traceLink(template, trace);
  return (
    <>
      <code>{trace}</code> <CopyButton text={trace} />{' '}
      {link !== undefined && (
        <a href={link} target="_blank" rel="noreferrer">
          {en.inside.traceLink}
        </a>
      )}
      <details>
        <summary>{en.inside.traceAt}</summary>
        <input
          type="url"
          aria-label={en.inside.traceAt}
          value={template}
          placeholder={en.inside.traceExample}
          onChange={({ target }) => keep(target.value)}
        />
        <p className={styles['about']}>{en.inside.traceHint}</p>
      </details>
    </>
  );
}

/** When each step and call ran, within the decision. */
function Timeline({ steps }: { readonly steps: readonly StepView[] }) {
  const { bars, ms } = timelineOf(steps);
  if (!bars.some(({ kind }) => kind !== 'step')) return null;
  return (
    <details className={styles['timeline']} open>
      <summary>
        {en.inside.timeline} <span className={styles['about']}>{seconds(ms)}</span>
      </summary>
      <ol>
        {bars.map((bar, i) => (
          <li key={i} data-kind={bar.kind}>
            <span>
              {bar.step} {bar.name}
            </span>
            <span className={styles['track']}>
              <span style={{ left: `${(100 * bar.from) / ms}%`, width: `${(100 * bar.ms) / ms}%` }} />
            </span>
            <span className={styles['about']}>{fill(en.inside.ms, { ms: Math.round(bar.ms) })}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}

import { namedSeats, stepOf } from '@maw/games/kernel/question.ts';
import { en, fill, named } from '../text/en.ts';
import { placeName } from './place-name.ts';
import { PlayerName } from '../ui/player.tsx';
import { phaseOf } from '@maw/games/kernel/question.ts';
import { tableOf } from './beliefs.ts';
import { RoleTable } from './heat-map.tsx';
import { Prompt, type PromptShown } from './prompt.tsx';
import { lastPrompt, type ModelCall, type Part, type StepAnswer, type StepView } from './step-view.ts';
import styles from './inside.module.css';

export interface StepContext {
  readonly names: readonly (string | undefined)[];
  /** The steps of the decision, and those of the one before of the seat. */
  readonly steps: readonly StepView[];
  readonly previous: readonly StepView[] | undefined;
  readonly shown: PromptShown;
  onShow(shown: PromptShown): void;
}

/** One step: its calls of the model, and what came of it. */
export function Step({ step, isOpen, context }: { readonly step: StepView; readonly isOpen: boolean; readonly context: StepContext }) {
  const { calls, parts, answers, outcome, error, skipped } = step;
  return (
    <details className={styles['step']} open={isOpen} id={`step-${step.step}`}>
      <summary>
        <span className={styles['number']}>{step.step}</span>
        <span className={styles['kind']} data-kind={step.kind}>
          {named(en.inside.kinds, step.kind)}
        </span>
        <h3>{step.name}</h3>
        {outcome && <OutcomeBadge outcome={outcome} />}
        <span className={styles['about']}>{aboutStep(step)}</span>
      </summary>
      {error !== undefined && <p className={styles['failed']}>{fill(en.inside.failed, { why: error })}</p>}
      {skipped.length > 0 && <p className={styles['about']}>{fill(en.inside.skipped, { steps: skipped.join(', ') })}</p>}
      {calls.map((call, i) => (
        <Call
          key={i}
          call={call}
          number={calls.length > 1 ? i + 1 : undefined}
          last={lastPrompt(step, i, context.steps, context.previous)}
          context={context}
        />
      ))}
      {parts.map((part) => (
        <PartView key={part.field} part={part} names={context.names} />
      ))}
      {step.kind === 'act' && outcome !== undefined && !answers.length && <p className={styles['about']}>{en.inside.silence}</p>}
      {answers.length > 0 && <Answers answers={answers} names={context.names} />}
    </details>
  );
}

const aboutStep = ({ ms, iteration, calls }: StepView): string =>
  [
    iteration === undefined ? '' : fill(en.inside.thought, { n: iteration }),
    ms === undefined ? '' : fill(en.inside.ms, { ms }),
    calls.some(({ reply }) => reply) ? tokensText(calls) : '',
  ]
    .filter(Boolean)
    .join(' · ');

function tokensText(calls: readonly ModelCall[]): string {
  const sum = (of: 'prompt' | 'completion'): number => calls.reduce((total, { reply }) => total + (reply?.tokens[of] ?? 0), 0);
  return fill(en.inside.tokensOf, { prompt: sum('prompt'), completion: sum('completion') });
}

export const OutcomeBadge = ({ outcome }: { readonly outcome: keyof typeof en.inside.outcomes }) => (
  <span className={styles['outcome']} data-outcome={outcome} title={named(en.inside.outcomeOf, outcome)}>
    {named(en.inside.outcomes, outcome)}
  </span>
);

interface CallProps {
  readonly call: ModelCall;
  /** From 1, of several. */
  readonly number: number | undefined;
  readonly last: readonly string[] | undefined;
  readonly context: StepContext;
}

function Call({ call, number, last, context: { shown, onShow } }: CallProps) {
  const { reply, failed, embed, messages } = call;
  return (
    <section className={styles['call']}>
      {number !== undefined && <h4>{fill(en.inside.callNumber, { n: number })}</h4>}
      {embed !== undefined && <p>{fill(en.inside.embedded, { count: embed })}</p>}
      {messages.length > 0 && <Prompt call={call} last={last} shown={shown} onShow={onShow} />}
      {reply?.thinking && (
        <details>
          <summary>{en.inside.thinking}</summary>
          <pre dir="auto">{reply.thinking}</pre>
        </details>
      )}
      {reply && (
        <div className={styles['reply']}>
          <h4>{en.inside.reply}</h4>
          <p className={styles['about']}>{aboutReply(call)}</p>
          <pre dir="auto">{prettyJson(reply.content)}</pre>
        </div>
      )}
      {failed !== undefined && <p className={styles['failed']}>{fill(en.inside.failed, { why: failed })}</p>}
    </section>
  );
}

const aboutReply = ({ reply, ms, temperature }: ModelCall): string =>
  [
    reply!.model,
    reply!.server,
    tokensText([{ messages: [], reply: reply! }]),
    ms === undefined ? undefined : fill(en.inside.ms, { ms: Math.round(ms) }),
    temperature === undefined ? undefined : `T ${temperature}`,
    reply!.repaired === true ? en.inside.outcomes.repaired : undefined,
  ]
    .filter(Boolean)
    .join(' · ');

/** JSON with line breaks; any other text as it is. */
function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function PartView({ part: { kind, field, value }, names }: { readonly part: Part; readonly names: StepContext['names'] }) {
  const known = names.map((name) => name ?? '');
  const belief = kind === 'beliefs' ? tableOf(value, { names: known }) : undefined;
  return (
    <section className={styles['part']} data-kind={kind}>
      <h4>
        {fill(en.inside.parts[kind], { field })} {kind !== 'other' && <code>{field}</code>}
      </h4>
      {belief ? <RoleTable belief={belief} names={names} caption={en.inside.parts.beliefs} /> : <Value value={value} />}
    </section>
  );
}

function Value({ value }: { readonly value: unknown }) {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return (
      <ul>
        {value.map((each, i) => (
          <li key={i} dir="auto">
            {each}
          </li>
        ))}
      </ul>
    );
  return <pre dir="auto">{typeof value === 'string' ? value : JSON.stringify(value, null, 2)}</pre>;
}

const Answers = ({ answers, names }: { readonly answers: readonly StepAnswer[]; readonly names: StepContext['names'] }) => (
  <section className={styles['part']} data-kind="answer">
    <h4>{en.inside.answer}</h4>
    {answers.map(({ question, says }, i) => (
      <p key={i}>
        <span className={styles['about']}>
          {placeName(phaseOf(question))}, {stepOf(question)}:
        </span>{' '}
        {says.map((said, at) => (
          <Said key={at} said={said} names={names} />
        ))}
      </p>
    ))}
  </section>
);

export function Said({ said, names }: { readonly said: string; readonly names: StepContext['names'] }) {
  const seats = namedSeats(said);
  if (seats.length) return seats.map((seat, i) => [i > 0 && ' + ', <PlayerName key={seat} seat={seat} name={names[seat]} />]);
  return <q dir="auto">{said}</q>;
}

import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { en, fill, named } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { type Belief, beliefsOf, rolesIn, roundOf, type Truth } from './beliefs.ts';
import { OverTime, RoleTable } from './heat-map.tsx';
import { placeName } from './place-name.ts';
import type { Decision, GetDecision } from './thoughts.ts';
import { useDecisions } from './use-record.ts';
import styles from './inside.module.css';

const texts = en.inside.beliefs;

interface Props {
  readonly rules: string;
  /** Those of the seat. */
  readonly decisions: readonly Decision[];
  readonly get: GetDecision;
  readonly seat: number;
  readonly names: readonly (string | undefined)[];
  /** By round: the role of each seat. */
  readonly truths: ReadonlyMap<number, readonly string[]>;
  readonly role: string | undefined;
  onRole(role: string): void;
  linkTo(decision: string): string;
}

/** What one seat believed of the others, from the beginning on. */
export function BeliefView(props: Props) {
  const { decisions, get, seat, names } = props;
  const { whole, done, problem } = useDecisions(decisions, get);
  if (problem) return <ProblemNote problem={problem} />;
  const beliefs = beliefsOf(whole, { names: names.map((name) => name ?? '') });
  return (
    <article className={styles['beliefs']} aria-busy={done < decisions.length}>
      <h2>
        <Split text={texts.title} name={<PlayerName seat={seat} name={names[seat]} />} />
      </h2>
      {done < decisions.length && (
        <p className={styles['about']} role="status">
          {fill(texts.reading, { done, count: decisions.length })} <progress value={done} max={decisions.length} />
        </p>
      )}
      {beliefs.length > 0 ? <Maps key={seat} {...props} beliefs={beliefs} /> : done === decisions.length && <p>{texts.none}</p>}
    </article>
  );
}

/** A text with an element in the place of `{name}`. */
function Split({ text, name }: { readonly text: string; readonly name: ReactNode }) {
  const [before, after] = text.split('{name}');
  return (
    <>
      {before}
      {name}
      {after}
    </>
  );
}

function Maps({ rules, beliefs, names, truths, role, onRole, linkTo }: Props & { readonly beliefs: readonly Belief[] }) {
  const [wanted, setWanted] = useState<number>();
  const [isLaid, setLaid] = useState(true);
  const roles = rolesIn(beliefs);
  const shown = role !== undefined && roles.includes(role) ? role : (roles.find(isEvil) ?? roles[0]!);
  const chosen = Math.min(wanted ?? beliefs.length - 1, beliefs.length - 1);
  const belief = beliefs[chosen]!;
  const { sides = {} } = ruleSetNamed(rules);
  const truthOf = (round: number): Truth | undefined => {
    const found = truths.get(round);
    return isLaid && found ? { roles: found, sides } : undefined;
  };
  const rounds = Map.groupBy(beliefs, ({ phase }) => roundOf(phase));
  return (
    <>
      <div className={styles['controls']}>
        <label>
          {texts.role}{' '}
          <select value={shown} onChange={({ target }) => onRole(target.value)}>
            {roles.map((each) => (
              <option key={each} value={each}>
                {named(en.roles, each)}
              </option>
            ))}
          </select>
        </label>
        {truths.size > 0 ? (
          <label>
            <input type="checkbox" checked={isLaid} onChange={({ target }) => setLaid(target.checked)} /> {texts.truth}
          </label>
        ) : (
          <span className={styles['about']}>{texts.noTruth}</span>
        )}
      </div>
      {[...rounds].map(([round, own]) => (
        <OverTime
          key={round}
          {...{ names, role: shown, beliefs: own, truth: truthOf(round), chosen: own.indexOf(belief) }}
          round={rounds.size > 1 ? round : undefined}
          onChoose={(i) => setWanted(beliefs.indexOf(own[i]!))}
        />
      ))}
      {isLaid && truths.size > 0 && <p className={styles['about']}>{texts.scoreMeans}</p>}
      <div className={styles['controls']}>
        <label className={styles['slider']}>
          {placeName(belief.phase)}, {chosen + 1}/{beliefs.length}
          <input type="range" min={0} max={beliefs.length - 1} value={chosen} onChange={({ target }) => setWanted(Number(target.value))} />
        </label>
        <Link href={linkTo(belief.decision)}>{texts.open}</Link>
      </div>
      <RoleTable belief={{ ...belief, roles }} names={names} caption={texts.atMoment} truth={truthOf(roundOf(belief.phase))} />
    </>
  );
}

const EVIL: ReadonlySet<string> = new Set(['wolf', 'werewolf', 'evil']);
const isEvil = (role: string): boolean => EVIL.has(role);

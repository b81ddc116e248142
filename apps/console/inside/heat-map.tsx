import type { CSSProperties } from 'react';
import { en, fill, named } from '../text/en.ts';
import { placeName } from './place-name.ts';
import { PlayerName } from '../ui/player.tsx';
import { type Belief, brierScore, isTrue, phasesOf, type Truth } from './beliefs.ts';
import styles from './inside.module.css';

const texts = en.inside.beliefs;
const percent = (share: number): string => `${Math.round(share * 100)}%`;
const heat = (share: number): CSSProperties => ({ '--heat': percent(share) }) as CSSProperties;
const roleName = (role: string): string => named(en.roles, role);

interface CellProps {
  readonly share: number | undefined;
  readonly isTrue: boolean;
  readonly isChosen?: boolean | undefined;
  onClick?(): void;
}

/** A probability as a number on a colour; what is true is framed, and said to those who do not see it. */
function Cell({ share, isTrue: isFramed, isChosen, onClick }: CellProps) {
  return (
    <td className={styles['cell']} style={heat(share ?? 0)} data-true={isFramed} data-chosen={isChosen} onClick={onClick}>
      {share === undefined ? <span aria-label={texts.unknown}>·</span> : <span>{percent(share)}</span>}
      {isFramed && <span className={styles['hidden']}>, {texts.isTrue}</span>}
    </td>
  );
}

interface RoleTableProps {
  readonly belief: Pick<Belief, 'roles' | 'rows'>;
  readonly names: readonly (string | undefined)[];
  readonly caption: string;
  readonly truth?: Truth | undefined;
}

/** Seats by roles at one moment. */
export function RoleTable({ belief: { roles, rows }, names, caption, truth }: RoleTableProps) {
  return (
    <div className={styles['wide']} tabIndex={0} role="region" aria-label={caption}>
      <table className={styles['heat']}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.about}</th>
            {roles.map((role) => (
              <th key={role} scope="col">
                {roleName(role)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, seat) =>
            row ? (
              <tr key={seat}>
                <SeatHead seat={seat} names={names} truth={truth} />
                {roles.map((role) => (
                  <Cell key={role} share={row[role]} isTrue={truth !== undefined && isTrue(role, seat, truth)} />
                ))}
              </tr>
            ) : undefined,
          )}
        </tbody>
      </table>
    </div>
  );
}

interface SeatHeadProps {
  readonly seat: number;
  readonly names: readonly (string | undefined)[];
  readonly truth: Truth | undefined;
}

const SeatHead = ({ seat, names, truth }: SeatHeadProps) => (
  <th scope="row">
    <PlayerName seat={seat} name={names[seat]} />
    {truth?.roles[seat] !== undefined && <small>{fill(texts.was, { role: roleName(truth.roles[seat]) })}</small>}
  </th>
);

interface OverTimeProps {
  readonly beliefs: readonly Belief[];
  readonly role: string;
  /** Which round it is, of several. */
  readonly round: number | undefined;
  readonly names: readonly (string | undefined)[];
  /** What is true in the round of these beliefs. */
  readonly truth: Truth | undefined;
  /** The belief that is shown in full; -1: none of these. */
  readonly chosen: number;
  onChoose(index: number): void;
}

/** Seats by moments of one round, for one role. */
export function OverTime({ beliefs, role, round, names, truth, chosen, onChoose }: OverTimeProps) {
  const caption = `${round === undefined ? '' : fill(texts.round, { round })}${fill(texts.overTime, { role: roleName(role) })}`;
  const seats = names.flatMap((_, seat) => (beliefs.some(({ rows }) => rows[seat]) ? [seat] : []));
  return (
    <div className={styles['wide']} tabIndex={0} role="region" aria-label={caption}>
      <table className={styles['heat']}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.about}</th>
            {phasesOf(beliefs).map(({ phase, count }, i) => (
              <th key={i} scope="colgroup" colSpan={count}>
                {placeName(phase.replace(/^round-\d+\//, ''))}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {seats.map((seat) => (
            <tr key={seat}>
              <SeatHead seat={seat} names={names} truth={truth} />
              {beliefs.map((belief, i) => (
                <Cell
                  key={i}
                  share={belief.rows[seat] && (belief.rows[seat][role] ?? 0)}
                  isTrue={truth !== undefined && isTrue(role, seat, truth)}
                  isChosen={i === chosen}
                  onClick={() => onChoose(i)}
                />
              ))}
            </tr>
          ))}
        </tbody>
        {truth && (
          <tfoot>
            <tr>
              <th scope="row">{texts.score}</th>
              {beliefs.map((belief, i) => (
                <td key={i} className={styles['score']} data-chosen={i === chosen}>
                  {brierScore(belief, truth)?.toFixed(2)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

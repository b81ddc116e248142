import type { CSSProperties } from 'react';
import { en, fill, named } from '../text/en.ts';
import { placeName } from './place-name.ts';
import { PlayerName } from '../ui/player.tsx';
import { type Belief, isTrue, meanTrueShare, phasesOf, type Truth } from './beliefs.ts';
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
  readonly names: readonly (string | undefined)[];
  /** The truth of a belief: that of its round. */
  truthOf(belief: Belief): Truth | undefined;
  /** The belief that is shown in full. */
  readonly chosen: number;
  onChoose(index: number): void;
}

/** Seats by moments, for one role. */
export function OverTime({ beliefs, role, names, truthOf, chosen, onChoose }: OverTimeProps) {
  const caption = fill(texts.overTime, { role: roleName(role) });
  const seats = names.flatMap((_, seat) => (beliefs.some(({ rows }) => rows[seat]) ? [seat] : []));
  const isKnown = beliefs.some((belief) => truthOf(belief));
  const last = beliefs.at(-1);
  return (
    <div className={styles['wide']} tabIndex={0} role="region" aria-label={caption}>
      <table className={styles['heat']}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{texts.about}</th>
            {phasesOf(beliefs).map(({ phase, count }, i) => (
              <th key={i} scope="colgroup" colSpan={count}>
                {placeName(phase)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {seats.map((seat) => (
            <tr key={seat}>
              <SeatHead seat={seat} names={names} truth={last && truthOf(last)} />
              {beliefs.map((belief, i) => {
                const truth = truthOf(belief);
                return (
                  <Cell
                    key={i}
                    share={belief.rows[seat] && (belief.rows[seat][role] ?? 0)}
                    isTrue={truth !== undefined && isTrue(role, seat, truth)}
                    isChosen={i === chosen}
                    onClick={() => onChoose(i)}
                  />
                );
              })}
            </tr>
          ))}
        </tbody>
        {isKnown && (
          <tfoot>
            <tr>
              <th scope="row">{texts.ofTruth}</th>
              {beliefs.map((belief, i) => (
                <Cell
                  key={i}
                  share={meanTrueShare(belief, truthOf(belief))}
                  isTrue={false}
                  isChosen={i === chosen}
                  onClick={() => onChoose(i)}
                />
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}

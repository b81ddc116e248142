import { type CSSProperties, useState } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import { suspicionsOf } from '../inside/suspicions.ts';
import { readWhole } from '../inside/thoughts.ts';
import { useScene } from '../scene/scene.ts';
import { whyTexts as texts } from '../text/en-story.ts';
import { PlayerName } from '../ui/player.tsx';
import { useRequest } from '../ui/use-request.ts';
import styles from './why.module.css';

/** Who suspects whom at the moment that is shown: a row for each mind, as far as it has thought by then. */
export function SuspicionGrid({ client, table }: { readonly client: ApiClient; readonly table: string }) {
  const [isLaid, setLaid] = useState(false);
  const { tape, moment, names, seats, rules } = useScene();
  const { value } = useRequest((patience) => readWhole(client, table, patience), [client, table]);
  if (!value) return <p role="status">{texts.reading}</p>;
  const { round } = moment.phase;
  const known = suspicionsOf(value, tape).filter((each) => each.round === round && each.at <= moment.seen.at);
  const last = names.flatMap((_, seat) => known.findLast((each) => each.seat === seat) ?? []);
  const [village = []] = Object.values(rules.set.sides ?? {});
  const isEvil = (seat: number): boolean => isLaid && seats[seat]!.role !== undefined && !village.includes(seats[seat]!.role);
  return (
    <div className={styles['wide']} tabIndex={0} role="region" aria-label={texts.grid}>
      <label>
        <input type="checkbox" checked={isLaid} onChange={({ target }) => setLaid(target.checked)} /> {texts.truth}
      </label>
      <table className={styles['grid']}>
        <thead>
          <tr>
            <td />
            {names.map((name, seat) => (
              <th key={seat} scope="col" data-evil={isEvil(seat)}>
                <PlayerName seat={seat} name={name} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {last.map(({ seat: by, of }) => (
            <tr key={by}>
              <th scope="row">
                <PlayerName seat={by} name={names[by]} />
              </th>
              {of.map((share, seat) => (
                <td key={seat} data-evil={isEvil(seat)} style={{ '--heat': `${Math.round(100 * share)}%` } as CSSProperties}>
                  {seat === by ? '' : Math.round(100 * share)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

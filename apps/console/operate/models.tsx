import type { ApiClient } from '@maw/api-client/client.ts';
import { en, fill } from '../text/en.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TableHead } from '../ui/table-head.tsx';
import { useRequest } from '../ui/use-request.ts';
import styles from './operate.module.css';

const texts = en.operate.models;

/** The gateway and its model servers. */
export function ModelsPage({ client }: { readonly client: ApiClient }) {
  const { value, problem, reload } = useRequest((patience) => client.get('/models', {}, patience), [client]);
  if (problem) return <ProblemNote problem={problem} retry={reload} />;
  return (
    <section aria-busy={!value}>
      <div className={styles['controls']}>
        <button type="button" onClick={reload}>
          {en.operate.refresh}
        </button>
        {value?.default !== undefined && (
          <span>
            {texts.default}: <code>{value.default}</code>
          </span>
        )}
        {value && <span className={styles['about']}>{fill(texts.waiting, { count: value.waiting })}</span>}
      </div>
      {value?.servers.length === 0 && <p className={styles['empty']}>{texts.none}</p>}
      {value && value.servers.length > 0 && (
        <div className={styles['wide']} tabIndex={0} role="region" aria-label={en.operate.tabs.models}>
          <table>
            <TableHead heads={[texts.server, texts.state, texts.slots, texts.version, texts.models]} />
            <tbody>
              {value.servers.map(({ server, isUp, version, slots, busy, models }) => (
                <tr key={server}>
                  <th scope="row">{server}</th>
                  <td>
                    <span className={styles['health']} data-health={isUp ? 'running' : 'stuck'}>
                      {isUp ? texts.up : texts.down}
                    </span>
                  </td>
                  <td>
                    {busy}/{slots} <meter min={0} max={Math.max(1, slots)} value={busy} aria-label={texts.slots} />
                  </td>
                  <td>{version}</td>
                  <td>{models.join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

import type { AnswerOf } from '@maw/contracts/http/routes.ts';
import { type FormEvent, useCallback, useState } from 'react';
import type { ApiClient } from '@maw/api-client/client.ts';
import type { IssuedToken } from '../api/shapes.ts';
import { en, fill, named } from '../text/en.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { TableHead } from '../ui/table-head.tsx';
import { ROLES, type Role, tokenBody, type TokenDraft, tokenLink } from './issue-token.ts';
import { type Action, useAction } from './use-action.ts';
import { type Pages, usePages } from './use-pages.ts';
import { Words } from './words.tsx';
import styles from './operate.module.css';

const texts = en.operate.tokens;

type TokenRow = AnswerOf<'GET /tokens'>['tokens'][number];

/** Issuing, listing and revoking tokens. */
export function TokensPage({ client }: { readonly client: ApiClient }) {
  const pages = usePages<TokenRow>(useCallback(async (query, patience) => (await client.get('/tokens', query, patience)).tokens, [client]));
  return (
    <section className={styles['tokens']}>
      <IssueForm client={client} onIssued={pages.reload} />
      {pages.problem ? <ProblemNote problem={pages.problem} retry={pages.reload} /> : <TokenTable client={client} pages={pages} />}
    </section>
  );
}

const EMPTY: TokenDraft = { role: 'join', table: '', seat: '', view: 'audience', name: '', days: '' };

function IssueForm({ client, onIssued }: { readonly client: ApiClient; onIssued(): void }) {
  const [draft, setDraft] = useState(EMPTY);
  const [issued, setIssued] = useState<IssuedToken & Pick<TokenDraft, 'role' | 'table'>>();
  const action = useAction();
  const change = (to: Partial<TokenDraft>): void => setDraft({ ...draft, ...to });
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const answer = await action.run('/tokens', () => client.post('/tokens', {}, tokenBody(draft)));
    setIssued(answer && { ...answer, role: draft.role, table: draft.table });
    if (answer) onIssued();
  };
  return (
    <form className={styles['form']} onSubmit={(event) => void submit(event)}>
      <h2>{texts.issue}</h2>
      <TokenFields draft={draft} change={change} />
      <button type="submit" disabled={action.isBusy}>
        {texts.submit}
      </button>
      {action.words?.isRefused && <Words words={action.words} />}
      {issued && (
        <div role="status" className={styles['issued']}>
          <p>{texts.issued}</p>
          <Copied name={texts.token} text={issued.token} />
          <Copied name={texts.link} text={tokenLink(location.origin, issued.role, issued.table, issued.token)} />
        </div>
      )}
    </form>
  );
}

const Copied = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <p>
    {name}: <code>{text}</code> <CopyButton text={text} />
  </p>
);

function TokenFields({ draft, change }: { readonly draft: TokenDraft; change(to: Partial<TokenDraft>): void }) {
  const { role, table, seat, view, name, days } = draft;
  const isOfSeat = role === 'seat' || role === 'join';
  return (
    <div className={styles['fields']}>
      <label>
        {texts.role}
        <select value={role} onChange={({ target }) => change({ role: target.value as Role })}>
          {ROLES.map((each) => (
            <option key={each} value={each}>
              {texts.roles[each]}
            </option>
          ))}
        </select>
      </label>
      {role !== 'admin' && (
        <label>
          {texts.table}
          <input required value={table} onChange={({ target }) => change({ table: target.value.trim() })} />
        </label>
      )}
      {isOfSeat && (
        <label>
          {texts.seat}
          <input
            type="number"
            min={0}
            max={99}
            required={role === 'seat'}
            placeholder={role === 'join' ? texts.anySeat : ''}
            value={seat}
            onChange={({ target }) => change({ seat: target.value })}
          />
        </label>
      )}
      {role === 'spectator' && (
        <label>
          {texts.view}
          <select value={view} onChange={({ target }) => change({ view: target.value as TokenDraft['view'] })}>
            <option value="audience">{texts.views.audience}</option>
            <option value="narrator">{texts.views.narrator}</option>
          </select>
        </label>
      )}
      <label>
        {texts.name}
        <input required={role === 'admin'} maxLength={60} value={name} onChange={({ target }) => change({ name: target.value })} />
      </label>
      <label>
        {texts.days}
        <input type="number" min={0.001} max={30} step="any" value={days} onChange={({ target }) => change({ days: target.value })} />
      </label>
    </div>
  );
}

function TokenTable({ client, pages }: { readonly client: ApiClient; readonly pages: Pages<TokenRow> }) {
  const action = useAction();
  const { rows, hasMore, isLoading, more, reload } = pages;
  if (!rows.length) return isLoading ? null : <p className={styles['empty']}>{texts.none}</p>;
  const revoke = async (id: string): Promise<void> => {
    if (await action.run(`/tokens/${id}`, () => client.delete('/tokens/:id', { id }))) reload();
  };
  return (
    <>
      <Words words={action.words} />
      <div className={styles['wide']} tabIndex={0} role="region" aria-label={en.operate.tabs.tokens}>
        <table>
          <TableHead heads={[texts.name, texts.what, texts.until]} hasActions />
          <tbody>
            {rows.map((row) => (
              <Row key={row.n} row={row} revoke={revoke} isBusy={action.isBusy} />
            ))}
          </tbody>
        </table>
      </div>
      {hasMore && (
        <button type="button" onClick={more} disabled={isLoading}>
          {texts.more}
        </button>
      )}
    </>
  );
}

interface RowProps {
  readonly row: TokenRow;
  readonly isBusy: Action['isBusy'];
  revoke(id: string): Promise<void>;
}

function Row({ row: { id, role, table, seat, view, name, by, until, isRevoked, isLink }, revoke, isBusy }: RowProps) {
  const what = [
    named(texts.roles, role),
    seat === undefined ? undefined : `${texts.seat} ${seat}`,
    view,
    table,
    isLink ? texts.short : undefined,
  ].filter((part) => part !== undefined);
  return (
    <tr>
      <th scope="row">
        <bdi>{name}</bdi> <small>{fill(texts.by, { name: by })}</small>
      </th>
      <td>{what.join(', ')}</td>
      <td>{new Date(until).toLocaleString('en-GB')}</td>
      <td>
        {isRevoked ? (
          texts.revoked
        ) : (
          <button type="button" className={styles['danger']} disabled={isBusy} onClick={() => void revoke(id)}>
            {texts.revoke}
          </button>
        )}
      </td>
    </tr>
  );
}

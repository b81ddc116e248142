import { useState } from 'react';
import type { AnswerOf } from '@maw/contracts/http/routes.ts';
import { type ApiClient, randomKey } from '@maw/api-client/client.ts';
import type { ApiProblem } from '@maw/api-client/problem.ts';
import { linkAddress } from '@maw/contracts/http/link-code.ts';
import { problemOf } from '../api/problem.ts';
import type { IssuedToken, Me, Summary } from '../api/shapes.ts';
import { eyesFor } from '../scene/eyes.ts';
import { en, fill, named } from '../text/en.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { DialogButton } from '../ui/dialog-button.tsx';
import { problemText } from '../ui/problem-note.tsx';
import styles from '../ui/ui.module.css';
import { useRequest } from '../ui/use-request.ts';
import { addressForOthers, holderOf, makeLink } from './moment-link.ts';
import { OnlyHere, QrCode } from './qr-code.tsx';

const texts = en.links;

interface Props {
  readonly client: ApiClient;
  readonly me: Me;
  readonly summary: Summary;
  /** Changes when a link was made elsewhere. */
  readonly made: number;
}

/** Makes a link with which others watch the table, and takes links back. */
export function Share({ client, me, summary, made }: Props) {
  const { table } = summary;
  const [link, setLink] = useState<Pick<IssuedToken, 'id' | 'code'>>();
  const [refused, setRefused] = useState<ApiProblem>();
  const listed = useRequest((patience) => client.get('/tokens', { table, limit: 1_000 }, patience), [client, table, link, made]);
  const act = (work: Promise<typeof link>): void => void work.then(setLink, (error: unknown) => setRefused(problemOf(error)));
  const revoke = async (id: string): Promise<typeof link> => {
    await client.delete('/tokens/:id', { id });
    listed.reload();
    return link?.id === id ? undefined : link;
  };
  const opensAll = eyesFor(holderOf(summary), summary).includes('narrator');
  const address = link?.code === undefined ? undefined : linkAddress(addressForOthers(me), link.code);
  return (
    <DialogButton label={texts.title}>
      <p>{opensAll ? texts.afterwards : texts.audience}</p>
      <OnlyHere me={me} />
      {address ? (
        <p>
          <QrCode text={address} label={texts.title} /> <code>{address}</code> <CopyButton text={address} />
        </p>
      ) : (
        <button type="button" className={styles['primary']} onClick={() => act(makeLink(client, table, randomKey()))}>
          {texts.make}
        </button>
      )}
      {refused && <p role="alert">{problemText(refused)}</p>}
      <Links links={listed.value?.tokens.filter(({ isLink }) => isLink) ?? []} onRevoke={(id) => act(revoke(id))} />
    </DialogButton>
  );
}

type ListedLink = AnswerOf<'GET /tokens'>['tokens'][number];

function Links({ links, onRevoke }: { readonly links: readonly ListedLink[]; onRevoke(id: string): void }) {
  if (!links.length) return null;
  return (
    <>
      <h2>{texts.made}</h2>
      <ul>
        {links.map(({ id, role, seat, until, isRevoked }) => (
          <li key={id} className={styles['row']}>
            {seat === undefined ? named(texts.kinds, role) : fill(texts.seat, { kind: named(texts.kinds, role), number: seat + 1 })},{' '}
            {fill(texts.until, { time: new Date(until).toLocaleString('en-GB', { dateStyle: 'short', timeStyle: 'short' }) })}
            {isRevoked ? (
              <em>{texts.revoked}</em>
            ) : (
              <button type="button" onClick={() => onRevoke(id)}>
                {texts.revoke}
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

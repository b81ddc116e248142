import { useState } from 'react';
import { Link } from 'wouter';
import { type ApiClient, type PostOptions, randomKey } from '@maw/api-client/client.ts';
import type { Me, Stage } from '../api/shapes.ts';
import { linkAddress } from '@maw/contracts/http/link-code.ts';
import { addressForOthers } from '../links/moment-link.ts';
import { OnlyHere, QrCode } from '../links/qr-code.tsx';
import { en, fill } from '../text/en.ts';
import { copyText } from '../ui/copy-text.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useRequest } from '../ui/use-request.ts';
import styles from '../ui/ui.module.css';
import { useOperator } from '../ui/visitor.tsx';
import { TokenForm } from './token-form.tsx';

/** A link for each free seat of a person, to be sent or to be read from the screen. */
export function InvitePage({ table }: { readonly table: string }) {
  const { client, me, problem, mayOperate } = useOperator();
  const [key] = useState(randomKey);
  const { value: invitations, problem: refused } = useRequest(
    mayOperate ? (patience) => invitationsTo(client, table, me!, { ...patience, key }) : undefined,
    [client, table, mayOperate],
  );
  if (problem?.status === 401 || (me && !mayOperate)) return <TokenForm table={table} problem={problem} />;
  const why = problem ?? refused;
  if (why && !invitations) return <ProblemNote problem={why} />;
  if (!invitations) return <p className={styles['notice']}>{en.table.loading}</p>;
  const { stage, links } = invitations;
  return (
    <section className={styles['form']}>
      <h1>{links.length ? en.open.invite : en.open.opened[stage]}</h1>
      {links.length > 0 && <p>{me!.role === 'admin' ? en.open.inviteLead : en.open.inviteAll}</p>}
      <OnlyHere me={me} />
      <ul className={styles['invitations']}>
        {links.map((link) => (
          <Invitation key={link.href} {...link} />
        ))}
      </ul>
      <Link href={`/t/${encodeURIComponent(table)}`} className={styles['primary']}>
        {en.open.go}
      </Link>
    </section>
  );
}

interface SeatLink {
  /** Undefined: any free seat. */
  readonly seat: number | undefined;
  readonly href: string;
}

interface Invitations {
  readonly stage: Stage;
  readonly links: readonly SeatLink[];
}

/**
 * One link per free seat of a person; where everybody may join, one for all.
 * @param options its key makes sure that each invitation is issued once, however often this is called
 * @throws ApiProblem
 */
async function invitationsTo(client: ApiClient, table: string, me: Me, options: PostOptions): Promise<Invitations> {
  const at = addressForOthers(me);
  const as = me.role === 'admin' ? 'narrator' : 'audience';
  const { seen, summary } = await client.get('/tables/:table/view', { table, as, limit: 1 }, options);
  const { stage } = summary;
  if (stage !== 'lobby' || summary.free === 0) return { stage, links: [] };
  if (me.role !== 'admin') return { stage, links: [{ seat: undefined, href: `${at}/t/${encodeURIComponent(table)}/join` }] };
  const { seats } = seen[0]!.event['opening'] as { readonly seats: readonly { readonly kind: string }[] };
  const free = seats.flatMap(({ kind }, seat) => (kind === 'person' && summary.players[seat]?.name === undefined ? [seat] : []));
  const links = await Promise.all(
    free.map(async (seat) => {
      const wanted = { role: 'join', table, seat, isLink: true } as const;
      const { code } = await client.post('/tokens', {}, wanted, { ...options, key: `${options.key}-${seat}` });
      return { seat, href: linkAddress(at, code!) };
    }),
  );
  return { stage, links };
}

function Invitation({ seat, href }: SeatLink) {
  const [isCopied, setCopied] = useState(false);
  return (
    <li>
      <strong>{seat === undefined ? en.open.anySeat : fill(en.open.yourSeat, { number: seat + 1 })}</strong>
      <QrCode text={href} label={en.open.invite} />
      <code>{href}</code>
      <button type="button" onClick={() => void copyText(href).then(() => setCopied(true))}>
        {isCopied ? en.open.copied : en.open.copy}
      </button>
      <a href={href}>{en.open.sitHere}</a>
    </li>
  );
}

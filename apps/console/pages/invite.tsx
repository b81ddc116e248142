import { useState } from 'react';
import { encode } from 'uqr';
import { Link } from 'wouter';
import { type ApiClient, type PostOptions, randomKey } from '@maw/api-client/client.ts';
import type { Me } from '../api/shapes.ts';
import { en, fill } from '../text/en.ts';
import { copyText } from '../ui/copy-text.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useRequest } from '../ui/use-request.ts';
import styles from '../ui/ui.module.css';
import { useOperator } from '../ui/visitor.tsx';
import { TokenForm } from './token-form.tsx';

/** A link for each free seat of a person, to be sent or to be read from the screen. */
export function InvitePage({ table }: { readonly table: string }) {
  const { client, me, problem } = useOperator();
  const [key] = useState(randomKey);
  const { value: links, problem: refused } = useRequest(me && ((patience) => linksFor(client, table, me, { ...patience, key })), [
    client,
    table,
    me,
  ]);
  if (problem?.status === 401) return <TokenForm table={table} problem={problem} />;
  const why = problem ?? refused;
  if (why && !links) return <ProblemNote problem={why} />;
  if (!links) return <p className={styles['notice']}>{en.table.loading}</p>;
  return (
    <section className={styles['form']}>
      <h1>{links.length ? en.open.invite : en.open.opened}</h1>
      {links.length > 0 && <p>{me!.role === 'admin' ? en.open.inviteLead : en.open.inviteAll}</p>}
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

/**
 * One link per free seat of a person; where everybody may join, one for all.
 * @param options its key makes sure that each invitation is issued once, however often this is called
 * @throws ApiProblem
 */
async function linksFor(client: ApiClient, table: string, me: Me, options: PostOptions): Promise<readonly SeatLink[]> {
  const at = `${location.origin}/t/${encodeURIComponent(table)}/join`;
  const as = me.role === 'admin' ? 'narrator' : 'audience';
  const { seen, summary } = await client.get('/tables/:table/view', { table, as, limit: 1 }, options);
  if (summary.stage !== 'lobby' || summary.free === 0) return [];
  if (me.role !== 'admin') return [{ seat: undefined, href: at }];
  const { seats } = seen[0]!.event['opening'] as { readonly seats: readonly { readonly kind: string }[] };
  const free = seats.flatMap(({ kind }, seat) => (kind === 'person' && summary.players[seat]?.name === undefined ? [seat] : []));
  return Promise.all(
    free.map(async (seat) => {
      const { token } = await client.post('/tokens', {}, { role: 'join', table, seat }, { ...options, key: `${options.key}-${seat}` });
      return { seat, href: `${at}#token=${token}` };
    }),
  );
}

function Invitation({ seat, href }: SeatLink) {
  const [isCopied, setCopied] = useState(false);
  return (
    <li>
      <strong>{seat === undefined ? en.open.anySeat : fill(en.open.yourSeat, { number: seat + 1 })}</strong>
      <QrCode text={href} />
      <button type="button" onClick={() => void copyText(href).then(() => setCopied(true))}>
        {isCopied ? en.open.copied : en.open.copy}
      </button>
      <a href={href}>{en.open.sitHere}</a>
    </li>
  );
}

/** A QR code, drawn as one path. */
function QrCode({ text }: { readonly text: string }) {
  const { size, data } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg className={styles['qr']} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={en.open.invite} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

import { useState } from 'react';
import { encode } from 'uqr';
import { Link } from 'wouter';
import type { Client } from '../api/client.ts';
import type { IssuedToken, OpenedTable } from '../api/shapes.ts';
import { en, fill } from '../text/en.ts';
import { copyText } from '../ui/copy-text.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { useRequest } from '../ui/use-request.ts';
import styles from '../ui/ui.module.css';

/** A link for each seat of a person, to be sent or to be read from the screen. */
export function Invitations({ client, opened: { table, seats } }: { readonly client: Client; readonly opened: OpenedTable }) {
  const people = seats.filter(({ kind }) => kind === 'person');
  const at = `/t/${encodeURIComponent(table)}`;
  return (
    <section className={styles['form']}>
      <h1>{en.open.opened}</h1>
      {people.length > 0 && <h2>{en.open.invite}</h2>}
      {people.length > 0 && <p>{en.open.inviteLead}</p>}
      <ul className={styles['invitations']}>
        {people.map(({ seat }) => (
          <Invitation key={seat} client={client} table={table} seat={seat} />
        ))}
      </ul>
      <Link href={at} className={styles['primary']}>
        {en.open.go}
      </Link>
    </section>
  );
}

function Invitation({ client, table, seat }: { readonly client: Client; readonly table: string; readonly seat: number }) {
  const { value, problem } = useRequest(() => client.post<IssuedToken>('/tokens', { role: 'join', table, seat }), [client, table, seat]);
  const [isCopied, setCopied] = useState(false);
  if (problem) return <ProblemNote problem={problem} />;
  if (!value) return null;
  const link = `${location.origin}/t/${encodeURIComponent(table)}/join#token=${value.token}`;
  return (
    <li>
      <strong>{fill(en.open.yourSeat, { number: seat + 1 })}</strong>
      <QrCode text={link} />
      <button type="button" onClick={() => void copyText(link).then(() => setCopied(true))}>
        {isCopied ? en.open.copied : en.open.copy}
      </button>
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

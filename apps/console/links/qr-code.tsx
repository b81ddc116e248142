import { encode } from 'uqr';
import { en } from '../text/en.ts';
import styles from '../ui/ui.module.css';
import { type Addressed, isOnlyHere } from './moment-link.ts';

/** A QR code, drawn as one path. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, data } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg className={styles['qr']} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

/** Says where the links of this page cannot be opened elsewhere, and what to do about it. */
export const OnlyHere = ({ me }: { readonly me: Addressed }) => (isOnlyHere(me) ? <p role="note">{en.links.onlyHere}</p> : null);

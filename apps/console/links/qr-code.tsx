import { encode } from 'uqr';
import type { Me } from '../api/shapes.ts';
import { en } from '../text/en.ts';
import styles from '../ui/ui.module.css';

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

type Found = Pick<Me, 'networkHost'> | undefined;

/** Whether the page was opened at an address that only this machine has. */
const isAtHome = /^(localhost|127\.|\[::1\])/.test(location.hostname);

/** The address of this page for others, as far as it is known. */
export const addressForOthers = (me: Found): string =>
  isAtHome && me?.networkHost !== undefined ? `${location.protocol}//${me.networkHost}:${location.port}` : location.origin;

/** Says where the links of this page cannot be opened elsewhere, and what to do about it. */
export const OnlyHere = ({ me }: { readonly me: Found }) =>
  isAtHome && me?.networkHost === undefined ? <p role="note">{en.links.onlyHere}</p> : null;

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

const isOnlyHere = (me: Found): boolean => /^(localhost|127\.|\[::1\])/.test(location.hostname) && me?.networkHost === undefined;

/** The address of this page for others: the page may have been opened at one that only this machine has. */
export const addressForOthers = (me: Found): string =>
  isOnlyHere(me) || !/^(localhost|127\.|\[::1\])/.test(location.hostname)
    ? location.origin
    : `${location.protocol}//${me!.networkHost}:${location.port}`;

/** Says where the links of this page cannot be opened elsewhere, and what to do about it. */
export const OnlyHere = ({ me }: { readonly me: Found }) => (isOnlyHere(me) ? <p role="note">{en.links.onlyHere}</p> : null);

import { useState } from 'react';
import { en } from '../text/en.ts';
import { copyText } from './copy-text.ts';

/** Copies a text, and says so. */
export function CopyButton({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState<string>();
  return (
    <button type="button" onClick={() => void copyText(text).then(() => setCopied(text))}>
      {copied === text ? en.inside.copied : en.inside.copy}
    </button>
  );
}

import { useEffect, useRef } from 'react';
import { type Focus, type KeyAction, keyAction } from './keyboard.ts';

/** Calls `act` for every key that does something while somebody plays; it says whether it did. */
export function useKeys(act: (action: KeyAction) => boolean): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.isComposing || document.querySelector('dialog[open]')) return;
      const action = keyAction(event, focusOf(event.target));
      if (action && latest.current(action)) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof Element)) return 'page';
  if (target.closest('textarea, select, [contenteditable], input:not([type="range"], [type="checkbox"], [type="button"])')) return 'text';
  return target.closest('button, a, summary, input') ? 'button' : 'page';
}

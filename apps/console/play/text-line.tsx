import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { en, fill } from '../text/en.ts';
import styles from './play.module.css';
import { type Measured, oneLine } from './speech.ts';
import type { SeatStorage } from './acts/storage.ts';

/** A text that survives reloads until it is said. */
export function useDraft(storage: SeatStorage, question: string, isSending: boolean): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => storage.draft(question));
  useEffect(() => setText(storage.draft(question)), [storage, question, isSending]); // what was said is no draft any more
  const set = (typed: string): void => {
    const line = oneLine(typed);
    storage.setDraft(question, line);
    setText(line);
  };
  return [text, set];
}

export interface TextLineProps {
  readonly name: string;
  readonly label: string;
  readonly text: string;
  readonly measured: Measured;
  readonly isReadOnly: boolean;
  /** What to say about a text that is not wrong. */
  readonly hint: string;
  /** The text that the arrow key brings back to an empty line. */
  readonly unsent?: string | undefined;
  onChange(text: string): void;
  onEnter(): void;
  readonly send: { readonly label: string; readonly isReady: boolean };
}

/** One line of text that grows with what is typed, and what is wrong with it. Enter sends. */
export function TextLine({ name, label, text, measured, isReadOnly, hint, unsent, onChange, onEnter, send }: TextLineProps) {
  const hintId = useId();
  const { length, max, isTooLong, isPrintable } = measured;
  const wrong = isTooLong ? fill(en.play.tooLong, { count: length - max }) : isPrintable ? undefined : en.play.unprintable;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') {
      event.preventDefault();
      onEnter();
    } else if (event.key === 'ArrowUp' && text === '' && unsent !== undefined) {
      event.preventDefault();
      onChange(unsent);
    }
  };
  return (
    <>
      <div className={styles['line']}>
        <textarea
          name={name}
          className={styles['text']}
          aria-label={label}
          aria-describedby={hintId}
          aria-invalid={wrong !== undefined}
          placeholder={label}
          dir="auto"
          rows={1}
          readOnly={isReadOnly}
          value={text}
          onChange={({ target }) => onChange(target.value)}
          onKeyDown={onKeyDown}
        />
        <output className={styles['count']}>
          {length}/{max}
        </output>
        <button type="submit" className={styles['send']} disabled={!send.isReady}>
          {send.label}
        </button>
      </div>
      <p id={hintId} className={styles['hint']} data-wrong={wrong !== undefined || undefined} aria-live="polite">
        {wrong ?? hint}
      </p>
    </>
  );
}

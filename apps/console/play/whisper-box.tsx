import { useState } from 'react';
import { en, fill } from '../text/en.ts';
import styles from './play.module.css';
import { measure } from './speech.ts';
import { TextLine, useDraft } from './text-line.tsx';
import type { SeatStorage } from './acts/storage.ts';
import type { TaskProps } from './task-props.ts';
import type { WhisperTask } from './tasks.ts';

export interface WhisperBoxProps extends TaskProps<WhisperTask> {
  readonly storage: SeatStorage;
  onWhisper(seat: number, text: string): void;
}

/** A private line to one player, who is always chosen: nobody else may get it because that player has died meanwhile. */
export function WhisperBox({ task, storage, isFrozen, isSending, onWhisper }: WhisperBoxProps) {
  const { id, choices, question } = task;
  const [text, setText] = useDraft(storage, id, isSending);
  const [to, setTo] = useState('');
  const chosen = choices.find(({ is }) => is === to);
  const measured = measure(text, question.maxChars);
  const isReady = !isFrozen && !isSending && measured.isSayable && chosen?.seat !== undefined;
  const send = (): void => {
    if (isReady) onWhisper(chosen.seat!, text);
  };
  return (
    <details className={styles['task']} data-task={id} open={text !== '' || undefined}>
      <summary className={styles['legend']}>
        {en.play.mayWhisper} <kbd>W</kbd>
      </summary>
      <form className={styles['whisper']} onSubmit={(event) => (event.preventDefault(), send())}>
        <select name="whisper-to" aria-label={en.play.whisperTo} value={chosen?.is ?? ''} onChange={({ target }) => setTo(target.value)}>
          <option value="">{en.play.whisperTo}</option>
          {choices.map(({ is, label }) => (
            <option key={is} value={is}>
              {label}
            </option>
          ))}
        </select>
        <TextLine
          name="whisper"
          label={chosen ? fill(en.play.whisper, { name: chosen.label }) : en.play.whisperFirst}
          text={text}
          measured={measured}
          isReadOnly={isSending}
          hint=""
          onChange={setText}
          onEnter={send}
          send={{ label: isSending ? en.play.sending : en.play.sendWhisper, isReady }}
        />
      </form>
    </details>
  );
}

import { isComplete } from '@maw/games/match/asked-question.ts';
import { en, fill } from '../text/en.ts';
import { PlayerName } from '../ui/player.tsx';
import { keyOfOption } from './keys/keyboard.ts';
import styles from './play.module.css';
import type { TaskProps } from './task-props.ts';
import type { ChoiceTask } from './tasks.ts';
import { TimeLeft } from './time-left.tsx';

export interface ChoicePanelProps extends TaskProps<ChoiceTask> {
  /** The options that are chosen and not sent. */
  readonly picked: readonly string[];
  /** The answer that counts now; it may be changed. */
  readonly answer: readonly string[] | undefined;
  /** Whether digits choose here. */
  readonly hasKeys: boolean;
  /** In a vote that ends once all are ready: whether this seat is. */
  readonly isReady: boolean | undefined;
  onPick(option: string): void;
  onConfirm(): void;
  onReady(): void;
}

/** One question with its options as buttons. */
export function ChoicePanel(props: ChoicePanelProps) {
  const { task, picked, answer, hasKeys, isReady, isFrozen, isSending, onPick, onConfirm, onReady } = props;
  const { id, purpose, choices, pick, question, isSecret, isInstant } = task;
  const chosen = picked.length ? picked : (answer ?? []);
  return (
    <fieldset className={styles['task']} data-task={id} {...(isSecret ? { 'data-private': true } : {})}>
      <legend className={styles['legend']}>
        {purpose}
        {pick > 1 && ` (${fill(en.play.picked, { count: picked.length, pick })})`}
        <small aria-live="polite">
          {isSending ? en.play.sending : answer ? en.play.counts : question.final ? en.play.final : en.play.changeable}
        </small>
        <TimeLeft until={question.until} {...props} />
      </legend>
      <div className={styles['choices']}>
        {choices.map(({ is, label, seat }, index) => (
          <button
            key={is}
            type="button"
            className={styles['choice']}
            aria-pressed={chosen.includes(is)}
            disabled={isFrozen || isSending}
            onClick={() => onPick(is)}
          >
            {hasKeys && <kbd>{keyOfOption(index)}</kbd>}
            {seat === undefined ? label : <PlayerName seat={seat} name={label} />}
          </button>
        ))}
        {!isInstant && (
          <button
            type="button"
            className={styles['send']}
            disabled={isFrozen || isSending || !isComplete(question, picked)}
            onClick={onConfirm}
          >
            {en.play.confirm} {hasKeys && <kbd>↵</kbd>}
          </button>
        )}
        {isReady !== undefined && (
          <button
            type="button"
            title={en.play.readyLead}
            aria-pressed={isReady}
            disabled={isFrozen || isSending || isReady}
            onClick={onReady}
          >
            {en.play.ready}
          </button>
        )}
      </div>
    </fieldset>
  );
}

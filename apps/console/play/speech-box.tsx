import type { Translation } from '@maw/games/kernel/language.ts';
import { en, fill, named } from '../text/en.ts';
import styles from './play.module.css';
import { measure } from './speech.ts';
import type { SeatStorage } from './acts/storage.ts';
import type { TaskProps } from './task-props.ts';
import type { SpeechTask } from './tasks.ts';
import { TextLine, useDraft } from './text-line.tsx';
import { TimeLeft } from './time-left.tsx';

export interface SpeechBoxProps extends TaskProps<SpeechTask> {
  readonly storage: SeatStorage;
  /** Turns plain English into the language of the game, where it has one. */
  readonly translate: ((typed: string) => Translation) | undefined;
  /** A sentence in plain English, in such a game. */
  readonly example: string | undefined;
  /** What minds without a model understand of a text, or of what was said last. */
  understand(typed: string): string;
  onSay(text: string, draft?: string): void;
}

/** Speech for a room. */
export function SpeechBox(props: SpeechBoxProps) {
  const { task, storage, isFrozen, isSending, translate, example, understand, onSay } = props;
  const { id, question, place, isTurn, silences, isSecret } = task;
  const [text, setText] = useDraft(storage, id, isSending);
  const said = text.trim() ? (translate?.(text) ?? { text }) : { text };
  const measured = measure('text' in said ? said.text : text, question.maxChars);
  const isReady = !isFrozen && !isSending && 'text' in said && measured.isSayable;
  const where = named(en.play.rooms, place, fill(en.play.inRoom, { room: named(en.rooms, place) }));
  const unsent = storage.unsent(id);
  const send = (): void => {
    if (isReady) onSay(said.text, text);
  };
  const hint = text
    ? translationOf(said, text) || understand(text)
    : unsent !== undefined
      ? en.play.recall
      : understand('') || (example === undefined ? '' : fill(en.play.example, { example }));
  return (
    <form
      className={styles['task']}
      data-task={id}
      {...(isSecret ? { 'data-private': true } : {})}
      onSubmit={(event) => (event.preventDefault(), send())}
    >
      <h2 className={styles['legend']}>
        {fill(isTurn ? en.play.yourTurn : en.play.maySpeak, { where })}
        <TimeLeft until={question.until} {...props} />
      </h2>
      <TextLine
        name="speech"
        label={fill(en.play.say, { where })}
        text={text}
        measured={measured}
        isReadOnly={isSending}
        hint={hint}
        unsent={unsent}
        onChange={setText}
        onEnter={send}
        send={{ label: isSending ? en.play.sending : en.play.send, isReady }}
      />
      {silences.length > 0 && (
        <div className={styles['row']}>
          {silences.map((word) => (
            <button key={word} type="button" disabled={isFrozen || isSending} onClick={() => onSay(word)}>
              {en.play.silences[word]}
            </button>
          ))}
        </div>
      )}
    </form>
  );
}

/** How the text will be said in the language of the game, or why it cannot be. */
const translationOf = (said: Translation, text: string): string =>
  'why' in said ? said.why : said.text === text ? '' : fill(en.play.translated, { text: said.text });

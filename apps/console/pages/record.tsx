import { type DragEvent, useState } from 'react';
import { formatMistake, RecordError } from '@maw/games/records/mistake.ts';
import { type OpenedRecord, openRecord } from '../recording/open-record.ts';
import { SaveRecording } from '../recording/save-recording.tsx';
import { en, fill } from '../text/en.ts';
import styles from '../ui/ui.module.css';
import { RecordedGame } from './recording.tsx';

const MAX_MISTAKES = 10;

/** Plays a game from a file of this machine: a record, or a log of the AIWolf server. Nothing of it is sent. */
export function RecordPage() {
  const [opened, setOpened] = useState<OpenedRecord>();
  const [mistakes, setMistakes] = useState<readonly string[]>([]);
  const open = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    try {
      setOpened(await openRecord(file));
      setMistakes([]);
    } catch (error) {
      setMistakes(error instanceof RecordError ? error.mistakes.map(formatMistake) : [fill(en.record.unreadable, { why: String(error) })]);
    }
  };
  if (opened) return <OpenedGame {...opened} close={() => setOpened(undefined)} />;
  return <FileForm mistakes={mistakes} onFile={(file) => void open(file)} />;
}

interface FileFormProps {
  readonly mistakes: readonly string[];
  onFile(file: File | undefined): void;
}

function FileForm({ mistakes, onFile }: FileFormProps) {
  const onDrop = (event: DragEvent): void => {
    event.preventDefault();
    onFile(event.dataTransfer.files[0]);
  };
  return (
    <section className={styles['card']} onDragOver={(event) => event.preventDefault()} onDrop={onDrop}>
      <h1>{en.record.title}</h1>
      <p>{en.record.lead}</p>
      <label className={styles['field']}>
        {en.record.file}
        <input type="file" accept=".json,.log,.txt" onChange={({ target }) => onFile(target.files?.[0])} />
        <small>{en.record.hint}</small>
      </label>
      {mistakes.length > 0 && (
        <div role="alert">
          <p>{en.record.failed}</p>
          <ul className={styles['mistakes']}>
            {mistakes.slice(0, MAX_MISTAKES).map((each) => (
              <li key={each}>{each}</li>
            ))}
            {mistakes.length > MAX_MISTAKES && <li>{fill(en.record.more, { count: mistakes.length - MAX_MISTAKES })}</li>}
          </ul>
        </div>
      )}
    </section>
  );
}

function OpenedGame({ recording, refused, isImported, close }: OpenedRecord & { close(): void }) {
  return (
    <RecordedGame
      recording={recording}
      tools={(eye, tapeOf) => (
        <>
          <span>{recording.name}</span>
          {isImported && <span>{en.record.imported}</span>}
          {refused > 0 && <span>{fill(en.record.refused, { count: refused })}</span>}
          <SaveRecording table={recording.name} eye={eye} tape={tapeOf(eye)} />
          <button type="button" onClick={close}>
            {en.record.other}
          </button>
        </>
      )}
    />
  );
}

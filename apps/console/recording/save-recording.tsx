import { useState } from 'react';
import type { EyeName } from '../scene/eyes.ts';
import { en, fill } from '../text/en.ts';
import type { Tape } from '../time/tape.ts';
import { DialogButton } from '../ui/dialog-button.tsx';
import { download } from './download.ts';
import styles from '../ui/ui.module.css';
import { Contents } from './contents.tsx';
import { RECORDING_PAGE, recordingFile, type Suspicion } from './recording.ts';

interface Props {
  readonly table: string;
  readonly eye: EyeName;
  readonly tape: Tape;
  /** What minds suspected, where the eye may know it: the story in the file tells by it. */
  readonly suspicions?: readonly Suspicion[] | undefined;
}

/** Saves what the eye has seen as a file that plays without a server, after saying what it holds. */
export function SaveRecording({ table, eye, tape, suspicions }: Props) {
  const [hasFailed, setFailed] = useState(false);
  const save = async (): Promise<void> => {
    const response = await fetch(`/${RECORDING_PAGE}`);
    if (!response.ok) throw new Error(`${response.status}`);
    const seen = tape.moments.map((moment) => moment.seen);
    const file = recordingFile(await response.text(), { name: table, eye, made: Date.now(), seen, suspicions });
    download(new Blob([file], { type: 'text/html' }), `maw-${table}-${eye.replace(':', '-')}.html`);
  };
  return (
    <DialogButton
      label={en.recording.save}
      action={
        <button
          type="button"
          className={styles['primary']}
          onClick={() =>
            void save().then(
              () => setFailed(false),
              () => setFailed(true),
            )
          }
        >
          {en.recording.saveFile}
        </button>
      }
    >
      <p>{fill(en.recording.about, { count: tape.moments.length })}</p>
      <Contents eye={eye} tape={tape} />
      {suspicions && <p>{en.recording.suspicions}</p>}
      {hasFailed && <p role="alert">{en.recording.failed}</p>}
    </DialogButton>
  );
}

import { useState } from 'react';
import { en } from '../../text/en.ts';
import { DialogButton } from '../../ui/dialog-button.tsx';
import styles from '../../ui/ui.module.css';
import { callOut, chosenWays, keepWays, possibleWays, type Way } from './settings.ts';

/** Chooses how this browser calls. */
export function CallSettings() {
  const [ways, setWays] = useState(chosenWays);
  const choose = async (way: Way, isOn: boolean): Promise<void> => {
    if (way === 'notify' && isOn && (await Notification.requestPermission()) !== 'granted') return;
    const chosen = isOn ? [...ways, way] : ways.filter((each) => each !== way);
    keepWays(chosen);
    setWays(chosen);
    if (isOn) callOut(en.call.asked); // as it will be
  };
  return (
    <DialogButton label={en.call.title}>
      <p>{en.call.lead}</p>
      {possibleWays().map((way) => (
        <label key={way} className={styles['row']}>
          <input type="checkbox" checked={ways.includes(way)} onChange={({ target }) => void choose(way, target.checked)} />
          {en.call[way]}
        </label>
      ))}
    </DialogButton>
  );
}

import { type EyeName, eyeOf } from '../scene/eyes.ts';
import { en, fill } from '../text/en.ts';
import type { Tape } from '../time/tape.ts';
import { holdsOf } from './recording.ts';

/** What a recording gives away, in words. */
export function Contents({ eye, tape }: { readonly eye: EyeName; readonly tape: Tape }) {
  const seat = eyeOf(eye);
  const name = typeof seat === 'number' ? (tape.moments.at(-1)?.after.game.names[seat] ?? fill(en.open.seat, { number: seat + 1 })) : '';
  return (
    <p>
      <strong>{fill(en.recording.holds[holdsOf(eye)], { name })}</strong>
    </p>
  );
}

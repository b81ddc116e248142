const KEY = 'maw.call';

export const WAYS = ['sound', 'vibrate', 'notify'] as const;
/** A way to call somebody who does not look. */
export type Way = (typeof WAYS)[number];

/** How this browser calls, at every table: as it was chosen, else not at all. */
export const chosenWays = (): readonly Way[] => WAYS.filter((way) => (localStorage.getItem(KEY) ?? '').split(' ').includes(way));

export const keepWays = (ways: readonly Way[]): void => localStorage.setItem(KEY, ways.join(' '));

/** The ways that this browser has; pages on plain HTTP from another machine may not notify. */
export const possibleWays = (): readonly Way[] =>
  WAYS.filter((way) => way === 'sound' || (way === 'vibrate' ? 'vibrate' in navigator : isSecureContext && 'Notification' in globalThis));

let audio: AudioContext | undefined;

/** Two soft tones, made here: there is no file. Before the first click or key, browsers keep silent. */
function ring(): void {
  audio ??= new AudioContext();
  void audio.resume();
  for (const [n, hertz] of [660, 880].entries()) {
    const at = audio.currentTime + n * 0.18;
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.35);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + 0.4);
  }
}

/** Calls by the chosen ways. A notification is for who looks elsewhere; where a browser refuses it, the title is left. */
export function callOut(text: string): void {
  for (const way of chosenWays())
    if (way === 'sound') ring();
    else if (way === 'vibrate') navigator.vibrate?.([120, 80, 120]);
    else if (document.hidden && possibleWays().includes('notify') && Notification.permission === 'granted')
      try {
        new Notification('MAW', { body: text, tag: 'maw' }).addEventListener('click', () => focus());
      } catch {
        // browsers of phones permit them to workers only
      }
}

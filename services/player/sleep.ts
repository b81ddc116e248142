/** Something that is waited for by one at a time. It may never ring, and ringing twice is ringing once. */
export interface WakeUp {
  trigger(): void;
  /** Calls back when it rings, at once when it has rung. Returns how to stop listening. */
  onTrigger(rung: () => void): () => void;
}

export function wakeUp(): WakeUp {
  let isRung = false;
  const listeners = new Set<() => void>();
  return {
    trigger() {
      isRung = true;
      for (const rung of listeners) rung();
    },
    onTrigger(rung) {
      if (isRung) rung();
      else listeners.add(rung);
      return () => void listeners.delete(rung);
    },
  };
}

/**
 * Waits, at most `ms`.
 * @param early ends the wait when it rings
 * @throws whatever `signal` was aborted with
 */
export function sleep(ms: number, signal: AbortSignal, early?: WakeUp): Promise<void> {
  return new Promise((resolve, reject) => {
    let deaf = (): void => {};
    const ended = (how: () => void) => () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      deaf();
      how();
    };
    const done = ended(resolve);
    const aborted = ended(() => reject(signal.reason as Error));
    const timer = setTimeout(done, Math.min(ms, 2 ** 31 - 1));
    signal.addEventListener('abort', aborted);
    if (signal.aborted) return aborted();
    if (early) deaf = early.onTrigger(done);
  });
}

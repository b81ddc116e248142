/** Wakes one waiting loop. Notifications while nobody waits count as one, and none is lost. */
export class Notifier {
  #isNotified = false;
  #wake: (() => void) | undefined;

  notify(): void {
    this.#isNotified = true;
    this.#wake?.();
  }

  /** Resolves at the next notification, at once if there was one since the last call, or after `ms` milliseconds. Whether it was notified. */
  async wait(ms: number): Promise<boolean> {
    if (!this.#isNotified)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#wake = undefined;
    const isNotified = this.#isNotified;
    this.#isNotified = false;
    return isNotified;
  }
}

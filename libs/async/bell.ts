/** Wakes one loop. Rings while nobody waits are one. */
export class Bell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, at once if there was one since the last, or after so many milliseconds. Whether it rang. */
  async next(ms: number): Promise<boolean> {
    if (!this.#hasRung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#wake = undefined;
    const hasRung = this.#hasRung;
    this.#hasRung = false;
    return hasRung;
  }
}

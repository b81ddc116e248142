/** A terminal, or a file. */
export interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

const WIDTH = 30;
/** The shortest time between two updates, in milliseconds: of a bar, and of lines where there is no terminal. */
const EVERY_MS = 100;
const LINE_EVERY_MS = 10_000;

/** A progress bar with the expected time left; where there is no terminal, a line now and then of what takes long. */
export function createProgress(screen: Screen, of: number, now: () => number = performance.now.bind(performance)) {
  const began = now();
  let last = screen.isTTY ? -Infinity : began;
  return {
    /** Shows how many are done. */
    at(done: number): void {
      if (now() - last < (screen.isTTY ? EVERY_MS : LINE_EVERY_MS) && (done < of || !screen.isTTY)) return;
      last = now();
      const full = Math.round((done / of) * WIDTH);
      const left = done ? ((last - began) / done) * (of - done) : Number.NaN;
      if (!screen.isTTY) return void screen.write(`${done} of ${of}, ${timeOf(left / 1000)}\n`);
      const line = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${done}/${of} ${timeOf(left / 1000)}`;
      screen.write(`\r${line.slice(0, (screen.columns ?? 80) - 1)}\u001b[K`);
    },
    /** Removes the bar. */
    end: (): void => void (screen.isTTY && screen.write('\r\u001b[K')),
  };
}

const timeOf = (seconds: number): string =>
  Number.isNaN(seconds) ? '' : seconds < 60 ? `${Math.ceil(seconds)} s left` : `${Math.ceil(seconds / 60)} min left`;

/** Shows a progress bar on standard error while something goes on. @param work is given what shows how many are done */
export async function withProgress<T>(of: number, work: (at: (done: number) => void) => Promise<T>): Promise<T> {
  const bar = createProgress(process.stderr, of);
  return work(bar.at).finally(bar.end);
}

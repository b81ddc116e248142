/** What a reporter says of one suite, by its absolute path. `failure`: all that is to be shown of it, when it failed. */
export type SuiteEvent =
  { readonly kind: 'started'; readonly path: string } | { readonly kind: 'ended'; readonly path: string; readonly failure?: string };

/** Where a run is shown: lines, and in a terminal one last line that is rewritten. */
export interface Screen {
  readonly isTerminal: boolean;
  readonly columns: number;
  write(text: string): void;
}

/** One part of a run: how many suites it has, how many have ended, and what is running since when (in ms). */
export interface StageProgress {
  readonly title: string;
  readonly suites: number;
  ended: number;
  failed: number;
  readonly running: Map<string, number>;
}

/** Shows how far a run is. */
export interface Progress {
  /** Adds a part of the run. */
  addStage(title: string, suites: number): StageProgress;
  /** Takes in an event of a suite; its failure is printed at once. `name` is the path to show. */
  onSuite(stage: StageProgress, event: SuiteEvent, name: string): void;
  /** Prints a line, or more, above the progress line. */
  print(text: string): void;
  /** Removes the progress line. Idempotent. */
  close(): void;
}

/** How often a line is written without a terminal. */
const LINE_EVERY_MS = 30_000;
const REDRAW_EVERY_MS = 1_000;

/** Starts to show a run on this screen. */
export function startProgress(screen: Screen, now: () => number = Date.now): Progress {
  const stages: StageProgress[] = [];
  const startedAt = now();
  const line = () => progressLine(stages, now() - startedAt, now());
  const clear = () => {
    if (screen.isTerminal) screen.write('\r\u001B[K');
  };
  const draw = () => {
    if (screen.isTerminal) screen.write(`\r\u001B[K${line().slice(0, screen.columns - 1)}`);
  };
  const print = (text: string) => {
    clear();
    screen.write(`${text}\n`);
    draw();
  };
  const timer = setInterval(
    () => (screen.isTerminal ? draw() : screen.write(`maw test: ${line()}\n`)),
    screen.isTerminal ? REDRAW_EVERY_MS : LINE_EVERY_MS,
  );
  return {
    addStage(title, suites) {
      const stage: StageProgress = { title, suites, ended: 0, failed: 0, running: new Map() };
      stages.push(stage);
      return stage;
    },
    onSuite(stage, event, name) {
      if (event.kind === 'started') stage.running.set(name, now());
      else {
        stage.running.delete(name);
        stage.ended++;
        if (event.failure !== undefined) {
          stage.failed++;
          print(`FAILED ${name}\n${event.failure}\n`);
        }
      }
      draw();
    },
    print,
    close() {
      clearInterval(timer);
      clear();
    },
  };
}

/** The state of a run in one line: `2:05  unit 120 of 302 (1 failed), end to end 3 of 30; running libs/a.spec.ts (41 s)`. Longest-running first. */
export function progressLine(stages: readonly StageProgress[], elapsedMs: number, nowMs: number): string {
  const seconds = Math.floor(elapsedMs / 1_000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  const parts = stages.map(({ title, suites, ended, failed }) => `${title} ${ended} of ${suites}${failed ? ` (${failed} failed)` : ''}`);
  const running = stages
    .flatMap((stage) => [...stage.running])
    .toSorted(([, a], [, b]) => a - b)
    .map(([name, since]) => `${name} (${Math.floor((nowMs - since) / 1_000)} s)`);
  return `${clock}  ${parts.join(', ') || 'starting'}${running.length ? `; running ${running.join(', ')}` : ''}`;
}

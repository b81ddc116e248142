import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

/** A line of input under a running conversation. */
export interface Prompt {
  /** Writes above the line that is being typed and leaves it as it was. */
  show(text: string): void;
  /** The lines typed, until the input ends or `close` is called. */
  lines(): AsyncIterable<string>;
  /** Ctrl-C was pressed. */
  onInterrupt(heard: () => void): void;
  close(): void;
}

/** @param isTerminal whether the input can be redrawn; otherwise lines are simply read and written */
export function createPrompt(input: Readable, output: Writable, isTerminal: boolean, sign = '> '): Prompt {
  const reader = createInterface({ input, output, terminal: isTerminal, prompt: sign, historySize: 100 });
  const waiting: string[] = [];
  let wake: (() => void) | undefined;
  let isClosed = false;
  reader.on('line', (line) => {
    waiting.push(line);
    wake?.();
    if (!isClosed && isTerminal) reader.prompt();
  });
  reader.on('close', () => {
    isClosed = true;
    wake?.();
  });
  if (isTerminal) reader.prompt();
  return {
    show(text) {
      if (!isTerminal || isClosed) {
        output.write(`${text}\n`);
        return;
      }
      // The typed line may be wrapped over several rows: go to its first, clear down, write, draw it again with the cursor where it was.
      const { rows } = reader.getCursorPos();
      output.write(`${rows > 0 ? `\u001b[${rows}A` : ''}\r\u001b[J${text}\n`);
      reader.prompt(true);
    },
    async *lines() {
      for (;;) {
        const line = waiting.shift();
        if (line !== undefined) yield line;
        else if (isClosed) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    onInterrupt: (heard) => void reader.on('SIGINT', heard),
    close: () => reader.close(),
  };
}

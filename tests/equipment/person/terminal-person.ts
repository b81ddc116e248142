import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createScreen } from './screen.ts';
import { readingMs, typingMs } from './scripted-person.ts';

export interface TerminalGame {
  /** What the terminal has shown. */
  readonly lines: readonly string[];
  readonly exitCode: number | null;
  /** The questions that were shown, and how many of them the person has answered. */
  readonly asked: number;
  readonly answered: number;
}

const SPEECH = 'I am not sure yet. Who has looked at how the others voted?';
/** The status above the prompt, and the prompt: they change all the time. */
const STATUS_ROWS = 3;
/** Wide enough for each question to be one line. */
const COLUMNS = 320;
/** How often the screen is looked at. */
const LOOK_MS = 300;
/** What the terminal says when it refuses a line. */
const REFUSED = /You cannot (speak|do that) now|cannot be chosen|There is no command|too late/i;

/**
 * Plays a command in a real pseudo-terminal, by util-linux' script(1), as a person who reads every line and answers each question as its example
 * says, a letter after another.
 */
export async function playInTerminal(command: readonly string[], cwd: string, signal: AbortSignal): Promise<TerminalGame> {
  const quoted = command.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ');
  const env = { ...process.env, TERM: 'xterm', NO_COLOR: '1', SHELL: '/bin/sh' };
  const child = spawn('script', ['-qfec', `stty cols ${COLUMNS} rows 50; exec ${quoted}`, '/dev/null'], {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    signal,
  });
  const { lines, write } = createScreen();
  child.stdout.setEncoding('utf8').on('data', write);
  let isOver = false;
  const exited = once(child, 'exit').then(
    ([code]) => ((isOver = true), code as number | null),
    () => ((isOver = true), null),
  );
  const game = { asked: 0, answered: 0 };
  for (let read = 0; !isOver;) {
    const fresh = lines.slice(read, -STATUS_ROWS);
    if (!fresh.length) {
      await sleep(LOOK_MS);
      continue;
    }
    read += fresh.length;
    await sleep(readingMs(fresh.join(' ')));
    for (const answer of fresh.flatMap(answerTo)) {
      game.asked++;
      const before = Math.max(0, lines.length - STATUS_ROWS);
      for (const letter of answer) {
        if (isOver) break;
        child.stdin.write(letter);
        await sleep(typingMs(letter));
      }
      if (!isOver) child.stdin.write('\r');
      await sleep(LOOK_MS);
      if (!lines.slice(before).some((line) => REFUSED.test(line))) game.answered++;
    }
  }
  return { lines, exitCode: await exited, ...game };
}

/** The answer to a question that a line asks: its own example, or a sentence. */
function answerTo(line: string): readonly string[] {
  if (!/\d+:\d\d left\.$/.test(line)) return [];
  if (/type it \(at most/.test(line)) return [/such as: (.*?)(?:, (?:Skip|Over))*\.\s/.exec(line)?.[1] ?? SPEECH];
  const typed = /Type: (\/.*?)(?: or \/\S+?)?\. It|Type: (\/.*?)(?: or \/\S+?)?\. You/.exec(line);
  const word = /: (\/\w+) or \//.exec(line);
  const answer = typed?.[1] ?? typed?.[2] ?? word?.[1];
  return answer === undefined ? [] : [answer];
}

import { createInterface, type Interface } from 'node:readline';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { stripVTControlCharacters } from 'node:util';

/** A line of input under a running conversation. */
export interface Prompt {
  /** Whether the line can be edited; otherwise lines are simply read and written. */
  readonly isTerminal: boolean;
  /** Writes above the line that is being typed and leaves it as it was. */
  show(text: string): void;
  /** The lines typed, until the input ends or `close` is called. Ctrl-D on an empty line is the line `/quit`. */
  lines(): AsyncIterable<string>;
  /** How often keys have come so far; always 0 where lines cannot be edited. */
  keys(): number;
  /** Puts a text into the empty line, to be edited. */
  edit(text: string): void;
  /** Sets what stands above the line from now on: rows of a given width. */
  setStatus(rows: (columns: number) => readonly string[]): void;
  /** Draws these rows again when they have changed. */
  refresh(): void;
  /** Sets what the Tab key offers. */
  setCompletions(complete: Complete): void;
  /** Ctrl-C was pressed. */
  onInterrupt(heard: () => void): void;
  close(): void;
}

/** What may stand in place of the end of a line: the end, and the texts for it. */
type Complete = (line: string) => { readonly part: string; readonly texts: readonly string[] };

interface Editor {
  readonly reader: Interface;
  readonly output: Writable & { columns?: number };
  readonly waiting: string[];
  wake: (() => void) | undefined;
  keys: number;
  /** The width for which the status was drawn. */
  columns: number;
  isClosed: boolean;
  status: (columns: number) => readonly string[];
  complete: Complete;
}

const SIGN = '> ';

/** Makes a terminal mark pasted text (bracketed paste), and stops it. */
const MARK_PASTES = '\u001b[?2004h';
const UNMARK_PASTES = '\u001b[?2004l';
const BEGIN = '\u001b[200~';
const END = '\u001b[201~';
const CTRL_D = '\u0004';

/** @param isTerminal whether the input is a terminal in which lines can be edited */
export function createPrompt(input: Readable, output: Writable & { columns?: number }, isTerminal: boolean): Prompt {
  const editor = createEditor(input, output, isTerminal);
  const { reader, waiting } = editor;
  if (isTerminal) startTerminal(editor, input);
  return {
    isTerminal,
    show: (text) => (isTerminal && !editor.isClosed ? writeAbove(editor, text) : void output.write(`${text}\n`)),
    async *lines() {
      for (;;) {
        const line = waiting.shift();
        if (line !== undefined) yield line;
        else if (editor.isClosed) return;
        else await new Promise<void>((resolve) => (editor.wake = resolve));
      }
    },
    keys: () => editor.keys,
    edit: (text) => void (isTerminal && !editor.isClosed && reader.line === '' && reader.write(text)),
    setStatus(rows) {
      editor.status = rows;
      draw(editor);
    },
    refresh: () => draw(editor),
    setCompletions: (complete) => void (editor.complete = complete),
    onInterrupt: (heard) => void reader.on('SIGINT', heard),
    close() {
      if (isTerminal && !editor.isClosed) output.write(`${toStatus(reader)}${UNMARK_PASTES}`);
      reader.close();
      input.pause();
    },
  };
}

function createEditor(input: Readable, output: Editor['output'], isTerminal: boolean): Editor {
  const keys = isTerminal
    ? terminalInput(input, {
        onPaste: (text) => void (editor.isClosed || editor.reader.write(asOneLine(text))),
        onEnd() {
          if (editor.reader.line !== '') return false;
          accept(editor, '/quit');
          return true;
        },
      })
    : input;
  const editor: Editor = {
    reader: createInterface({
      input: keys,
      output,
      terminal: isTerminal,
      prompt: SIGN,
      historySize: 100,
      completer: (line: string) => completed(editor, line),
    }),
    output,
    waiting: [],
    wake: undefined,
    keys: 0,
    columns: output.columns ?? 80,
    isClosed: false,
    status: () => [],
    complete: () => ({ part: '', texts: [] }),
  };
  editor.reader.on('line', (line) => {
    if (isTerminal && !editor.isClosed) clearTyped(editor, line);
    accept(editor, line);
  });
  editor.reader.on('close', () => {
    editor.isClosed = true;
    editor.wake?.();
  });
  return editor;
}

function accept({ waiting, wake }: Editor, line: string): void {
  waiting.push(line);
  wake?.();
}

function startTerminal(editor: Editor, input: Readable): void {
  const { output, reader } = editor;
  input.on('data', () => editor.keys++);
  output.prependListener('resize', () => followWidth(editor)); // before readline draws
  output.write(MARK_PASTES);
  reader.prompt();
}

/** Goes up the rows that a narrower terminal has made of the old ones, which readline does not know of, and fits the status to the new width. */
function followWidth(editor: Editor): void {
  const { reader, output, status, columns: before } = editor;
  const columns = (editor.columns = output.columns ?? 80);
  const rows = reader.getPrompt().split('\n').slice(0, -1);
  const broken = rows.reduce((sum, row) => sum + Math.max(1, Math.ceil(stripVTControlCharacters(row).length / columns)), 0) - rows.length;
  const typed = SIGN.length + reader.cursor;
  const more = broken + Math.floor(typed / columns) - Math.floor(typed / before);
  if (more > 0) output.write(`\u001b[${more}A`);
  if (!editor.isClosed) reader.setPrompt([...status(columns), SIGN].join('\n'));
}

const asOneLine = (text: string): string =>
  text
    .trim()
    .replaceAll(/\s*[\r\n]+\s*/g, ' ')
    .replaceAll(/\p{Cc}/gu, ' ');

/** Redraws the status and the typed line when the status has changed. */
function draw(editor: Editor): void {
  const { reader, output, status, isClosed } = editor;
  if (isClosed || !reader.terminal) return;
  const prompt = [...status(output.columns ?? 80), SIGN].join('\n');
  if (prompt === reader.getPrompt()) return;
  reader.setPrompt(prompt);
  reader.prompt(true);
}

/** Writes where the status begins. The empty rows are those that readline goes up before it draws. */
function writeAbove({ reader, output }: Editor, text: string): void {
  output.write(`${toStatus(reader)}${wrapWords(text, output.columns ?? 80)}\n${'\n'.repeat(reader.getCursorPos().rows)}`);
  reader.prompt(true);
}

/** Breaks rows between words where they are wider than the terminal. Colours count for nothing. */
function wrapWords(text: string, columns: number): string {
  const wrap = (row: string): string => {
    let width = 0;
    return row
      .split(/(?<=[^ ]) (?=[^ ])/)
      .map((word, i) => {
        const letters = stripVTControlCharacters(word).length;
        const isBroken = i > 0 && width + 1 + letters > columns;
        width = isBroken || i === 0 ? letters : width + 1 + letters;
        return i === 0 ? word : `${isBroken ? '\n' : ' '}${word}`;
      })
      .join('');
  };
  return text.split('\n').map(wrap).join('\n');
}

/** Goes to where the status begins, and clears from there. */
function toStatus(reader: Interface): string {
  const { rows } = reader.getCursorPos();
  return `${rows > 0 ? `\u001b[${rows}A` : ''}\r\u001b[J`;
}

/** Removes the entered line and the status above it from the screen: what it does is shown there instead. */
function clearTyped({ reader, output }: Editor, line: string): void {
  const columns = output.columns ?? 80;
  const rows = reader.getPrompt().split('\n');
  const typed = Math.max(1, Math.ceil((SIGN.length + line.length) / columns));
  output.write(`\u001b[${rows.length - 1 + typed}A\r\u001b[J`);
  reader.prompt();
}

/** Completes as far as all texts agree; shows them where they differ at once. */
function completed(editor: Editor, line: string): [string[], string] {
  const { part, texts } = editor.complete(line);
  if (texts.length < 2) return [[...texts], part];
  const prefix = texts.reduce((common, text) => {
    let n = 0;
    while (n < common.length && common[n]!.toLowerCase() === text[n]?.toLowerCase()) n++;
    return common.slice(0, n);
  });
  if (prefix.length > part.length) return [[prefix], part];
  writeAbove(editor, texts.map((text) => text.trim()).join('  '));
  return [[], part];
}

interface TerminalEvents {
  /** Text that was pasted, with its line breaks. */
  onPaste(text: string): void;
  /** Ctrl-D was pressed. Returns false where the key should delete a character instead. */
  onEnd(): boolean;
}

/** The keys of a terminal for readline, without pastes and without the Ctrl-D that ends the input. */
function terminalInput(input: Readable & { setRawMode?(isRaw: boolean): unknown }, events: TerminalEvents): PassThrough {
  const keys = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean): unknown => input.setRawMode?.(isRaw) });
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let pasted: string | undefined;
  const type = (text: string): void => {
    for (const piece of text.split(/(\u0004)/)) if (piece && !(piece === CTRL_D && events.onEnd())) keys.write(piece);
  };
  input.on('data', (chunk: Buffer | string) => {
    rest += typeof chunk === 'string' ? chunk : decoder.write(chunk);
    for (;;) {
      const mark = pasted === undefined ? BEGIN : END;
      const at = rest.indexOf(mark);
      const end = at === -1 ? rest.length - halfOf(mark, rest) : at;
      const text = rest.slice(0, end);
      rest = rest.slice(at === -1 ? end : at + mark.length);
      if (pasted === undefined) type(text);
      else pasted += text;
      if (at === -1) return;
      if (pasted !== undefined) events.onPaste(pasted);
      pasted = pasted === undefined ? '' : undefined;
    }
  });
  input.on('end', () => keys.end());
  return keys;
}

/** How many characters at the end of a text may begin the mark. A lone escape is a key. */
function halfOf(mark: string, text: string): number {
  for (let n = mark.length - 1; n > 1; n--) if (text.endsWith(mark.slice(0, n))) return n;
  return 0;
}

import { PassThrough, type Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Makes a terminal mark pasted text (bracketed paste), and stops it. */
export const MARK_PASTES = '\u001b[?2004h';
export const UNMARK_PASTES = '\u001b[?2004l';
const BEGIN = '\u001b[200~';
const END = '\u001b[201~';
const CTRL_D = '\u0004';

interface TerminalEvents {
  /** Text that was pasted, with its line breaks. */
  onPaste(text: string): void;
  /** Ctrl-D was pressed. Returns false where the key should delete a character instead. */
  onEnd(): boolean;
}

/** The keys of a terminal for readline, without pastes and without the Ctrl-D that ends the input. */
export function terminalInput(input: Readable & { setRawMode?(isRaw: boolean): unknown }, events: TerminalEvents): PassThrough {
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

/** What a terminal has shown, line by line. It knows the sequences that the prompt writes: up, to a column, and clear from here. */
export interface Screen {
  write(text: string): void;
  readonly lines: readonly string[];
}

// oxlint-disable-next-line no-control-regex -- the sequences of a terminal
const PIECES = /\u001b\[(\??[\d;]*)([A-Za-z])|[\r\n]|[^\u001b\r\n]+|\u001b/g;

export function createScreen(): Screen {
  const lines = [''];
  let [row, column] = [0, 0];
  const control = (count: number, kind: string): void => {
    if (kind === 'A') row = Math.max(0, row - count);
    if (kind === 'G') column = count - 1;
    if (kind !== 'J') return;
    lines.length = row + 1;
    lines[row] = lines[row]!.slice(0, column);
  };
  return {
    lines,
    write(text) {
      for (const [piece, parameter = '', kind] of text.matchAll(PIECES)) {
        if (kind !== undefined) control(Number(parameter) || 1, kind);
        else if (piece === '\r') column = 0;
        else if (piece === '\n') lines[++row] ??= '';
        else if (piece !== '\u001b') {
          const line = lines[row]!.padEnd(column);
          lines[row] = line.slice(0, column) + piece + line.slice(column + piece.length);
          column += piece.length;
        }
      }
    },
  };
}

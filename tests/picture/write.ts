/**
 * Draws docs/images/table.svg: the beginning of a real game as `./maw play` shows it in a terminal. Run by `npm run picture`.
 * What is drawn is what was played: the command is started, its output read, nothing is written by hand.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '../..');
const COMMAND = ['play', '--seconds', '6', '--seed', 'picture', '--model', 'sim', '--option', 'seer=true'];
const COLUMNS = 104;
const MAX_ROWS = 40;

const COLOURS: { readonly [code: number]: string } = {
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#56d4dd',
  90: '#8b949e',
  92: '#aff5b4',
  93: '#f8e3a1',
  94: '#a5d6ff',
  95: '#e2c5ff',
  96: '#b3f0ff',
};

interface Piece {
  readonly text: string;
  readonly style: string;
}

/** Splits a line of terminal output into pieces of one style (ECMA-48, select graphic rendition). */
function piecesOf(line: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let colour = '';
  let isBold = false;
  let isDim = false;
  for (const [, codes, text = ''] of line.matchAll(/(?:\u001b\[([\d;]*)m)?([^\u001b]*)/g)) {
    for (const code of (codes ?? '').split(';').filter(Boolean).map(Number)) {
      if (code === 1) isBold = true;
      else if (code === 2) isDim = true;
      else if (code === 22) isBold = isDim = false;
      else if (code === 39) colour = '';
      else if (COLOURS[code]) colour = COLOURS[code];
    }
    if (text)
      pieces.push({
        text,
        style: `${colour ? `fill:${colour};` : ''}${isBold ? 'font-weight:bold;' : ''}${isDim && !colour ? 'fill:#8b949e;' : ''}`,
      });
  }
  return pieces;
}

/** Breaks what is longer than the picture is wide. */
function wrap(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const rows: Piece[][] = [[]];
  let width = 0;
  for (const { text, style } of pieces) {
    for (const word of text.split(/(?<= )/)) {
      if (width + word.length > COLUMNS && width > 0) {
        rows.push([{ text: '   ', style: '' }]);
        width = 3;
      }
      rows.at(-1)!.push({ text: word, style });
      width += word.length;
    }
  }
  return rows;
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function svgOf(rows: readonly (readonly Piece[])[]): string {
  const [w, h, top] = [8.4, 19, 48];
  const lines = rows.map(
    (row, i) =>
      `<text x="20" y="${top + i * h}" xml:space="preserve">${row.map(({ text, style }) => `<tspan${style ? ` style="${style}"` : ''}>${escape(text)}</tspan>`).join('')}</text>`,
  );
  const [width, height] = [Math.round(COLUMNS * w + 40), top + rows.length * h + 6];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="A game of MAW in a terminal">
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<g><circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/></g>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#e6edf3">
${lines.join('\n')}
</g>
</svg>
`;
}

async function transcript(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'maw-picture-'));
  const env = { ...process.env, TERM: 'xterm-256color', SHELL: '/bin/sh' };
  const words = [join(root, 'maw'), ...COMMAND, '--data', folder].map((word) => `'${word}'`).join(' ');
  try {
    // A terminal of its own, so that the game is shown as a person sees it, in colour.
    const child = spawn('script', ['-qfec', words, '/dev/null'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    let shown = '';
    for await (const piece of child.stdout.setEncoding('utf8')) shown += piece as string;
    return shown.replaceAll('\r', '').replaceAll(folder, '.maw');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const shown = await transcript();
const lines = shown.split('\n').filter((line) => !/ECONNREFUSED|^Everything runs|^Table |stands in for/.test(line));
const rows = [[{ text: `$ ./maw ${COMMAND.join(' ')}`, style: 'fill:#8b949e;' }], ...lines.flatMap((line) => wrap(piecesOf(line)))].slice(
  0,
  MAX_ROWS,
);
await writeFile(join(root, 'docs/images/table.svg'), svgOf(rows));
process.stdout.write(`docs/images/table.svg: ${rows.length} rows\n`);

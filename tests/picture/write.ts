/**
 * Draws a picture of each game: its beginning, as `./maw play` shows it in a terminal. Run by `npm run picture`. The games are really played, by
 * `rules` minds with a fixed seed; nothing is written by hand.
 */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { SeenEvent } from '@maw/cli/clients/table-stream.ts';
import { createPaint, transcript } from '@maw/cli/transcript.ts';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { play } from '@maw/games/kernel/play.ts';
import { phaseOf, type Question } from '@maw/games/kernel/question.ts';
import { match } from '@maw/games/match/match.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import { findRecipe } from '@maw/minds/recipes.ts';

const root = resolve(import.meta.dirname, '../..');
const NAMES = ['Ann', 'Bob', 'Cleo', 'Dev', 'Eve', 'Finn', 'Gwen', 'Hugo', 'Iris', 'Juan'];
const COLUMNS = 104;
const MAX_ROWS = 36;

interface Picture {
  readonly file: string;
  readonly rules: string;
  readonly title: string;
  readonly options?: { readonly [name: string]: string };
}

const PICTURES: readonly Picture[] = [
  { file: 'table', rules: 'maw', title: 'A game of MAW in a terminal', options: { seer: 'true', pace: 'people' } },
  { file: 'werewolf-7', rules: 'werewolf-7', title: 'A game of seven-player Werewolf in a terminal' },
  { file: 'aiwolf', rules: 'aiwolf', title: 'A game of AIWolf in a terminal' },
  { file: 'avalon', rules: 'avalon', title: 'A game of Avalon in a terminal' },
  { file: 'onuw', rules: 'onuw', title: 'A game of One Night Ultimate Werewolf in a terminal' },
];

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

function svgOf(title: string, rows: readonly (readonly Piece[])[]): string {
  const [w, h, top] = [8.4, 19, 48];
  const lines = rows.map(
    (row, i) =>
      `<text x="20" y="${top + i * h}" xml:space="preserve">${row.map(({ text, style }) => `<tspan${style ? ` style="${style}"` : ''}>${escape(text)}</tspan>`).join('')}</text>`,
  );
  const [width, height] = [Math.round(COLUMNS * w + 40), top + rows.length * h + 6];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">
<rect width="100%" height="100%" rx="10" fill="#0d1117"/>
<g><circle cx="20" cy="18" r="6" fill="#ff5f57"/><circle cx="40" cy="18" r="6" fill="#febc2e"/><circle cx="60" cy="18" r="6" fill="#28c840"/></g>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace" font-size="14" fill="#e6edf3">
${lines.join('\n')}
</g>
</svg>
`;
}

/** The lines that a spectator who sees everything is shown of one game. */
async function linesOf({ rules: name, options = {} }: Picture): Promise<readonly string[]> {
  const set = ruleSetNamed(name);
  const players = set.players.usual;
  const names = NAMES.slice(0, players);
  const rules = findRecipe('rules');
  const { tape } = await playGame({ rules: set, players, options, names, seed: 'picture', recipeFor: () => rules });
  const table = match(set.rules(players, options));
  const game = play(table);
  const script = transcript(createPaint(true));
  const lines: string[] = [];
  let position = game.begin();
  for (const [i, event] of tape.entries()) {
    const seen = game.see(position, event, 'narrator') as SeenEvent['event'] | undefined;
    if (seen) {
      const asked = seen.type === 'asked' ? (seen['question'] as Question) : position.open.find(({ id }) => id === seen['question']);
      const text = table.tell(seen, asked ? { names, question: asked } : { names });
      const room = asked ? asked.verb !== 'choose' && asked.room : table.announce(seen)[0];
      const where = room ? { room: `${phaseOf(asked?.id ?? '')}/${room}` } : {};
      const line = script.line({ n: i + 1, at: 0, event: seen, ...(text === undefined ? {} : { text }), ...where });
      if (line !== undefined && !['opened', 'joined'].includes(seen.type)) lines.push(...line.split('\n'));
    }
    position = game.evolve(position, event);
  }
  return lines;
}

for (const picture of PICTURES) {
  const option = Object.entries(picture.options ?? {}).map(([name, value]) => ` --option ${name}=${value}`);
  const command = `$ ./maw play --rules ${picture.rules} --minds rules${option.join('')}`;
  const rows = [[{ text: command, style: 'fill:#8b949e;' }], ...(await linesOf(picture)).flatMap((line) => wrap(piecesOf(line)))];
  await writeFile(join(root, `docs/images/${picture.file}.svg`), svgOf(picture.title, rows.slice(0, MAX_ROWS)));
  process.stdout.write(`docs/images/${picture.file}.svg: ${Math.min(rows.length, MAX_ROWS)} of ${rows.length} rows\n`);
}

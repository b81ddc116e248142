import { hueOf } from '../scene/circle.ts';
import type { Part } from '../scene/lines.ts';
import { en, named } from '../text/en.ts';
import { story as texts } from '../text/en-story.ts';
import { castOf, changeOf, lieSentence, resultOf, turnSentence } from './sentences.ts';
import type { Story } from './story.ts';

/** As wide and high as previews of links are, in pixels. */
export const SIZE = { width: 1200, height: 630 } as const;
/** What is drawn with. */
export type Pen = Pick<CanvasRenderingContext2D, 'fillRect' | 'fillText' | 'measureText' | 'beginPath' | 'arc' | 'fill'> & {
  fillStyle: CanvasRenderingContext2D['fillStyle'];
  font: string;
};

const FONT = 'Georgia, "Noto Serif", serif';
const INK = '#ece7da';
const GOLD = '#f0c274';

/** A sentence as text; each name stands by itself, in whatever direction it is written. */
export const plain = (parts: readonly Part[], names: Story['names']): string =>
  parts.map((part) => (typeof part === 'string' ? part : `\u2068${names[part.seat] ?? `#${part.seat + 1}`}\u2069`)).join('');

/** Draws a story: who won, who was what, the first lie and the first turn. */
export function drawPicture(pen: Pen, story: Story): void {
  const { names, rounds, rules, lies, turns, winners } = story;
  const write = (text: string, x: number, y: number, size: number, colour: string, width: number): void => {
    pen.font = `${size}px ${FONT}`;
    pen.fillStyle = colour;
    pen.fillText(text, x, y, width);
  };
  pen.fillStyle = '#12152a';
  pen.fillRect(0, 0, SIZE.width, SIZE.height);
  pen.fillStyle = GOLD;
  pen.beginPath();
  pen.arc(1080, 110, 52, 0, 2 * Math.PI);
  pen.fill();
  write([...new Set([en.app.name, named(en.games, rules.set.name)])].join(' · '), 60, 80, 28, GOLD, 900);
  write(plain(resultOf(winners), names), 60, 145, 50, INK, 940);
  const last = rounds.at(-1)!;
  const columns = names.length > 10 ? 4 : 2;
  const high = Math.min(64, 290 / Math.ceil(names.length / columns));
  for (const seat of names.keys()) {
    const [x, y] = [60 + (seat % columns) * (1080 / columns), 215 + Math.floor(seat / columns) * high];
    pen.fillStyle = `hsl(${hueOf(seat)} 60% 70%)`;
    pen.beginPath();
    pen.arc(x + 10, y - 9, 10, 0, 2 * Math.PI);
    pen.fill();
    const [title] = story.seats[seat]!.titles;
    const text = `${plain([{ seat }], names)}, ${castOf(last, seat).role}${title ? ` · ${texts.titles[title]}` : ''}`;
    write(text, x + 32, y, Math.min(34, high - 10), last.isEvil(seat) ? '#ff8f86' : INK, 1080 / columns - 50);
  }
  const said = [
    ...lies.slice(0, 1).map((lie) => plain(lieSentence(lie, rounds[lie.round - 1]!), names)),
    ...turns.slice(0, 1).map((turn) => `${plain(turnSentence(story, turn), names)} (${changeOf(turn)})`),
  ];
  for (const [i, text] of said
    .flatMap((each) => wrapped(pen, each))
    .slice(0, 4)
    .entries())
    write(text, 60, 505 + i * 34, 26, INK, 1080);
}

/** A text in lines that fit the picture. */
function wrapped(pen: Pen, text: string): readonly string[] {
  pen.font = `26px ${FONT}`;
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)!} ${word}`.trim();
    if (pen.measureText(longer).width > 1080 && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

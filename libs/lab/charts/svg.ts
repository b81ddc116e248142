import { escape, markup, Markup, type Part } from '@maw/http/markup.ts';

/** By name; numbers are rounded to a tenth, and undefined ones are left out. */
type Attributes = { readonly [name: string]: string | number | undefined };

/** An element of SVG: the one place where it is written. Attributes and texts are escaped. */
export function element(tag: string, attributes: Attributes, ...inside: readonly Part[]): Markup {
  const written = Object.entries(attributes).flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${escape(typeof value === 'number' ? String(Number(value.toFixed(1))) : value)}"`],
  );
  const open = new Markup(`<${tag}${written.join('')}`);
  return inside.length ? markup`${open}>${inside}</${new Markup(tag)}>` : markup`${open}/>`;
}

export const rect = (x: number, y: number, width: number, height: number, more: Attributes = {}, ...inside: readonly Part[]): Markup =>
  element('rect', { x, y, width, height, ...more }, ...inside);

export const text = (x: number, y: number, says: Part, more: Attributes = {}): Markup => element('text', { x, y, ...more }, says);

export const line = (x1: number, x2: number, y1: number, y2: number, more: Attributes = {}): Markup =>
  element('line', { x1, x2, y1, y2, ...more });

export const circle = (cx: number, cy: number, r: number, more: Attributes = {}, ...inside: readonly Part[]): Markup =>
  element('circle', { cx, cy, r, ...more }, ...inside);

/** What a browser shows where the pointer rests. */
export const title = (says: string): Markup => element('title', {}, says);

/** An entry of a legend: a square of the colour, and what it means. */
export const legendEntry = (x: number, y: number, fill: string, says: string): readonly Markup[] => [
  rect(x, y, 12, 12, { fill }),
  text(x + 18, y + 11, says),
];

/** A drawing as the text of a file of its own, a part to a line. */
export const svgFile = (width: number, height: number, parts: readonly Part[]): string => {
  const about = { 'xmlns': 'http://www.w3.org/2000/svg', width, height, 'font-family': 'sans-serif', 'font-size': 12 };
  const paper = element('rect', { width: '100%', height: '100%', fill: '#ffffff' });
  const lines = [paper, ...flat(parts)].map((part) => markup`\n${part}`);
  return `${element('svg', about, lines, '\n').text}\n`;
};

const flat = (parts: readonly Part[]): readonly Part[] =>
  parts.flatMap((part) => (typeof part === 'object' && !(part instanceof Markup) ? flat(part) : [part]));

/** Text that is HTML already. Everything else is escaped when it gets into a page. */
export class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export type Part = Markup | string | number | undefined | readonly Part[];

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };

/** Control characters but line breaks and tabs are no text of a page. */
export const escape = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- these are what is to be removed
  text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '\ufffd').replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);

function partText(part: Part): string {
  if (part instanceof Markup) return part.text;
  if (part === undefined) return '';
  return typeof part === 'object' ? part.map(partText).join('') : escape(String(part));
}

/** HTML or SVG with values: whatever is put in is escaped, unless it is markup. */
export const markup = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(strings.map((text, i) => text + (i < parts.length ? partText(parts[i]) : '')).join(''));

export const nothing = new Markup('');

/** A link in a Markdown file. */
export interface Link {
  readonly line: number;
  readonly target: string;
}

/** The links and images of a page that lead to another place of the repository, or within the page. Code is no text. */
export function linksOf(markdown: string): readonly Link[] {
  const links: Link[] = [];
  for (const [line, text] of linesOf(markdown)) {
    const plain = text.replaceAll(/`[^`]*`/g, (code) => 'x'.repeat(code.length));
    for (const [, target = ''] of plain.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)) links.push({ line, target });
    for (const [, target = ''] of plain.matchAll(/(?:src|srcset|href)="([^"]+)"/g)) links.push({ line, target });
    const defined = /^ {0,3}\[[^\]]+\]:\s*(\S+)/.exec(plain);
    if (defined) links.push({ line, target: defined[1]! });
  }
  return links.filter(({ target }) => !/^[a-z][a-z0-9+.-]*:/i.test(target) && !target.startsWith('//'));
}

/** The anchors that the headings of a page make, as GitHub makes them. */
export function anchorsOf(markdown: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, text] of linesOf(markdown)) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1];
    if (heading === undefined) continue;
    const slug = heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n++) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** The lines outside of code blocks, with their numbers. */
function linesOf(markdown: string): readonly (readonly [number, string])[] {
  let fence: string | undefined;
  return markdown.split('\n').flatMap((text, i) => {
    const mark = /^\s*(```+|~~~+)/.exec(text)?.[1];
    if (mark && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
      return [];
    }
    return fence === undefined ? [[i + 1, text] as const] : [];
  });
}

/** A page with the block of code after `<!-- path -->` as the file at that path is. @throws Error when the page has no such block */
export function quoting(page: string, path: string, text: string): string {
  const mark = `<!-- ${path} -->`;
  const from = page.indexOf(mark);
  const [fence = '\n'] = new RegExp(`\n\`\`\`${path.split('.').at(-1)}(?: [\\w.-]+)?\n`).exec(page.slice(Math.max(0, from))) ?? [];
  const begin = page.indexOf(fence, from);
  const end = page.indexOf('\n```\n', begin + fence.length - 1);
  if (from < 0 || fence === '\n' || end < 0) throw new Error(`the page has no block of code after ${mark}`);
  return `${page.slice(0, begin)}${fence}${text.trimEnd()}${page.slice(end)}`;
}

import { FAMILIES, type Family } from '@maw/llm-gateway/providers/families/families.ts';

const ROLES = { 'any': 'any', 'system-first': 'one system message, first', 'alternating': 'turns that alternate', 'no-system': 'no system message' } as const; // prettier-ignore
const FORMATS = { schema: 'any schema', object: 'a schema with an object at its root', json: 'JSON, no schema', none: 'none: the prompt alone asks' } as const; // prettier-ignore
const THINKING = { never: 'never', choice: 'as asked', always: 'always', levels: 'always; it can be turned down' } as const;

/** The page with the table of families after `<!-- families -->` as the gateway has it. @throws Error when the page has no such table */
export function withFamilies(page: string): string {
  const found = /<!-- families -->\n\n(?:\|.*\n)+/.exec(page);
  if (!found) throw new Error('the page has no table after <!-- families -->');
  return page.replace(found[0], () => `<!-- families -->\n\n${familiesTable()}\n`);
}

function familiesTable(): string {
  const head = ['model or server', 'messages', 'form of the answer', 'thinking', 'else', 'documented or reported in'];
  const rows = FAMILIES.map(rowOf);
  return [head, head.map(() => '---'), ...rows]
    .map((row) => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
    .join('\n');
}

/** What is as usual is left empty. */
const rowOf = ({ name, source, takes: { roles, format, thinking, limit, without = [] } }: Family): readonly string[] => [
  name,
  roles ? ROLES[roles] : '',
  format ? FORMATS[format] : '',
  thinking ? THINKING[thinking] : '',
  [...(limit ? [`\`${limit}\``] : []), ...(without.length ? [`without ${without.map((one) => `\`${one}\``).join(', ')}`] : [])].join(', '),
  source,
];

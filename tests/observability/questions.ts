import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../equipment/source/repository.ts';

/** A question of the page for operators, with what answers it there. */
export interface Question {
  readonly asks: string;
  /** Dashboard and panel, or a command. */
  readonly where: string;
  /** PromQL. */
  readonly queries: readonly string[];
  /** `maw …`, its words. */
  readonly commands: readonly (readonly string[])[];
}

const HEADING = '## Ten questions, a minute each';

/** The rows of the table in docs/operations.md, in their order. */
export function questionsOfPage(): readonly Question[] {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8');
  const section = page.slice(page.indexOf(HEADING)).split('\n## ')[0]!;
  const rows = section.split('\n').filter((line) => /^\| \d/.test(line));
  return rows.map((row) => {
    const [, asks = '', where = '', how = ''] = row.split(' | ').map((cell) => cell.replace(/^\| |\s*\|$/g, '').trim());
    const code = [...`${where} ${how}`.matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
    return {
      asks,
      where,
      queries: code.filter((text) => /\bmaw_\w+/.test(text)),
      commands: code.filter((text) => text.startsWith('maw ')).map((text) => text.split(' ').slice(1)),
    };
  });
}

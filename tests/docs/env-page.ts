import { z } from 'zod';

interface Field {
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
}

/** The variables of a service in Markdown: name, default, meaning. `schema` is that of its `readConfig`. */
export function envPage(service: string, schema: z.ZodObject): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  const rows = Object.entries(properties as Record<string, Field>).map(([name, field]) =>
    row([`\`${name}\``, fallback(field, required.includes(name)), meaning(field)]),
  );
  return [`## ${service}`, '', row(['Variable', 'Default', 'Meaning']), row(['---', '---', '---']), ...rows, ''].join('\n');
}

function fallback(field: Field, isRequired: boolean): string {
  if (field.default !== undefined) return `\`${typeof field.default === 'string' ? field.default : JSON.stringify(field.default)}\``;
  return isRequired ? '**required**' : 'none';
}

function meaning({ description = '', enum: choices }: Field): string {
  return choices ? `${description}: ${choices.map((choice) => `\`${String(choice)}\``).join(', ')}` : description;
}

const row = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;

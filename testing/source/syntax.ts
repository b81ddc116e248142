import { parseSync } from 'oxc-parser';

/** A node of the syntax tree, as far as these tests look at it. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

/** Parses a file; what does not parse is an error, lest an unread file pass for a good one. */
export function parse(path: string, text: string): SyntaxNode {
  const { program, errors } = parseSync(path, text);
  if (errors.length) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  if (!isNode(program)) throw new Error(`${path} has no syntax tree`);
  return program;
}

/** Visits every node with the one above it and the field it stands in. */
export function visit(
  node: SyntaxNode,
  see: (node: SyntaxNode, parent?: SyntaxNode, field?: string) => void,
  parent?: SyntaxNode,
  field?: string,
): void {
  see(node, parent, field);
  for (const [name, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, see, node, name);
  }
}

/** The text of a string literal, or of a template without holes. */
export function stringValueOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  const [quasi, ...more] = node.type === 'TemplateLiteral' && Array.isArray(node['quasis']) ? node['quasis'] : [];
  return quasi && !more.length ? String(quasi.value.cooked) : undefined;
}

/** The name of an identifier. */
export function identifierOf(node: unknown): string | undefined {
  return isNode(node) && node.type === 'Identifier' ? String(node['name']) : undefined;
}

/** The line a position is on, from 1. */
export function lineNumberAt(text: string, position: number): number {
  return text.slice(0, position).split('\n').length;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value;
}

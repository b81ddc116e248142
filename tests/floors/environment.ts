import { lineNumberAt, identifierOf, parse, stringValueOf, type SyntaxNode, visit } from '../equipment/source/syntax.ts';

/** Where a file reads the environment, as "line N": process.env in any spelling, or env out of node:process. */
export function environmentReads(path: string, text: string): readonly string[] {
  if (!text.includes('process')) return []; // most files; parsing takes long
  const found: string[] = [];
  visit(parse(path, text), (node) => {
    const property = identifierOf(node['property']) ?? stringValueOf(node['property']);
    if (node.type === 'MemberExpression' && identifierOf(node['object']) === 'process' && property === 'env')
      found.push(lineOf(text, node));
    const isPattern =
      node.type === 'VariableDeclarator' && identifierOf(node['init']) === 'process' && identifierOf(node['id']) === undefined;
    const isImport = node.type === 'ImportDeclaration' && /^(node:)?process$/.test(stringValueOf(node['source']) ?? '');
    if (isPattern || isImport) found.push(lineOf(text, node));
  });
  return found;
}

const lineOf = (text: string, { start }: SyntaxNode): string => `line ${lineNumberAt(text, start)}`;

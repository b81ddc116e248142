import { lineAt, nameOf, parse, textOf, visit } from './syntax.ts';

/** Where a file reads the environment, as "line N": process.env in any spelling, or env out of node:process. */
export function environmentReads(path: string, text: string): readonly string[] {
  const found: string[] = [];
  visit(parse(path, text), (node) => {
    const at = `line ${lineAt(text, node.start)}`;
    const property = nameOf(node['property']) ?? textOf(node['property']);
    if (node.type === 'MemberExpression' && nameOf(node['object']) === 'process' && property === 'env') found.push(at);
    const isPattern = node.type === 'VariableDeclarator' && nameOf(node['init']) === 'process' && nameOf(node['id']) === undefined;
    const isImport = node.type === 'ImportDeclaration' && /^(node:)?process$/.test(textOf(node['source']) ?? '');
    if (isPattern || isImport) found.push(at);
  });
  return found;
}

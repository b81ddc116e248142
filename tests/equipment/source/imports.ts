import { parse, type SyntaxNode, identifierOf, importStatementsOf, stringValueOf, visit } from './syntax.ts';

/** What is not in the list of import statements: import(), require(), the types of import('x').Y, and `export {} from`. */
const NEEDS_TREE = /\b(import|require)\s*\(|\{\s*\}\s*from\b/;

/** What a file imports in any way: statements, re-exports, import(), the types of import('x').Y, require(). A name that is computed is "?". */
export function importsOf(path: string, text: string): readonly string[] {
  if (!NEEDS_TREE.test(text)) return importStatementsOf(path, text);
  const found: string[] = [];
  visit(parse(path, text), (node) => {
    const source = sourceOf(node);
    if (source !== undefined) found.push(stringValueOf(source) ?? '?');
  });
  return found;
}

function sourceOf(node: SyntaxNode): unknown {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node['source'] ?? node['argument'];
    case 'ExportNamedDeclaration':
      return node['source'] ?? undefined;
    case 'TSExternalModuleReference':
      return node['expression'];
    case 'CallExpression':
      return identifierOf(node['callee']) === 'require' && Array.isArray(node['arguments']) ? node['arguments'][0] : undefined;
    default:
      return undefined;
  }
}

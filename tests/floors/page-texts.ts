import { lineNumberAt, parse, type SyntaxNode, visit } from '../equipment/source/syntax.ts';

/** Attributes whose value people see or hear. */
const SHOWN = new Set('aria-label aria-description aria-roledescription aria-valuetext title alt label placeholder'.split(' '));

/** The texts that a .tsx file has in itself, as "line N: text". Signs and single letters are no texts. */
export function ownTexts(path: string, code: string): readonly string[] {
  const found: string[] = [];
  const report = (node: SyntaxNode, text: unknown): void => {
    if (/\p{L}{2}/u.test(String(text))) found.push(`line ${lineNumberAt(code, node.start)}: ${String(text).trim()}`);
  };
  visit(parse(path, code), (node, parent) => {
    if (node.type === 'JSXText') report(node, node['value']);
    else if (node.type === 'JSXAttribute' && SHOWN.has(nameOf(node))) eachText(node['value'], report);
    else if (node.type === 'JSXExpressionContainer' && parent?.type !== 'JSXAttribute') eachText(node, report);
  });
  return found;
}

const nameOf = ({ name }: SyntaxNode): string => (name as { readonly name?: unknown } | null)?.name as string;

/** The literals that an expression may give; conditions and arguments are not shown. */
function eachText(node: unknown, see: (node: SyntaxNode, text: unknown) => void): void {
  if (!node) return;
  const at = node as SyntaxNode;
  switch (at.type) {
    case 'Literal':
      if (typeof at['value'] === 'string') see(at, at['value']);
      return;
    case 'TemplateLiteral':
      for (const quasi of at['quasis'] as SyntaxNode[]) see(quasi, (quasi['value'] as { readonly cooked: string }).cooked);
      return;
    case 'JSXExpressionContainer':
      return eachText(at['expression'], see);
    case 'ConditionalExpression':
      eachText(at['consequent'], see);
      return eachText(at['alternate'], see);
    case 'LogicalExpression':
    case 'BinaryExpression':
      if (/^[!=<>]/.test(String(at['operator']))) return;
      eachText(at['left'], see);
      return eachText(at['right'], see);
    default:
  }
}

import { lineNumberAt, identifierOf, parse, type SyntaxNode, visit } from '../equipment/source/syntax.ts';

/** What reaches outside: clocks, dice, timers, the process, the network, anything that comes later. */
const outside = new Set(
  `Date performance Temporal Intl setTimeout setInterval setImmediate queueMicrotask Promise AbortController AbortSignal
   process globalThis global console crypto fetch require Buffer Worker WebSocket eval Function`.split(/\s+/),
);

/** Where a file is impure, as "line N: what". Rules are folded from a tape: they must come out the same for ever. */
export function impurities(path: string, text: string): readonly string[] {
  const found: string[] = [];
  visit(parse(path, text), (node, parent, field) => {
    const what = impurityOf(node, parent, field);
    if (what) found.push(`line ${lineNumberAt(text, node.start)}: ${what}`);
  });
  return found;
}

function impurityOf(node: SyntaxNode, parent: SyntaxNode | undefined, field: string | undefined): string | undefined {
  switch (node.type) {
    case 'AwaitExpression':
      return 'await';
    case 'ForOfStatement':
      return node['await'] === true ? 'await' : undefined;
    case 'MetaProperty':
      return 'import.meta';
    case 'MemberExpression':
      return identifierOf(node['object']) === 'Math' && propertyOf(node) === 'random' ? 'Math.random' : undefined;
    case 'Identifier': {
      const name = identifierOf(node);
      return name !== undefined && outside.has(name) && !isMerelyAName(node, parent, field) ? name : undefined;
    }
    default:
      return node['async'] === true ? 'async' : undefined;
  }
}

/** The name after a dot, or the key of a property, means no global. */
function isMerelyAName(node: SyntaxNode, parent: SyntaxNode | undefined, field: string | undefined): boolean {
  if (!parent || parent['computed'] === true) return false;
  if (parent.type === 'Property' && parent['shorthand'] === true) return false;
  return (
    (parent.type === 'MemberExpression' && field === 'property') ||
    (field === 'key' && identifierOf(node) !== undefined) ||
    (parent.type === 'TSQualifiedName' && field === 'right')
  );
}

function propertyOf(node: SyntaxNode): unknown {
  const property = node['property'];
  return identifierOf(property) ?? (typeof property === 'object' && property !== null && 'value' in property ? property.value : undefined);
}

import { lineNumberAt, identifierOf, parse, type SyntaxNode, stringValueOf, visit } from '../equipment/source/syntax.ts';

/** Where a file names a rule set, as "line N: name": in a text or as a key. Examples of contracts do not count. */
export function findRuleSetNames(path: string, text: string, names: readonly string[]): readonly string[] {
  const found: { readonly at: number; readonly what: string }[] = [];
  const examples: (readonly [number, number])[] = [];
  visit(parse(path, text), (node, parent, field) => {
    const key = node.type === 'Property' ? (identifierOf(node['key']) ?? stringValueOf(node['key'])) : undefined;
    if (key === 'example' || key === 'replyExample') examples.push([node.start, Number(node['end'])]);
    const said = stringValueOf(node) ?? (isKey(parent, field) ? identifierOf(node) : undefined);
    if (said !== undefined && names.includes(said)) found.push({ at: node.start, what: said });
  });
  const isExample = (at: number) => examples.some(([from, to]) => at >= from && at < to);
  return found.filter(({ at }) => !isExample(at)).map(({ at, what }) => `line ${lineNumberAt(text, at)}: ${what}`);
}

/** The name of a property that is given or read. */
const isKey = (parent: SyntaxNode | undefined, field: string | undefined): boolean =>
  (parent?.type === 'Property' && field === 'key' && parent['shorthand'] !== true) ||
  (parent?.type === 'MemberExpression' && field === 'property');

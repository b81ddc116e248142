import { identifierOf, lineNumberAt, parse, type SyntaxNode, visit } from '../equipment/source/syntax.ts';

/** How many fields of one state may change. With more, nobody sees who writes which: it is split into parts with one writer each. */
export const MAX_STATE_FIELDS = 8;

/**
 * Interfaces, types and classes with too much state, as "line N: NAME has M fields that change". A field changes when it can be assigned, or holds a
 * Map, a Set or an array that can be written; those of interfaces of the same file that it extends count too, since that splits nothing. Static
 * fields, functions and what a closure captures do not count.
 */
export function crowdedState(path: string, text: string): readonly string[] {
  const bodies: Body[] = [];
  visit(parse(path, text), (node, parent) => {
    if (isBody(node)) bodies.push(bodyOf(node, parent, text));
  });
  const fieldsOf = ({ own, bases }: Body): number =>
    bases.reduce((sum, base) => sum + bodies.filter(({ name }) => name === base).reduce((all, each) => all + fieldsOf(each), 0), own);
  return bodies.flatMap((body) => {
    const fields = fieldsOf(body);
    return fields > MAX_STATE_FIELDS ? [`line ${body.line}: ${body.name ?? 'a type'} has ${fields} fields that change`] : [];
  });
}

interface Body {
  readonly line: number;
  readonly name: string | undefined;
  /** How many of its own fields change. */
  readonly own: number;
  /** The names of what it extends. */
  readonly bases: readonly (string | undefined)[];
}

const bodyOf = (node: SyntaxNode, parent: SyntaxNode | undefined, text: string): Body => ({
  line: lineNumberAt(text, node.start),
  name: identifierOf(parent?.['id']),
  own: membersOf(node).filter((member) => changes(member, text)).length,
  bases: ((parent?.['extends'] ?? []) as readonly SyntaxNode[]).map(({ expression }) => identifierOf(expression)),
});

const isBody = ({ type }: SyntaxNode): boolean => type === 'TSInterfaceBody' || type === 'TSTypeLiteral' || type === 'ClassBody';

const membersOf = (node: SyntaxNode): readonly SyntaxNode[] => (node['members'] ?? node['body']) as readonly SyntaxNode[];

const FIELDS: ReadonlySet<string> = new Set(['TSPropertySignature', 'PropertyDefinition', 'AccessorProperty']);
/** A type, or the value that a field of a class begins with, whose content can be written. */
const WRITABLE = /^(: *|new )(Map|Set|WeakMap|WeakSet|LRUCache|Array)\b|^:(?! *readonly\b)[^=]*\[\]$|^\[/;

function changes(member: SyntaxNode, text: string): boolean {
  if (!FIELDS.has(member.type) || member['static'] === true) return false;
  const held = (member['typeAnnotation'] ?? member['value']) as SyntaxNode | null;
  return member['readonly'] !== true || (held !== null && WRITABLE.test(text.slice(held.start, Number(held['end']))));
}

import { parse, type SyntaxNode, visit } from '../source/syntax.ts';

/** One small change of the product that a good suite notices. */
export interface Mutant {
  readonly id: number;
  /** The file, from the root of the repository, and the line of the place (from 1). */
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  /** The text that is replaced, and what replaces it. */
  readonly before: string;
  readonly after: string;
  /** The lines around the place, and which occurrence of `before` in them is meant (from 0): so it is found again when lines above have changed. */
  readonly context: string;
  readonly occurrence: number;
}

/** A place where a file can be mutated: offsets into its text. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly after: string;
}

const flipped: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};

/** All places of a file: operators, numbers, booleans, conditions, negations, and statements that can be left out. */
export function placesOf(path: string, text: string): readonly Place[] {
  const found: Place[] = [];
  visit(parse(path, text), (node, parent) => {
    if (parent?.type.startsWith('TS')) return; // types are checked by the compiler
    const place = placeAt(node, text);
    if (place) found.push(place);
  });
  return found;
}

/** The text of the file with the mutant in it; undefined when its place is not there any more. */
export function applied(mutant: Mutant, text: string): string | undefined {
  const target = text
    .split('\n')
    .slice(0, mutant.line - 1)
    .join('\n').length;
  const starts = [...occurrences(text, mutant.context)].toSorted((a, b) => Math.abs(a - target) - Math.abs(b - target));
  const [context] = starts;
  const offset = [...occurrences(mutant.context, mutant.before)][mutant.occurrence];
  if (context === undefined || offset === undefined) return undefined;
  const at = context + offset;
  return text.slice(0, at) + mutant.after + text.slice(at + mutant.before.length);
}

/** The mutant at a place. */
export function mutantAt(id: number, file: string, text: string, { start, end, kind, after }: Place): Mutant {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const context = text.slice(lineStart, text.indexOf('\n', end));
  const before = text.slice(start, end);
  const occurrence = [...occurrences(context, before)].indexOf(start - lineStart);
  return { id, file, line: text.slice(0, start).split('\n').length, kind, before, after, context, occurrence };
}

function placeAt(node: SyntaxNode, text: string): Place | undefined {
  const { start } = node;
  const end = Number(node['end']);
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
      return operatorPlace(node, text);
    case 'Literal':
      if (typeof node['value'] === 'boolean') return { start, end, kind: 'boolean', after: String(!node['value']) };
      if (typeof node['value'] !== 'number') return undefined;
      return { start, end, kind: 'number', after: node['value'] === 0 ? '1' : `(${text.slice(start, end)} * 2)` };
    case 'IfStatement':
    case 'ConditionalExpression': {
      const test = node['test'] as SyntaxNode;
      return { start: test.start, end: Number(test['end']), kind: 'condition', after: `!(${text.slice(test.start, Number(test['end']))})` };
    }
    case 'UnaryExpression':
      return node['operator'] === '!' ? { start, end: start + 1, kind: 'negation', after: '!!' } : undefined;
    case 'ExpressionStatement':
      return !node['directive'] ? { start, end, kind: 'statement', after: ';' } : undefined;
    default:
      return undefined;
  }
}

function operatorPlace(node: SyntaxNode, text: string): Place | undefined {
  const operator = String(node['operator']);
  const after = flipped[operator];
  const [left, right] = [node['left'] as SyntaxNode, node['right'] as SyntaxNode];
  const isText = (side: SyntaxNode) => side.type === 'TemplateLiteral' || typeof side['value'] === 'string';
  if (after === undefined || (operator === '+' && (isText(left) || isText(right)))) return undefined;
  const start = text.indexOf(operator, Number(left['end']));
  return { start, end: start + operator.length, kind: 'operator', after };
}

function* occurrences(text: string, part: string): Generator<number> {
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) yield at;
}

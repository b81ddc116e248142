import { preview } from '@maw/games/kernel/preview.ts';
import { Composer, type CST, isAlias, isNode, isScalar, LineCounter, Parser, visit } from 'yaml';
import type { z } from 'zod';
import { cleanText } from '@maw/text/clean.ts';
import { issueWords } from './issue-words.ts';

/** What is wrong in a file of a recipe: `recipes/xu.yaml:12: steps.3: what, and what to do`. */
export class RecipeError extends Error {
  override readonly name = 'RecipeError';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(firstOf(mistakes).join('\n'));
    this.mistakes = mistakes;
  }
}

export interface YamlFile<T> {
  readonly value: T;
  /** `path:line` of a part of the file, or of the nearest part around it. */
  at(path: readonly PropertyKey[]): string;
}

/** How many mistakes are told at once. */
const MAX_TOLD = 10;

/** The first mistakes, and how many more there are. */
export const firstOf = (mistakes: readonly string[]): readonly string[] =>
  mistakes.length > MAX_TOLD ? [...mistakes.slice(0, MAX_TOLD), `and ${mistakes.length - MAX_TOLD} more mistakes`] : mistakes;

/** No contest, recipe or context is longer or nests deeper. */
const MAX_LENGTH = 2 ** 20;
const MAX_DEPTH = 64;

/**
 * Opens a text of YAML: one document of what JSON can hold. It is bounded before it is composed, since that takes the stack for depth, and
 * keys are compared here, since the parser compares each with all.
 * @throws RecipeError with the lines that are no YAML, or use aliases, tags, or a key twice
 */
export function openYaml(file: string, given: string): YamlFile<unknown> {
  if (given.length > MAX_LENGTH) throw new RecipeError([`${file}: it has ${given.length} characters; at most ${MAX_LENGTH} are read`]);
  const text = cleanText(given);
  const lineCounter = new LineCounter();
  const lineAt = (offset: number): string => `${file}:${lineCounter.linePos(offset).line}`;
  const tokens = [...new Parser(lineCounter.addNewLine).parse(text)];
  const deep = tokens.map(tooDeep).find((offset) => offset !== undefined);
  if (deep !== undefined) throw new RecipeError([`${lineAt(deep)}: it nests more than ${MAX_DEPTH} deep`]);
  const composer = new Composer({ lineCounter, prettyErrors: false, uniqueKeys: false });
  const [document, second] = composer.compose(tokens, true, text.length);
  const wrong = [...document!.errors, ...document!.warnings].map(({ pos, message }) => `${lineAt(pos[0])}: it is not YAML: ${message}`);
  if (second) wrong.push(`${lineAt(second.range[0])}: a second document begins; one is read`);
  visit(document!, {
    Alias: (_, { source, range }) =>
      void wrong.push(`${lineAt(range![0])}: *${source}: aliases are not read; write out what it stands for`),
    Scalar(_, { value, source, range }) {
      const isJson = value === null || (typeof value === 'number' ? Number.isFinite(value) : typeof value !== 'object');
      if (!isJson) wrong.push(`${lineAt(range![0])}: ${preview(source)}: JSON has no such value; write a text or a number`);
    },
    Map: (_, { items }) => void wrong.push(...keyMistakes(items, lineAt)),
  });
  if (wrong.length) throw new RecipeError(wrong);
  const at = (path: readonly PropertyKey[]): string => {
    for (let length = path.length; length > 0; length--) {
      const node = document!.getIn(path.slice(0, length), true) as { range?: readonly [number, ...number[]] } | undefined;
      if (node?.range) return lineAt(node.range[0]);
    }
    return `${file}:1`;
  };
  return { value: document!.toJS(), at };
}

/** Where a token nests too deep; undefined where none does. */
function tooDeep(token: CST.Token): number | undefined {
  const todo: { readonly token: CST.Token; readonly depth: number }[] = [{ token, depth: 0 }];
  for (let next = todo.pop(); next; next = todo.pop()) {
    const { token: one, depth } = next;
    if (depth > MAX_DEPTH) return one.offset;
    const inner = one.type === 'document' ? [one.value] : 'items' in one ? one.items.flatMap(({ key, value }) => [key, value]) : [];
    for (const each of inner) if (each) todo.push({ token: each, depth: depth + 1 });
  }
  return undefined;
}

/** The keys of a map that are there twice, or are no text. */
function keyMistakes(items: readonly { readonly key: unknown }[], lineAt: (offset: number) => string): readonly string[] {
  const known = new Set<string>();
  return items.flatMap(({ key }) => {
    if (!isScalar(key))
      return isNode(key) && !isAlias(key) ? [`${lineAt(key.range![0])}: a list or a set of fields is no name of a field`] : [];
    const name = String(key.value);
    const isAgain = known.has(name);
    known.add(name);
    return isAgain ? [`${lineAt(key.range![0])}: ${name}: it is there twice; remove one`] : [];
  });
}

/** Parses YAML of a shape. @throws RecipeError with every mistake and its line */
export function parseYaml<T>(file: string, text: string, shape: z.ZodType<T>): YamlFile<T> {
  const { value, at } = openYaml(file, text);
  const result = shape.safeParse(value, { error: issueWords });
  if (result.success) return { value: result.data, at };
  throw new RecipeError(result.error.issues.flatMap((issue) => issueTexts(issue, at)));
}

/** A mistake of a shape with its place. */
export function issueTexts(
  { path, message, ...issue }: z.core.$ZodIssue,
  at: (path: readonly PropertyKey[]) => string,
  within: readonly PropertyKey[] = [],
): readonly string[] {
  const whole = [...within, ...path];
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => `${at([...whole, key])}: ${[...whole, key].join('.')}: there is no such field; remove it`);
  return [`${at(whole)}: ${whole.length ? `${whole.join('.')}: ` : ''}${message}`];
}

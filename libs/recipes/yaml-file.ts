import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { issueWords } from './issue-words.ts';

/** What is wrong in a file of a recipe: `recipes/xu.yaml:12: steps.3: what, and what to do`. */
export class RecipeError extends Error {
  override readonly name = 'RecipeError';
  readonly mistakes: readonly string[];
  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

export interface YamlFile<T> {
  readonly value: T;
  /** `path:line` of a part of the file, or of the nearest part around it. */
  at(path: readonly PropertyKey[]): string;
}

/** Opens a file of YAML. @throws RecipeError with the lines that are no YAML */
export function openYaml(file: string, text: string): YamlFile<unknown> {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const lineAt = (offset: number): string => `${file}:${lineCounter.linePos(offset).line}`;
  if (document.errors.length)
    throw new RecipeError(document.errors.map(({ pos, message }) => `${lineAt(pos[0])}: it is not YAML: ${message}`));
  const at = (path: readonly PropertyKey[]): string => {
    for (let length = path.length; length > 0; length--) {
      const node = document.getIn(path.slice(0, length), true) as { range?: readonly [number, ...number[]] } | undefined;
      if (node?.range) return lineAt(node.range[0]);
    }
    return `${file}:1`;
  };
  return { value: document.toJS(), at };
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

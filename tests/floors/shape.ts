import { posix } from 'node:path';
import { lineNumberAt, parse, identifierOf, type SyntaxNode, visit } from '../equipment/source/syntax.ts';
import { isTest } from '../equipment/source/repository.ts';

/** The most that a reader is asked to hold in mind at once. */
export const limits = { functionLines: 60, fileLines: 400, testFileLines: 600, filesPerFolder: 15 } as const;

/**
 * Functions of a file that are too long, as "line N: NAME has M lines". Two kinds may be longer: functions that register tests, and the tables of
 * rules of a game.
 */
export function longFunctions(path: string, text: string): readonly string[] {
  if (linesOf(text) <= limits.functionLines) return [];
  const found: string[] = [];
  visit(parse(path, text), (node, parent) => {
    if (!isFunction(node)) return;
    const lines = linesOf(text.slice(node.start, Number(node['end'])));
    if (lines <= limits.functionLines || (isTest(path) && registersTests(text.slice(node.start, Number(node['end'])), text, parent)))
      return;
    const name = identifierOf(node['id']) ?? identifierOf(parent?.['id']) ?? identifierOf(parent?.['key']) ?? 'a function';
    if (isRuleTable(path, name)) return;
    found.push(`line ${lineNumberAt(text, node.start)}: ${name} has ${lines} lines`);
  });
  return found;
}

/** "N lines" when a file is too long. */
export function fileTooLong(path: string, text: string): string | undefined {
  const lines = linesOf(text.trimEnd());
  return lines > (isTest(path) ? limits.testFileLines : limits.fileLines) ? `${lines} lines` : undefined;
}

/** Folders with too many source files, as "FOLDER: N files". Specs and suites do not count. */
export function crowdedFolders(files: readonly string[]): readonly string[] {
  const counts = Map.groupBy(
    files.filter((path) => !isTest(path)),
    (path) => posix.dirname(path),
  );
  return [...counts]
    .filter(([, inside]) => inside.length > limits.filesPerFolder)
    .map(([folder, { length }]) => `${folder}: ${length} files`);
}

/** `rulesOf` of a rule set reads like its rule book: what is dealt, what follows each question, who sees what. */
const isRuleTable = (path: string, name: string): boolean => /^(libs\/games\/[^/]+|tests\/example-game)\//.test(path) && name === 'rulesOf';

const linesOf = (text: string): number => text.split('\n').length;

const isFunction = ({ type }: SyntaxNode): boolean =>
  type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';

/** Whether a function is the callback of describe, it or a hook, or calls them. */
function registersTests(body: string, text: string, parent: SyntaxNode | undefined): boolean {
  const caller = parent?.type === 'CallExpression' ? text.slice(parent.start) : '';
  return /^(describe|it|test|(before|after)(Each|All))\b/.test(caller) || /\b(describe|it|test)(\.\w+)*\(/.test(body);
}

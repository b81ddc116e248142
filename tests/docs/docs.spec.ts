import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { envelope } from '@maw/contracts/envelope.ts';
import { asking, holder, tableSummary } from '@maw/contracts/messages/schemas.ts';
import type { Life } from '@maw/games/match/match.ts';
import type { Question } from '@maw/games/kernel/question.ts';
import { REASONS } from '@maw/contracts/refusal.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { recipes } from '@maw/minds/recipes.ts';
import { repositoryFiles, root } from '../equipment/source/repository.ts';
import { anchorsOf, linksOf } from './links.ts';
import { pages } from './pages.ts';

const files = repositoryFiles();
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const written = await pages();

describe('generated pages', () => {
  it.each([...written.keys()])('%s is up to date; otherwise run: npm run docs', (path) => {
    expect(existsSync(join(root, path)) ? read(path) : 'it is not there').toBe(written.get(path));
  });

  it('cover every program with a config.ts', () => {
    const programs = files.flatMap((path) => /^services\/([^/]+)\/config\.ts$/.exec(path)?.[1] ?? []);
    expect(programs.length).toBeGreaterThanOrEqual(5);
    for (const program of programs) expect(written.get('docs/configuration.md')).toContain(`\n## ${program}\n`);
  });
});

describe('the links', () => {
  const markdown = files.filter((path) => path.endsWith('.md'));
  const resolved = (from: string, target: string) => posix.normalize(posix.join(posix.dirname(from), decodeURIComponent(target)));

  it('are found', () => {
    expect(markdown).toEqual(expect.arrayContaining(['docs/index.md', 'docs/messages.md', 'CONTRIBUTING.md']));
    expect(linksOf(read('docs/index.md')).length).toBeGreaterThan(10);
  });

  it.each(markdown)('of %s have existing targets', (path) => {
    const broken = linksOf(read(path)).flatMap(({ line, target }) => {
      const [to = '', anchor] = target.split('#');
      const there = to ? resolved(path, to) : path;
      if (!existsSync(join(root, there))) return [`line ${line}: there is no ${there}`];
      if (anchor === undefined || !there.endsWith('.md') || anchorsOf(read(there)).has(anchor)) return [];
      return [`line ${line}: ${there} has no heading #${anchor}`];
    });
    expect(broken).toEqual([]);
  });

  it('are parsed as Markdown, outside of code', () => {
    const page = [
      '[a](b.md "title") ![i](<i.png>) [web](https://x.org)',
      '`[no](c.md)`',
      '```',
      '[no](d.md)',
      '```',
      '[e]: f.md',
      '<img src="g.png">',
    ];
    expect(linksOf(page.join('\n')).map(({ target }) => target)).toEqual(['b.md', 'i.png', 'f.md', 'g.png']);
    expect([...anchorsOf('# A `b` c, d!\n## table.open\n## table.open\n```\n# no\n```')]).toEqual(['a-b-c-d', 'tableopen', 'tableopen-1']);
  });
});

/** Unions have no values at run time; the compiler keeps these lists complete. */
const keys = <T extends string>(all: Record<T, true>) => Object.keys(all);
const lives = keys<Life>({ GetName: true, Lobby: true, Awake: true, Asleep: true, Dead: true });
const settles = keys<Question['settles']>({ 'when-all-answer': true, 'on-majority': true, 'on-unanimity': true, 'by-the-clock': true });
const heard = keys<Question['heard']>({ 'at-once': true, 'when-settled': true, 'never': true });
const happened = keys<TableEvent['type']>({
  'asked': true,
  'answered': true,
  'passed': true,
  'settled': true,
  'majority-reached': true,
  'majority-lost': true,
  'ready': true,
  'hastened': true,
  'withdrawn': true,
  'refused': true,
  'delayed': true,
  'paused': true,
  'resumed': true,
});

describe('the words of the wire', () => {
  it.each([
    ['docs/reasons.md', 'reason', REASONS],
    ['docs/glossary.md', 'stage', tableSummary.shape.stage.options],
    ['docs/glossary.md', 'state of a player', lives],
    ['docs/glossary.md', 'verb', asking.shape.verb.options],
    ['docs/glossary.md', 'way to settle', settles],
    ['docs/glossary.md', 'way to be heard', heard],
    ['docs/glossary.md', 'event of the table', happened],
    ['docs/glossary.md', 'holder', holder.options],
    ['docs/glossary.md', 'performative', envelope.shape.performative.options],
    ['docs/minds.md', 'recipe', recipes.map(({ name }) => name)],
  ])('%s explains every %s', (path, _, words) => {
    const page = read(path);
    expect(words.length).toBeGreaterThan(1);
    expect(words.filter((word) => !page.includes(`\`${word}\``))).toEqual([]);
  });

  it('are in alphabetical order', () => {
    const terms = [...read('docs/glossary.md').matchAll(/^\*\*([^*]+)\*\*/gm)].map(([, term]) => term!.toLowerCase());
    expect(terms.length).toBeGreaterThan(40);
    expect(terms).toEqual([...new Set(terms)].toSorted((a, b) => a.localeCompare(b, 'en')));
  });
});

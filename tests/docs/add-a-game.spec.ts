import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Rules } from '@maw/games/kernel/rules.ts';
import { buildTree } from '@maw/games/tree/tree.ts';
import { root } from '../equipment/source/repository.ts';
import { cuckoo } from '../example-game/cuckoo.ts';
import { LAWS } from '../equipment/laws/check-laws.ts';
import { quoting } from './quoted-file.ts';

const page = readFileSync(join(root, 'docs/games/add-a-game.md'), 'utf8');

/** Types have no values at run time; the compiler keeps these lists complete. */
const keys = <T extends string>(all: Record<T, true>) => Object.keys(all);
const ofSet = keys<keyof RuleSet>({
  name: true,
  version: true,
  says: true,
  players: true,
  options: true,
  sides: true,
  optionalRoles: true,
  periods: true,
  marks: true,
  nightfall: true,
  decisions: true,
  language: true,
  record: true,
  readDeal: true,
  rules: true,
  text: true,
});
const ofRules = keys<Exclude<keyof Rules<unknown, { type: string }>, 'name'>>({
  begin: true,
  deal: true,
  narrow: true,
  admit: true,
  defaults: true,
  follow: true,
  evolve: true,
  delay: true,
  see: true,
  out: true,
  secretPhase: true,
  readyOnceAnswered: true,
  outcome: true,
  tell: true,
  announce: true,
  brief: true,
});

describe('docs/games/add-a-game.md', () => {
  it('shows the whole file of the example game', () => {
    const code = readFileSync(join(root, 'tests/example-game/cuckoo.ts'), 'utf8');
    expect(page).toContain(`<!-- tests/example-game/cuckoo.ts -->\n\n\`\`\`ts\n${code}\`\`\`\n`);
    expect(quoting(page, 'tests/example-game/cuckoo.ts', code)).toBe(page);
  });

  it('explains every part of a rule set and of rules', () => {
    for (const part of [...ofSet, ...ofRules]) expect(page).toMatch(new RegExp(`^\\| \`${part}\` +\\| .{15,} \\|$`, 'm'));
  });

  it('lists every law', () => {
    for (const { says } of Object.values(LAWS)) expect(page).toContain(`\n- ${says}\n`);
  });

  it('states the correct size of the game tree', () => {
    // One of three is the cuckoo, which chooses one of two nests; then each points at one of two others.
    expect(buildTree(cuckoo.rules(3, {}), 3).size.end).toBe(3 * 2 * 2 ** 3);
    expect(page).toContain('finds all 48 ways in which three players can play Cuckoo');
  });
});

describe('a page that shows a file', () => {
  const before = 'A\n\n<!-- a.ts -->\n\n```ts\nold\n```\n\nB\n';

  it('shows its current content', () => {
    expect(quoting(before, 'a.ts', 'const a = 1;\nconst b = `\n`;\n')).toBe(
      'A\n\n<!-- a.ts -->\n\n```ts\nconst a = 1;\nconst b = `\n`;\n```\n\nB\n',
    );
  });

  it.each(['A', '<!-- b.ts -->\n\n```ts\n```\n', '<!-- a.ts -->\n\nno code'])('fails without a place for it: %j', (text) => {
    expect(() => quoting(text, 'a.ts', '')).toThrow('the page has no block of code after <!-- a.ts -->');
  });
});

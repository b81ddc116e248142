import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root, sourceFiles } from '../equipment/source/repository.ts';
import { ownTexts } from './page-texts.ts';

describe('the pages of the console', () => {
  it('take every text from the text files, so that one file can be translated', () => {
    const pages = sourceFiles().filter((path) => /^apps\/console\/.*\.tsx$/.test(path));
    expect(pages.length).toBeGreaterThan(40);
    expect(pages.flatMap((path) => ownTexts(path, readFileSync(join(root, path), 'utf8')).map((found) => `${path}: ${found}`))).toEqual([]);
  });
});

describe('ownTexts', () => {
  it.each([
    ['<p>Hello there</p>', 'Hello there'],
    ['<p>{isOpen ? "open" : `closed ${n}`}</p>', 'open,closed'],
    ['<p>{count && "some"}</p>', 'some'],
    ['<p>{"in " + name}</p>', 'in'],
    ['<button aria-label="Close" />', 'Close'],
    ['<Field label={`Seat ${n}`} />', 'Seat'],
  ])('finds it in %s', (jsx, texts) => {
    expect(
      ownTexts('a.tsx', `const a = ${jsx};`)
        .map((line) => line.replace('line 1: ', ''))
        .join(),
    ).toBe(texts);
  });

  it('finds none in signs, names, conditions and what is looked up', () => {
    const jsx = '<p className="row" key="abc">{en.app.name} {kind === "over" && "×"} {fill(en.x, { a: "bc" })} 1 %</p>';
    expect(ownTexts('a.tsx', `const a = ${jsx};`)).toEqual([]);
  });
});

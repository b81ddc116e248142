import { describe, expect, it } from '@jest/globals';
import { documentation, readPage, runCodeBlocks, takesLong } from './code-blocks.ts';

// Pages whose commands play with a model, in real time: half an hour in all, so they are run on request.
const isWanted = process.env['MAW_SLOW_PAGES'] === 'yes';
const here = isWanted ? describe : describe.skip;

here(
  `the commands of the documentation that play in real time${isWanted ? '' : ' (not run: they take half an hour; set MAW_SLOW_PAGES=yes)'}`,
  () => {
    it.each(documentation.filter((path) => takesLong(readPage(path))))(
      'of %s run without an error',
      async (path) => {
        for (const output of await runCodeBlocks(readPage(path))) expect(output.trim()).not.toBe('');
      },
      1_800_000,
    );
  },
);

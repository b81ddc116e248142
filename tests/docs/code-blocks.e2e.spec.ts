import { describe, expect, it } from '@jest/globals';
import { documentation, readPage, runCodeBlocks, takesLong } from './code-blocks.ts';

// Pages whose commands play with a model, in real time.
describe('the commands of the documentation that play in real time', () => {
  it.each(documentation.filter((path) => takesLong(readPage(path))))(
    'of %s run without an error',
    async (path) => {
      for (const output of await runCodeBlocks(readPage(path))) expect(output.trim()).not.toBe('');
    },
    1_800_000,
  );
});

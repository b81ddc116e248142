import { getPriority } from 'node:os';
import { expect, it } from '@jest/globals';
import { runNode } from './child.ts';

it('lowers the priority of a background program, and of what it starts', async () => {
  const program = `
    const { getPriority } = require('node:os');
    const timer = setInterval(() => {
      if (getPriority() === ${getPriority()}) return;
      clearInterval(timer);
      console.log(getPriority(), require('node:child_process').execFileSync(process.execPath, ['-p', 'os.getPriority()']).toString());
    }, 5);`;
  const { output } = await runNode(['-e', program], { cwd: import.meta.dirname, isBackground: true });
  const [own, ofChild] = output.trim().split(/\s+/).map(Number);
  expect([own! > getPriority(), ofChild]).toEqual([true, own]);
});

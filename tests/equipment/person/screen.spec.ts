import { expect, it } from '@jest/globals';
import { createScreen } from './screen.ts';

it('keeps what was written for good, and drops a status that was written anew', () => {
  const screen = createScreen();
  const status = (left: string) => `${left} left\r\nvote: /vote Ada\r\n> `;
  screen.write(`Ada: hello\r\n${status('0:02')}`);
  screen.write(`\u001b[2A\r\u001b[J${status('0:01')}\u001b[3G`);
  screen.write(`\u001b[2A\r\u001b[JBob: hi\r\n${status('0:00')}`);
  expect(screen.lines).toEqual(['Ada: hello', 'Bob: hi', '0:00 left', 'vote: /vote Ada', '> ']);
});

import { spawn } from 'node:child_process';
import type { Account } from './account.ts';

/** Runs a program and returns its exit code and output. Does not throw: the code of a program that does not exist is 127. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly env?: Record<string, string>; readonly account?: Account | undefined } = {},
): Promise<{ readonly code: number; readonly output: string }> {
  const { account, env } = options;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(env && { env }),
      ...(account && { uid: account.uid, gid: account.gid }),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()));
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, output: output.trim() }));
  });
}

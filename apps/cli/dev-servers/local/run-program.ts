import { spawn } from 'node:child_process';
import type { Account } from './account.ts';

/** Runs a program to its end and returns its exit code and all it said. Does not throw: a program that is not there has the code 127. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly env?: Record<string, string>; readonly account?: Account | undefined } = {},
): Promise<{ readonly code: number; readonly said: string }> {
  const { account, env } = options;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(env && { env }),
      ...(account && { uid: account.uid, gid: account.gid }),
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()));
    child.once('error', (error) => resolve({ code: 127, said: error.message }));
    child.once('close', (code) => resolve({ code: code ?? 1, said: said.trim() }));
  });
}

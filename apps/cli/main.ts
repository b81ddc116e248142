import { nodeProblem } from '@maw/service/node-problem.ts';
import { runCli } from './program.ts';

const problem = nodeProblem();
if (problem !== undefined) {
  process.stderr.write(`maw: ${problem}\n`);
  process.exit(1);
}
const stop = new AbortController();
let received: NodeJS.Signals | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (received) process.exit(signal === 'SIGINT' ? 130 : 143); // the second signal does not wait
    received = signal;
    stop.abort();
  });
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0); // the reader has closed the pipe: `maw tape T | head`
  throw error;
});

const code = await runCli(process.argv.slice(2), stop.signal);
process.exitCode = code === 130 && received === 'SIGTERM' ? 143 : code;

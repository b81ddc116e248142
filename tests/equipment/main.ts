/** `maw test` and `maw bench`: what the launcher starts here instead of the command line, so that no product file imports it. */
const [command, ...args] = process.argv.slice(2);

const stop = new AbortController();
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.on(signal, () => {
    if (stop.signal.aborted) process.exit(code);
    stop.abort();
  });
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0); // the reader has closed the pipe
  throw error;
});
if (command === 'test') {
  const { runTests } = await import('./runner/main.ts');
  process.exit(await runTests(args)); // a handle that a test left open must not keep the run alive
}
if (command !== 'bench') throw new Error(`tests/equipment/main.ts knows test and bench, not ${command ?? 'nothing'}`);
const { runBench } = await import('@maw/bench/main.ts');
process.exit(await runBench(args[0], args.slice(1), stop.signal));

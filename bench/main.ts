import type { Benchmark } from './benchmark.ts';
import { benchmarks } from './registry.ts';

/** `maw bench NAME|all [options]`. Returns the exit code. */
export async function runBench(name: string | undefined, args: readonly string[], signal: AbortSignal): Promise<number> {
  const chosen = benchmarks.filter((each) => each.name === name || (name === 'all' && each.isInAll));
  if (!chosen.length) {
    const isHelp = name === '--help' || name === 'help';
    process[isHelp ? 'stdout' : 'stderr'].write(
      `maw bench NAME [options], where NAME is one of\n${list()}\nmaw bench NAME --help lists its options\n`,
    );
    return isHelp ? 0 : 2;
  }
  let code = 0;
  for (const each of chosen) code ||= await each.run(args, signal);
  return code;
}

const list = (): string => {
  const line = ({ name, description }: Pick<Benchmark, 'name' | 'description'>): string => `  ${name.padEnd(16)} ${description}\n`;
  return [
    {
      name: 'all',
      description: `one after another: ${benchmarks
        .filter(({ isInAll }) => isInAll)
        .map(({ name }) => name)
        .join(', ')}`,
    },
    ...benchmarks,
  ]
    .map(line)
    .join('');
};

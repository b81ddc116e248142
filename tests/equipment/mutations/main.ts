import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chooseMutants } from './choose.ts';
import type { Mutant } from './mutant.ts';
import { runMutants } from './run.ts';

const usage = `npm run mutations -- [--count 60] [--seed TEXT] [--mutants FILE] [--results FILE]
Changes the product at places chosen by chance and runs the unit specs that reach each place: a change that no spec notices survives.
--mutants FILE   the mutants: read when the file exists, otherwise chosen and written there (default: mutants.json)
--results FILE   the verdicts; run again to resume (default: mutants-results.json)
Works in this checkout: commit first, and edit nothing meanwhile.
`;

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: 'mutants' },
    mutants: { type: 'string', default: 'mutants.json' },
    results: { type: 'string', default: 'mutants-results.json' },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write(usage);
} else {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  if (!existsSync(values.mutants)) {
    writeFileSync(values.mutants, `${JSON.stringify(chooseMutants(Number(values.count), values.seed), null, 2)}\n`);
  }
  const mutants: readonly Mutant[] = JSON.parse(readFileSync(values.mutants, 'utf8'));
  const verdicts = await runMutants(mutants, values.results, (line) => process.stdout.write(`${line}\n`), stop.signal);
  const all = Object.values(verdicts);
  process.stdout.write(`${all.filter(({ killedBy }) => killedBy !== null).length} of ${all.length} mutants killed\n`);
}

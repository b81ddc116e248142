import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';
import { oneFailed, noTests, type Outcome, sum } from '../tally.ts';

/** What we need of the file that Jest writes with --json --outputFile. */
const Report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })),
    }),
  ),
});

/**
 * Counts a report and names what failed. `asked`: the absolute paths of the suites that should have run. Failures are also: a suite that is not in the
 * report, a suite that broke outside of its tests, and an exit code other than 0 without a failed test.
 */
export function countReport(json: string, asked: readonly string[], exitCode: number, relative: (path: string) => string): Outcome {
  const { testResults } = Report.parse(JSON.parse(json));
  const ran = new Set(testResults.map((suite) => suite.name));
  const suites = testResults.map((suite): Outcome => {
    const count = (...statuses: string[]) => suite.assertionResults.filter(({ status }) => statuses.includes(status)).length;
    const tests = {
      ...noTests,
      passed: count('passed'),
      failed: count('failed'),
      skipped: count('pending', 'todo', 'skipped', 'disabled'),
    };
    const broken = suite.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `failed: ${relative(suite.name)}: ${fullName}`);
    if (suite.status !== 'failed' || tests.failed > 0) return { ...tests, notes: broken };
    return sum([tests, oneFailed(`${relative(suite.name)} did not run to its end: ${firstLine(suite.message)}`)]);
  });
  const missing = asked.filter((path) => !ran.has(path)).map((path) => oneFailed(`${relative(path)} was not run`));
  const all = sum([...suites, ...missing]);
  return exitCode !== 0 && all.failed === 0 ? sum([all, oneFailed(`Jest ended with exit code ${exitCode} though no test failed`)]) : all;
}

function firstLine(message: string): string {
  const lines = stripVTControlCharacters(message).split('\n');
  return lines.map((line) => line.trim()).find((line) => line && !line.startsWith('●')) ?? 'no message';
}

/** The result of a check, a suite or a whole run. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** A line for each failed test, and for each check or suite that failed or was skipped as a whole. */
  readonly notes: readonly string[];
}

export const noTests: Outcome = { passed: 0, failed: 0, skipped: 0, notes: [] };

/** One check that passed. */
export const onePassed: Outcome = { ...noTests, passed: 1 };

/** One check that failed, or one suite that did not run to its end. */
export function oneFailed(note: string): Outcome {
  return { ...noTests, failed: 1, notes: [`failed: ${note}`] };
}

/** One suite that could not be run here. */
export function oneSkipped(note: string): Outcome {
  return { ...noTests, skipped: 1, notes: [`skipped: ${note}`] };
}

/** Adds results up. */
export function sum(outcomes: readonly Outcome[]): Outcome {
  return outcomes.reduce(
    (all, each) => ({
      passed: all.passed + each.passed,
      failed: all.failed + each.failed,
      skipped: all.skipped + each.skipped,
      notes: [...all.notes, ...each.notes],
    }),
    noTests,
  );
}

/** The last line of a run. */
export function lastLine({ passed, failed, skipped }: Outcome): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

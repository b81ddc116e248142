/** Node strips the types itself, so nothing is transformed. The kind of a test is in its name: *.spec.ts, *.int.spec.ts, *.e2e.spec.ts. */
export default {
  testEnvironment: './tests/equipment/runner/jest/environment.ts',
  transform: {},
  extensionsToTreatAsEsm: ['.ts'],
  testMatch: ['**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/.maw/'],
  testTimeout: 600_000, // a busy machine is slow, not wrong
  modulePathIgnorePatterns: ['/.maw/'],
  workerGracefulExitTimeout: 10_000, // a worker whose heap has grown to a gigabyte takes longer to exit than the default of half a second
};

import { type Figure, figuresTable, machine } from './figures.ts';
import { flag, integer, type Options, optionsHelp, readOptions, UsageError, type Values } from './options.ts';

/** What a running benchmark is given besides its options. */
export interface BenchmarkContext {
  readonly signal: AbortSignal;
  /** The arguments as given, for the command that continues an interrupted run. */
  readonly args: readonly string[];
  /** Reports progress on stderr. */
  say(line: string): void;
}

export interface BenchmarkResult {
  /** Markdown, without the heading and the machine. */
  readonly text: string;
  /** With --json: one line each. */
  readonly json: readonly object[];
  /** Whether something was found that is wrong: exit code 1. */
  readonly hasFailed?: boolean;
}

/** An entry of the registry: `maw bench NAME`. */
export interface Benchmark {
  readonly name: string;
  /** One line. */
  readonly description: string;
  /** Whether `maw bench all` runs it. Such benchmarks have the options --runs and --games. */
  readonly isInAll: boolean;
  /** Returns the exit code: 0, 1 (something is wrong), 2 (wrong arguments), 130 (interrupted). */
  run(args: readonly string[], signal: AbortSignal): Promise<number>;
}

export interface BenchmarkDefinition<S extends Options> {
  readonly name: string;
  readonly description: string;
  readonly options: S;
  readonly isInAll?: boolean;
  /** Why the benchmark cannot run on this machine; undefined when it can. */
  readonly findObstacle?: () => Promise<string | undefined>;
  /**
   * Undefined: interrupted, with nothing to print. What is thrown after an interruption is ignored.
   * @throws UsageError
   */
  measure(values: Values<S>, context: BenchmarkContext): Promise<BenchmarkResult | undefined>;
}

const COMMON = { json: flag('print JSON lines instead of a table'), help: flag('show this help') };

export function benchmark<S extends Options>(definition: BenchmarkDefinition<S>): Benchmark {
  const { name, description, options, isInAll = false } = definition;
  const usage = `maw bench ${name} [options]: ${description}\n\n${optionsHelp({ ...options, ...COMMON })}`;
  return {
    name,
    description,
    isInAll,
    async run(args, signal) {
      try {
        const values = readOptions<Options>({ ...options, ...COMMON }, args) as Values<S> & Values<typeof COMMON>;
        if (values.help) {
          process.stdout.write(usage);
          return 0;
        }
        return await runMeasurement(definition, { values, args, json: values.json, signal });
      } catch (error) {
        if (signal.aborted) return 130;
        if (!(error instanceof UsageError)) throw error;
        process.stderr.write(`${error.message}\n\n${usage}`);
        return 2;
      }
    },
  };
}

/** A benchmark that repeats a measurement and reports each figure with its median and range. */
export const figuresBenchmark = (
  name: string,
  description: string,
  measure: (values: { readonly runs: number; readonly games: number }, context: BenchmarkContext) => Promise<readonly Figure[]>,
): Benchmark =>
  benchmark({
    name,
    description,
    isInAll: true,
    options: {
      runs: integer('how often it is measured', { fallback: 5 }),
      games: integer('games at once, where games are played', { fallback: 100 }),
    },
    measure: async (values, context) => {
      const figures = (await measure(values, context)).filter(({ runs }) => runs.length > 0); // an interrupted run has fewer
      return figures.length > 0 ? figuresResult(figures) : undefined;
    },
  });

export const figuresResult = (figures: readonly Figure[]): BenchmarkResult => ({ text: figuresTable(figures), json: figures });

/** The arguments of a run that continues an interrupted one: `options` replace those that were given. */
export function argsWith(args: readonly string[], options: { readonly [name: string]: string | number }): string {
  const replaced = (arg: string | undefined): boolean => Object.keys(options).some((name) => arg === `--${name}`);
  const kept = args.filter(
    (arg, i) => !replaced(arg) && !replaced(args[i - 1]) && !Object.keys(options).some((name) => arg.startsWith(`--${name}=`)),
  );
  return [...kept, ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])].join(' ');
}

interface Call<S extends Options> {
  readonly values: Values<S>;
  readonly args: readonly string[];
  readonly json: boolean;
  readonly signal: AbortSignal;
}

async function runMeasurement<S extends Options>(
  definition: BenchmarkDefinition<S>,
  { values, args, json, signal }: Call<S>,
): Promise<number> {
  const obstacle = await definition.findObstacle?.();
  if (obstacle !== undefined) {
    process.stderr.write(`${obstacle}\n`);
    return 1;
  }
  const say = (line: string): void => void process.stderr.write(`bench: ${line}\n`);
  const { name, description } = definition;
  say(`${name}: ${description}`);
  say(machine());
  const onInterrupt = (): void => say('interrupted: the measurement that runs is ended first; Ctrl-C again exits at once');
  signal.addEventListener('abort', onInterrupt, { once: true });
  const result = await definition.measure(values, { signal, args, say }).finally(() => signal.removeEventListener('abort', onInterrupt));
  if (result)
    process.stdout.write(
      json
        ? result.json.map((line) => `${JSON.stringify({ bench: name, machine: machine(), ...line })}\n`).join('')
        : `\n### ${name}: ${description}\n\n${machine()}\n\n${result.text}\n`,
    );
  else if (signal.aborted) say('nothing was measured before the interruption');
  if (signal.aborted) return 130;
  return result?.hasFailed ? 1 : 0;
}

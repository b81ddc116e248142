/** The parts of a test run, in their order. */
export const stages = ['static', 'unit', 'int', 'e2e'] as const;
export type Stage = (typeof stages)[number];

/**
 * What a run is for. `plain`: lint, types, unit, integration and one end-to-end game of each rule set. `storms`: what takes long, because it kills,
 * floods, searches or repeats. `containers`: the shipped image and docker-compose.yml, with a Docker engine. `engine`: games with a real model.
 * `real`: a system that is watched by the real collector, Jaeger, Prometheus and Alertmanager.
 */
export const suites = ['plain', 'storms', 'containers', 'engine', 'real'] as const;
export type Suite = (typeof suites)[number];

/** The options of the command line. */
export interface Options {
  readonly suites: readonly Suite[];
  readonly stages: readonly Stage[];
  /** Only test files with one of these in their path are run. */
  readonly paths: readonly string[];
  /** Only tests whose name matches this regular expression are run. */
  readonly name?: string;
  /** Whether servers may be started in Docker, and from Debian packages that are installed first. */
  readonly docker: boolean;
  readonly install: boolean;
  readonly help: boolean;
}

/** An unknown option, or one without its value. */
export class BadOption extends Error {
  override name = 'BadOption';
}

export const usage = `maw test [--storms] [--containers] [--engine] [--real] [--all] [--only STAGES] [-t PATTERN] [--no-docker] [--no-install] [PATH...]

                  lint, types, unit and integration tests, and one end-to-end game of each rule set
  --storms        instead: chaos, kills, leak hunts, schedules, fuzzing, and all other end-to-end tests
  --containers    instead: the tests of the shipped image, with a Docker engine
  --engine        instead: games with a real model, of an Ollama server or of tests/engine/get.sh
  --real          instead: a system watched by the real collector, Jaeger, Prometheus and Alertmanager of tests/real/get.sh
  --all           everything that can run here; what cannot is named, with the reason
  --only STAGES   some of ${stages.join(',')} (comma-separated, or given several times)
  -t PATTERN      only the tests whose name matches this regular expression
  --no-docker     start no servers in Docker
  --no-install    install no Debian packages
  PATH            only the test files with this in their path

RabbitMQ and PostgreSQL: those in AMQP_URL and DATABASE_URL; else started in Docker; else from the programs on this machine;
else (as root, on Debian) installed first. -t and PATH choose among all suites, and leave out the static checks unless --only names them.
`;

/** Reads the arguments of `maw test`. Throws `BadOption`. */
export function readOptions(args: readonly string[]): Options {
  const only: Stage[] = [];
  const named: Suite[] = [];
  const paths: string[] = [];
  const set = { docker: true, install: true, help: false };
  let name: string | undefined;
  const rest = args.flatMap((arg) => (/^--\w+=/.test(arg) ? [arg.slice(0, arg.indexOf('=')), arg.slice(arg.indexOf('=') + 1)] : [arg]));
  const valueOf = (option: string) => {
    const value = rest.shift();
    if (value === undefined || value === '') throw new BadOption(`${option} needs a value; see maw test --help`);
    return value;
  };
  while (rest.length) {
    const arg = rest.shift()!;
    if (arg === '--only') only.push(...valueOf(arg).split(',').map(stageOf));
    else if (arg === '-t' || arg === '--testNamePattern') name = valueOf(arg);
    else if (suites.some((suite) => arg === `--${suite}` && suite !== 'plain')) named.push(arg.slice(2) as Suite);
    else if (arg === '--all') named.push(...suites);
    else if (arg === '--no-docker') set.docker = false;
    else if (arg === '--no-install') set.install = false;
    else if (arg === '-h' || arg === '--help') set.help = true;
    else if (arg.startsWith('-')) throw new BadOption(`unknown option ${arg}; see maw test --help`);
    else paths.push(arg);
  }
  const narrowed = paths.length > 0 || name !== undefined;
  const isWanted = (suite: Suite) => (named.length ? named.includes(suite) : narrowed || suite === 'plain');
  const chosen = suites.filter(isWanted);
  const hasStatic = chosen.includes('plain') && !narrowed;
  const ofStages = stages.filter((stage) => (only.length ? only.includes(stage) : hasStatic || stage !== 'static'));
  return { ...set, suites: chosen, stages: ofStages, paths, ...(name !== undefined && { name }) };
}

function stageOf(word: string): Stage {
  const stage = stages.find((each) => each === word);
  if (!stage) throw new BadOption(`--only takes ${stages.join(', ')}, not ${JSON.stringify(word)}`);
  return stage;
}

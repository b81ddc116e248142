import { issueWords } from '@maw/recipes/issue-words.ts';
import { issueTexts } from '@maw/recipes/yaml-file.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { recipes as allRecipes } from '@maw/minds/recipes.ts';
import { recipeOf } from './agent-recipe.ts';
import { mistakesOf, partMistakes } from './contest-mistakes.ts';
import { type Agent, type Contest, ContestError, contestShape, openContest } from './definition.ts';

export interface ReadContestOptions {
  /** The path of the file, for messages. */
  readonly file?: string;
  /** Whether agents may name the files of their recipes: only where whoever wrote the contest may read any file. */
  readonly allowsFiles?: boolean;
}

/**
 * Reads a contest from YAML or JSON, and checks all of it. Its agents have all parameters of their recipes, those left out with their defaults.
 * @throws ContestError with every mistake
 */
export function readContest(
  text: string,
  recipes: readonly Recipe[] = allRecipes,
  { file = 'contest.yaml', allowsFiles = false }: ReadContestOptions = {},
): Contest {
  const { value, at } = openContest(file, text);
  return checkContest(value, recipes, { allowsFiles, at });
}

interface CheckOptions extends Pick<ReadContestOptions, 'allowsFiles'> {
  /** Says where a path is, for messages. */
  readonly at?: (path: readonly PropertyKey[]) => string;
}

/**
 * Checks a contest that is no text, as `readContest` does.
 * @throws ContestError with every mistake
 */
export function checkContest(value: unknown, recipes: readonly Recipe[], given: CheckOptions = {}): Contest {
  const { allowsFiles = false, at = () => 'contest' } = given;
  const read = contestShape.safeParse(value, { error: issueWords });
  const found = read.success ? mistakesOf(read.data, recipes, { allowsFiles }) : partMistakes(value, recipes, { allowsFiles });
  const mistakes = [
    ...(read.error?.issues ?? []).flatMap((issue) => issueTexts(issue, at)),
    ...found.map(({ path, says }) => `${at(path)}: ${path.length ? `${path.join('.')}: ` : ''}${says}`),
  ];
  if (!read.success || mistakes.length) throw new ContestError(mistakes.toSorted((a, b) => lineOf(a) - lineOf(b)));
  const { schedule } = read.data;
  return {
    ...read.data,
    schedule: schedule.kind === 'set' || schedule.kind === 'aiwolf-2021' ? { ...schedule, even: true } : schedule,
    agents: read.data.agents.map((agent) => (agent.outside === undefined ? withRecipe(agent, recipeOf(agent, recipes)) : agent)),
  };
}

/** The line that a mistake begins with; 0: it has none. */
const lineOf = (mistake: string): number => Number(/^[^ ]*:(\d+): /.exec(mistake)?.[1] ?? 0);

/** An agent with all parameters, and with what its recipe says now. */
function withRecipe(agent: Agent, recipe: Recipe): Agent {
  const { fingerprint: _, ...rest } = agent;
  const { fingerprint } = recipe;
  return { ...rest, parameters: givenValues(recipe), ...(fingerprint === undefined ? {} : { fingerprint }) };
}

/** Empty texts are left out: they are defaults, and no value that a file or a message may give. */
const givenValues = ({ values = {} }: Recipe): NonNullable<Contest['agents'][number]['parameters']> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { preview } from '@maw/games/kernel/preview.ts';
import type { Agent, Contest } from './definition.ts';

/**
 * What an agent is, whatever its name: the name that it connects with, or its recipe with what its files say, its model and all its parameters, among them versions of pools and
 * strategies. Agents that `readContest` returns have every parameter.
 */
export const agentHash = (agent: Agent): string => createHash('sha256').update(JSON.stringify(partsOf(agent))).digest('hex').slice(0, 16); // prettier-ignore

const CONTENT = 'content of its recipe';

function partsOf({
  recipe,
  outside,
  over,
  fingerprint,
  model,
  learns,
  parameters = {},
}: Agent): readonly (readonly [string, string | number | boolean])[] {
  if (outside !== undefined) return [['outside', outside], ...(over ? [['over', over] as const] : [])];
  return [
    ['recipe', recipe ?? ''],
    ...(fingerprint === undefined ? [] : [[CONTENT, fingerprint] as const]),
    ['model', model ?? 'the default'],
    ...(learns ? [['learns', learns] as const] : []),
    ...Object.entries(parameters).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ];
}

/**
 * Why a contest cannot go on as another file has it; empty when it can. Its texts, prices, limit of cost and tables at once may change, and
 * it may get longer.
 * @param begun as it was opened
 * @param now as the file has it now; both from `readContest`
 */
export function resumeMistakes(begun: Contest, now: Contest): readonly string[] {
  const mistakes: string[] = [];
  for (const agent of begun.agents) {
    const other = now.agents.find(({ name }) => name === agent.name);
    if (!other) mistakes.push(`the agent ${agent.name} is gone; put it back, or give the contest another name`);
    else mistakes.push(...changeTexts(agent, other));
  }
  if (!mistakes.length && JSON.stringify(namesOf(begun)) !== JSON.stringify(namesOf(now)))
    mistakes.push('agents were added or stand in another order: put them back as they were, or give the contest another name');
  const changed = (['games', 'measures', 'play'] as const).flatMap((part) => differences(begun[part], now[part], [part]));
  // The seed is a secret while tables run, so it is not told here.
  if (begun.seed !== now.seed) mistakes.push('seed is not the one with which the contest was begun; leave it out, and it stays as it is');
  if (changed.length) mistakes.push(`${changed.map(differenceText).join(', ')}; ${changed.some(isTime) ? TIMES_REMEDY : REMEDY}`);
  if (!isDeepStrictEqual(begun.stopping.sprt, now.stopping.sprt))
    mistakes.push(`stopping.sprt has changed: a test whose terms change while it runs says nothing; ${REMEDY}`);
  mistakes.push(...scheduleMistakes(begun.schedule, now.schedule));
  return mistakes;
}

/** A value that is not what it was. */
interface Difference {
  readonly path: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

/** Where two values of the same shape differ, leaf by leaf. */
function differences(before: unknown, after: unknown, path: readonly string[]): readonly Difference[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    differences(before[key], after[key], [...path, key]),
  );
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } => typeof value === 'object' && value !== null;

const isTime = ({ path }: Difference): boolean => path.at(-1)!.endsWith('Ms');

function differenceText(difference: Difference): string {
  const text = (value: unknown): string => {
    if (value === undefined) return 'absent';
    if (typeof value === 'string') return value;
    return isTime(difference) && typeof value === 'number' ? `${value / 1000} s` : preview(value);
  };
  const { path, before, after } = difference;
  return `${path.join('.')} was ${text(before)} when the contest was begun and is ${text(after)}`;
}

const REMEDY = 'put it back, or give the contest another name';
const TIMES_REMEDY = `${REMEDY} (--seconds gives the times that the file leaves out)`;
const namesOf = ({ agents }: Contest): readonly string[] => agents.map(({ name }) => name);

/** The number that makes a schedule longer without changing what is planned already. */
const LENGTHS: readonly string[] = ['deals', 'sets', 'final'];

function scheduleMistakes(begun: Contest['schedule'], now: Contest['schedule']): readonly string[] {
  if (now.kind !== begun.kind) return [`schedule.kind was ${begun.kind} when the contest was begun, and is ${now.kind}; ${REMEDY}`];
  const later = new Map(Object.entries(now));
  const changed = Object.entries(begun).filter(([part, value]) => {
    const other = later.get(part);
    return LENGTHS.includes(part) ? !(Number(other) >= Number(value)) : JSON.stringify(other) !== JSON.stringify(value);
  });
  return changed.map(([part, value]) =>
    LENGTHS.includes(part)
      ? `schedule.${part}: it was ${value} and may only grow, not be ${later.get(part)}; ${REMEDY}`
      : `schedule.${part} was ${JSON.stringify(value)} when the contest was begun; ${REMEDY}`,
  );
}

function changeTexts(before: Agent, now: Agent): readonly string[] {
  const old = new Map(partsOf(before));
  const other = new Map(partsOf(now));
  // Contests that were begun by an older version know nothing of the content.
  const isKnown = old.has(CONTENT) && other.has(CONTENT);
  const changed = [...new Set([...old.keys(), ...other.keys()])].flatMap((part) => {
    if (old.get(part) === other.get(part)) return [];
    if (part === CONTENT) return isKnown && before.recipe === now.recipe ? [`the recipe ${now.recipe}, or a prompt of it, was edited`] : [];
    return [`${part} was ${old.get(part) ?? 'absent'} and is ${other.get(part) ?? 'absent'}`];
  });
  return changed.length ? [`the agent ${now.name} has changed since the contest was begun (${changed.join(', ')}); ${REMEDY}`] : [];
}

/** A contest as it goes on: its sets are drawn as they were when it was begun. */
export function drawnAsBegun({ schedule: before }: Contest, now: Contest): Contest {
  if (!('even' in now.schedule) || 'even' in before) return now;
  const { even: _, ...schedule } = now.schedule;
  return { ...now, schedule };
}

import { isDeepStrictEqual } from 'node:util';
import { drawnAsBegun, resumeMistakes } from '@maw/lab/contests/agent-hash.ts';
import { type Contest, ContestError, contestShape } from '@maw/lab/contests/definition.ts';
import { checkContest, readContest } from '@maw/lab/contests/read-contest.ts';
import { learnersOf } from '@maw/lab/contests/schedules/carried.ts';
import { drawSeed, hasOutside, seedOf } from '@maw/lab/contests/seed.ts';
import { planOf } from '@maw/lab/contests/schedules/plan.ts';
import type { Message, ReplyData } from '@maw/contracts/contracts.ts';
import { contestId } from '@maw/contracts/messages/contest.ts';
import { Refusal } from '@maw/contracts/refusal.ts';
import type { StoredContest } from '@maw/store/ports/contests.ts';
import { MAX_CHARS, mustBePlayable } from './tables/must-be-playable.ts';
import { tellMoved } from './moved.ts';
import type { ContestContext } from './running-contest.ts';

/**
 * Opens a contest, or goes on with one that has stopped. One that runs, or is finished, stays as it is.
 * @throws Refusal bad-contest
 */
export async function openContest(
  context: ContestContext,
  { subject: id, data }: Message<'contest.open'>,
): Promise<ReplyData<'contest.open'>> {
  if (!contestId.safeParse(id).success) throw new Refusal('bad-contest', 'the id of a contest is 1 to 40 letters, digits, _ and -');
  const read = readGiven(context, data);
  await mustBePlayable(context, read);
  const pairings = planOf(read).total;
  const at = context.now();
  const drawn = { ...read, seed: read.seed ?? drawSeed() };
  if (!(await context.contests.get(id))) await mustKnowNothing(context, id, drawn);
  await context.contests.open({ id, at, contest: ordered(drawn), pairings });
  const stored = (await context.contests.get(id))!;
  const begun = contestShape.parse(stored.contest);
  const given = drawnAsBegun(begun, { ...read, seed: read.seed ?? seedOf(begun) });
  const terms = { contest: ordered(given), pairings };
  let { state } = stored;
  if (!isDeepStrictEqual(ordered(begun), terms.contest)) mustContinue(stored, begun, given);
  const isResuming = isResumable(stored, pairings);
  if (isResuming && state === 'finished' && hasOutside(begun)) throw new Refusal('bad-contest', SEED_IS_TOLD);
  if (isResuming && (await context.contests.setState(id, [state], 'running', { at, terms }))) state = 'running';
  context.notifier.notify();
  await tellMoved(context, id, state, stored.finished);
  return { contest: id, state };
}

/** @throws Refusal bad-contest when what an agent of a new contest is to learn has the name of something that others have learnt */
async function mustKnowNothing({ store, recipes }: ContestContext, id: string, contest: Contest): Promise<void> {
  if (!contest.agents.some(({ learns }) => learns)) return;
  const plan = planOf(contest);
  for (let row = 0; row < plan.perRound; row++)
    for (const { agent, memory, carries } of learnersOf(id, contest, plan, plan.at(row), recipes)) {
      const sets = carries.includes('strategies') ? await store.strategies.list(memory) : [];
      const pools = carries.includes('experience') ? await store.experience.list(memory) : [];
      if (sets.length + pools.length === 0) continue;
      const there = `there is a ${sets.length ? 'set of strategies' : 'pool of experience'} ${memory} already`;
      throw new Refusal('bad-contest', `${there}, and ${agent} would begin with it; give the contest another name`);
    }
}

const SEED_IS_TOLD =
  'the contest is over and its report tells its seed, from which outside agents may know further deals; give the longer one another name';

const isResumable = ({ state, pairings }: StoredContest, wanted: number): boolean =>
  state === 'stopped' || state === 'failed' || (state === 'finished' && wanted > pairings);

/** @throws Refusal bad-contest */
function readGiven({ recipes }: Pick<ContestContext, 'recipes'>, { contest, text }: Message<'contest.open'>['data']): Contest {
  try {
    return text === undefined ? checkContest(contest, recipes) : readContest(text, recipes);
  } catch (error) {
    if (error instanceof ContestError) throw new Refusal('bad-contest', error.message.slice(0, MAX_CHARS));
    throw error;
  }
}

/** @throws Refusal bad-contest when the contest runs, or cannot go on as it is written now */
function mustContinue({ id, state }: StoredContest, begun: Contest, given: Contest): void {
  const mistakes = resumeMistakes(ordered(begun), ordered(given));
  if (mistakes.length) throw new Refusal('bad-contest', `there is a contest ${id}: ${mistakes.join('; ')}`.slice(0, MAX_CHARS));
  if (state === 'running' || state === 'stopping')
    throw new Refusal('bad-contest', `the contest ${id} is ${state}: stop it and wait for its tables before you change it`);
}

/** The same contest whatever the order of its fields, which the database does not keep. */
const ordered = (contest: Contest): Contest =>
  JSON.parse(JSON.stringify(contest), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/**
 * Lets a contest open no further tables.
 * @throws Refusal unknown-contest
 */
export async function stopContest(
  context: ContestContext,
  { subject: id, data }: Message<'contest.stop'>,
): Promise<ReplyData<'contest.stop'>> {
  const { why } = data;
  const about = { at: context.now(), ...(why === undefined ? {} : { why }) };
  if (context.plays) await context.contests.setState(id, ['running'], 'stopping', about);
  else await context.contests.setState(id, ['running', 'stopping'], 'stopped', about);
  const stored = await context.contests.get(id);
  if (!stored) throw unknownContest(id);
  context.notifier.notify();
  await tellMoved(context, id, stored.state, stored.finished);
  return { contest: id, state: stored.state };
}

export const unknownContest = (id: string): Refusal => new Refusal('unknown-contest', `there is no contest ${id.slice(0, 60)}`);

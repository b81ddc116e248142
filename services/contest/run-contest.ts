import { Refused } from '@maw/bus/request-client.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { StoredContest } from '@maw/store/ports/contests.ts';
import { playInArena } from './arena.ts';
import { countEnd } from './count.ts';
import { tellMoved } from './moved.ts';
import type { ContestContext, RunningContest } from './running-contest.ts';
import { type End, readStanding } from './standing.ts';
import { playAtTables } from './tables/play-at-tables.ts';

/**
 * Plays a contest to its end, going on where it stands.
 * @throws the reason of the abort when the service closes or another replica goes on; any error that may pass, such as of the database
 */
export async function runContest(context: ContestContext, running: RunningContest, stored: StoredContest): Promise<void> {
  const standing = await readStanding(context, stored);
  const { id, contest, play } = standing;
  context.log.info({ contest: id, play, finished: standing.finished.size, pairings: standing.plan.total }, 'a contest goes on');
  metrics.contestsRunning.inc({ play });
  const end = await (play === 'arena' ? playInArena : playAtTables)(context, running, standing)
    .catch((error: unknown): End => {
      if (!(error instanceof Refused)) throw error;
      return { state: 'failed', why: `a table was refused: ${error.detail || error.reason}` };
    })
    .finally(() => metrics.contestsRunning.dec({ play }));
  // Whoever stopped it has said why.
  const why = end.why ?? (end.state === 'stopped' ? (await context.contests.get(id))?.why : undefined);
  const about = { at: context.now(), holder: context.holder, ...(why === undefined ? {} : { why }) };
  // Another replica that has taken the contest over says how it ends.
  const isEnded = await context.contests.setState(id, ['running', 'stopping'], end.state, about);
  countEnd(id);
  if (!isEnded) return;
  context.log.info({ contest: id, name: contest.name, ...end, finished: standing.finished.size }, 'a contest has ended');
  await tellMoved(context, id, end.state, standing.finished.size);
}

import { type AgentSeat, hasReturned } from '../seats/agent-seat.ts';
import { stopListening } from '../seats/deliver.ts';
import { isAwaited, visitSeat, type VisitDeps, wantsBack } from '../seats/visit.ts';
import { readView } from '../read-view.ts';
import { endWithoutAgents, msUntilEnd } from './contest-agents.ts';
import { chapterOf, isOver, mayBeAsked, roundNow, type RunningSet, takeAnswer, takeSeen } from './running-set.ts';

export interface FollowDeps extends Omit<VisitDeps, 'answered' | 'round' | 'maxFaults' | 'limits' | 'isContest'> {
  readonly pollMs: number;
}

/**
 * Follows the table of a set until it is over: whenever something happens there, it visits the seats whose agents may have to do something.
 * @throws Refused unknown-game when there is no table; the reason of the abort when the service closes
 */
export async function followTable(deps: FollowDeps, set: RunningSet): Promise<void> {
  const visiting: VisitDeps = {
    ...deps,
    limits: set.terms,
    isContest: set.terms.contests,
    maxFaults: set.terms.faults,
    round: () => roundNow(set),
    answered({ seat }, question, says) {
      takeAnswer(set, seat, question, says);
      set.notifier.notify();
    },
  };
  const visits: Visits = { failures: [], visit: (seat) => visitSeat(visiting, seat) };
  const wake = (): void => set.notifier.notify();
  deps.closing.addEventListener('abort', wake);
  try {
    while (!isOver(set)) {
      if (!(await set.notifier.wait(Math.min(deps.pollMs, msUntilEnd(set, deps.now()))))) set.isStale = true;
      deps.closing.throwIfAborted();
      await endWithoutAgents(deps, set);
      if (visits.failures.length) throw visits.failures[0];
      if (set.isStale) await readTable(deps, set);
      visitSeats(deps, set, visits);
    }
  } finally {
    deps.closing.removeEventListener('abort', wake);
  }
  // Nobody waits for the answers to what an aborted table has asked.
  if (set.lastEnd?.type !== 'aborted')
    await Promise.all(set.seats.map(async (seat) => (seat.link.connection ? visits.visit(seat) : seat.play.visit)));
  for (const seat of set.seats) finish(set, seat);
}

interface Visits {
  readonly failures: unknown[];
  visit(seat: AgentSeat): Promise<void>;
}

/** Visits the seats whose agents may have something to do. It does not wait for the end of the visits. */
function visitSeats({ now }: FollowDeps, set: RunningSet, visits: Visits): void {
  const chapter = chapterOf(set);
  for (const seat of set.seats) {
    if (isAwaited(seat, now())) continue;
    if (!isDue(set, seat, chapter)) continue;
    visits.visit(seat).catch((error: unknown) => {
      visits.failures.push(error);
      set.notifier.notify();
    });
  }
  set.chapter = chapter;
}

function isDue(set: RunningSet, seat: AgentSeat, chapter: string): boolean {
  const { hasStandIn, isGivenAway } = seat.play;
  if (hasStandIn && !isGivenAway) return wantsBack(seat, roundNow(set));
  return chapter !== set.chapter || (hasReturned(seat) && !isGivenAway) || mayBeAsked(set, seat);
}

async function readTable(deps: FollowDeps, set: RunningSet): Promise<void> {
  set.isStale = false;
  set.isReading = true;
  try {
    takeSeen(set, (await readView(deps.ask, set.id, 'audience', set.after)) ?? []);
  } finally {
    set.isReading = false;
  }
}

/** An agent that has not seen the end, since its stand-in has played or its table was aborted, is told it. */
function finish({ lastEnd }: RunningSet, seat: AgentSeat): void {
  stopListening(seat);
  const { link, play, logic, faults } = seat;
  if (!link.connection || faults.isLost || !play.state.view || !lastEnd) return;
  for (const { text } of logic.seen(play.state, lastEnd).sent) link.connection.send(text);
}

import { stopListening } from '../seats/deliver.ts';
import { isAwaited, visitSeat, type VisitDeps, wantsBack } from '../seats/visit.ts';
import { readView } from '../read-view.ts';
import { chapterOf, isOver, mayBeAsked, roundNow, type RunningSet, takeAnswer, takeSeen } from './running-set.ts';

export interface FollowDeps extends Omit<VisitDeps, 'answered' | 'round' | 'mostFaults' | 'limits'> {
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
    mostFaults: set.terms.faults,
    round: () => roundNow(set),
    answered({ seat }, question, says) {
      takeAnswer(set, seat, question, says);
      set.bell.ring();
    },
  };
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const visit = (seat: RunningSet['seats'][number]): void =>
    void visitSeat(visiting, seat).then(() => seat.isNew && set.bell.ring(), failed.reject);
  while (!isOver(set)) {
    await Promise.race([set.bell.next(deps.pollMs).then((hasRung) => hasRung || (set.isStale = true)), failed.promise]);
    deps.closing.throwIfAborted();
    if (set.isStale) await readTable(deps, set);
    const chapter = chapterOf(set);
    for (const seat of set.seats) {
      if (isAwaited(seat, deps.now())) continue;
      const isDue = seat.hasStandIn ? wantsBack(seat, roundNow(set)) : chapter !== set.chapter || seat.isNew || mayBeAsked(set, seat);
      if (isDue) visit(seat);
    }
    set.chapter = chapter;
  }
  await Promise.race([
    Promise.all(set.seats.map(async (seat) => (seat.connection ? visitSeat(visiting, seat) : seat.visit))),
    failed.promise,
  ]);
  for (const seat of set.seats) finish(set, seat);
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

/** An agent whose stand-in has played to the end has not seen it: it is told the result. */
function finish({ lastEnd }: RunningSet, seat: RunningSet['seats'][number]): void {
  stopListening(seat);
  if (!seat.connection || !seat.state.view || !lastEnd) return;
  for (const { text } of seat.logic.seen(seat.state, lastEnd).sent) seat.connection.send(text);
}

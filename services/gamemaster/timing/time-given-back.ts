import type { Instant } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import type { Absence, Outage } from '@maw/store/ports/heartbeat.ts';
import { type TableState, publicQuestions } from '../state/table-state.ts';

type Delayed = Extract<TableEvent, { readonly type: 'delayed' }>;
type Asked = Extract<TableEvent, { readonly type: 'asked' }>;

/** The times in which nothing could be decided or answered, the oldest first. */
export interface LostTime {
  readonly outages: readonly Outage[];
  readonly absences: readonly Absence[];
}

/** The total time a table may get back: a game ends, however often the platform fails. A day, in milliseconds. */
export const MAX_TIME_GIVEN_BACK_MS = 86_400_000;
/** The longest pause of a service between two attempts to reconnect. */
export const RECONNECT_MS = 5_000;

/**
 * The time a table gets back before anything else is decided: one event, or none. Sums the losses since the later of: when the earliest open
 * public question was asked (or the last public event, when only secret ones are open), and the last delay or pause. To each loss it adds an allowance
 * to reconnect: the loss's own length, at most RECONNECT_MS or the time since the loss ended, whichever is longer. All open questions are
 * extended alike. The delay is public, so it depends on public facts only and reveals no secret.
 */
export function delaysFor(state: TableState, lost: LostTime, now: Instant): readonly Delayed[] {
  const { game, standing, tape } = state;
  if (game.isOver(standing) || !standing.open.length || standing.pause) return [];
  const absences = lost.absences.filter((absence) => isConcerned(state, absence) && !isTooLong(state, absence, now));
  const concerning = [...lost.outages, ...absences];
  const latest = Math.max(Number.NEGATIVE_INFINITY, ...concerning.map(({ to }) => to ?? now));
  const since = latest > (tape.at(0)?.at ?? now) ? lossesCountFrom(state) : now;
  const losses = concerning.map(({ from, to }) => ({ from: Math.max(from, since), to: to ?? now })).filter(({ from, to }) => from < to);
  const periods = merged(losses.map((loss) => withAllowance(loss, now)));
  if (!periods.length) return [];
  const given = givenBack(state);
  let ms = 0;
  for (const { from, to } of periods) if (given + ms + to - from <= MAX_TIME_GIVEN_BACK_MS) ms += to - from;
  return ms > 0 ? [{ type: 'delayed', ms, at: now }] : [];
}

/** Whether nobody is there now whom the table needs, so that no alarm of it is settled. */
export const isAwaitingConsumers = (state: TableState, { absences }: LostTime, now: Instant): boolean =>
  delaysFor(state, { outages: [], absences: absences.filter(({ to }) => to === null) }, now).length > 0;

const givenBack = ({ tape }: TableState): number =>
  tape.reduce((sum, { event }) => sum + (event.type === 'delayed' ? (event as unknown as Delayed).ms : 0), 0);

/** Whether an absence lasts longer than a table may wait. Counts over all phases: a table that waits has nothing of it on its tape. */
const isTooLong = (state: TableState, { from, to }: Absence, now: Instant): boolean =>
  to === null && givenBack(state) + now - Math.max(from, state.tape.at(0)?.at ?? now) > MAX_TIME_GIVEN_BACK_MS;

/**
 * Whether a table loses time while a queue has no consumer: every table needs the chatroom, those with minds need players, whoever is asked
 * just then. A seat handed to a mind later does not count: that somebody has left is a secret.
 */
function isConcerned({ tape }: TableState, { queue }: Absence): boolean {
  if (queue !== 'player') return true;
  for (const { event } of tape) {
    if (event.type === 'opened' && openingOf(event).seats.some(({ kind }) => kind === 'mind')) return true;
    if (event.type === 'handed' && event['to'] === 'mind') return true;
    if (event.type === 'began') return false;
  }
  return false;
}

const openingOf = (event: { readonly [field: string]: unknown }) =>
  event['opening'] as { readonly seats: readonly { readonly kind: string }[] };

function lossesCountFrom({ standing, views }: TableState): Instant {
  const seen = views.get('audience')?.seen ?? [];
  const known = publicQuestions(standing.open);
  const asked = known.map(({ id }) => seen.findLast(({ event }) => event.type === 'asked' && (event as Asked).question.id === id)?.at ?? 0);
  const counted = seen.findLast(({ event }) => event.type === 'delayed' || event.type === 'resumed');
  return Math.max(known.length > 0 ? Math.min(...asked) : (seen.at(-1)?.at ?? 0), counted?.at ?? 0);
}

interface Period {
  readonly from: Instant;
  readonly to: Instant;
}

const withAllowance = ({ from, to }: Period, now: Instant): Period => ({
  from,
  to: to + Math.min(to - from, Math.max(RECONNECT_MS, now - to)),
});

/** The same periods without overlaps, in order. */
function merged(periods: readonly Period[]): readonly Period[] {
  const all: Period[] = [];
  for (const { from, to } of periods.toSorted((a, b) => a.from - b.from)) {
    const last = all.at(-1);
    if (last && from <= last.to) all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else all.push({ from, to });
  }
  return all;
}

/** Rounds of a game at one table. Question ids get the prefix `round-N/`, which the rules of the game never see. */
import { seededRoll } from '../kernel/dice.ts';
import { isTableEvent } from '../kernel/play.ts';
import { chat, type Instant, type Open, type Question, type Seat } from '../kernel/question.ts';
import { ask, isTimeEvent, type Moment, type Outcome, type QuestionEvent, type Rules, type TableEvent, withdraw } from '../kernel/rules.ts';
import type { AnyRules } from '../kernel/rule-set.ts';
import type { Match, MatchEvent } from './state.ts';

type GameEvent = { readonly type: string };
export type Events = readonly (MatchEvent | TableEvent | GameEvent)[];
type InnerRules = Pick<Rules<Match, MatchEvent | GameEvent>, 'delay' | 'narrow' | 'admit' | 'defaults'>;
type Follow = (s: Match, settled: Open, moment: Moment) => Events;

const prefixOf = (round: number): string => `round-${round}/`;
const isOfRound = ({ round }: Match, q: Question): boolean => q.id.startsWith(prefixOf(round));
const withoutPrefix = ({ round }: Match, q: Open): Open => ({ ...q, id: q.id.slice(prefixOf(round).length) });
const openIn = (s: Match, open: readonly Open[]): Open[] => open.filter((q) => isOfRound(s, q)).map((q) => withoutPrefix(s, q));

/** An event with another question id. Events without a question are unchanged. */
function withId(e: GameEvent, change: (id: string) => string): GameEvent {
  if (!isTableEvent(e) || isTimeEvent(e)) return e;
  const changed: QuestionEvent =
    e.type === 'asked' ? { ...e, question: { ...e.question, id: change(e.question.id) } } : { ...e, question: change(e.question) };
  return changed;
}

/** The events of one round as its own rules wrote them; for a tape without rounds, all events. @param round from 1 */
export function eventsOfRound(tape: readonly GameEvent[], round: number): readonly GameEvent[] {
  const at = (type: string) => tape.findIndex((e) => e.type === type && (e as unknown as { round: number }).round === round);
  const [from, to] = [at('began'), at('scored')];
  if (from < 0) return tape;
  const prefix = prefixOf(round);
  return tape
    .slice(from + 1, to < 0 ? tape.length : to)
    .map((e) => withId(e, (id) => (id.startsWith(prefix) ? id.slice(prefix.length) : id)));
}

/** The question that keeps the Lobby open before round `after + 1`. */
export const lobby = (s: Match, after: number, until: Instant): TableEvent =>
  ask(chat(`lobby-${after}/lobby`, [...s.opening.seats.keys()], until, { room: 'Lobby' }));

export function beginRound(inner: AnyRules, s: Match, round: number, now: Instant): Events {
  const moment = { now, dice: seededRoll(s.opening.seed, `round-${round}/deal`), open: [] };
  const dealt = inner.deal(s.opening.seats.length, moment) as readonly GameEvent[];
  return [{ type: 'began', round }, ...dealt.map((e) => withId(e, (id) => prefixOf(round) + id))];
}

/** What follows a decided round: points, then the Lobby and another round, or the end. */
function score(s: Match, outcome: Outcome, now: Instant): Events {
  const totals = s.totals.map((total, seat) => total + outcome.points[seat]!);
  const scored: MatchEvent = { type: 'scored', round: s.round, outcome, totals };
  if (s.round < s.opening.rounds) return [lobby(s, s.round, now + s.opening.pauseMs), scored];
  const last = lobby(s, s.round, now); // opened once more for the leaderboard
  const closed: MatchEvent = { type: 'closed', winners: winnersOf([...s.results, outcome], totals) };
  return [last, scored, closed, withdraw(`lobby-${s.round}/lobby`)];
}

/** The winners of a match: of one round, those of the round; of several, the seats with the most points, unless each was a draw. */
export function winnersOf(results: readonly Outcome[], totals: readonly number[]): readonly Seat[] {
  if (results.length === 1) return results[0]!.winners;
  if (results.every(({ winner }) => winner === 'draw')) return [];
  const most = Math.max(...totals);
  return totals.flatMap((total, seat) => (total === most ? [seat] : []));
}

/** The consequences of the game's own steps, within the current round. */
export const followRound = (inner: AnyRules): { readonly [step: string]: Follow } =>
  Object.fromEntries(
    Object.entries(inner.follow).map(([step, follow]): [string, Follow] => [
      step,
      (s, settled, moment) => {
        const open = openIn(s, moment.open);
        const events: Events = follow(s.game, withoutPrefix(s, settled), { ...moment, open, names: s.names });
        const withdrawn = new Set(events.flatMap((e) => (e.type === 'withdrawn' ? [(e as { question: string }).question] : [])));
        const game = events.reduce((state, e) => (isTableEvent(e) ? state : inner.evolve(state, e)), s.game);
        const outcome = inner.outcome(game);
        const left = outcome ? open.filter((q) => !withdrawn.has(q.id)).map((q) => withdraw(q.id)) : [];
        return [
          ...[...events, ...left].map((e) => withId(e, (id) => prefixOf(s.round) + id)),
          ...(outcome ? score(s, outcome, moment.now) : []),
        ];
      },
    ]),
  );

/** The secret phases of the game, named with their round. */
export const secretPhaseOf = ({ secretPhase }: AnyRules): Pick<Rules<Match, MatchEvent | GameEvent>, 'secretPhase'> =>
  secretPhase
    ? {
        secretPhase(s) {
          const { phase, ms } = secretPhase(s.game);
          return { phase: prefixOf(s.round) + phase, ms };
        },
      }
    : {};

/** The optional hooks of the game, applied to questions of the current round only. */
export const hooksOf = (inner: AnyRules): InnerRules => ({
  delay: (s, ms) => (s.stage === 'round' && inner.delay ? { ...s, game: inner.delay(s.game, ms) } : s),
  narrow: (s, q, seat) => (isOfRound(s, q) && inner.narrow ? inner.narrow(s.game, withoutPrefix(s, q), seat) : q.options),
  admit: (s, q, answer) => (isOfRound(s, q) && inner.admit ? inner.admit(s.game, withoutPrefix(s, q), answer, s.names) : answer),
  defaults: (s, q, moment) =>
    isOfRound(s, q) && inner.defaults
      ? inner.defaults(s.game, withoutPrefix(s, q), { ...moment, open: openIn(s, moment.open), names: s.names })
      : [],
});

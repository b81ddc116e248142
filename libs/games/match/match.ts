/**
 * The match around a game: a Lobby until everybody has joined, then rounds of the same game with new roles, separated by pauses in the
 * Lobby, with points adding up. It is itself a set of rules, so the kernel plays it like any other.
 */
import { foldCase } from '@maw/text/clean.ts';
import type { Instant, Question, Seat, Viewer } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { AnyRules } from '../kernel/rule-set.ts';
import { isTimeEvent, type Outcome, type Rules, withdraw } from '../kernel/rules.ts';
import { tellMatch, tellTime } from './narration.ts';
import { mustRun } from './operate.ts';
import { readName } from './player-name.ts';
import { beginRound, type Events, followRound, lobby, hooksOf, secretPhaseOf } from './rounds.ts';
import { evolveMatch, type Holder, isMatchEvent, type Match, type MatchEvent, newMatch, type Opening, type SeatPlan } from './state.ts';

type Inner = { readonly type: string };

export type MatchRules = ReturnType<typeof match>;

export function match(inner: AnyRules) {
  const rules: Rules<Match, MatchEvent | Inner> = {
    name: inner.name,
    begin: () => newMatch(inner.begin()),
    deal: () => [], // a match is opened, not dealt
    ...hooksOf(inner),
    evolve: (s, e) => (isMatchEvent(e) ? evolveMatch(s, e, () => inner.begin()) : { ...s, game: inner.evolve(s.game, e) }),
    follow: {
      ...followRound(inner),
      lobby: (s, _, { now }) => (lacksAgent(s) ? WITHOUT_AGENT : [...fillSeats(s), ...beginRound(inner, s, s.round + 1, now)]),
    },
    see: (e, eye, s) => (isMatchEvent(e) ? seeMatch(e, eye) : inner.see(e, eye, s.game)),
    out: (s) => (s.stage === 'round' ? inner.out(s.game) : []),
    ...secretPhaseOf(inner),
    readyOnceAnswered: ({ holders }) => holders.flatMap((holder, seat) => (holder === 'mind' ? [seat] : [])),
    outcome: (s) => s.closed && { ...(s.isAborted ? ABORTED : s.results.at(-1)!), winners: s.closed.winners, points: s.totals },
    tell: (e, about) => (isMatchEvent(e) ? tellMatch(e, about) : isTimeEvent(e) ? tellTime(e) : inner.tell(e, about)),
    announce: (e) =>
      isMatchEvent(e)
        ? e.type === 'joined' || e.type === 'scored' || e.type === 'aborted' || e.type === 'closed'
          ? ['Lobby']
          : []
        : inner.announce(e),
    brief: (s, seat, names) => (s.stage === 'round' ? inner.brief(s.game, seat, names) : ''),
  };

  return {
    ...rules,

    /** The opening events of a table: its terms and the Lobby. */
    open: (opening: Opening, now: Instant): Events => {
      const opened: MatchEvent = { type: 'opened', opening };
      const s = rules.evolve(rules.begin(), opened);
      return [opened, lobby(s, 0, now + opening.lobbyMs)];
    },

    /**
     * Seats a player under a name. The last to join starts the game.
     * @param seat which seat; undefined takes the first free seat reserved for a person
     * @throws Refusal already-begun, table-full, already-seated, bad-name, name-taken
     */
    join(s: Match, seat: Seat | undefined, given: string, now: Instant): Events {
      const joined = join(s, seat, given);
      const isFull = s.names.every((other, i) => i === joined.seat || other !== undefined);
      return isFull ? [joined, withdraw('lobby-0/lobby'), ...beginRound(inner, s, 1, now)] : [joined];
    },

    /** Hands a seat to a mind, or back to its person. @throws Refusal not-an-option, not-joined, already-seated, phase-over */
    hand(s: Match, seat: Seat, to: Holder): Events {
      if (s.names[seat] === undefined) throw new Refusal(s.opening.seats[seat] ? 'not-joined' : 'not-an-option', `seat ${seat} is empty`);
      mustRun(s);
      if (s.holders[seat] === to) throw new Refusal('already-seated', `seat ${seat} is played by a ${to} already`);
      return [{ type: 'handed', seat, to }];
    },
  };
}

/** What stands for the last round of a table that was aborted. */
const ABORTED: Pick<Outcome, 'winner' | 'roles'> = { winner: 'aborted', roles: [] };

const takenNames = (s: Match): string[] => s.names.filter((name) => name !== undefined);

/** Whether people may take the seat. */
export const isForPeople = ({ kind, isOutside, agent }: SeatPlan): boolean => kind === 'person' && !isOutside && agent === undefined;

/** Whether a program has not come without which the game would be another one for all. */
const lacksAgent = ({ opening, names }: Match): boolean =>
  opening.seats.some(({ isOutside, agent }, seat) => isOutside && agent !== undefined && names[seat] === undefined);
const WITHOUT_AGENT: readonly MatchEvent[] = [
  { type: 'aborted', why: 'an outside agent did not come' },
  { type: 'closed', winners: [] },
];

/** @throws Refusal as `join` of a match */
function join(s: Match, seat: Seat | undefined, given: string): Extract<MatchEvent, { readonly type: 'joined' }> {
  if (seat !== undefined && s.names[seat] !== undefined) throw new Refusal('already-seated', `seat ${seat} is ${s.names[seat]}`);
  if (s.stage !== 'lobby') throw new Refusal('already-begun', 'the game has begun');
  const at = seat ?? s.names.findIndex((name, i) => name === undefined && isForPeople(s.opening.seats[i]!));
  if (at === -1 && seat === undefined) throw new Refusal('table-full', 'no seat is free');
  if (!s.opening.seats[at]) throw new Refusal('not-an-option', `there is no seat ${at}`);
  return { type: 'joined', seat: at, name: readName(given, takenNames(s)) };
}

/** Once the Lobby has closed, names every empty seat and gives the seats of missing people to minds. */
function fillSeats(s: Match): MatchEvent[] {
  const taken = takenNames(s);
  return s.names.flatMap((name, seat): MatchEvent[] => {
    if (name !== undefined) return [];
    const given = nameFor(seat, taken);
    taken.push(given);
    return [
      { type: 'joined', seat, name: given },
      ...(s.holders[seat] === 'person' ? [{ type: 'handed', seat, to: 'mind' } as const] : []),
    ];
  });
}

/** Players learn neither the seed nor which seats minds play. */
function seeMatch(e: MatchEvent, eye: Viewer): MatchEvent | undefined {
  switch (e.type) {
    case 'opened': {
      const { seed: _, ...opening } = e.opening;
      return { ...e, opening: { ...opening, seed: '', seats: opening.seats.map(() => ({ kind: 'hidden' })) } };
    }
    case 'handed':
      return e.seat === eye ? e : undefined;
    case 'assigned':
      return undefined;
    case 'joined':
    case 'began':
    case 'scored':
    case 'aborted':
    case 'closed':
      return e;
  }
}

function nameFor(seat: Seat, taken: readonly string[]): string {
  for (let n = seat + 1; ; n++) if (!taken.some((name) => foldCase(name) === foldCase(`Player ${n}`))) return `Player ${n}`;
}

/** Where a seat is in the life of a player (document 000, table 16). */
export type Life = 'GetName' | 'Lobby' | 'Awake' | 'Asleep' | 'Dead';
export function lifeOf(s: Match, open: readonly Question[], out: readonly Seat[], seat: Seat): Life {
  if (s.names[seat] === undefined) return 'GetName';
  if (s.stage !== 'round') return 'Lobby';
  if (out.includes(seat)) return 'Dead';
  return open.some((q) => q.of.includes(seat)) ? 'Awake' : 'Asleep';
}

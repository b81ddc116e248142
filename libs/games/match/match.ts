/**
 * The table around the game: a Lobby until everybody has joined, then rounds of the same rules with roles dealt afresh,
 * a pause in the Lobby between them, points that add up. It is itself a set of rules, so the kernel plays it like any other.
 */
import { seededRoll } from '../kernel/dice.ts';
import { foldCase, readName } from './player-name.ts';
import { chat, type Instant, type Open, type Question, type Seat, stepOf } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import type { AnyRules } from '../kernel/rule-set.ts';
import { ask, type Moment, type Outcome, type QuestionEvent, type Rules, type TableEvent, withdraw } from '../kernel/rules.ts';
import { isTableEvent } from '../kernel/play.ts';
import { evolveMatch, type Holder, type Match, type MatchEvent, newMatch, type Opening } from './state.ts';
import { tellDelay, tellMatch } from './narration.ts';

type Inner = { readonly type: string };
type Delayed = Extract<TableEvent, { readonly type: 'delayed' }>;
type Events = readonly (MatchEvent | TableEvent | Inner)[];
const OWN: ReadonlySet<string> = new Set<MatchEvent['type']>(['opened', 'joined', 'handed', 'began', 'scored', 'closed']);
const isOwn = (e: { readonly type: string }): e is MatchEvent => OWN.has(e.type);

export type MatchRules = ReturnType<typeof match>;

/** Rounds of `inner` at one table, as rules. */
export function match(inner: AnyRules) {
  const prefix = (round: number, e: Inner): Inner => {
    if (!isTableEvent(e) || e.type === 'delayed') return e;
    const at = (id: string) => `round-${round}/${id}`;
    const moved: QuestionEvent =
      e.type === 'asked' ? { ...e, question: { ...e.question, id: at(e.question.id) } } : { ...e, question: at(e.question) };
    return moved;
  };
  const bare =
    (round: number) =>
    (q: Open): Open => ({ ...q, id: q.id.slice(`round-${round}/`.length) });
  const isOf = (round: number) => (q: Question) => q.id.startsWith(`round-${round}/`);

  const lobby = (s: Match, after: number, until: Instant): TableEvent =>
    ask(
      chat(
        `lobby-${after}/lobby`,
        s.opening.seats.map((_, seat) => seat),
        until,
        { room: 'Lobby' },
      ),
    );

  function begin(s: Match, round: number, now: Instant): Events {
    const moment = { now, dice: seededRoll(s.opening.seed, `round-${round}/deal`), open: [] };
    return [{ type: 'began', round }, ...inner.deal(s.opening.seats.length, moment).map((e: Inner) => prefix(round, e))];
  }

  /** What follows once a round is decided: points, then the Lobby and another round, or the end. */
  function score(s: Match, outcome: Outcome, now: Instant): Events {
    const totals = s.totals.map((total, seat) => total + outcome.points[seat]!);
    const scored: MatchEvent = { type: 'scored', round: s.round, outcome, totals };
    if (s.round < s.opening.rounds) return [lobby(s, s.round, now + s.opening.pauseMs), scored];
    const most = Math.max(...totals);
    const first = most > 0 ? totals.flatMap((total, seat) => (total === most ? [seat] : [])) : outcome.winners;
    const last = lobby(s, s.round, now); // opened once more for the leaderboard
    return [last, scored, { type: 'closed', winners: first }, withdraw(`lobby-${s.round}/lobby`)];
  }

  const rules: Rules<Match, MatchEvent | Inner> = {
    name: inner.name,
    begin: () => newMatch(inner.begin()),
    deal: () => [], // a match is opened, not dealt

    ...(inner.delay ? { delay: (s, ms) => (s.stage === 'round' ? { ...s, game: inner.delay!(s.game, ms) } : s) } : {}),
    evolve: (s, e) => (isOwn(e) ? evolveMatch(s, e, () => inner.begin()) : { ...s, game: inner.evolve(s.game, e) }),

    ...(inner.narrow ? { narrow: (s, q, seat) => (isOf(s.round)(q) ? inner.narrow!(s.game, bare(s.round)(q), seat) : q.options) } : {}),
    ...(inner.admit ? { admit: (s, q, answer) => (isOf(s.round)(q) ? inner.admit!(s.game, bare(s.round)(q), answer) : answer) } : {}),
    ...(inner.defaults
      ? {
          defaults: (s, q, moment) =>
            isOf(s.round)(q)
              ? inner.defaults!(s.game, bare(s.round)(q), { ...moment, open: moment.open.filter(isOf(s.round)).map(bare(s.round)) })
              : [],
        }
      : {}),

    follow: {
      ...Object.fromEntries(
        Object.entries(inner.follow).map(([step, follow]) => [
          step,
          (s: Match, settled: Open, moment: Moment): Events => {
            const open = moment.open.filter(isOf(s.round)).map(bare(s.round));
            const events: Events = follow(s.game, bare(s.round)(settled), { ...moment, open }) as Events;
            const gone = new Set(events.flatMap((e) => (e.type === 'withdrawn' ? [(e as { question: string }).question] : [])));
            const game = events.reduce((state, e) => (isTableEvent(e) ? state : inner.evolve(state, e)), s.game);
            const outcome = inner.outcome(game);
            const left = outcome ? open.filter((q) => !gone.has(q.id)).map((q) => withdraw(q.id)) : [];
            return [...[...events, ...left].map((e) => prefix(s.round, e)), ...(outcome ? score(s, outcome, moment.now) : [])];
          },
        ]),
      ),

      /** The Lobby has waited long enough: who has not come gets a name, and a mind plays the seat of a missing person. */
      lobby: (s, _, { now }) => {
        const names = s.names.filter((name) => name !== undefined);
        const late = s.names.flatMap((name, seat): MatchEvent[] => {
          if (name !== undefined) return [];
          const given = nameFor(seat, names);
          names.push(given);
          const away: MatchEvent[] = s.holders[seat] === 'person' ? [{ type: 'handed', seat, to: 'mind' }] : [];
          return [{ type: 'joined', seat, name: given }, ...away];
        });
        return [...late, ...begin(s, s.round + 1, now)];
      },
    },

    see(e, eye, s) {
      if (eye === 'narrator') return e;
      if (!isOwn(e)) return inner.see(e, eye, s.game);
      switch (e.type) {
        case 'opened': {
          const { seed: _, ...opening } = e.opening;
          return { ...e, opening: { ...opening, seed: '', seats: opening.seats.map(() => ({ kind: 'hidden' })) } };
        }
        case 'handed':
          return e.seat === eye ? e : undefined; // who is played by a mind is not told
        case 'joined':
        case 'began':
        case 'scored':
        case 'closed':
          return e;
      }
    },

    out: (s) => (s.stage === 'round' ? inner.out(s.game) : []),
    outcome: (s) => s.closed && { ...s.results.at(-1)!, winners: s.closed.winners, points: s.totals },
    tell: (e, about) => (isOwn(e) ? tellMatch(e, about) : e.type === 'delayed' ? tellDelay(e as Delayed) : inner.tell(e, about)),
    announce: (e) => (isOwn(e) ? (e.type === 'joined' || e.type === 'scored' || e.type === 'closed' ? ['Lobby'] : []) : inner.announce(e)),
    brief: (s, seat, names) => (s.stage === 'round' ? inner.brief(s.game, seat, names) : ''),
  };

  return {
    ...rules,

    /** The events that open a table: its terms, and the Lobby. */
    open: (opening: Opening, now: Instant): Events => {
      const opened: MatchEvent = { type: 'opened', opening };
      return [
        opened,
        lobby(
          evolveMatch(rules.begin(), opened, () => inner.begin()),
          0,
          now + opening.lobbyMs,
        ),
      ];
    },

    /**
     * Somebody takes a seat under a name; the last one begins the game.
     * @param seat which seat; undefined takes the first free seat kept for a person
     * @throws Refusal already-begun, table-full, already-seated, bad-name, name-taken
     */
    join(s: Match, seat: Seat | undefined, given: string, now: Instant): Events {
      if (s.stage !== 'lobby') throw new Refusal('already-begun', 'the game has begun');
      const free = s.names.flatMap((name, at) => (name === undefined && s.opening.seats[at]!.kind === 'person' ? [at] : []));
      const at = seat ?? free[0];
      if (at === undefined) throw new Refusal('table-full', 'no seat is free');
      if (!s.opening.seats[at]) throw new Refusal('not-an-option', `there is no seat ${at}`);
      if (s.names[at] !== undefined) throw new Refusal('already-seated', `seat ${at} is ${s.names[at]}`);
      const name = readName(
        given,
        s.names.filter((other) => other !== undefined),
      );
      const joined: MatchEvent = { type: 'joined', seat: at, name };
      const all = s.names.every((other, i) => i === at || other !== undefined);
      return all ? [joined, withdraw('lobby-0/lobby'), ...begin(s, 1, now)] : [joined];
    },

    /** Hands a seat to a mind, or back to its person. @throws Refusal not-an-option, not-joined, already-seated, phase-over */
    hand(s: Match, seat: Seat, to: Holder): Events {
      if (s.names[seat] === undefined) throw new Refusal(s.opening.seats[seat] ? 'not-joined' : 'not-an-option', `seat ${seat} is empty`);
      if (s.closed) throw new Refusal('phase-over', 'the table is closed');
      if (s.holders[seat] === to) throw new Refusal('already-seated', `seat ${seat} is played by a ${to} already`);
      return [{ type: 'handed', seat, to }];
    },
  };
}

function nameFor(seat: Seat, taken: readonly string[]): string {
  for (let n = seat + 1; ; n++) if (!taken.some((name) => foldCase(name) === foldCase(`Player ${n}`))) return `Player ${n}`;
}

/** Where a seat stands in the life of a player (document 000, table 16). */
export type Life = 'GetName' | 'Lobby' | 'Awake' | 'Asleep' | 'Dead';
export function lifeOf(s: Match, open: readonly Question[], out: readonly Seat[], seat: Seat): Life {
  if (s.names[seat] === undefined) return 'GetName';
  if (s.stage !== 'round') return 'Lobby';
  if (out.includes(seat)) return 'Dead';
  return open.some((q) => q.of.includes(seat)) ? 'Awake' : 'Asleep';
}

/** Whether the Lobby question is one of these; kept beside `lobby` so that nobody else knows its id. */
export const isLobby = (id: string): boolean => stepOf(id) === 'lobby';

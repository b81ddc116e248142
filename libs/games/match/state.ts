import type { Seat } from '../kernel/question.ts';
import type { Outcome } from '../kernel/rules.ts';

export type Holder = 'mind' | 'person';

/** How a seat was configured when the table was opened. Hidden from players. */
export interface SeatPlan {
  readonly kind: Holder | 'hidden';
  /** The seat of a person is one of an outside agent: only the servers for those take it, or with `agent` that one, without which nothing begins. */
  readonly isOutside?: boolean;
  /** The seat of a person is one of a program: whoever has the key of this name takes it. */
  readonly agent?: string;
  /** Which mind plays it: for seats of minds, and for seats that a person leaves. */
  readonly recipe?: string;
  /** The parameters of the recipe that were chosen. */
  readonly parameters?: { readonly [name: string]: string | number | boolean };
  readonly model?: string;
  /** The name it takes. Absent: it chooses one. */
  readonly name?: string;
}

/** The terms of a table. The seed determines roles and dice. */
export interface Opening {
  readonly rules: string;
  readonly version: string;
  readonly options: { readonly [name: string]: unknown };
  readonly rounds: number;
  readonly seats: readonly SeatPlan[];
  readonly seed: string;
  /** How long the Lobby waits for players before the first round. */
  readonly lobbyMs: number;
  /** How long the Lobby is open between rounds. */
  readonly pauseMs: number;
  /** What spectators may see: public events, or everything. */
  readonly spectators: 'audience' | 'narrator';
  /** Who may see everything once the table is over, besides administrators. Absent: nobody. */
  readonly afterwards?: 'nobody' | 'seats' | 'everybody';
  /** Who may read the thoughts of minds, besides administrators: nobody, or whoever may see everything, afterwards or at once. Absent: nobody. */
  readonly insight?: 'never' | 'after' | 'live';
}

export type MatchEvent =
  | { readonly type: 'opened'; readonly opening: Opening }
  | { readonly type: 'joined'; readonly seat: Seat; readonly name: string }
  | { readonly type: 'handed'; readonly seat: Seat; readonly to: Holder }
  | { readonly type: 'began'; readonly round: number }
  | { readonly type: 'scored'; readonly round: number; readonly outcome: Outcome; readonly totals: readonly number[] }
  /** Another mind for a seat from its next decision on; told to nobody at the table. Absent: the default. */
  | ({ readonly type: 'assigned'; readonly seat: Seat } & Pick<SeatPlan, 'recipe' | 'parameters' | 'model'>)
  /** The table ends without winners and points. */
  | { readonly type: 'aborted'; readonly why?: string }
  | { readonly type: 'closed'; readonly winners: readonly Seat[] };

const TYPES = ['opened', 'joined', 'handed', 'began', 'scored', 'assigned', 'aborted', 'closed'] satisfies MatchEvent['type'][];
const MATCH_EVENTS: ReadonlySet<string> = new Set(TYPES);
export const isMatchEvent = (e: { readonly type: string }): e is MatchEvent => MATCH_EVENTS.has(e.type);

export interface Match {
  readonly opening: Opening;
  readonly stage: 'lobby' | 'round' | 'pause' | 'over';
  readonly names: readonly (string | undefined)[];
  readonly holders: readonly Holder[];
  /** The current or most recent round; 0 before the first. */
  readonly round: number;
  /** The state of that round, as its own rules define it. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the inner game's own
  readonly game: any;
  readonly totals: readonly number[];
  readonly results: readonly Outcome[];
  readonly isAborted: boolean;
  readonly closed: { readonly winners: readonly Seat[] } | undefined;
}

const unopened: Opening = {
  rules: '',
  version: '',
  options: {},
  rounds: 1,
  seats: [],
  seed: '',
  lobbyMs: 0,
  pauseMs: 0,
  spectators: 'audience',
};

export const newMatch = (game: unknown): Match => ({
  opening: unopened,
  stage: 'lobby',
  names: [],
  holders: [],
  round: 0,
  game,
  totals: [],
  results: [],
  isAborted: false,
  closed: undefined,
});

export function evolveMatch(s: Match, e: MatchEvent, fresh: () => unknown): Match {
  switch (e.type) {
    case 'opened':
      return {
        ...s,
        opening: e.opening,
        names: e.opening.seats.map(() => undefined),
        holders: e.opening.seats.map(({ kind }) => (kind === 'hidden' ? 'person' : kind)),
        totals: e.opening.seats.map(() => 0),
      };
    case 'joined':
      return { ...s, names: s.names.with(e.seat, e.name) };
    case 'handed':
      return { ...s, holders: s.holders.with(e.seat, e.to) };
    case 'began':
      return { ...s, stage: 'round', round: e.round, game: fresh() };
    case 'scored':
      return { ...s, stage: e.round < s.opening.rounds ? 'pause' : 'over', totals: e.totals, results: [...s.results, e.outcome] };
    case 'assigned': {
      const { recipe: _, parameters: __, model: ___, ...kept } = s.opening.seats[e.seat]!;
      const { type: ____, seat: _____, ...mind } = e;
      const plan: SeatPlan = { ...kept, ...mind };
      return { ...s, opening: { ...s.opening, seats: s.opening.seats.with(e.seat, plan) } };
    }
    case 'aborted':
      return { ...s, stage: 'over', isAborted: true, totals: s.totals.map(() => 0) };
    case 'closed':
      return { ...s, closed: { winners: e.winners } };
  }
}

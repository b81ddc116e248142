import type { Instant, Seat } from '../kernel/question.ts';

export const ROLES = ['villager', 'seer', 'medium', 'bodyguard', 'possessed', 'fox', 'immoralist', 'werewolf'] as const;
export type Role = (typeof ROLES)[number];
/** What seer and medium learn. All but werewolves are human. */
export type Species = 'human' | 'werewolf';
export type Side = 'village' | 'werewolves' | 'fox';
/** Where turns are taken: in the Village by day, in the Hideout by night. */
export type Place = 'talk' | 'whisper';
export type Ending = 'no-werewolves' | 'parity' | 'too-long';

export type AiwolfEvent =
  | { readonly type: 'dealt'; readonly roles: readonly (Role | 'hidden')[] }
  /** A day begins, from day 1 on. */
  | { readonly type: 'dawned'; readonly day: number }
  /** Who died in the night, whyever, in the order of seats, or that nobody did; told to all in the morning. */
  | { readonly type: 'killed'; readonly seat: Seat }
  | { readonly type: 'unharmed' }
  /** A turn begins. Whispering is told to the wolves only, dead ones included. */
  | ({ readonly type: 'ordered' } & Speech)
  /** A vote or the wolves' vote is tied and repeated; the latter is told to the wolves only. */
  | { readonly type: 'tied'; readonly vote: 'vote' | 'attack' }
  | { readonly type: 'executed'; readonly seat: Seat }
  /** An immoralist dies with the last fox, who was just executed. */
  | { readonly type: 'died'; readonly seat: Seat }
  /** Nobody is executed: with `noExecution` the tie stands, or nobody has voted. */
  | { readonly type: 'spared'; readonly because?: 'no-votes' }
  /** Whom the seer inspects tonight; told to the seer only. */
  | { readonly type: 'gazed'; readonly by: Seat; readonly seat: Seat }
  /** Whom the bodyguard guards tonight; told to the bodyguard only. */
  | { readonly type: 'guarded'; readonly by: Seat; readonly seat: Seat }
  /** Whom the wolves attack tonight, guarded or not. No seat: nobody. Told to the wolves only. */
  | { readonly type: 'attacked'; readonly seat?: Seat }
  /** The result of last night's divination; told to the seer only, in the morning, even if the seer died that night. */
  | { readonly type: 'divined'; readonly by: Seat; readonly seat: Seat; readonly found: Species }
  /** The side of the player executed yesterday; told to the medium only, in the morning, even if dead. */
  | { readonly type: 'identified'; readonly by: Seat; readonly seat: Seat; readonly found: Species }
  | { readonly type: 'ended'; readonly winner: Side | 'draw'; readonly because: Ending };

/** A turn of talk or whispering, as it begins. */
export interface Speech {
  readonly place: Place;
  readonly turn: number;
  /** The speaking order of the living players or wolves. Seats with nothing left are included: they are not asked and count as `Over`. */
  readonly order: readonly Seat[];
  /** Utterances left today, by seat; 0 for seats that do not speak here. */
  readonly left: readonly number[];
  /** Consecutive skips, by seat. */
  readonly skips: readonly number[];
  /** With `lengthPerDay`: what is left of it, by seat. */
  readonly share?: readonly number[];
  /** When the night's whispering ends; 0: no such deadline. */
  readonly until: Instant;
}

/** How a seat died. `day` is the day of the execution, or of the morning on which the death was announced. */
export interface Fate {
  readonly day: number;
  readonly seat: Seat;
}

/** What a seer or medium was told in the morning of `day`. */
export interface Finding {
  readonly day: number;
  readonly by: Seat;
  readonly seat: Seat;
  readonly found: Species;
}

export interface Choice {
  readonly by: Seat;
  readonly seat: Seat;
}

/** What is known of a game, folded from a seat's view; `hidden` stands for what that seat does not know. */
export interface Aiwolf {
  readonly roles: readonly (Role | 'hidden')[];
  /** In ascending order. A new list after each death, otherwise the same object. */
  readonly living: readonly Seat[];
  /** In order of death. */
  readonly dead: readonly Seat[];
  /** 0 until the first morning. A day lasts until the next morning. */
  readonly day: number;
  readonly speech: Speech | undefined;
  readonly executed: readonly Fate[];
  readonly killed: readonly Fate[];
  readonly gaze: Choice | undefined;
  readonly guard: Choice | undefined;
  readonly divined: readonly Finding[];
  readonly identified: readonly Finding[];
  /** For the wolves: whom they attacked in the night after `day`. No seat: nobody. */
  readonly attacked: readonly { readonly day: number; readonly seat?: Seat }[];
  readonly ended: { readonly winner: Side | 'draw'; readonly because: Ending } | undefined;
}

export const initialState: Aiwolf = {
  roles: [],
  living: [],
  dead: [],
  day: 0,
  speech: undefined,
  executed: [],
  killed: [],
  gaze: undefined,
  guard: undefined,
  divined: [],
  identified: [],
  attacked: [],
  ended: undefined,
};

export function evolve(s: Aiwolf, e: AiwolfEvent): Aiwolf {
  switch (e.type) {
    case 'ordered':
      return { ...s, speech: e };
    case 'dealt':
      return { ...s, roles: e.roles, living: e.roles.map((_, seat) => seat) };
    case 'dawned':
      return { ...s, day: e.day, speech: undefined, gaze: undefined, guard: undefined };
    case 'executed':
      return { ...bury(s, e.seat), executed: [...s.executed, { day: s.day, seat: e.seat }] };
    case 'killed':
      return { ...bury(s, e.seat), killed: [...s.killed, { day: s.day, seat: e.seat }] };
    case 'died':
      return bury(s, e.seat);
    case 'gazed':
      return { ...s, gaze: { by: e.by, seat: e.seat } };
    case 'guarded':
      return { ...s, guard: { by: e.by, seat: e.seat } };
    case 'attacked':
      return { ...s, attacked: [...s.attacked, { day: s.day, ...(e.seat === undefined ? {} : { seat: e.seat }) }] };
    case 'divined':
      return { ...s, divined: [...s.divined, finding(s, e)] };
    case 'identified':
      return { ...s, identified: [...s.identified, finding(s, e)] };
    case 'ended':
      return { ...s, ended: { winner: e.winner, because: e.because } };
    case 'tied':
    case 'spared':
    case 'unharmed':
      return s;
  }
}

/** The night's whispering has a deadline of its own, whichever turn is open. */
export const delay = (s: Aiwolf, ms: number): Aiwolf =>
  s.speech?.until ? { ...s, speech: { ...s.speech, until: s.speech.until + ms } } : s;

const bury = (s: Aiwolf, seat: Seat): Aiwolf => ({ ...s, living: s.living.filter((other) => other !== seat), dead: [...s.dead, seat] });
const finding = (s: Aiwolf, { by, seat, found }: Omit<Finding, 'day'>): Finding => ({ day: s.day, by, seat, found });

/** Which roles win together; the possessed wins with the wolves. */
export const SIDES: { readonly [side in Side]: readonly Role[] } = {
  village: ['villager', 'seer', 'medium', 'bodyguard'],
  werewolves: ['werewolf', 'possessed'],
  fox: ['fox', 'immoralist'],
};
export const sideOf = (role: Role): Side => (Object.keys(SIDES) as Side[]).find((side) => SIDES[side].includes(role))!;
export const speciesOf = (role: Role): Species => (role === 'werewolf' ? 'werewolf' : 'human');

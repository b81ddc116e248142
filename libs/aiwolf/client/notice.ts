import type { Finding, Role, Species } from '@maw/games/aiwolf/state.ts';
import { type Place, ROLES } from '@maw/games/aiwolf/state.ts';
import type { ProtocolRequest } from '../wire/protocol/packet.ts';
import { PacketError } from '../wire/read-packet.ts';
import type { Seat } from '@maw/games/kernel/question.ts';

/** What the server asks for, or says that it begins or ends. */
export type Request = ProtocolRequest | 'OTHER';

export interface Utterance {
  readonly by: Seat;
  readonly day: number;
  readonly idx: number;
  readonly turn: number;
  readonly text: string;
}

export interface Vote {
  readonly by: Seat;
  readonly seat: Seat;
}

export type Judgement = Pick<Finding, 'seat' | 'found'>;

/** How a packet describes the game, with seats for numbers or names. */
export interface Situation {
  readonly me: Seat;
  readonly day: number;
  readonly living: readonly Seat[];
  /** By seat. */
  readonly roles: readonly (Role | 'hidden')[];
  /** Where the server tells it; before the night all the dead of a day are in `living` no more. */
  readonly executedToday?: Seat | undefined;
  /** Of yesterday and of last night. */
  readonly executed: Seat | undefined;
  /** Where the server tells them all. */
  readonly killed?: readonly Seat[];
  readonly attacked: Seat | undefined;
  readonly guarded: Seat | undefined;
  readonly divined: Judgement | undefined;
  readonly identified: Judgement | undefined;
  readonly votes: readonly Vote[];
  readonly attackVotes: readonly Vote[];
  /** Of today's latest round; empty where the server does not tell them today. */
  readonly votesToday: readonly Vote[];
  readonly attackVotesToday: readonly Vote[];
}

/** One packet of either division. */
export interface Notice {
  readonly request: Request;
  readonly wantsAnswer: boolean;
  /** A talk or whispering at any time begins or ends. */
  readonly phase?: { readonly place: Place; readonly isBegun: boolean };
  /** In INITIALIZE. */
  readonly terms?: Terms;
  readonly situation: Situation | undefined;
  readonly talk: readonly Utterance[];
  readonly whispers: readonly Utterance[];
}

/** The terms of a game. */
export interface Terms {
  /** By seat. */
  readonly names: readonly string[];
  /** Of the rule set `aiwolf`. */
  readonly options: { readonly [name: string]: unknown };
  /** Milliseconds for one answer. */
  readonly limitMs: number;
  readonly game: string | undefined;
}

/** @throws PacketError for a role that the rule set does not have */
export function roleOf(word: string): Role {
  const role = ROLES.find((each) => each.toUpperCase() === word);
  if (!role) throw new PacketError(`the role ${word} is not one of ${ROLES.join(', ').toUpperCase()}`);
  return role;
}

export const speciesFrom = (word: 'HUMAN' | 'WEREWOLF'): Species => (word === 'HUMAN' ? 'human' : 'werewolf');

/** The option `roles` of the numbers of a server, whose other roles must not be dealt. @throws PacketError */
export const rolesFrom = (counts: { readonly [role: string]: number }): { readonly [role: string]: number } =>
  Object.fromEntries(Object.entries(counts).flatMap(([role, count]) => (count > 0 ? [[roleOf(role), count]] : [])));

import type { NaturalRequest } from '../wire/natural/packet.ts';
import type { ProtocolRequest } from '../wire/protocol/packet.ts';
import type { AiwolfOptions } from '@maw/games/aiwolf/options.ts';
import type { Seat } from '@maw/games/kernel/question.ts';

/** What an agent is sent. NAME belongs to the connection, not to a game; werewolves whisper in turns always. */
export type Request = Exclude<ProtocolRequest | NaturalRequest, 'NAME' | `WHISPER_${string}`>;

/** What the packets of one agent at one seat depend on, besides what the seat sees. */
export interface Terms {
  readonly seat: Seat;
  readonly players: number;
  readonly options: AiwolfOptions;
  readonly division: 'protocol' | 'natural';
  /** Packets have the known faults of the published servers: whispers are lost. Otherwise each is sent exactly once. */
  readonly isStrict: boolean;
  /** How long an answer may take, as agents are told, in milliseconds. */
  readonly answerMs: number;
  /** How long a late agent has to give a sign of life, as agents are told, in milliseconds. Natural-language division only. */
  readonly signMs: number;
  /** The id of each round, by its number from 1, and the seed that agents are told: a whole number of 64 bits, as text. */
  readonly ids: (round: number) => { readonly id: string; readonly seed: string };
  /** Who the agent is to be. Natural-language division only. */
  readonly profile?: string;
}

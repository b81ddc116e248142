/** What the connections of a game show before a role may be known: sizes, order and times of packets, with the roles they must not depend on. */
import { type Connection, ownRole } from '@maw/tests/aiwolf/agent-secrets.suite.ts';
import type { Sample } from './permutation.ts';

/** What the agent at one seat received in a game, in order. */
export interface SeatTrace {
  readonly agent: string;
  readonly role: string;
  readonly packets: readonly TracedPacket[];
}

export interface TracedPacket {
  readonly request: string;
  readonly bytes: number;
  /** In milliseconds. */
  readonly at: number;
}

/** What an agent received in each of its games. */
export function tracesOf({ name, packets, texts, times }: Connection): readonly SeatTrace[] {
  const traces: SeatTrace[] = [];
  let from = 1; // NAME comes before there is a game
  for (const [i, { request }] of packets.entries()) {
    if (request !== 'FINISH') continue;
    const own = packets.slice(from, i + 1);
    const role = ownRole(own.find((packet) => packet.request === 'INITIALIZE')!);
    const traced = own.map((packet, n) => ({
      request: packet.request,
      bytes: Buffer.byteLength(texts[from + n]!),
      at: times[from + n]!,
    }));
    traces.push({ agent: name, role, packets: traced });
    from = i + 1;
  }
  return traces;
}

/** One thing that is measured, by what it is and what it must not depend on. */
export interface Question {
  readonly what: string;
  readonly of: string;
  samples(games: readonly (readonly SeatTrace[])[]): readonly Sample[];
}

const first = ({ packets }: SeatTrace, request: string, nth = 1): number =>
  packets.findIndex((packet) => packet.request === request && --nth === 0);
const timeOf = (seat: SeatTrace, request: string, nth = 1): number => seat.packets[first(seat, request, nth)]!.at;
const bytesUntil = (seat: SeatTrace, end: number): number => seat.packets.slice(0, end).reduce((sum, { bytes }) => sum + bytes, 0);

/** Of every seat, against its own role, which nobody knows before INITIALIZE. */
const ofSeats = (value: (seat: SeatTrace, game: readonly SeatTrace[]) => number) => (games: readonly (readonly SeatTrace[])[]) =>
  games.flatMap((game, i) => game.map((seat): Sample => ({ value: value(seat, game), label: seat.role, block: `game ${i}` })));

/** Of one villager, who is told no other role, against which agent has the role; compared among games with the same villager. */
const ofVillagers = (role: string, value: (seat: SeatTrace) => number) => (games: readonly (readonly SeatTrace[])[]) =>
  games.map((game): Sample => {
    const villager = game.find((seat) => seat.role === 'VILLAGER')!;
    return { value: value(villager), label: game.find((seat) => seat.role === role)!.agent, block: villager.agent };
  });

const begin = (game: readonly SeatTrace[]): number => Math.min(...game.map(({ packets }) => packets[0]!.at));
const rank = (seat: SeatTrace, game: readonly SeatTrace[]): number =>
  game.filter((other) => timeOf(other, 'INITIALIZE') < timeOf(seat, 'INITIALIZE')).length;
const untilVote = (seat: SeatTrace): number => bytesUntil(seat, first(seat, 'VOTE'));
const night = (seat: SeatTrace): number => timeOf(seat, 'DAILY_INITIALIZE', 2) - timeOf(seat, 'DAILY_FINISH');

export const QUESTIONS: readonly Question[] = [
  { what: 'bytes before INITIALIZE', of: 'own role', samples: ofSeats((seat) => bytesUntil(seat, first(seat, 'INITIALIZE'))) },
  { what: 'place among the INITIALIZE of a game', of: 'own role', samples: ofSeats(rank) },
  { what: 'time until INITIALIZE', of: 'own role', samples: ofSeats((seat, game) => timeOf(seat, 'INITIALIZE') - begin(game)) },
  ...['WEREWOLF', 'SEER'].flatMap((role): Question[] => [
    { what: "bytes of a villager's packets until VOTE", of: `who is the ${role}`, samples: ofVillagers(role, untilVote) },
    { what: 'length of night 0 for a villager', of: `who is the ${role}`, samples: ofVillagers(role, night) },
    {
      what: 'time from INITIALIZE of a villager to its first TALK',
      of: `who is the ${role}`,
      samples: ofVillagers(role, (seat) => timeOf(seat, 'TALK') - timeOf(seat, 'INITIALIZE')),
    },
  ]),
];

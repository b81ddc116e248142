import { type Eye, isAmong } from '@maw/games/kernel/question.ts';
import { roomsOf } from '@maw/gamemaster/state/room-log.ts';
import { type Done, doneIn, openingOf, sinceDeal, type WorldPair } from '../noninterference/world-pair.ts';
import { askedIn, type Received, replay } from './world-replay.ts';
import type { Tamper } from './wiretap.ts';

export interface PairedRun {
  readonly got: readonly [Received, Received];
  /** Whether the narrator's views differ; otherwise the law proves nothing. */
  readonly differs: boolean;
  /** Whether the acts or their times differ. */
  readonly actsDiffer: boolean;
}

export interface Manner {
  /** Creates a change to the messages of one world, to test the law itself. */
  readonly tamper?: (() => Tamper) | undefined;
  /** At this many moments, the same in both worlds, the seat tries illegal acts. */
  readonly probes?: number;
  /** The number of attempts each time. */
  readonly persistence?: number;
}

/** Where the eye's streams of the two worlds first differ; undefined when they are equal. */
export function difference({ got: [one, other] }: Pick<PairedRun, 'got'>): string | undefined {
  const at = Array.from({ length: Math.max(one.length, other.length) }, (_, i) => i).find((i) => one[i] !== other[i]);
  return at === undefined ? undefined : `at ${at}: ${one[at] ?? 'nothing'} against ${other[at] ?? 'nothing'}`;
}

/**
 * The projection law over the services. Plays each world of a pair through the real gamemaster and chatroom, and compares what the services
 * of the eye receive and when: questions, replies, events, room lines.
 * @throws BrokenLaw when a world played by the services differs from the one played by hand
 */
export async function runPair({ eye, worlds }: WorldPair, { tamper, probes = 0, persistence = 1 }: Manner = {}): Promise<PairedRun> {
  const done = worlds.map(doneIn) as [readonly Done[], readonly Done[]];
  const end = Math.min(...done.map((all) => all.at(-1)?.at ?? 0));
  const moments = Array.from({ length: probes }, (_, i) => Math.ceil(((i + 1) * end) / (probes + 1)));
  const secret = { questions: secretFrom(eye, worlds), rooms: roomsWithout(eye, worlds) };
  const got = await Promise.all(
    worlds.map((world, i) => replay(world, done[i]!, { eye, tamper: tamper?.(), moments, persistence, secret })),
  );
  const texts = worlds.map(({ tape }) => JSON.stringify(sinceDeal(tape)));
  return {
    got: [got[0]!, got[1]!],
    differs: texts[0] !== texts[1],
    actsDiffer: JSON.stringify(done[0]) !== JSON.stringify(done[1]),
  };
}

/** Questions of either world that the eye knows in neither, or one that is never asked. */
function secretFrom(eye: Eye, worlds: WorldPair['worlds']): readonly string[] {
  const asked = askedIn(worlds);
  const known = new Set(asked.flatMap((q) => (isAmong(q, eye) ? [q.id] : [])));
  const secret = asked.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  return secret.length ? [...new Set(secret)].toSorted() : ['round-1/nowhere'];
}

/** Rooms of either world that are closed to the eye in both, or one that is never opened. */
function roomsWithout(eye: Eye, worlds: WorldPair['worlds']): readonly string[] {
  const seats = [...openingOf(worlds[0]).seats.keys()];
  const rooms = askedIn(worlds).flatMap((q) => roomsOf(q, seats));
  const known = new Set(rooms.flatMap(({ room, members }) => (members.some((seat) => seat === eye) ? [room] : [])));
  const secret = rooms.flatMap(({ room }) => (known.has(room) ? [] : [room]));
  return secret.length ? [...new Set(secret)].toSorted() : ['round-1/nowhere/Nowhere'];
}

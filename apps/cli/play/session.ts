import type { Link } from '@maw/api-client/stream.ts';
import type { Line } from '@maw/games/english/reader.ts';
import type { Said } from '@maw/games/kernel/language.ts';
import { sanitizeText } from '@maw/text/sanitize-text.ts';
import type { OpenQuestions, SeenEvent, TableClock } from '../clients/table-stream.ts';
import type { WebClient } from '../clients/web-client.ts';
import { type Paint, transcript } from '../transcript.ts';
import { newStanding, type Standing } from './status-line.ts';
import type { Prompt } from './terminal/line-editor.ts';

export interface SeatOptions {
  /** With the token of the seat. */
  readonly web: WebClient;
  readonly table: string;
  readonly seat: number;
  readonly prompt: Prompt;
  readonly paint: Paint;
  /** Whether /quit ends the command; otherwise the person goes on watching and can come back. */
  readonly canLeave: boolean;
  /** Who has stopped answering, where nothing answers; the table is looked for as long as `forMs`. */
  readonly away?: { readonly says: string; readonly forMs: number };
  /** Receives every event that the seat sees. */
  readonly onSeen?: (seen: SeenEvent) => void;
  readonly now: () => number;
  readonly signal: AbortSignal;
}

/** How a person left: a mind plays the seat, or nobody does until the person is back. */
export type Departure = 'left' | 'kept';

/** A question of the terminal, answered by the next line. */
interface Pending {
  readonly yes: () => Promise<void>;
  readonly no: () => Promise<void>;
}

/** A person at a table, and what the person knows. */
export interface Session extends SeatOptions {
  readonly script: ReturnType<typeof transcript>;
  readonly standing: Standing;
  readonly heard: Heard;
  /** Aborts when the person leaves for good. */
  readonly leaving: AbortController;
  departure: Departure;
  pending: Pending | undefined;
  open: OpenQuestions;
  brief: string;
  isAway: boolean;
  /** What was understood of the last own line, and whether that is told each time. */
  understood: { readonly words: string; readonly isTold: boolean };
  /** The day or night in whose further turns the person says nothing, and how many keys had come when that was noted. */
  silence: { readonly day: string; readonly keys: number } | undefined;
  idle: Idle | undefined;
  readonly server: Server;
}

/** What is known of the other end, by `noteLink`, `tellOfLoss` and `noteClock`. */
interface Server {
  /** Since when nothing answers, and whether the person was told. */
  lost: { readonly since: number; readonly isTold: boolean } | undefined;
  /** How much the clock of the table is ahead of this machine's, in milliseconds. */
  aheadMs: number;
}

/** Written with each event, by `showEvent` and `noteTurn`. */
interface Heard {
  /** Who has voted for whom, by seat, in the questions that are open. */
  readonly votes: Map<number, { readonly question: string; readonly whom: string }>;
  /** What was said in turns. */
  readonly said: Said[];
  /** What was said in rooms. */
  readonly lines: (Line & { readonly room: string })[];
}

/** A turn to speak that may be skipped: since when it is asked, how many keys had come before it, and whether it was skipped. */
interface Idle {
  readonly question: string;
  readonly keys: number;
  readonly since: number;
  readonly isSkipped: boolean;
}

/** A connection that is back sooner is not worth a line. */
const NOTICED_LOSS_MS = 3_000;

export const newSession = (options: SeatOptions): Session => ({
  ...options,
  script: transcript(options.paint),
  standing: newStanding(),
  heard: { votes: new Map(), said: [], lines: [] },
  leaving: new AbortController(),
  departure: 'left',
  pending: undefined,
  open: { asked: [], brief: '', alive: [] },
  brief: '',
  isAway: false,
  understood: { words: '', isTold: true },
  silence: undefined,
  idle: undefined,
  server: { lost: undefined, aheadMs: 0 },
});

/** The time by which the table is played. */
export const nowOf = ({ now, server }: Session): number => now() + server.aheadMs;

export function noteClock(session: Session, clock: TableClock): void {
  session.standing.clock = clock;
  session.server.aheadMs = clock.now - session.now();
}

export function noteLink(session: Session, link: Link): void {
  const { server, now } = session;
  if (link === 'live' && server.lost?.isTold) notice(session, 'The table answers again.');
  server.lost = link === 'live' ? undefined : (server.lost ?? { since: now(), isTold: false });
}

export function tellOfLoss(session: Session): void {
  const { server, away, now } = session;
  if (!server.lost || server.lost.isTold || now() - server.lost.since < NOTICED_LOSS_MS) return;
  server.lost = { ...server.lost, isTold: true };
  notice(session, away?.says ?? 'Nothing answers just now. Trying again …');
}

/** What is told to this person alone: a mark sets it apart from talk, also without colours. */
export const notice = ({ prompt, paint }: Session, text: string): void => prompt.show(paint('dim', sanitizeText(`* ${text}`)));
export const refuse = ({ prompt, paint }: Session, text: string): void => prompt.show(paint('red', sanitizeText(`! ${text}`)));

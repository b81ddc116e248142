/** The JSON log of the natural-language division: every packet of a game, and what was answered. */
import { type LogLine, winnerName } from '../logs/log.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { isTableEvent, play } from '@maw/games/kernel/play.ts';
import { seatOf } from '@maw/games/kernel/question.ts';
import { match } from '@maw/games/match/match.ts';
import { seatLogic, type SeatState } from './seat.ts';
import type { Terms } from './terms.ts';

/** One packet, with the names of the published server. Times are milliseconds since 1970. */
export interface JsonLogEntry {
  /** The name in the game. */
  readonly agent: string;
  /** Why there is no response. */
  readonly error?: string;
  readonly request: string;
  readonly request_timestamp: number;
  readonly response?: string;
  readonly response_timestamp: number;
}

/**
 * The JSON log of a finished game, byte for byte as the published server writes it.
 * @param log the game log
 * @param teams by seat
 */
export function writeJsonLog(id: string, log: readonly LogLine[], teams: readonly string[], entries: readonly JsonLogEntry[]): string {
  const agents = log.flatMap((line) =>
    line.type === 'status' && line.day === 0
      ? [{ idx: line.seat + 1, name: line.name, role: line.role.toUpperCase(), team: teams[line.seat]! }]
      : [],
  );
  const result = log.findLast((line) => line.type === 'result');
  return JSON.stringify({ agents, entries, game_id: id, win_side: winnerName(result?.winner ?? 'none') });
}

/** An event of a table, with its time. */
export interface TimedEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly event: { readonly type: string; readonly [field: string]: unknown };
}

/** What one seat is sent and answers. */
interface Seat {
  readonly terms: Terms;
  readonly logic: ReturnType<typeof seatLogic>;
  state: SeatState;
  /** The packet that is to be answered. */
  asked?: { readonly question: string; readonly request: string; readonly at: number };
}

/**
 * The packets and answers of all seats, as a tape tells them: what was answered is what counted.
 * @param tape of a table, as the narrator sees it
 * @param terms by seat
 */
export function entriesOfTape(tape: readonly TimedEvent[], terms: readonly Terms[]): JsonLogEntry[] {
  const table = play(match(aiwolf.rules(terms.length, terms[0]!.options)));
  const seats = terms.map((each): Seat => {
    const logic = seatLogic(each);
    return { terms: each, logic, state: logic.begin() };
  });
  const entries: JsonLogEntry[] = [];
  let position = table.begin();
  for (const { at, event } of tape) {
    const names = position.game.names as readonly string[];
    const packets = seats.map((seat) => {
      const seen = table.see(position, event, seat.terms.seat);
      if (!seen) return [];
      const answered = answerTo(seat, seen, names);
      if (answered) entries.push(entryOf(names[seat.terms.seat]!, { ...answered, until: at }));
      const { state, sent } = seat.logic.seen(seat.state, seen);
      seat.state = state;
      return sent;
    });
    // what several agents are sent at once: the first packet of all, then the second
    for (let nth = 0; packets.some((sent) => nth < sent.length); nth++)
      for (const [i, seat] of seats.entries()) {
        const sent = packets[i]![nth];
        if (sent?.question !== undefined && sent.request !== 'TALK_PHASE_START')
          seat.asked = { question: sent.question, request: sent.text, at };
        else if (sent) entries.push(entryOf(names[i]!, { request: sent.text, at, until: at }));
      }
    position = table.evolve(position, event);
  }
  return entries;
}

/** What a request ends with, if it ends with this event. */
function answerTo(seat: Seat, e: { readonly type: string }, names: readonly string[]) {
  const { asked, terms } = seat;
  if (!asked || !isTableEvent(e) || !('question' in e) || e.question !== asked.question) return undefined;
  const isOwn = (e.type === 'answered' && e.answer.by === terms.seat) || (e.type === 'passed' && e.seat === terms.seat);
  if (!isOwn && e.type !== 'settled' && e.type !== 'withdrawn') return undefined;
  delete seat.asked;
  const says = e.type === 'answered' ? e.answer.says[0]! : undefined;
  return { ...asked, ...(says === undefined ? { error: 'no answer' } : { response: wireText(says, names) }) };
}

/** What an agent sends for it. */
const wireText = (says: string, names: readonly string[]): string => (/^seat:\d+$/.test(says) ? names[seatOf(says)]! : says);

const entryOf = (
  agent: string,
  { request, at, until, response, error }: { request: string; at: number; until: number; response?: string; error?: string },
): JsonLogEntry => ({
  agent,
  ...(error === undefined ? {} : { error }),
  request,
  request_timestamp: at,
  ...(response === undefined ? {} : { response }),
  response_timestamp: until,
});

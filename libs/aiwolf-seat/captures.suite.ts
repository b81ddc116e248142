import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { aiwolfOptions } from '@maw/games/aiwolf/options.ts';
import { inferOptions } from '@maw/games/aiwolf-log/infer-options.ts';
import { readLog } from '@maw/games/aiwolf-log/log.ts';
import { readLoggedGame } from '@maw/games/aiwolf-log/logged-game.ts';
import { reenact } from '@maw/games/aiwolf-log/reenact.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { isTableEvent, play } from '@maw/games/kernel/play.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { isTimeEvent, type QuestionEvent } from '@maw/games/kernel/rules.ts';
import { match } from '@maw/games/match/match.ts';
import type { Opening } from '@maw/games/match/state.ts';
import { type Sent, seatLogic, type SeatState } from './seat.ts';
import type { Terms } from './terms.ts';

type Event = { readonly type: string };
export const data = new URL('../../../shared/data/', import.meta.url);
export const hasCaptures = existsSync(new URL('aiwolf/', data));

/** The captured connections of a folder of the data; none where it is not there. */
export const captureNames = (folder: 'aiwolf' | 'aiwolf-nlp'): string[] =>
  hasCaptures
    ? readdirSync(new URL(`${folder}/`, data)).flatMap((file) =>
        /^(?:n\d+-[A-Z]|probe-).*\.jsonl$/.test(file) ? [file.slice(0, -'.jsonl'.length)] : [],
      )
    : ['none'];

/** The packets of one captured connection, after NAME and ROLE of the first game. */
export function capturedPackets(path: string): { readonly text: string; readonly answer?: string }[] {
  const lines = readFileSync(new URL(path, data), 'utf8').trim().split('\n');
  const frames = lines.map((line) => JSON.parse(line) as { dir: string; line?: string; text?: string });
  return frames.flatMap(({ dir, line, text }, i) => {
    const sent = (line ?? text)!;
    if (dir !== 'S' || sent.includes('"request":"NAME"')) return [];
    const next = frames[i + 1];
    return [{ text: sent, ...(next?.dir === 'C' ? { answer: (next.line ?? next.text)! } : {}) }];
  });
}

/** A logged game as the tape of a table of one round. */
export const tapeOfLog = (path: string) => tapeOfText(readFileSync(new URL(path, data), 'utf8'));

export function tapeOfText(log: string) {
  const logged = readLoggedGame(readLog(log));
  const inferred = inferOptions(logged);
  const { events } = reenact(logged, inferred);
  return { tape: tapeOf(events, logged.players, logged.roles), inferred, players: logged.players, roles: logged.roles };
}

/** Bare events of a game as one round of a table, with its end. */
function tapeOf(events: readonly Event[], names: readonly string[], roles: readonly string[]): readonly Event[] {
  const opening: Opening = {
    rules: aiwolf.name,
    version: aiwolf.version,
    options: {},
    rounds: 1,
    seats: names.map(() => ({ kind: 'person' })),
    seed: '',
    lobbyMs: 0,
    pauseMs: 0,
    spectators: 'audience',
  };
  const inRound = (e: Event): Event => {
    if (!isTableEvent(e) || isTimeEvent(e)) return e;
    const inside: QuestionEvent =
      e.type === 'asked'
        ? { ...e, question: { ...e.question, id: `round-1/${e.question.id}` } }
        : { ...e, question: `round-1/${e.question}` };
    return inside;
  };
  const outcome = { winner: '', winners: [], roles, points: roles.map(() => 0) };
  return [
    { type: 'opened', opening },
    ...names.map((name, seat) => ({ type: 'joined', seat, name })),
    { type: 'began', round: 1 },
    ...events.map(inRound),
    { type: 'scored', round: 1, outcome, totals: outcome.points },
  ] as readonly Event[];
}

export const termsOf = (
  seat: Seat,
  players: number,
  options: { readonly [name: string]: unknown },
  rest: Partial<Terms> & Pick<Terms, 'division'>,
): Terms => ({
  seat,
  players,
  options: readOptions(aiwolfOptions, options),
  isStrict: true,
  answerMs: -1,
  signMs: 120_000,
  asksRole: true,
  ids: () => ({ id: 'game', seed: '-5926863921237852062' }),
  ...rest,
});

/** What the seat is sent while the tape goes by, with the state after each packet's event. */
export function sentOf(tape: readonly Event[], terms: Terms): { readonly sent: Sent; readonly state: SeatState }[] {
  const logic = seatLogic(terms);
  let state = logic.begin();
  const out: { readonly sent: Sent; readonly state: SeatState }[] = [];
  for (const event of play(match(aiwolf.rules(terms.players, terms.options))).view(tape, terms.seat)) {
    const next = logic.seen(state, event);
    state = next.state;
    for (const sent of next.sent) out.push({ sent, state });
  }
  return out;
}

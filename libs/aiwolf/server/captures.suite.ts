import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { type AiwolfOptions, aiwolfOptions } from '@maw/games/aiwolf/options.ts';
import { inferOptions } from '../logs/infer-options.ts';
import { readLog } from '../logs/log.ts';
import { readLoggedGame } from '../logs/logged-game.ts';
import { reenact } from '../logs/reenact.ts';
import { readOptions } from '@maw/games/kernel/options.ts';
import { isTableEvent, play } from '@maw/games/kernel/play.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { isTimeEvent, type QuestionEvent } from '@maw/games/kernel/rules.ts';
import { match } from '@maw/games/match/match.ts';
import type { Opening } from '@maw/games/match/state.ts';
import { type Sent, seatLogic, type SeatState } from './seat.ts';
import type { Terms } from './terms.ts';

type Event = { readonly type: string };
export const data = new URL('../../../../shared/data/', import.meta.url);
export const hasCaptures = existsSync(new URL('aiwolf/', data));

/** The captured connections of a folder of the data; none where it is not there. */
export const captureNames = (folder: 'aiwolf' | 'aiwolf-nlp'): string[] =>
  hasCaptures
    ? readdirSync(new URL(`${folder}/`, data)).flatMap((file) =>
        /^(?:n\d+-[A-Z]|probe-).*\.jsonl$/.test(file) ? [file.slice(0, -'.jsonl'.length)] : [],
      )
    : ['none'];

interface CapturedPacket {
  readonly text: string;
  readonly answer?: string;
}

/** The packets of one captured connection, NAME first. */
export function capturedConnection(path: string): readonly CapturedPacket[] {
  const lines = readCaptured(path).trim().split('\n');
  const frames = lines.map((line) => JSON.parse(line) as { dir: string; line?: string; text?: string });
  return frames.flatMap(({ dir, line, text }, i) => {
    if (dir !== 'S') return [];
    const next = frames[i + 1];
    return [{ text: (line ?? text)!, ...(next?.dir === 'C' ? { answer: (next.line ?? next.text)! } : {}) }];
  });
}

/** The packets of games in one captured connection, without NAME. */
export const capturedPackets = (path: string): readonly CapturedPacket[] =>
  capturedConnection(path).filter(({ text }) => !text.includes('"request":"NAME"'));

export const readCaptured = (path: string): string => readFileSync(new URL(path, data), 'utf8');

/** A logged game as the tape of a table of one round. */
export const tapeOfLog = (path: string, told?: Parameters<typeof tapeOfText>[1]) => tapeOfText(readCaptured(path), told);

/** @param told the options that agents were told: a log does not show all of them */
export function tapeOfText(log: string, told: { readonly [name: string]: unknown } = {}) {
  const logged = readLoggedGame(readLog(log));
  const shown = inferOptions(logged);
  const inferred = { ...shown, ...told };
  const { baseLength: _, mentionLength: __, ...rules } = told; // what was stored is cut already
  const { events } = reenact(logged, { ...shown, ...rules });
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

/** A packet of the protocol division but for the seed, and for the order in which a werewolf's roles stand, which is the server's own. */
export const protocolText = (text: string): string =>
  text
    .replace(/"randomSeed":-?\d+/, '"randomSeed":0')
    .replace(/"roleMap":\{([^}]*)\}/, (_, roles: string) => `"roleMap":{${roles.split(',').toSorted().join(',')}}`);

/**
 * A packet of the natural-language division but for what our tables do not tell apart: self-votes by night have a setting of their own there, and
 * a log does not tell a Skip from silence, which is free of the limit of Skips.
 */
export const naturalText = (text: string, { skips }: AiwolfOptions): string =>
  (skips ? text.replace(/"remain_skip":\d/, '"remain_skip":0') : text).replace(
    /("attack_vote":\{"max_count":\d),"allow_self_vote":\w+/,
    '$1',
  );

/** The first packet of a game in the natural-language division. */
export interface Initialize {
  readonly info: { readonly game_id: string; readonly agent: string; readonly profile?: string };
  readonly setting: {
    readonly max_day?: number;
    readonly vote_visibility: boolean;
    readonly talk: Speech;
    readonly whisper: Speech;
    readonly vote: { readonly max_count: number; readonly allow_self_vote: boolean };
    readonly attack_vote: { readonly max_count: number };
    readonly timeout: { readonly action: number; readonly response: number };
  };
}
interface Speech {
  readonly max_count: { readonly per_agent: number; readonly per_day: number };
  readonly max_length: { readonly base_length?: number; readonly mention_length?: number };
  readonly max_skip: number;
}

/** The options that a log does not show, from the settings that the agent was told. */
export const optionsOf = ({ talk, whisper, vote, attack_vote, vote_visibility, max_day }: Initialize['setting']) => ({
  selfVotes: vote.allow_self_vote,
  revotes: vote.max_count - 1,
  attackRevotes: attack_vote.max_count - 1,
  turns: talk.max_count.per_day,
  utterances: talk.max_count.per_agent,
  whispers: whisper.max_count.per_agent,
  whisperTurns: whisper.max_count.per_day || 1,
  skips: talk.max_skip,
  baseLength: talk.max_length.base_length ?? 0,
  mentionLength: talk.max_length.mention_length ?? 0,
  voteVisible: vote_visibility,
  ...(max_day === undefined ? {} : { maxDays: max_day }),
});

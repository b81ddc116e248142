import { preview } from '@maw/games/kernel/preview.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { RecordError } from '@maw/games/records/mistake.ts';
import type { GameRecord } from '@maw/games/records/record.ts';
import { replay } from '@maw/games/records/replay.ts';
import { isPlayerName } from '@maw/games/records/record-shape.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { agentOf } from '@maw/games/aiwolf/language/content-reader.ts';
import { writeAgent } from '@maw/games/aiwolf/language/content-writer.ts';
import { isNlp as isNlpPreset, type Preset } from '@maw/games/aiwolf/presets.ts';
import { OVER, SKIP } from '@maw/games/aiwolf/turns.ts';
import { isNamed, isNlpLog, type LogLine, readLog, writeLog } from './log.ts';
import { logOfTape } from './from-tape.ts';
import { foxOptions, inferOptions } from './infer-options.ts';
import { reenact, lineError } from './reenact.ts';
import { type LoggedGame, OPEN_OVER, readLoggedGame, spoken } from './logged-game.ts';

/** What a log has beyond the game: how its lines end, times, numbers, lost agents. Kept as the lines that differ from those the game would write. */
interface LineDifferences {
  readonly end: '\n' | '\r\n';
  /** The text between the ends of lines: each line as it is, or the first and the last of some lines that the game would write too, from 1. */
  readonly lines: (string | [number, number])[];
}

/** What a record of a log has noted. */
interface Notes {
  /** The names of the connections, where they are other than those of the players. */
  readonly names?: readonly string[];
  readonly log?: LineDifferences;
}

/** The notes of a record that this file has written; none where anybody else has written them. */
function notesOf({ notes }: GameRecord): Notes {
  const { names, log } = (typeof notes === 'object' && notes !== null ? notes : {}) as { readonly [name: string]: unknown };
  const isText = (each: unknown): each is string => typeof each === 'string';
  const isLines = (each: unknown): boolean => isText(each) || (Array.isArray(each) && each.length === 2 && each.every(Number.isInteger));
  const { end, lines } = (typeof log === 'object' && log !== null ? log : {}) as { readonly [name: string]: unknown };
  const isLog = (end === '\n' || end === '\r\n') && Array.isArray(lines) && lines.every(isLines);
  return {
    ...(Array.isArray(names) && names.every(isText) && { names }),
    ...(isLog && { log: { end, lines: lines as LineDifferences['lines'] } }),
  };
}

/**
 * Converts the text of a log to a record, from which `logOfRecord` writes it back byte for byte: the notes have the lines that the game alone
 * would write otherwise.
 * @param preset the contest, if it is known
 * @throws RecordError when the log is malformed or violates the rules; names the line
 */
export function recordOfText(text: string, preset?: Preset): GameRecord {
  const { record, pairs } = converted(readLog(text, preset), preset);
  const log = differencesOf(text, logOfRecord(record), pairs);
  return log ? { ...record, notes: { ...(record.notes as object | undefined), log } } : record;
}

/** The log of a record of aiwolf: as its game is logged, with the lines that its notes keep. */
export function logOfRecord(record: GameRecord): string {
  const { names, log } = notesOf(record);
  const style = { isNlp: isNlpPreset(record.options['preset']), ...(names ? { connections: names } : {}) };
  const written = writeLog(logOfTape(replay(record).events, record.players, 1, style));
  return log ? asLogged(written, log) : written;
}

/**
 * Converts a logged game to a record that fixes the roles, the speaking orders, all utterances and choices, the votes that the server
 * filled in, and the tie-breaks. The game is replayed on the way, so the record replays to the same log; in the natural-language division to
 * the same but for what `rowsOf` leaves out. Players have their names in the game. Invalid names are replaced; the notes hold the names
 * of the connections where they are other. A log that breaks off becomes a record without an expected end.
 * @throws RecordError when the log violates the rules; names the line
 */
export const recordOfLog = (log: readonly LogLine[], preset?: Preset): GameRecord => converted(log, preset).record;

interface Converted {
  readonly record: GameRecord;
  /** Which line of the log is which of that of the record, from 1. */
  readonly pairs: readonly (readonly [logged: number, written: number])[];
}

/** A log that only looks like one of the natural-language division may be one of the protocol division in which anything may be said. */
function converted(log: readonly LogLine[], preset: Preset | undefined): Converted {
  checkWhole(log);
  const presets = preset || isNamed(log) || !isNlpLog(log) ? [preset] : [preset, 'protocol-2021' as const];
  let mistake: RecordError | undefined;
  for (const contest of presets)
    for (const given of foxOptions(log))
      try {
        const logged = readLoggedGame(log, contest);
        return convertedAs(log, logged, inferOptions(logged, given));
      } catch (error) {
        if (!(error instanceof RecordError)) throw error;
        mistake ??= error;
      }
  throw mistake!;
}

function convertedAs(log: readonly LogLine[], logged: LoggedGame, options: GameRecord['options']): Converted {
  const { acts, draws, events, end } = reenact(logged, options);
  const made = logOfTape(events, logged.players, 1, { isNlp: logged.isNlp, connections: logged.names });
  const pairs = compared(rowsOf(log, logged), rowsOf(made, logged), logged);
  const players = playersOf(logged.players);
  const record: GameRecord = {
    rules: aiwolf.name,
    version: aiwolf.version,
    options,
    players,
    deal: Object.fromEntries(draws.filter(({ step }) => step === 'deal').map(({ name, is }) => [name, is])),
    acts,
    draws: draws.filter(({ step }) => step !== 'deal'),
    ...(logged.result ? { expect: { winner: end.ended!.winner, alive: end.living, roles: logged.roles } } : {}),
    ...(players.every((name, seat) => name === logged.names[seat]) ? {} : { notes: { names: logged.names } }),
  };
  return { record, pairs };
}

/** The server accepts any names, also duplicates. Names of a record are distinct. */
function playersOf(names: readonly string[]): readonly string[] {
  const players: string[] = [];
  for (const [seat, name] of names.entries()) {
    const wanted = isPlayerName(name) ? name : writeAgent(agentOf(seat));
    let own = wanted;
    for (let n = 2; players.includes(own); n++) own = `${[...wanted].slice(0, 50).join('')} (${n})`;
    players.push(own);
  }
  return players;
}

function checkWhole(log: readonly LogLine[]): void {
  const begun = log.findIndex((line) => line.type !== 'status' || line.day > 0);
  const players = begun < 0 ? log.length : begun;
  const { least, most } = aiwolf.players;
  if (players < least || players > most)
    throw lineError(
      1,
      'the statuses of day 0 are not those of a game',
      `a log begins with them, one for each of ${least} to ${most} players`,
    );
  for (const [i, line] of log.entries()) {
    if (i < players && (line as { seat: Seat }).seat !== i)
      throw lineError(i + 1, 'the players are not in order', `player ${i + 1} comes here`);
    const seats = [...('seat' in line ? [line.seat] : []), ...('target' in line && line.target !== undefined ? [line.target] : [])];
    const stranger = seats.find((seat) => seat >= players);
    if (stranger !== undefined) throw lineError(i + 1, `there is no player ${stranger + 1}`, `there are ${players}`);
  }
  const end = log.findIndex(({ type }) => type === 'result') + 1;
  if (end && end < log.length) throw lineError(end + 1, 'the game is over before this line', 'a log has one game');
}

interface Row {
  /** The number of the line, from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * The lines that must be the same in a log and in the one the rules produce: all of them, but for characters that are not speech. In the natural-language division not how utterances
 * are numbered and when they were made, whether an Over ended the talk of its player, what silence a lost agent is said to have kept, which name
 * in the game a log does not have, and the attack that a game without a winner left out.
 */
function rowsOf(lines: readonly LogLine[], { isNlp, lost, result, ...logged }: LoggedGame): readonly Row[] {
  return lines.flatMap((written, i): Row[] => {
    const row = (line: LogLine): Row[] => [{ line: i + 1, text: writeLog([line]).trimEnd() }];
    const each = 'text' in written ? { ...written, text: spoken(written.text) } : written;
    if (!isNlp) return row(each);
    if (each.type === 'status') {
      const { player, ...status } = { ...each, alive: each.alive ?? true };
      return row(player === undefined || !logged.isNamed ? status : { ...status, player });
    }
    if (each.type === 'attack') return each.target === undefined && result?.winner === 'none' ? [] : row(each);
    if (each.type !== 'talk' && each.type !== 'whisper') return row(each);
    const { time: _, ...line } = each;
    return line.text === SKIP && lost.has(line.seat) ? [] : row({ ...line, number: 0, text: line.text === OPEN_OVER ? OVER : line.text });
  });
}

/** Which lines are the same. @throws RecordError at the first other one; a log may break off */
function compared(log: readonly Row[], made: readonly Row[], { result }: LoggedGame): Converted['pairs'] {
  for (let i = 0; i < Math.max(log.length, result ? made.length : 0); i++) {
    const [is, would] = [log[i]?.text, made[i]?.text];
    if (is !== would)
      throw lineError(log[i]?.line ?? log.length + 1, `there is ${preview(is)}`, `by the rules there would be ${preview(would)}`);
  }
  return log.map(({ line }, i) => [line, made[i]!.line] as const);
}

/**
 * How a log differs from the one that its game would write. Undefined: not at all.
 * @param pairs which line of it is which written line, from 1
 */
function differencesOf(log: string, written: string, pairs: readonly (readonly [number, number])[]): LineDifferences | undefined {
  if (log === written) return undefined;
  const end = /(?<!\r)\n/.test(log) || !log.includes('\n') ? '\n' : '\r\n';
  const there = written.split('\n');
  const writtenAs = new Map(pairs);
  const lines: LineDifferences['lines'] = [];
  for (const [i, row] of log.split(end).entries()) {
    const at = writtenAs.get(i + 1);
    const last = lines.at(-1);
    if (at === undefined || there[at - 1] !== row) lines.push(row);
    else if (typeof last === 'object' && last[1] === at - 1) last[1] = at;
    else lines.push([at, at]);
  }
  return { end, lines };
}

/** Inverts `differencesOf`. */
const asLogged = (written: string, { end, lines }: LineDifferences): string => {
  const there = written.split('\n');
  return lines.flatMap((each) => (typeof each === 'string' ? [each] : there.slice(each[0] - 1, each[1]))).join(end);
};

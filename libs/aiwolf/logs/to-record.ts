import { preview } from '@maw/games/kernel/preview.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { GameRecord } from '@maw/games/records/record.ts';
import { isPlayerName } from '@maw/games/records/record-shape.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { agentOf } from '@maw/games/aiwolf/language/content-reader.ts';
import { writeAgent } from '@maw/games/aiwolf/language/content-writer.ts';
import { SKIP } from '@maw/games/aiwolf/turns.ts';
import { type LogLine, writeLog } from './log.ts';
import { logOfTape } from './from-tape.ts';
import { inferOptions } from './infer-options.ts';
import { reenact, lineError } from './reenact.ts';
import { type LoggedGame, readLoggedGame } from './logged-game.ts';

/**
 * Converts a logged game to a record that fixes the roles, the speaking orders, all utterances and choices, the votes that the server
 * filled in, and the tie-breaks. The game is replayed on the way, so the record replays to the same log; in the natural-language division to
 * the same but for what a lost agent no longer said. Players have their names in the game. Invalid names are replaced; the notes hold the names
 * of the connections where they are other.
 * @throws RecordError when the log is incomplete or violates the rules; names the line
 */
export function recordOfLog(log: readonly LogLine[]): GameRecord {
  checkWhole(log);
  const logged = readLoggedGame(log);
  const options = inferOptions(logged);
  const { acts, draws, events, end } = reenact(logged, options);
  const made = logOfTape(events, logged.players, 1, { isNlp: logged.isNlp, connections: logged.names });
  compare(rowsOf(log, logged), rowsOf(made, logged));
  const players = playersOf(logged.players);
  return {
    rules: aiwolf.name,
    version: aiwolf.version,
    options,
    players,
    deal: Object.fromEntries(draws.filter(({ step }) => step === 'deal').map(({ name, is }) => [name, is])),
    acts,
    draws: draws.filter(({ step }) => step !== 'deal'),
    expect: { winner: end.ended!.winner, alive: end.living, roles: logged.roles },
    ...(players.every((name, seat) => name === logged.names[seat]) ? {} : { notes: { names: logged.names } }),
  };
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
  const players = log.findIndex((line) => line.type !== 'status' || line.day > 0);
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
  if (log.at(-1)!.type !== 'result') throw lineError(log.length, 'the log ends without a result', 'only a whole game can be read');
}

interface Row {
  /** The number of the line, from 1. */
  readonly line: number;
  readonly text: string;
}

/**
 * The lines that must be the same in a log and in the one the rules produce: all of them. In the natural-language division not how utterances
 * are numbered and when they were made, what silence a lost agent is said to have kept, and the attack that a game without a winner left out.
 */
function rowsOf(lines: readonly LogLine[], { isNlp, lost, result }: LoggedGame): readonly Row[] {
  return lines.flatMap((each, i): Row[] => {
    const row = (line: LogLine): Row[] => [{ line: i + 1, text: writeLog([line]).trimEnd() }];
    if (!isNlp) return row(each);
    if (each.type === 'status') return row({ ...each, alive: each.alive ?? true });
    if (each.type === 'attack') return each.target === undefined && result?.winner === 'none' ? [] : row(each);
    if (each.type !== 'talk' && each.type !== 'whisper') return row(each);
    const { time: _, ...line } = each;
    return line.text === SKIP && lost.has(line.seat) ? [] : row({ ...line, number: 0 });
  });
}

function compare(log: readonly Row[], made: readonly Row[]): void {
  for (let i = 0; i < Math.max(log.length, made.length); i++) {
    const [is, would] = [log[i]?.text, made[i]?.text];
    if (is !== would)
      throw lineError(log[i]?.line ?? log.length + 1, `there is ${preview(is)}`, `by the rules there would be ${preview(would)}`);
  }
}

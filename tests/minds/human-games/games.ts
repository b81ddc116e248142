import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Seat } from '@maw/games/kernel/question.ts';
import { readSpeech } from '@maw/rule-players/maw/speech.ts';

const GAMES = new URL('../../../../shared/data/human-speech/games/', import.meta.url);
export const hasGames = existsSync(GAMES);

interface Event {
  readonly type: 'phase' | 'message' | 'vote' | 'execution' | 'kill' | 'restart' | 'end';
  readonly phase?: string;
  readonly by?: string;
  readonly for?: string;
  readonly text?: string;
  readonly player?: string;
  readonly role?: string;
}

/** One day of a game of Mafia between people. */
export interface PlayedDay {
  readonly alive: readonly Seat[];
  readonly votes: ReadonlyMap<Seat, Seat>;
  /** Who called whom a mafioso: `by/about`. */
  readonly accusations: readonly string[];
  readonly executed: Seat | undefined;
  readonly spoke: readonly Seat[];
}

export interface PlayedGame {
  readonly name: string;
  readonly players: readonly string[];
  readonly mafia: readonly Seat[];
  readonly days: readonly PlayedDay[];
  /** In the night after each day. */
  readonly killed: readonly (Seat | undefined)[];
}

/** The games of people, where they are at hand. */
export const humanGames = (): readonly PlayedGame[] =>
  hasGames ? readdirSync(GAMES).sort().map((file) => gameOf(JSON.parse(readFileSync(new URL(file, GAMES), 'utf8')) as Source)) : []; // prettier-ignore

interface Source {
  readonly game: string;
  readonly players: readonly string[];
  readonly mafia: readonly string[];
  readonly events: readonly Event[];
}

function gameOf({ game, players, mafia, events }: Source): PlayedGame {
  const seatOf = (name: string | undefined): Seat => players.indexOf(name!);
  const days: { alive: Seat[]; votes: Map<Seat, Seat>; accusations: string[]; executed: Seat | undefined; spoke: Seat[] }[] = [];
  const killed: (Seat | undefined)[] = [];
  let alive = players.map((_, seat) => seat);
  let before: { by: Seat; text: string }[] = [];
  for (const event of events) {
    const day = days.at(-1);
    if (event.type === 'phase' && event.phase === 'day') days.push({ alive: [...alive], votes: new Map(), accusations: [], executed: undefined, spoke: [] }); // prettier-ignore
    if (event.type === 'vote' && event.phase === 'day-vote') day!.votes.set(seatOf(event.by), seatOf(event.for));
    if (event.type === 'message' && event.phase === 'day') {
      const [by, text] = [seatOf(event.by), event.text!];
      day!.accusations.push(...readSpeech({ speech: text, by, names: players, before }).accuses.map((about) => `${by}/${about}`));
      day!.spoke.push(by);
      before = [...before, { by, text }].slice(-2);
    }
    if (event.type === 'execution') day!.executed = seatOf(event.player);
    if (event.type === 'kill') killed[days.length - 1] = seatOf(event.player);
    if (event.type === 'execution' || event.type === 'kill') alive = alive.filter((seat) => seat !== seatOf(event.player));
  }
  return {
    name: game,
    players,
    mafia: mafia.map(seatOf),
    days: days.map((d) => ({ ...d, accusations: [...new Set(d.accusations)] })),
    killed,
  };
}

/** Games of Mafia that people played elsewhere, as the LLMafia data set writes them down: free talk, votes, and what came of them. */
import { chat, type Seat, seats, vote } from '../kernel/question.ts';
import { ask, withdraw } from '../kernel/rules.ts';
import { preview } from '../kernel/preview.ts';
import { ignored, isListOf, isText, isWhole, list, object, readPlayers, type Report, text, value } from './record-shape.ts';
import type { TableEvent } from './table-tape.ts';

/** A game as its file has it. Players are named. */
interface MafiaGame {
  readonly game: string;
  readonly players: readonly string[];
  readonly mafia: readonly string[];
  /** Which of the players is a model, and which one. */
  readonly model?: string;
  readonly modelName?: string;
  /** How long the talk of a phase lasts. */
  readonly daySeconds: number;
  readonly nightSeconds: number;
  readonly winner: 'mafia' | 'bystanders';
  readonly events: readonly MafiaEvent[];
}

/** Seconds are since the first day began. */
interface MafiaEvent {
  readonly t: number;
  readonly type: string;
  readonly phase?: string;
  readonly day?: number;
  readonly by?: string;
  readonly text?: string;
  readonly for?: string;
  readonly player?: string;
}

/** What each type of event needs besides its time. */
const NEEDS: { readonly [type: string]: readonly (keyof MafiaEvent)[] } = {
  phase: ['phase', 'day'],
  message: ['phase', 'by', 'text'],
  vote: ['phase', 'by', 'for'],
  execution: ['player'],
  kill: ['player'],
  restart: [],
  end: [],
};
const PHASES = ['day', 'day-vote', 'night', 'night-vote'];

const oneOf = (known: readonly string[], what: string) =>
  value<string>((given) => known.includes(given as string), what, `it is one of ${known.join(', ')}`);
const names = value<readonly string[]>(isListOf(isText), 'list of names', 'it is a list of names of players');
const seconds = value<number>(isWhole, 'time', 'it is in whole seconds');
const name = text('the name of a player');
/** Fields that a game may have, and that nothing is made of. */
const unread = (...fields: readonly string[]) => Object.fromEntries(fields.map((field) => [field, ignored]));

const readEvent = object<MafiaEvent>('event', 'an event is an object with t and type', ['t', 'type'], {
  t: seconds,
  type: oneOf(Object.keys(NEEDS), 'type of event'),
  phase: oneOf(PHASES, 'phase'),
  day: value(isWhole, 'day', 'days are counted from 1'),
  by: name,
  text: value((given) => typeof given === 'string', 'text', 'it is what was said'),
  for: name,
  player: name,
  ...unread('id', 'role', 'winner', 'sent', 'chars', 'words', 'declared'),
});
const NEEDED = ['game', 'players', 'mafia', 'daySeconds', 'nightSeconds', 'winner', 'events'];
const readGame = object<MafiaGame>('game', `a game of Mafia is an object with ${NEEDED.join(', ')}`, NEEDED, {
  game: text('what the game is called'),
  players: readPlayers,
  mafia: names,
  model: name,
  modelName: text('what the model is called'),
  daySeconds: seconds,
  nightSeconds: seconds,
  winner: oneOf(['mafia', 'bystanders'], 'side'),
  ...unread('restarts'),
  events: list(readEvent, 'it is a list of what happened, in order'),
});

/** A game that was taken over as its source tells it: no rule set here has checked anything of it. */
export interface ImportedGame {
  /** What its source calls it. */
  readonly game: string;
  readonly rules: 'maw';
  readonly players: readonly string[];
  readonly winner: string;
  readonly winners: readonly Seat[];
  readonly roles: readonly string[];
  readonly dead: readonly Seat[];
  readonly tape: readonly TableEvent[];
}

/**
 * Reads a game of Mafia as a game of `maw`: day and night, roles, votes, deaths and the winner are those of the file. Places begin with `game`.
 * @returns undefined after a report of every mistake: shapes, unknown names, messages and votes outside of their phase, times that run backwards
 */
export function readMafia(given: unknown, report: Report): ImportedGame | undefined {
  let isFine = true;
  const wrong: Report = (...mistake) => {
    isFine = false;
    report(...mistake);
  };
  const game = readGame(given, 'game', wrong);
  if (game && isFine) checkCourse(game, wrong);
  return game && isFine ? importedGame(game) : undefined;
}

function checkCourse({ players, mafia, model, events }: MafiaGame, report: Report): void {
  const checkName = (at: string, player: string | undefined): void => {
    if (player !== undefined && !players.includes(player))
      report(at, `${preview(player)} is no player`, `players are ${players.join(', ')}; correct the name`);
  };
  checkName('game.model', model);
  for (const [i, each] of mafia.entries()) checkName(`game.mafia[${i}]`, each);
  if (events[0]?.type !== 'phase') report('game.events[0]', 'is no phase', 'a game begins with the phase of its first day; add it');
  let open: string | undefined;
  for (const [i, event] of events.entries()) {
    const at = `game.events[${i}]`;
    const needs = NEEDS[event.type]!;
    for (const field of needs)
      if (event[field] === undefined) report(`${at}.${field}`, 'is missing', `an event of the type ${event.type} has ${needs.join(', ')}`);
    for (const field of ['by', 'for', 'player'] as const) checkName(`${at}.${field}`, event[field]);
    const before = events[i - 1]?.t ?? 0;
    if (event.t < before)
      report(`${at}.t`, `${event.t} is before ${before}, the time of the event before`, 'put the events in their order');
    if (event.type === 'phase') open = event.phase;
    else if (event.phase !== undefined && event.phase !== open)
      report(`${at}.phase`, `it is of the phase ${event.phase}`, `the phase here is ${open ?? 'over'}; put it where it belongs`);
    if (event.type === 'execution' || event.type === 'kill') open = undefined;
  }
}

function importedGame({ game, players, mafia, model, modelName = 'model', winner: side, ...about }: MafiaGame): ImportedGame {
  const seatOf = (player: string): Seat => players.indexOf(player);
  const roles = players.map((player) => (mafia.includes(player) ? 'wolf' : 'villager'));
  const winner = side === 'mafia' ? 'wolves' : 'villagers';
  const winners = players.flatMap((_, seat) => ((roles[seat] === 'wolf') === (side === 'mafia') ? [seat] : []));
  const tape: TableEvent[] = [];
  const told = (t: number, ...events: readonly TableEvent['event'][]): void => {
    for (const event of events) tape.push({ n: tape.length + 1, at: t * 1_000, event });
  };
  const options = { dayMs: about.daySeconds * 1_000, nightMs: about.nightSeconds * 1_000, parityWin: true, pace: 'people' };
  const plans = players.map((player) => (player === model ? { kind: 'mind', recipe: modelName } : { kind: 'person' }));
  const opening = {
    rules: 'maw',
    version: 'imported',
    options,
    rounds: 1,
    seats: plans,
    seed: '',
    lobbyMs: 0,
    pauseMs: 0,
    spectators: 'narrator',
  };
  told(0, { type: 'opened', opening }, ...players.map((player, seat) => ({ type: 'joined', seat, name: player })));
  told(0, { type: 'began', round: 1 }, { type: 'dealt', roles });
  const dead = tellCourse(about, { roles, seatOf, told });
  const ended = { type: 'ended', winner, because: winner === 'wolves' ? 'parity' : 'no-wolves' };
  const points = players.map((_, seat) => Number(winners.includes(seat)));
  const outcome = { winner, winners, roles, points };
  told(about.events.at(-1)!.t, ended, { type: 'scored', round: 1, outcome, totals: points }, { type: 'closed', winners });
  return { game, rules: 'maw', players, winner, winners, roles, dead, tape };
}

interface Telling {
  readonly roles: readonly string[];
  seatOf(player: string): Seat;
  told(t: number, ...events: readonly TableEvent['event'][]): void;
}

/** Tells days and nights as a table of `maw` does, where talk and vote follow each other. Returns who died, in order. */
function tellCourse({ events, daySeconds, nightSeconds }: Pick<MafiaGame, 'events' | 'daySeconds' | 'nightSeconds'>, to: Telling): Seat[] {
  const { roles, seatOf, told } = to;
  const dead: Seat[] = [];
  /** The question that is open. */
  let open: string | undefined;
  let murdered: Seat | undefined;
  const close = (t: number): void => {
    if (open !== undefined) told(t, /talk$/.test(open) ? withdraw(open) : { type: 'settled', question: open, answers: [] });
    open = undefined;
  };
  const begin = ({ t, phase = '', day = 1 }: MafiaEvent): void => {
    close(t);
    const living = roles.flatMap((_, seat) => (dead.includes(seat) ? [] : [seat]));
    const pack = living.filter((seat) => roles[seat] === 'wolf');
    const isNight = phase.startsWith('night');
    const among = roles.flatMap((role, seat) => (role === 'wolf' ? [seat] : []));
    const rest = isNight ? { room: 'Hideout', among } : { room: 'Village' };
    const id = `round-1/${isNight ? 'night' : 'day'}-${day}/${phase.endsWith('vote') ? (isNight ? 'hunt' : 'vote') : 'talk'}`;
    const until = (t + (isNight ? nightSeconds : daySeconds)) * 1_000;
    const prey = seats(living.filter((seat) => !isNight || !pack.includes(seat)));
    const asked = isNight ? pack : living;
    told(
      t,
      ask(id.endsWith('talk') ? chat(id, asked, until, rest) : vote(id, asked, prey, until, { ...rest, settles: 'when-all-answer' })),
    );
    open = id;
    if (phase !== 'day') return;
    told(t, { type: 'dawned', day });
    if (murdered !== undefined) told(t, { type: 'murdered', seat: murdered });
    murdered = undefined;
  };
  const die = ({ t, type, player = '' }: MafiaEvent): void => {
    const seat = seatOf(player);
    close(t);
    dead.push(seat);
    if (type === 'kill') return void (murdered = seat);
    told(t, { type: 'executed', seat }, { type: 'told', to: [...roles.keys()], seat, role: roles[seat] });
  };
  let day = 1;
  let isDark = false;
  for (const event of events) {
    const { t, type, by = '', text: said = '', for: whom = '' } = event;
    if (type === 'phase') {
      day = event.day!;
      const isNight = event.phase!.startsWith('night');
      if (isNight && !isDark) told(t, { type: 'dusked', day });
      isDark = isNight;
      begin(event);
    }
    const answer = type === 'message' ? { by: seatOf(by), says: [said] } : { by: seatOf(by), says: [`seat:${seatOf(whom)}`] };
    if (type === 'message' || type === 'vote') told(t, { type: 'answered', question: open, answer, at: t * 1_000 });
    if (type === 'execution' || type === 'kill') die(event);
  }
  const { t } = events.at(-1)!;
  close(t);
  if (murdered !== undefined) told(t, { type: 'murdered', seat: murdered });
  return dead;
}

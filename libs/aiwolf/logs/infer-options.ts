import { readOptions } from '@maw/games/kernel/options.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { roleCountsFor, MIN_PLAYERS, MAX_PLAYERS } from '@maw/games/aiwolf/role-counts.ts';
import { isUtterance } from '@maw/games/aiwolf/language/content-reader.ts';
import type { LogLine } from './log.ts';
import { type Ballot, phasesOf, type LoggedGame, type Turn } from './logged-game.ts';
import { aiwolfOptions } from '@maw/games/aiwolf/options.ts';
import type { Preset } from '@maw/games/aiwolf/presets.ts';
import { type Place, type Role, ROLES } from '@maw/games/aiwolf/state.ts';
import { OVER, SKIP } from '@maw/games/aiwolf/turns.ts';

/** The options of the contest that a game was logged in. */
type Usual = ReturnType<typeof usualOf>;

/** The natural-language division played thirteen at a table, and without names in the game, in 2025 only. */
const presetOf = ({ preset, isNlp, isNamed, isAnytime, roles }: LoggedGame): Preset =>
  preset ?? (!isNlp ? 'protocol-2021' : isAnytime ? 'nlp-anytime' : roles.length === 13 || !isNamed ? 'nlp-2025' : 'nlp-2026');
const usualOf = (logged: LoggedGame) => readOptions(aiwolfOptions, { preset: presetOf(logged) });

/** Infers the options of a logged game: the defaults of its contest, except where the log shows otherwise, and those that are `given`. */
export function inferOptions(logged: LoggedGame, given: FoxOptions = {}): { readonly [name: string]: unknown } {
  const { turns, result, isNlp } = logged;
  const usual = usualOf(logged);
  const whole = endedPhasesOf(logged);
  const last = lastDayOf(logged);
  const texts = [...turns.talk, ...turns.whisper].flatMap(({ said }) => said.map(({ text }) => text));
  const voted = new Set(whole.votes.map(({ day }) => day));
  const executed = new Set(logged.executions.map(({ day }) => day));
  const isDraw = result?.winner === 'draw' || result?.winner === 'none';
  const found: { readonly [name: string]: unknown } = {
    roles: rolesOf(logged.roles, usual.preset),
    ...(isNlp ? nlpTalk(logged, usual) : protocolTalk(logged, usual)),
    revotes: revotesOf(whole, usual),
    attackRevotes: attackRevotesOf(whole, usual),
    noExecution: !isNlp && [...voted].some((day) => !executed.has(day)),
    noAttack: whole.attacks.some(({ day, target }) => target === undefined && (isNlp ? isHunted(logged, day) : !isDeserted(logged, day))),
    talkOnFirstDay: turns.talk.some(({ day }) => day === 0),
    whisperBeforeRevote: isWhisperedAgain(logged),
    // what a log that breaks off does not tell is a silence that ends with the day
    maxDays: isDraw ? last - 1 : !result ? Math.max(1, last) : Math.max(usual.maxDays, last),
    maxChars: Math.max(usual.maxChars, ...texts.map((text) => [...text].length)),
    ...given,
  };
  const changed = Object.entries(found).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(usual[name as keyof Usual]));
  return { ...(isNlp ? { preset: usual.preset } : {}), ...Object.fromEntries(changed) };
}

type FoxOptions = Partial<Pick<Usual, 'foxCounts' | 'endCheck'>>;

/**
 * What a log with a fox does not tell, the likelier first: only if the game is played again it is known. A result with three numbers is of rules by
 * which foxes do not count, and the last execution ends the game.
 */
export function foxOptions(lines: readonly LogLine[]): readonly FoxOptions[] {
  const has = (role: Role): boolean => lines.some((line) => line.type === 'status' && line.role === role);
  if (has('immoralist'))
    return (['nobody', 'human'] as const).flatMap((foxCounts) =>
      (['at-once', 'morning'] as const).map((endCheck) => ({ foxCounts, endCheck })),
    );
  if (!has('fox')) return [{}];
  return [{}, { foxCounts: 'nobody' }, { endCheck: 'morning' }, { foxCounts: 'nobody', endCheck: 'morning' }];
}

const lastDayOf = ({ result, ...logged }: LoggedGame): number =>
  result?.day ??
  Math.max(0, ...[...logged.turns.talk, ...logged.turns.whisper, ...logged.executions, ...logged.attacks].map(({ day }) => day));

/** The game without the talk, the whispering and the votes within which its log may break off: those are cut by nothing of the rules. */
function endedPhasesOf(logged: LoggedGame): LoggedGame {
  if (logged.result) return logged;
  const ended = (turns: readonly Turn[]) => phasesOf(turns).slice(0, -1).flat();
  const before = <T extends { readonly day: number }>(all: readonly T[]) => all.filter(({ day }) => day < lastDayOf(logged));
  const { turns, votes, attackVotes, attacks } = logged;
  return {
    ...logged,
    turns: { talk: ended(turns.talk), whisper: ended(turns.whisper) },
    votes: before(votes),
    attackVotes: before(attackVotes),
    attacks: before(attacks),
  };
}

function protocolTalk(logged: LoggedGame, usual: Usual): { readonly [name: string]: unknown } {
  const { turns, result, executions } = logged;
  const texts = [...turns.talk, ...turns.whisper].flatMap(({ said }) => said.map(({ text }) => text));
  return {
    utterances: Math.max(usual.utterances, largest(turns.talk, utterances)),
    turns: Math.max(turnsOf(usual.turns, endedPhasesOf(logged).turns.talk), ...turns.talk.map(({ turn }) => turn + 1)),
    whispers: Math.max(usual.whispers, largest(turns.whisper, utterances)),
    whisperTurns: Math.max(turnsOf(usual.whisperTurns, endedPhasesOf(logged).turns.whisper), ...turns.whisper.map(({ turn }) => turn + 1)),
    skips: Math.max(usual.skips, largest(turns.talk, skips), largest(turns.whisper, skips)),
    language: texts.every(isUtterance) ? 'protocol' : 'free',
    endCheck: executions.some(({ day }) => day === result?.day) ? 'at-once' : 'morning',
    whisperMs: timedOut(logged).length ? SHORT_MS : usual.whisperMs,
  };
}

/** Texts are logged as they were cut, so nothing is to be cut again. */
function nlpTalk(logged: LoggedGame, usual: Usual): { readonly [name: string]: unknown } {
  const { turns, isAnytime, roles } = logged;
  const isPack = roles.filter((role) => role === 'werewolf').length > 1;
  const firstWhispers = turns.whisper.filter(({ day, turn }) => day === 0 && turn === 0).length;
  return {
    utterances: isAnytime ? Math.max(usual.utterances, largest(turns.talk, withoutOver)) : budgetOf(usual.utterances, 'talk', logged),
    turns: Math.max(usual.turns, ...turns.talk.map(({ turn }) => turn + 1)),
    whispers: turns.whisper.length ? budgetOf(usual.whispers, 'whisper', logged) : isPack ? 0 : usual.whispers,
    whisperTurns: Math.max(usual.whisperTurns, ...turns.whisper.map(({ turn }) => turn + 1)),
    skips: isAnytime ? largest(turns.talk, skips) : usual.skips,
    firstWhispers: firstWhispers || usual.firstWhispers,
    baseLength: 0,
    endCheck: isPlayedOn(logged) ? 'morning' : usual.endCheck,
  };
}

/** Whether the night after the decisive execution was played. */
function isPlayedOn({ roles, executions, divinations, guards, attacks }: LoggedGame): boolean {
  const execution = executions.at(-1);
  if (![...divinations, ...guards, ...attacks].some(({ line }) => execution && line > execution.line)) return false;
  const killed = attacks.filter(({ line, died }) => died && line < execution!.line);
  const dead = new Set([...executions.map(({ seat }) => seat), ...killed.map(({ target }) => target)]);
  const living = roles.filter((_, seat) => !dead.has(seat));
  const wolves = living.filter((role) => role === 'werewolf').length;
  return wolves === 0 || living.length <= 2 * wolves;
}

/** The first utterance that is no sentence of the protocol, and its line. Because of it the record has `language: free`. */
export function firstFreeText(log: readonly LogLine[]): { readonly line: number; readonly text: string } | undefined {
  const spoken = log.flatMap((each, i) => (each.type === 'talk' || each.type === 'whisper' ? [{ line: i + 1, text: each.text }] : []));
  return spoken.find(({ text }) => !isUtterance(text));
}

/** How often a player may speak in one talk: who does not end with Over has said everything. */
function budgetOf(usual: number, place: Place, logged: LoggedGame): number {
  const spokenIn = (turns: readonly Turn[]) =>
    phasesOf(turns).flatMap((phase) => {
      const said = phase.flatMap((turn) => turn.said).filter(({ seat }) => !logged.lost.has(seat));
      return [...Map.groupBy(said, ({ seat }) => seat).values()];
    });
  const used = spokenIn(endedPhasesOf(logged).turns[place]).filter((each) => each.at(-1)!.text !== OVER);
  const most = Math.max(0, ...used.map(({ length }) => length));
  return most || Math.max(usual, ...spokenIn(logged.turns[place]).map(({ length }) => length - 1));
}

function rolesOf(roles: readonly Role[], preset: Preset): { readonly [role: string]: number } {
  const counts = Object.fromEntries(ROLES.map((role) => [role, roles.filter((each) => each === role).length]));
  const isUsual =
    roles.length >= MIN_PLAYERS &&
    roles.length <= MAX_PLAYERS &&
    ROLES.every((role) => roleCountsFor(roles.length, {}, preset)[role] === counts[role]);
  return isUsual ? {} : Object.fromEntries(Object.entries(counts).filter(([, count]) => count));
}

const largest = (turns: readonly Turn[], count: (texts: readonly string[]) => number): number => {
  const seats = (phase: readonly Turn[]) => [...new Set(phase.flatMap(({ said }) => said.map(({ seat }) => seat)))];
  const texts = (phase: readonly Turn[], seat: number) =>
    phase.flatMap(({ said }) => said.filter((each) => each.seat === seat).map(({ text }) => text));
  return Math.max(0, ...phasesOf(turns).flatMap((phase) => seats(phase).map((seat) => count(texts(phase, seat)))));
};

const withoutOver = (texts: readonly string[]): number => texts.filter((text) => text !== OVER).length;
const utterances = (texts: readonly string[]): number => texts.filter((text) => text !== SKIP && text !== OVER).length;

/** The longest run of skips as the server counts them: Over does not end a run. */
function skips(texts: readonly string[]): number {
  let run = 0;
  let longest = 0;
  for (const text of texts) {
    if (text === SKIP) longest = Math.max(longest, ++run);
    else if (text !== OVER) run = 0;
  }
  return longest;
}

/** A phase that does not end with Over by everybody has used all its turns or, for whispering, all its time. */
const isCut = (phase: readonly Turn[]): boolean => phase.at(-1)!.said.some(({ text }) => text !== OVER);

function turnsOf(usual: number, turns: readonly Turn[]): number {
  const phases = phasesOf(turns);
  const longest = Math.max(0, ...phases.map(({ length }) => length));
  return phases.some((phase) => phase.length === longest && isCut(phase)) ? longest : Math.max(usual, longest);
}

/** The last turns of whisperings that ran out of time. */
export function timedOut(logged: LoggedGame): readonly Turn[] {
  const { turns, isNlp } = endedPhasesOf(logged);
  if (isNlp) return []; // there a phase ends when all have said everything
  const most = turnsOf(usualOf(logged).whisperTurns, turns.whisper);
  return phasesOf(turns.whisper).flatMap((phase) => (isCut(phase) && phase.length < most ? [phase.at(-1)!] : []));
}

/** Short enough to expire within one silent turn, and divisible by 2 to 8 wolves. */
const SHORT_MS = 8400;

/** A vote whose last round is tied had no revotes left. */
function revotesOf({ votes }: LoggedGame, usual: Usual): number {
  const days = [...Map.groupBy(votes, ({ day }) => day).values()];
  const tied = days.find((rounds) => mostOf(rounds.at(-1)!).length > 1);
  return tied ? tied.length - 1 : Math.max(usual.revotes, ...days.map(({ length }) => length - 1));
}

/**
 * Like the vote of all. A round without any ballot is not logged: it shows only by the whispering before it, or when the last logged tie did
 * not decide.
 */
function attackRevotesOf(logged: LoggedGame, usual: Usual): number {
  const { attackVotes, attacks, turns } = logged;
  const nights = [...Map.groupBy(attackVotes, ({ day }) => day)].map(([day, ballots]) => {
    const whisperings = turns.whisper.filter((each) => each.turn === 0 && each.day === day).length;
    const most = huntedIn(logged, ballots.at(-1)!);
    const target = attacks.find((attack) => attack.day === day)?.target;
    const isTied = most.length > 1 && (target === undefined || most.includes(target));
    const rounds = ballots.length + (most.length > 1 && !isTied ? 1 : 0);
    const again = Math.max(rounds, whisperings) - 1;
    return isTied ? { again, tied: again } : { again };
  });
  const least = Math.max(0, ...nights.map(({ again }) => again));
  const tied = Math.max(-1, ...nights.flatMap((night) => night.tied ?? []));
  return tied >= least ? tied : Math.max(usual.attackRevotes, least);
}

function mostOf({ votes }: Ballot): readonly Seat[] {
  const counts = new Map<Seat, number>();
  for (const { target } of votes) counts.set(target, (counts.get(target) ?? 0) + 1);
  const top = Math.max(...counts.values());
  return [...counts].flatMap(([seat, count]) => (count === top ? [seat] : []));
}

/** Whom the wolves have voted for most; what does not count, a vote for a wolf, is logged in the natural-language division too. */
const huntedIn = ({ roles }: LoggedGame, { votes, ...ballot }: Ballot): readonly Seat[] =>
  mostOf({ ...ballot, votes: votes.filter(({ target }) => roles[target] !== 'werewolf') });
const isHunted = (logged: LoggedGame, day: number): boolean =>
  logged.attackVotes.some((ballot) => ballot.day === day && huntedIn(logged, ballot).length > 0);

/** Whether the wolves had nobody to attack: the last others were a fox that was executed and the immoralists who died with it. */
const isDeserted = ({ result }: LoggedGame, day: number): boolean => result?.humans === 0 && result.day === day + 1;

/** A night with two whisperings has whispering before a revote; on day 0 there is none. */
const isWhisperedAgain = ({ turns }: LoggedGame): boolean => {
  const days = turns.whisper.flatMap(({ day, turn }) => (turn === 0 && day > 0 ? [day] : []));
  return new Set(days).size < days.length;
};

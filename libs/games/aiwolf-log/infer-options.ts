import type { OptionTable } from '../kernel/options.ts';
import type { Seat } from '../kernel/question.ts';
import { roleCountsFor, LEAST, MOST } from '../aiwolf/role-counts.ts';
import { isUtterance } from '../aiwolf/language/content-reader.ts';
import type { LogLine } from './log.ts';
import { type Ballot, phasesOf, type LoggedGame, type Turn } from './logged-game.ts';
import { aiwolfOptions } from '../aiwolf/options.ts';
import { type Role, ROLES } from '../aiwolf/state.ts';
import { OVER, SKIP } from '../aiwolf/turns.ts';

const TABLE: OptionTable = aiwolfOptions;
const usual = (name: string): unknown => TABLE[name]!.usual;

/** Infers the options of a logged game: the defaults, except where the log shows otherwise. */
export function inferOptions(logged: LoggedGame): { readonly [name: string]: unknown } {
  const { turns, result } = logged;
  const last = result?.day ?? 0;
  const texts = [...turns.talk, ...turns.whisper].flatMap(({ said }) => said.map(({ text }) => text));
  const voted = new Set(logged.votes.map(({ day }) => day));
  const executed = new Set(logged.executions.map(({ day }) => day));
  const found: { readonly [name: string]: unknown } = {
    roles: rolesOf(logged.roles),
    utterances: atLeast('utterances', largest(turns.talk, utterances)),
    turns: turnsOf('turns', turns.talk),
    whispers: atLeast('whispers', largest(turns.whisper, utterances)),
    whisperTurns: turnsOf('whisperTurns', turns.whisper),
    skips: atLeast('skips', Math.max(largest(turns.talk, skips), largest(turns.whisper, skips))),
    revotes: revotesOf(logged),
    attackRevotes: attackRevotesOf(logged),
    noExecution: [...voted].some((day) => !executed.has(day)),
    noAttack: logged.attacks.some(({ target }) => target === undefined),
    talkOnFirstDay: turns.talk.some(({ day }) => day === 0),
    whisperBeforeRevote: isWhisperedAgain(logged),
    language: texts.every(isUtterance) ? 'protocol' : 'free',
    endCheck: executed.has(last) ? 'at-once' : 'morning',
    maxDays: result?.winner === 'draw' ? last - 1 : atLeast('maxDays', last),
    whisperMs: timedOut(logged).length ? SHORT_MS : usual('whisperMs'),
    maxChars: atLeast('maxChars', Math.max(0, ...texts.map((text) => [...text].length))),
  };
  return Object.fromEntries(Object.entries(found).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(usual(name))));
}

/** The first utterance that is no sentence of the protocol, and its line. Because of it the record has `language: free`. */
export function firstFreeText(log: readonly LogLine[]): { readonly line: number; readonly text: string } | undefined {
  const spoken = log.flatMap((each, i) => (each.type === 'talk' || each.type === 'whisper' ? [{ line: i + 1, text: each.text }] : []));
  return spoken.find(({ text }) => !isUtterance(text));
}

const atLeast = (name: string, least: number): number => Math.max(usual(name) as number, least);

function rolesOf(roles: readonly Role[]): { readonly [role: string]: number } {
  const counts = Object.fromEntries(ROLES.map((role) => [role, roles.filter((each) => each === role).length]));
  const isUsual =
    roles.length >= LEAST && roles.length <= MOST && ROLES.every((role) => roleCountsFor(roles.length, {})[role] === counts[role]);
  return isUsual ? {} : Object.fromEntries(Object.entries(counts).filter(([, count]) => count));
}

const largest = (turns: readonly Turn[], count: (texts: readonly string[]) => number): number => {
  const seats = (phase: readonly Turn[]) => [...new Set(phase.flatMap(({ said }) => said.map(({ seat }) => seat)))];
  const texts = (phase: readonly Turn[], seat: number) =>
    phase.flatMap(({ said }) => said.filter((each) => each.seat === seat).map(({ text }) => text));
  return Math.max(0, ...phasesOf(turns).flatMap((phase) => seats(phase).map((seat) => count(texts(phase, seat)))));
};

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

function turnsOf(name: string, turns: readonly Turn[]): number {
  const phases = phasesOf(turns);
  const longest = Math.max(0, ...phases.map(({ length }) => length));
  const cut = phases.filter(isCut);
  return cut.length && cut.every(({ length }) => length === longest) ? longest : atLeast(name, longest);
}

/** The last turns of whisperings that ran out of time. */
export function timedOut({ turns }: LoggedGame): readonly Turn[] {
  const most = turnsOf('whisperTurns', turns.whisper);
  return phasesOf(turns.whisper).flatMap((phase) => (isCut(phase) && phase.length < most ? [phase.at(-1)!] : []));
}

/** Short enough to expire within one silent turn, and divisible by 2 to 8 wolves. */
const SHORT_MS = 8400;

/** A vote whose last round is tied had no revotes left. */
function revotesOf({ votes }: LoggedGame): number {
  const days = [...Map.groupBy(votes, ({ day }) => day).values()];
  const tied = days.find((rounds) => mostOf(rounds.at(-1)!).length > 1);
  return tied ? tied.length - 1 : atLeast('revotes', Math.max(0, ...days.map(({ length }) => length - 1)));
}

/**
 * Like the vote of all. A round without any ballot is not logged: it shows only by the whispering before it, or when the last logged tie did
 * not decide.
 */
function attackRevotesOf({ attackVotes, attacks, turns }: LoggedGame): number {
  const nights = [...Map.groupBy(attackVotes, ({ day }) => day)].map(([day, ballots]) => {
    const whisperings = turns.whisper.filter((each) => each.turn === 0 && each.day === day).length;
    const most = mostOf(ballots.at(-1)!);
    const target = attacks.find((attack) => attack.day === day)?.target;
    const isTied = most.length > 1 && (target === undefined || most.includes(target));
    const rounds = ballots.length + (most.length > 1 && !isTied ? 1 : 0);
    const again = Math.max(rounds, whisperings) - 1;
    return isTied ? { again, tied: again } : { again };
  });
  const least = Math.max(0, ...nights.map(({ again }) => again));
  const tied = Math.max(-1, ...nights.flatMap((night) => night.tied ?? []));
  return tied >= least ? tied : atLeast('attackRevotes', least);
}

function mostOf({ votes }: Ballot): readonly Seat[] {
  const counts = new Map<Seat, number>();
  for (const { target } of votes) counts.set(target, (counts.get(target) ?? 0) + 1);
  const top = Math.max(...counts.values());
  return [...counts].flatMap(([seat, count]) => (count === top ? [seat] : []));
}

/** A night with two whisperings has whispering before a revote. */
const isWhisperedAgain = ({ turns }: LoggedGame): boolean => {
  const days = turns.whisper.flatMap(({ day, turn }) => (turn === 0 ? [day] : []));
  return new Set(days).size < days.length;
};

import { readMinds } from '@maw/minds/own-recipes.ts';
import type { OptionTable } from '@maw/games/kernel/options.ts';
import { checkSeats, type Game, paceOf, peopleOf, type PlayOptions } from './play-options.ts';

/** The longest time of each phase among machines, in seconds. */
export const MACHINE_SECONDS = 15;
/** Who types 200 characters a minute and reads 250 words a minute needs as long to read a few lines and to answer with a sentence. */
const LEAST_SECONDS = 45;

/** How long the Lobby waits for the players, and how long for other people. */
const [LOBBY_MS, FRIENDS_LOBBY_MS] = [120_000, 900_000];

/** Says when people can hardly take part in phases so short. */
export function warnOfHaste(options: PlayOptions, note: (text: string) => void): void {
  if (paceOf(options) !== 'people' || options.seconds === undefined || options.seconds >= LEAST_SECONDS) return;
  note(
    `--seconds ${options.seconds} is too short for people, who need ${LEAST_SECONDS} to read and to type a sentence. Leave --seconds out: then a phase lasts minutes, and ends early when all have answered.`,
  );
}

/** Opens a table and returns its id. At a running system, a person takes a table with a free seat instead, when there is one. */
export async function openTable({ web, options, isRemote, note, decisionMs }: Game): Promise<string> {
  const { seats: minds } = readMinds(options.minds);
  if (isRemote && options.human !== undefined) {
    const waiting = (await web.tables()).find(({ free, stage }) => stage === 'lobby' && free > 0);
    if (waiting) return waiting.table;
  }
  const rules = await web.rules(options.rules);
  const players = options.players ?? rules.players.usual;
  checkSeats(options, players);
  const people = peopleOf(options);
  const pace = paceOf(options);
  const seconds = options.seconds ?? (pace === 'people' ? undefined : MACHINE_SECONDS);
  const times = seconds === undefined ? [] : Object.keys(rules.options).filter((name) => name.endsWith('Ms'));
  // people speak plain English at AIWolf
  const language = pace === 'people' && Object.hasOwn(rules.options, 'language') ? { language: 'free' } : {};
  // Where minds alone can sit nobody sees a clock, so nobody learns from the time that a secret step takes.
  const hurry = people === 0 && !options.agents.length && Object.hasOwn(rules.options, 'hurry') ? { hurry: true } : {};
  // Nights that are long enough for the model, as nobody waits for it in them.
  const isMeasured = decisionMs && people > 0 && pace === 'people' && seconds === undefined;
  if (isMeasured) note('The model is asked two questions first, so that the nights are long enough for it.');
  const ms = isMeasured ? await decisionMs() : undefined;
  const nights = ms === undefined ? {} : nightsFor(rules.options as unknown as OptionTable, options.option, ms);
  for (const [name, night] of Object.entries(nights))
    note(`The model needs ${(ms! / 1000).toFixed(1)} s a decision: ${name} is ${night / 1000} s, so that nobody has to be quick by night.`);
  const seats = Array.from({ length: players }, (_, seat) => ({
    ...holderOf(seat, people, options.agents),
    ...(isRemote && options.model !== undefined ? { model: options.model } : {}),
    ...(minds.length ? minds[seat % minds.length]! : {}),
  }));
  const { table } = await web.open({
    rules: options.rules,
    players,
    seats,
    rounds: options.rounds,
    options: {
      ...Object.fromEntries(times.map((name) => [name, Math.round(seconds! * 1000)])),
      pace,
      ...language,
      ...hurry,
      ...nights,
      ...options.option,
    },
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    lobbyMs: people > 1 ? FRIENDS_LOBBY_MS : LOBBY_MS,
    pauseMs: 3_000,
    spectators: 'narrator',
    // who plays at home shows the game to friends afterwards
    ...(isRemote ? {} : { afterwards: 'everybody' as const }),
  });
  return table;
}

/** Who plays a seat: people have the first ones, then programs. */
function holderOf(seat: number, people: number, agents: readonly string[]) {
  const agent = agents[seat - people];
  if (seat < people) return { kind: 'person' as const };
  return agent === undefined ? { kind: 'mind' as const } : { kind: 'agent' as const, agent };
}

/** A decision of a model may take so much longer than the one that was measured. */
const MARGIN = 1.5;

/**
 * The times of secret steps of a table at the pace of people that are too short for its model as they are, as options in milliseconds.
 * @param given options of the table @param decisionMs how long a decision of the model takes
 */
function nightsFor(
  table: OptionTable,
  given: { readonly [name: string]: unknown },
  decisionMs: number,
): { readonly [name: string]: number } {
  const needed = Object.entries(table).flatMap(([name, option]) => {
    if (option.kind !== 'whole' || option.decisions === undefined || given[name] !== undefined) return [];
    if (option.opens?.unless !== undefined && given[option.opens.unless] !== undefined) return [];
    const ms = Math.ceil((option.decisions * decisionMs * MARGIN) / 1000) * 1000;
    return ms > (option.opens?.most ?? option.people ?? option.usual) ? [[name, Math.min(ms, option.most)] as const] : [];
  });
  return Object.fromEntries(needed);
}

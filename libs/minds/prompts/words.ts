import { diceOf } from '@maw/games/kernel/dice.ts';
import { joinList } from '@maw/games/kernel/format-text.ts';
import { stepOf } from '@maw/games/kernel/question.ts';
import { CARD_NAMES } from '@maw/games/onuw/narration.ts';
import { purposeOf } from '@maw/games/match/asked-question.ts';
import { sideOf } from '@maw/games/roles.ts';
import type { Asking, Mind, Moment } from '../mind.ts';
import { ownRole } from '../own-role.ts';
import { sanitize } from '../sanitize.ts';

interface SideTexts {
  readonly [rules: string]: { readonly [sideOrRole: string]: string };
}

/** What a seat wants, by rule set and by role or side. */
const GOALS: SideTexts = {
  'maw': {
    villagers: 'You win with the Villagers: find out who the Werewolves are, and have every one of them executed.',
    wolves: 'You win with the Werewolves: be taken for a Villager, have Villagers executed by day, and kill one each night.',
  },
  'werewolf-7': {
    village: 'You win with the village: find out who the Werewolves are, and have them executed.',
    werewolves: 'You win with the Werewolves: be taken for a Villager, and have others executed.',
  },
  'aiwolf': {
    village: 'Find out who the Werewolves are, and have them executed.',
    werewolves: 'Be taken for a Villager, and have others executed.',
    possessed: 'You win with the Werewolves, whom you do not know: mislead the village.',
    fox: 'You win with the Foxes if one of you lives at the end: be taken for a Villager, and give the Seer no reason to look at you.',
    immoralist: 'You win with the Foxes, whom you know, if one of them lives at the end: protect them, and mislead all others.',
  },
  'avalon': {
    good: 'You win with good: three quests must succeed, and evil must not find out who Merlin is.',
    evil: 'You win with evil: three quests must fail, or the Assassin must find Merlin. Be taken for good.',
  },
  'onuw': {
    village: 'The village, to which you were dealt, wins when somebody dies who holds a Werewolf at the end.',
    werewolves: 'The Werewolves, to whom you were dealt, win when nobody dies who holds a Werewolf at the end. Be taken for a Villager.',
    minion: 'You were dealt to the Werewolves, who win when nobody dies who holds a Werewolf at the end: defend them, and draw the votes away, even to yourself.',
    tanner: 'Holding the Tanner at the end you win by dying, voted out or taken along by a Hunter, also beside the village. Seem worth a vote without seeming to want it.',
    doppelganger: 'You are of the side of the card that you copied, as long as the Doppelgänger lies in front of you.',
  },
}; // prettier-ignore

const FOR_VILLAGE = 'Name the one who is most likely a Werewolf, by what was said and done.';
const FOR_WOLVES = 'Name somebody who is no Werewolf, best one whom others suspect too.';
const BY_CARD = 'If you believe that you hold a Werewolf now, name somebody who holds none; if not, name who most likely holds one.';

/** Whom to vote for, by rule set and side. */
const AIMS: SideTexts = {
  'maw': { villagers: FOR_VILLAGE, wolves: FOR_WOLVES },
  'werewolf-7': { village: FOR_VILLAGE, werewolves: FOR_WOLVES },
  'aiwolf': { village: FOR_VILLAGE, werewolves: FOR_WOLVES, fox: 'Name somebody who is no Fox, best one whom others suspect too.' },
  'avalon': { good: 'Approve it if nobody in it seems evil.', evil: 'A team with somebody evil in it serves you: its quest can fail.' },
  'onuw': {
    village: BY_CARD,
    werewolves: BY_CARD,
    minion: 'Unless you believe that your card was moved, name somebody who holds no Werewolf, best one whom others suspect too.',
    tanner: 'Unless you believe that your card was moved, name somebody whom nobody else will name.',
    doppelganger:
      'If the card that you copied makes you a Werewolf, a Minion or a Tanner, name somebody who holds no Werewolf; if not, name who most likely holds one.',
  },
};

/** The questions at which players vote in public. */
const VOTES: ReadonlySet<string> = new Set(['vote', 'ballot', 'approve']);

function textFor(texts: SideTexts, mind: Pick<Mind, 'notes'>, { rules }: Pick<Moment, 'rules'>): string {
  const role = ownRole(mind);
  const own = texts[rules.name] ?? {};
  return own[role] ?? own[sideOf(role, rules.name)] ?? '';
}

/** What the seat wants to reach; empty before the deal, and in a game that is not known here. */
export const goalOf = (mind: Pick<Mind, 'notes'>, moment: Pick<Moment, 'rules'>): string => textFor(GOALS, mind, moment);

/** What a choice is for, in the words that people read, and for a vote whom to vote for. A sentence or two. */
export function purposeFor({ id, options }: Asking, mind: Pick<Mind, 'notes'>, moment: Moment): string {
  const step = stepOf(id);
  const { team } = mind.notes;
  const about = step === 'approve' && typeof team === 'string' ? ` of ${team} for ${timeOf(moment).split(',')[0]!}` : '';
  const all = moment.rules.name === 'maw' && step === 'hunt' ? '. Only if all of you choose the same one, that player dies' : '';
  return `${purposeOf(step, options)}${about}${all}.${VOTES.has(step) ? ` ${textFor(AIMS, mind, moment)}` : ''}`.trim();
}

/** The team that was named last, in words; undefined when the news name none. */
export function namedTeam({ news, players }: Pick<Moment, 'news' | 'players'>): string | undefined {
  const team = news.findLast(({ event }) => event?.type === 'proposed')?.event?.['team'] as readonly number[] | undefined;
  return team && joinList(team.map((seat) => sanitize(players.find((player) => player.seat === seat)?.name ?? `Seat ${seat}`)));
}

/** Things to say at a table where nothing has happened yet, which a model may well copy: too short to count as a part of the prompt. */
const OPENINGS: readonly ((name: string) => string)[] = [
  (name) => `Whom does ${name} suspect?`,
  (name) => `I suspect ${name}. Who else?`,
  (name) => `What does ${name} think?`,
  (name) => `${name}, why so quiet?`,
];

/** An example of the seat's own, so that not all seats copy the same one. */
const diceFor = ({ seed, seat, phase, iteration }: Moment) => diceOf(seed, `${seat}/${phase}/${iteration}/example`);

/** One of some legal answers, another one for each seat and thought. */
export const exampleOf = <T>(from: readonly [T, ...T[]], moment: Moment): T => diceFor(moment).pick(from);

/** A sentence that could be said now. */
export function exampleSpeech(moment: Moment): string {
  const others = moment.players.filter(({ alive, seat }) => alive && seat !== moment.seat).map(({ name }) => sanitize(name));
  const dice = diceFor(moment);
  const opening = OPENINGS[dice.below(OPENINGS.length)]!;
  return opening(others[dice.below(Math.max(1, others.length))] ?? 'Everybody');
}

/** What players call a role: `Loyal Servant`; empty before the deal. */
export const roleName = (role: string, { rules }: Pick<Moment, 'rules'>): string =>
  NAMES[rules.name]?.[role] ?? ROLE_NAMES[role] ?? `${role.charAt(0).toUpperCase()}${role.slice(1)}`;

/** By rule set, where it has another role of that name, or an umlaut. */
const NAMES: { readonly [rules: string]: { readonly [role: string]: string } } = { onuw: CARD_NAMES };
const ROLE_NAMES: { readonly [role: string]: string } = { wolf: 'Werewolf', servant: 'Loyal Servant', minion: 'Minion of Mordred' };

/** Games in which nobody leaves the table before the end. */
const DEATHLESS: ReadonlySet<string> = new Set(['avalon', 'onuw']);

/** Whether only sentences of a game's own language can be said at this table; they call the first player `Agent[01]`. */
export const isFormal = ({ rules }: Pick<Moment, 'rules'>): boolean => rules.text.includes('Agent[01]');

/** Who is at the table, alive or dead where that can be, and what the game's own language calls them. */
export function seatedAt(moment: Pick<Moment, 'players' | 'rules'>): string {
  const { players, rules } = moment;
  const named = ({ name, seat }: Moment['players'][number]): string =>
    isFormal(moment) ? `${sanitize(name)} (Agent[${String(seat + 1).padStart(2, '0')}])` : sanitize(name);
  const list = (alive: boolean): string => players.filter((player) => player.alive === alive).map(named).join(', '); // prettier-ignore
  if (DEATHLESS.has(rules.name)) return `Players: ${players.map(named).join(', ')}.`;
  return `Alive: ${list(true)}.${list(false) && ` Dead: ${list(false)}.`}`;
}

/** `day 2, turn 3`, from the phase `round-1/day-2/turn-3`; a night is called by its name alone. */
export function timeOf({ phase, round }: Pick<Moment, 'phase' | 'round'>): string {
  const parts = phase.split('/').filter((part) => part !== `round-${round}`);
  const named = parts[0]?.startsWith('night') ? parts.slice(0, 1) : parts;
  const words = named.map((part) => NAMED[part] ?? part.replaceAll('-', ' ').replace(/^round (?=\d)/, 'round of talk '));
  return `${words.join(', ')}${round > 1 ? `, in game ${round} at this table` : ''}`;
}

const NAMED: { readonly [part: string]: string } = { night: 'the night', day: 'the day', ballot: 'the vote', end: 'after the last quest' };

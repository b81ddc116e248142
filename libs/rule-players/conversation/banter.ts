import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import type { Affairs } from './affairs.ts';
import { nameIn } from './direct-question.ts';
import { type Hearing, linesIn } from './hearing.ts';
import { type Banter, banter } from './small-talk.ts';
import { fill, type Filling, sentencesOf, type Voice } from './voice.ts';

/** What a seat sees of the table when it has nothing of its own to say. */
interface Scene {
  readonly hearing: Hearing;
  readonly moment: Moment;
  readonly affairs: Affairs;
  readonly voice: Voice<Banter>;
  readonly dice: Dice;
  /** How much of the time is over, from 0 to 1. */
  readonly gone: number;
  nameOf(seat: Seat): string;
}

/** Whoever has said nothing for so much of the time is asked; a time that is nearly over is short. */
const SILENT = 0.2;
const LATE = 0.8;
/** So many of the last lines do not name whom it turns to, and a vote that was cast before them is no news. */
const RECENT = 5;

/**
 * A line on what everybody has seen, which says nothing of whom the speaker suspects. When all was said in this talk, what was said longest ago.
 * @param reactions to what it has heard, which come before
 */
export function banterOf(scene: Scene, reactions: readonly string[]): string {
  const { hearing, moment, voice, dice } = scene;
  const isSaid = (text: string): boolean => hearing.texts.includes(text);
  const reaction = reactions.find((text) => !isSaid(text));
  if (reaction !== undefined && dice.below(3) > 0) return reaction;
  const remarks: Remark[] = [...onVotes(scene), ...onPlayers(scene), [moment.isTimeShort || scene.gone > LATE ? 'hurry' : 'muse', {}, 1]];
  const order = dice.shuffle(remarks.flatMap((one) => Array.from({ length: one[2] }, () => one)));
  // what was said of the same is no news in other words
  const isStale = (is: Banter, filling: Filling): boolean =>
    'name' in filling && is !== 'nudge' && sentencesOf(banter[is]).some((one) => isSaid(fill(one, filling)));
  for (const [is, filling] of order) {
    if (isStale(is, filling)) continue;
    const text = voice(is, filling);
    if (!isSaid(text)) return text;
  }
  // never silent in its turn, so that silence tells nothing of what it knows
  return reaction ?? voice('muse');
}

/** An occasion, what is filled in, and how likely it is taken. */
type Remark = readonly [is: Banter, filling: Filling, weight: number];

/** On votes: the one that was cast last, how many there are, who has not voted, and those of before. */
function onVotes({ hearing, moment: { players, seat: me }, affairs, dice, nameOf }: Scene): readonly Remark[] {
  const { ballots, phase } = hearing;
  const isOther = (seat: Seat): boolean => seat !== me && players[seat]!.alive;
  const votes = ballots.phase === phase ? Object.entries(ballots.by).map(([by, about]) => ({ by: Number(by), about })) : [];
  const remarks: Remark[] = [];
  // why one votes for a wolf who was found, everybody knows
  const isFound = (seat: Seat): boolean => affairs.found.some(({ about }) => about === seat);
  const { last } = ballots;
  if (votes.length && last && !isFound(last.about) && isOther(last.by) && linesIn(hearing, phase).all - last.line <= RECENT) {
    const filling = { by: nameOf(last.by), name: nameOf(last.about), before: last.before === undefined ? '' : nameOf(last.before) };
    remarks.push([last.about === me ? 'votedMe' : filling.before ? 'voteTurned' : 'voted', filling, 4]);
  }
  const count = (seat: Seat): number => votes.filter(({ about }) => about === seat).length;
  const { seat: most } = players.toSorted((a, b) => count(b.seat) - count(a.seat))[0]!;
  if (count(most) >= 2 && most !== me) remarks.push(['tally', { name: nameOf(most), count: String(count(most)) }, 2]);
  const [open, ...more] = dice.shuffle(players.filter(({ seat }) => isOther(seat) && !votes.some(({ by }) => by === seat)));
  if (open && votes.length > more.length) remarks.push(['unvoted', { name: open.name }, 2]);
  const [past] = dice.shuffle(
    affairs.votes.filter((one) => isOther(one.by) && one.about !== me && ballots.by[one.by] !== one.about && !isFound(one.about)),
  );
  if (past) remarks.push(['voteRecalled', { by: nameOf(past.by), name: nameOf(past.about) }, 2]);
  return remarks;
}

/** On players: who is silent, of whom nobody speaks, who spoke last. */
function onPlayers({ hearing, moment: { players, seat: me }, dice, gone, nameOf }: Scene): readonly Remark[] {
  const { texts, talk, phase } = hearing;
  const lately = texts.slice(-RECENT);
  const isFresh = (name: string): boolean => !lately.some((text) => nameIn(name).test(text));
  const fresh = dice.shuffle(players.filter(({ seat, alive, name }) => alive && seat !== me && isFresh(name)));
  const heard = talk.phase === phase ? talk.by : {};
  const silent = gone > SILENT ? fresh.find(({ seat }) => !heard[seat]) : undefined;
  const remarks: Remark[] = silent ? [['nudge', { name: silent.name }, 4]] : [];
  const [by, about] = fresh;
  if (by && about) remarks.push(['wonder', { by: by.name, name: about.name }, 1]);
  const last = hearing.before?.at(-1);
  const isStatement = talk.phase === phase && last !== undefined && last.by === talk.last && !isIdle(last.text, players);
  if (isStatement && last.by !== me && players[last.by]!.alive) remarks.push(['nod', { by: nameOf(last.by) }, 3]);
  return remarks;
}

/** Whether there is nothing to nod at: a question, or a line that says nothing itself. */
const isIdle = (text: string, players: Moment['players']): boolean =>
  /\?\s*$/.test(text) ||
  [banter.muse, banter.hurry, banter.nod]
    .flatMap((of) => sentencesOf(of))
    .some((one) => players.some(({ name }) => fill(one, { by: name }) === text));

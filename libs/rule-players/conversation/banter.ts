import type { Dice } from '@maw/games/kernel/dice.ts';
import { namePattern } from '@maw/games/kernel/name-pattern.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Moment } from '../moment.ts';
import type { Affairs } from './affairs.ts';
import { type Hearing, linesIn } from './hearing.ts';
import type { Banter } from './small-talk.ts';
import type { Voice } from './voice.ts';

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
 * A line on what everybody has seen, which says nothing of whom the speaker suspects; undefined when all of it was said in this talk.
 * @param reactions to what it has heard, which come before
 */
export function banterOf(scene: Scene, reactions: readonly string[]): string | undefined {
  const { hearing, moment, voice, dice } = scene;
  const isSaid = (text: string): boolean => hearing.texts.some((one) => one === text);
  const [reaction] = reactions.filter((text) => !isSaid(text));
  if (reaction !== undefined && dice.below(3) > 0) return reaction;
  const about = [...onVotes(scene), ...onPlayers(scene)];
  const more = [...about, { is: moment.isTimeShort || scene.gone > LATE ? 'hurry' : 'muse', with: {}, weight: 1 } as const];
  const order = dice.shuffle(more.flatMap((one) => Array.from({ length: one.weight }, () => one)));
  for (const one of order) {
    const text = voice(one.is, one.with);
    if (!isSaid(text)) return text;
  }
  return reaction;
}

interface Remark {
  readonly is: Banter;
  readonly with: { readonly [word: string]: string };
  readonly weight: number;
}

/** On votes: the one that was cast last, how many there are, who has not voted, and those of before. */
function onVotes({ hearing, moment, affairs, dice, gone, nameOf }: Scene): readonly Remark[] {
  const { ballots, phase } = hearing;
  const { players, seat: me } = moment;
  const isOther = (seat: Seat): boolean => seat !== me && players[seat]!.alive;
  const votes = ballots.phase === phase ? Object.entries(ballots.by).map(([by, about]) => ({ by: Number(by), about })) : [];
  const remarks: Remark[] = [];
  const { last } = ballots;
  if (votes.length && last && isOther(last.by) && linesIn(hearing, phase).all - last.line <= RECENT) {
    const turned = last.before === undefined ? {} : { before: nameOf(last.before) };
    const is = last.about === me ? 'votedMe' : last.before === undefined ? 'voted' : 'voteTurned';
    remarks.push({ is, with: { by: nameOf(last.by), name: nameOf(last.about), ...turned }, weight: 4 });
  }
  const counts = players.map(({ seat }) => ({ seat, count: votes.filter(({ about }) => about === seat).length }));
  const most = counts.toSorted((a, b) => b.count - a.count)[0]!;
  if (most.count >= 2 && most.seat !== me)
    remarks.push({ is: 'tally', with: { name: nameOf(most.seat), count: String(most.count) }, weight: 2 });
  const open = players.filter(({ seat }) => isOther(seat) && !votes.some(({ by }) => by === seat));
  if (open.length && votes.length > open.length)
    remarks.push({ is: 'unvoted', with: { name: nameOf(dice.pick(open as [(typeof open)[number]]).seat) }, weight: 2 });
  if (!votes.length && affairs.votes.length && gone > SILENT) remarks.push({ is: 'noVotes', with: {}, weight: 1 });
  const past = affairs.votes.filter(
    ({ by, about }) => isOther(by) && about !== me && !votes.some((one) => one.by === by && one.about === about),
  );
  if (past.length) {
    const { by, about } = dice.pick(past as [(typeof past)[number]]);
    remarks.push({ is: 'voteRecalled', with: { by: nameOf(by), name: nameOf(about) }, weight: 2 });
  }
  return remarks;
}

/** On players: who is silent, of whom nobody speaks, who spoke last. */
function onPlayers({ hearing, moment, dice, gone, nameOf }: Scene): readonly Remark[] {
  const { texts, talk, phase } = hearing;
  const { of } = linesIn(hearing, phase);
  const lately = texts.slice(-RECENT);
  const fresh = moment.players.filter(
    ({ seat, alive, name }) => alive && seat !== moment.seat && !lately.some((text) => new RegExp(namePattern(name), 'iu').test(text)),
  );
  const remarks: Remark[] = [];
  const silent = fresh.filter(({ seat }) => of(seat) === 0);
  if (gone > SILENT && silent.length)
    remarks.push({ is: 'nudge', with: { name: nameOf(dice.pick(silent as [(typeof silent)[number]]).seat) }, weight: 4 });
  const [by, about] = dice.shuffle(fresh).map(({ seat }) => nameOf(seat));
  if (by !== undefined && about !== undefined) remarks.push({ is: 'wonder', with: { by, name: about }, weight: 2 });
  const { last } = talk;
  if (talk.phase === phase && last !== undefined && last !== moment.seat && moment.players[last]!.alive)
    remarks.push({ is: 'nod', with: { by: nameOf(last) }, weight: 2 });
  return remarks;
}

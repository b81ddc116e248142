import type { Dice } from '@maw/games/kernel/dice.ts';
import { type Seat, stepOf } from '@maw/games/kernel/question.ts';
import type { Answer, Asking, Moment } from '../moment.ts';
import { commonDice, foremost } from '../shared/choosing.ts';
import { type Affairs, isUntrue, reasonAgainst } from './affairs.ts';
import { banterOf } from './banter.ts';
import type { DirectQuestion } from './direct-question.ts';
import { type Cue, type Ears, type Hearing, KEPT, speechesOf } from './hearing.ts';
import { type Banter, type SmallTalk, smallTalk } from './small-talk.ts';
import type { Heard } from './understand.ts';
import { fill, sentencesOf, temperOf, type Voice } from './voice.ts';
import { english, type Wording } from './wording.ts';

/** What a seat answers when it is asked; it says nothing else than it shows by its choices. */
export interface Opinion {
  readonly suspect?: Seat | undefined;
  readonly trusts?: Seat | undefined;
  /** What its reasons are taken from. */
  readonly affairs: Affairs;
  /** Why it suspects that seat, as a clause about `{who}`, if not for what the affairs tell. */
  readonly reason?: (() => string | undefined) | undefined;
  /** What it says against the line before, if that is not so. */
  readonly contradiction?: string | undefined;
  /** Whether it rather believes a seat, and what that claims to have found. */
  believes(seat: Seat): boolean;
}

/** It trusts whom it suspects least of the others, unless that is whom it suspects. @param order decides ties, as in `foremost` */
export function opinionOn(
  suspect: Seat | undefined,
  others: readonly Seat[],
  suspicion: (seat: Seat) => number,
  order: readonly Seat[],
  affairs: Affairs,
  resolution?: number,
): Opinion {
  const trusts = foremost(others, (seat) => -suspicion(seat), order, resolution);
  return { suspect, trusts: trusts === suspect ? undefined : trusts, affairs, believes: (seat) => suspicion(seat) < 0.5 };
}

interface Talk {
  readonly hearing: Hearing;
  readonly moment: Moment;
  readonly opinion: Opinion;
  readonly voice: Voice<SmallTalk | Banter>;
  readonly wording: Wording;
  readonly roles: readonly string[];
  readonly dice: Dice;
  nameOf(seat: Seat): string;
}

export interface Conversation {
  readonly answers: readonly Answer[];
  readonly hearing: Hearing;
}

/** In one speech. */
const MAX_REPLIES = 4;
/** A longer speech tires its readers. */
const MAX_CHARS = 280;
/** Room for a reply before a remark that is long itself. */
const SPARE = 100;
/** In how many of ten speeches a temper reacts to what it has heard, and asks somebody. */
const TALKATIVE = {
  blunt: { reacts: 5, asks: 1 },
  cautious: { reacts: 5, asks: 2 },
  chatty: { reacts: 8, asks: 3 },
  dry: { reacts: 5, asks: 1 },
} as const;

/**
 * Adds to the answers of a strategy what makes them a conversation: replies to questions, reactions, and questions to others. None of it is
 * evidence to other strategies. In free talk replies are speeches of their own.
 */
export function converse(
  hearing: Hearing,
  moment: Moment,
  planned: readonly Answer[],
  { opinion, voice, wording, roles, ears }: Pick<Talk, 'opinion' | 'voice' | 'wording' | 'roles'> & { readonly ears: Ears },
): Conversation {
  const asking = moment.questions.find(isPublicTalk);
  if (!asking) return { answers: planned, hearing };
  const dice = commonDice(moment.table, `talk/${moment.seat}/${moment.phase}/${moment.iteration}`);
  const listening: Talk = {
    hearing,
    moment,
    opinion,
    voice,
    wording,
    roles,
    dice,
    nameOf: (seat) => wording.name(moment.players[seat]!.name),
  };
  const own = planned.find(({ question }) => question === asking.id);
  // `Over` and other words of a language of its own are no speech
  const remark = own && !asking.options.some(({ is }) => is === own.says[0]) ? own.says[0] : undefined;
  const names = moment.players.map(({ name }) => name);
  const heard: Heard = { speech: remark ?? '', by: moment.seat, names };
  const [first, ...more] = remark === undefined ? [] : ears.gist(heard).against;
  const isSuspicion = first !== undefined;
  // what it is about to say is its opinion
  const isOwn = !isSuspicion || [first, ...more].includes(opinion.suspect ?? -1);
  const talk: Talk = isOwn ? listening : { ...listening, opinion: { ...opinion, suspect: first, reason: undefined } };
  const replies = repliesOf(talk, isSuspicion);
  const contradictions = opinion.contradiction === undefined ? contradictionOf(talk) : [opinion.contradiction];
  const due = [...contradictions, ...new Set(replies.values())];
  const isIdle = !planned.length && !due.length && hearing.isForPeople && !asking.final && wording === english;
  const replying = due.length || remark === undefined ? due : reactionsOf(talk);
  const parts = [...(isIdle ? chatterOf(talk) : replying), ...(isSuspicion ? turnOf(talk) : [])];
  const because = isSuspicion ? becauseOf(talk) : [];
  const after = because.length || remark === undefined ? because : questionOf(talk, remark, asking);
  const length = remark === undefined ? 0 : [...remark].length;
  const kept = fit(parts, Math.min(asking.maxChars, Math.max(MAX_CHARS, length + SPARE)) - length);
  // who has answered need not say that there is nothing to say
  const isNeedless = remark === undefined || (due.some((one) => kept.includes(one)) && !ears.understand(heard).length);
  const spoken = [...kept, ...(isNeedless ? [] : [remark])].join(wording.gap);
  const text = [spoken, ...fit(after, Math.min(asking.maxChars, MAX_CHARS) - [...spoken].length)].join(wording.gap);
  if (!text) return { answers: planned, hearing };
  const said: Answer = { question: asking.id, says: [text] };
  return {
    answers: own ? planned.map((answer) => (answer === own ? said : answer)) : [...planned, said],
    hearing: {
      ...hearing,
      asked: hearing.asked.filter((one) => !kept.includes(replies.get(one)!)),
      cues: [],
      mourned: [],
      questions: hearing.questions + (because.length ? 0 : after.length),
    },
  };
}

/** Whether a question is a talk that everybody hears. */
export const isPublicTalk = ({ id, verb }: Pick<Asking, 'id' | 'verb'>): boolean =>
  verb === 'say' && stepOf(id) !== 'whisper' && !/(^|\/)night/.test(id);

/** How much of the time for a decision is over, from 0 to 1. */
export const shareGone = ({ since }: Hearing, { now, until }: Pick<Moment, 'now' | 'until'>): number =>
  (now - since) / Math.max(1, until - since);

/** The parts that fit into so many characters, each with a blank. */
function fit(parts: readonly string[], room: number): readonly string[] {
  let left = room;
  return parts.filter((part) => {
    const size = [...part].length + 1;
    if (size > left) return false;
    left -= size;
    return true;
  });
}

/** By question, one for each asker. Those who ask for a name get one answer, and none beside an opinion that is said anyway. */
function repliesOf(talk: Talk, isSuspicion: boolean): ReadonlyMap<DirectQuestion, string> {
  const { hearing, opinion, voice, wording, nameOf } = talk;
  const { suspect } = opinion;
  // whoever asks twice gets one answer
  const askers = [...Map.groupBy(hearing.asked, ({ by }) => by).values()].slice(0, MAX_REPLIES);
  const asked = askers.map((all) => all.findLast(({ subject }) => subject !== 'other') ?? all.at(-1)!);
  const isForName = ({ subject, by }: DirectQuestion): boolean => subject === 'suspect' && (isSuspicion || by !== suspect);
  const asker = wording.list([...new Set(asked.filter(isForName).map(({ by }) => nameOf(by)))]);
  const named = (): string => {
    if (isSuspicion) return voice('replyAnswer', { asker });
    return suspect === undefined ? voice('replyNobody', { asker }) : voice('replySuspect', { asker, name: nameOf(suspect) });
  };
  const answer = asker ? named() : '';
  const texts = asked.map((question) => (isForName(question) ? answer : reply(talk, question)));
  return new Map(askers.flatMap((all, n) => all.map((question) => [question, texts[n]!])));
}

function reply(talk: Talk, { by, subject, about, role }: DirectQuestion): string {
  const { hearing, opinion, voice, wording, moment, nameOf, roles } = talk;
  const asker = nameOf(by);
  const { suspect, trusts } = opinion;
  switch (subject) {
    case 'suspect':
      return voice('replySuspectAsker', { asker });
    case 'trust':
      return trusts === undefined || trusts === by
        ? voice('replyTrustNobody', { asker })
        : voice('replyTrust', { asker, name: nameOf(trusts) });
    case 'opinion': {
      const name = nameOf(about!);
      if (about === suspect) return voice('replyOpinionBad', { asker, name });
      return voice(about === trusts ? 'replyOpinionFine' : 'replyOpinionOpen', { asker, name });
    }
    case 'why':
      return replyWhy();
    case 'role':
      if (role !== undefined && /^(?:were)?wol(?:f|ves)$|^evil$|^bad$|^traitor$|^minion$/.test(role))
        return voice('replyGuilty', { asker });
      if (hearing.claimants.includes(moment.seat)) return voice('replyClaimed', { asker });
      return replyRole();
    case 'other':
      return voice('replyOther', { asker });
  }

  /** What it is, it says as everybody would; who is something, it does not. */
  function replyRole(): string {
    const plain = role === undefined ? roles.find((one) => /^(?:villager|servant)$/.test(one)) : undefined;
    if (plain) return voice('replyPlain', { asker, role: wording.role(plain) });
    return role === undefined || !roles.includes(role)
      ? voice('replyOther', { asker })
      : voice('replyRole', { asker, role: wording.role(role) });
  }

  function replyWhy(): string {
    const { ballots, phase, isForPeople, named } = hearing;
    const vote = isForPeople && ballots.phase === phase ? ballots.by[moment.seat] : undefined;
    const whom = about ?? vote ?? named ?? suspect;
    if (whom === undefined) return voice('replyWhyOpen', { asker });
    const who = whom === by ? wording.you : nameOf(whom);
    const isMeant = hearing.ownVotes.includes(whom) || whom === suspect || whom === hearing.named;
    if (!isMeant) return voice('replyNotSo', { asker, target: who });
    const isMute = moment.players[whom]!.alive && speechesOf(hearing, moment.phase, whom) === 0 && shareGone(hearing, moment) > LONG_SILENT;
    const reason = reasonFor(talk, whom, who) ?? voice(isMute ? 'clauseQuiet' : 'clauseHunch', { who });
    return voice('replyWhy', { asker, reason: lower(reason) });
  }
}

/** Whoever has said nothing for so much of the time is silent. */
const LONG_SILENT = 0.4;

/** What speaks against a seat, as a clause about `who`. Of a dead one it leaves out who has turned out to be innocent, perhaps only since. */
function reasonFor({ opinion, moment, voice, nameOf }: Talk, seat: Seat, who: string): string | undefined {
  const { affairs, believes, suspect } = opinion;
  const known = moment.players[seat]!.alive ? affairs : { ...affairs, innocent: [] };
  const own = seat === suspect ? opinion.reason?.()?.replaceAll('{who}', who) : undefined;
  return own ?? reasonAgainst(known, seat, believes, { me: moment.seat, who, voice, nameOf });
}

/** A clause within a sentence: without the capital of its first word, unless that is a name or `I`. */
const lower = (clause: string): string => clause.replace(/^(?:The|It|You|Nobody)\b/, (word) => word.toLowerCase());

/** Why it suspects whom it has just named, once in whatever words. */
function becauseOf(talk: Talk): readonly string[] {
  const suspect = talk.opinion.suspect!;
  let same: readonly string[] = [];
  const voice: Talk['voice'] = (is, filling = {}) => {
    same = is in smallTalk ? sentencesOf(smallTalk[is as SmallTalk]).map((one) => fill(one, filling)) : [];
    return talk.voice(is, filling);
  };
  const reason = reasonFor({ ...talk, voice }, suspect, talk.nameOf(suspect));
  const isTold = (clause: string): boolean => talk.hearing.own.some((text) => text.toLowerCase().includes(clause.toLowerCase()));
  return reason === undefined || [reason, ...same].some(isTold) ? [] : [talk.voice('because', { reason: lower(reason) })];
}

/** That it suspects somebody else now. */
function turnOf({ hearing, opinion: { suspect, affairs, believes }, moment, voice, wording, nameOf }: Talk): readonly string[] {
  const { named, asked } = hearing;
  if (named === undefined || named === suspect) return [];
  if (affairs.innocent.includes(named)) return [voice('conceded', { name: nameOf(named) })];
  const isSpokenTo = asked.length > 0 && asked.every(({ by }) => by === named);
  return moment.players[named]!.alive && believes(named) ? [voice('turned', { name: isSpokenTo ? wording.you : nameOf(named) })] : [];
}

/** One of the table contradicts what is not so, and whoever is meant. */
function contradictionOf({ hearing, opinion: { affairs }, moment, voice, nameOf }: Talk): readonly string[] {
  const { reported } = hearing;
  if (!reported || !moment.players[reported.by]!.alive) return [];
  const { by, of, about } = reported;
  const target = nameOf(about);
  if (reported.isSaid)
    return of === moment.seat && isUnsaid(hearing, reported, target) ? [voice('replyUnsaid', { asker: nameOf(by) })] : [];
  if (!isUntrue(affairs, reported)) return [];
  if (of === moment.seat) return [voice('replyNotSo', { asker: nameOf(by), target })];
  const others = moment.players.flatMap(({ seat, alive }) => (alive && seat !== by && seat !== of ? [seat] : []));
  const isMine = others[(by + about) % others.length] === moment.seat;
  return isMine ? [voice('untrue', { by: nameOf(by), name: nameOf(of), target })] : [];
}

/** Whether the one who is said to have claimed something, or to have spoken of somebody, never did. */
const isUnsaid = ({ claimants, own }: Hearing, { of, about }: NonNullable<Hearing['reported']>, name: string): boolean =>
  of === about ? !claimants.includes(of) : own.length < KEPT.own && !own.some((text) => text.includes(name));

/** Where people sit, what it says when it has no new opinion, rather than nothing. */
function chatterOf(talk: Talk): readonly string[] {
  const { hearing, moment, opinion, voice, dice, nameOf } = talk;
  const reactions = [...reactionsOf(talk), ...questionOf(talk, '', { id: '', final: false })];
  const scene = { hearing, moment, affairs: opinion.affairs, voice, dice, nameOf, gone: shareGone(hearing, moment) };
  return [banterOf(scene, reactions)];
}

/** At most one: of grief, of protest, or of agreement. */
function reactionsOf({ hearing, moment, opinion, voice, wording, dice, nameOf }: Talk): readonly string[] {
  const { reacts } = TALKATIVE[temperOf(moment.table, moment.seat)];
  const isAlive = (seat: Seat) => moment.players[seat]!.alive;
  const cue = hearing.cues.findLast(({ by }) => isAlive(by));
  const mourned = hearing.mourned.filter((seat) => seat !== hearing.named && !hearing.ownVotes.includes(seat));
  const isTouched = cue?.is === 'protest' || mourned.length > 0;
  if (cue?.is === 'confessed') return [voice('confessed', { by: nameOf(cue.by) })];
  if (dice.below(10) >= (isTouched ? reacts + 2 : reacts)) return [];
  if (cue?.is === 'protest') return [voice('protest', { by: nameOf(cue.by) })];
  if (mourned.length) return [voice('mourn', { dead: wording.list(mourned.map(nameOf)) })];
  return cue && (cue.by !== opinion.suspect || cue.is === 'claimHeard') ? [reactionTo(cue)] : [];

  function reactionTo(to: Cue): string {
    const by = nameOf(to.by);
    if (to.is !== 'opinion') return voice(to.is, { by });
    const isShared = to.about === opinion.suspect || !opinion.believes(to.about);
    return isShared ? voice('agree', { by }) : voice('disagree', { by, about: nameOf(to.about) });
  }
}

/** Now and then a question to somebody; rather to one who has said little. */
function questionOf(
  { hearing, moment, voice, dice, nameOf }: Talk,
  own: string,
  { id, final }: Pick<Asking, 'id' | 'final'>,
): readonly string[] {
  const { asks } = TALKATIVE[temperOf(moment.table, moment.seat)];
  if (hearing.questions > 0 || stepOf(id) === 'last-words' || dice.below(10) >= asks) return [];
  // where people listen, whom it has asked lately it does not ask again
  const said = [own, ...(hearing.isForPeople ? hearing.own.filter((text) => text.includes('?')) : [])];
  const others = moment.players.filter(
    ({ seat, alive, name }) => alive && seat !== moment.seat && !said.some((text) => text.includes(name)),
  );
  if (!others.length) return [];
  const times = ({ seat }: { readonly seat: Seat }) => speechesOf(hearing, hearing.talk.phase, seat);
  const least = Math.min(...others.map(times));
  const { seat } = dice.pick(others.filter((other) => times(other) === least) as [(typeof others)[number]]);
  const isQuiet =
    !final && least === 0 && shareGone(hearing, moment) > LONG_SILENT && Object.keys(hearing.talk.by).length >= moment.players.length / 2;
  return [voice(isQuiet ? 'askQuiet' : 'ask', { name: nameOf(seat) })];
}

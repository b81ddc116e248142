import { type Line, lineOf, type Part } from '../scene/lines.ts';
import { phaseName } from '../scene/phase-name.ts';
import { en, fill, named } from '../text/en.ts';
import { story as texts } from '../text/en-story.ts';
import type { Lie } from './claims.ts';
import type { Missed } from './missed.ts';
import type { Round } from './rounds.ts';
import type { Story } from './story.ts';
import type { Turn } from './turning-points.ts';

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** A text with its `{names}` filled in, players set apart. */
function sentence(text: string, values: { readonly [name: string]: readonly Part[] }): readonly Part[] {
  return text.split(/\{(\w+)\}/).flatMap((piece, i) => (i % 2 ? (values[piece] ?? []) : piece ? [piece] : []));
}

const player = (seat: number): Part => ({ seat });

/** `Ann, Bo and Cy`. */
export const listOf = (seats: readonly number[]): readonly Part[] =>
  seats.flatMap((seat, i) => (i === 0 ? [player(seat)] : [i === seats.length - 1 ? ' and ' : ', ', player(seat)]));

/** Roles that are persons. */
const PERSONS = /^(?:merlin|percival|tristan|isolde|morgana|mordred|oberon)$/;

/** `a Werewolf` of several, `the Seer`, `Merlin`, `good`. */
function aRole(role: string, { dealt }: Pick<Round, 'dealt'>): string {
  if (role === 'good' || role === 'evil') return role;
  if (role === 'merlin-or-morgana') return `${en.roles.merlin} or ${en.roles.morgana}`;
  if (PERSONS.test(role)) return named(en.roles, role);
  return `${holdersOf(role, dealt).length > 1 ? 'a' : 'the'} ${named(en.roles, role)}`;
}

const holdersOf = (role: string, dealt: readonly string[]): readonly number[] =>
  dealt.flatMap((each, seat) => (each === role || (role === 'werewolf' && each === 'wolf') ? [seat] : []));

/** A lie beside the truth. */
export function lieSentence({ by, about, said }: Lie, round: Pick<Round, 'dealt' | 'roles'>): readonly Part[] {
  const { dealt } = round;
  const isNot = said.startsWith('not-');
  const role = isNot ? said.slice('not-'.length) : said;
  const was = `${dealt[by] === round.roles[by] ? '' : `${texts.dealt} `}${aRole(dealt[by]!, round)}`;
  const values = { by: [player(by)], was: [was], said: [aRole(role, round)] };
  if (about === undefined) return sentence(texts.toldCentre, values);
  if (about !== by)
    return sentence(isNot ? texts.toldNot : texts.told, { ...values, about: [player(about)], truth: [aRole(dealt[about]!, round)] });
  if (isNot) return sentence(texts.denied, values);
  const holders = holdersOf(role, dealt);
  // A side, or a role of many, has no list of those who were it.
  if (role === 'good' || role === 'evil' || holders.length > 2) return sentence(texts.claimedSide, values);
  const truth = holders.length > 1 ? texts.manyWere : holders.length ? texts.oneWas : texts.nobodyWas;
  return sentence(texts.claimed, { ...values, truth: sentence(truth, { names: listOf(holders) }) });
}

/** What happened, after when. */
export function turnSentence(story: Story, { moment }: Turn): readonly Part[] {
  const line = lineOf(story.rules, moment);
  const what = line?.kind === 'speech' ? saidSentence(line) : (line?.parts ?? []);
  return line?.kind === 'phase' && story.rounds.length === 1 ? what : [`${phaseAt(story, moment.seen.n)}: `, ...what];
}

/** How far it moved the village. */
export const changeOf = ({ from, to }: Pick<Turn, 'from' | 'to'>): string =>
  fill(to > from ? texts.rose : texts.fell, { from: percent(from), to: percent(to) });

/** A speech, cut where it is long. */
const LONGEST = 220;
export function saidSentence({ by, text = '', parts }: Line): readonly Part[] {
  const short = text.length > LONGEST ? `${text.slice(0, LONGEST).trimEnd()} …` : text;
  return sentence(texts.said, { by: [player(by!)], text: parts ?? [short] });
}

/** The round, of several, and the phase of a moment of the view, by the number of its event. What ends a day is of that day. */
function phaseAt({ rounds, rules: { set } }: Pick<Story, 'rounds' | 'rules'>, n: number): string {
  const { round } = rounds.findLast(({ moments }) => moments[0] && moments[0].seen.n <= n)!;
  const { phase } = rounds[round - 1]!.moments.findLast(({ seen }) => seen.n <= n && !set.nightfall?.includes(seen.event.type))!;
  return `${rounds.length > 1 ? `${fill(texts.inRound, { round })}, ` : ''}${phaseName(phase)}`;
}

/** Who suspected the player, and when; where nobody's thoughts are known, who voted against it. */
export function missedSentences(story: Story, { suspecters, voters }: Missed): readonly (readonly Part[])[] {
  const phases = (ns: readonly number[]): string => [...new Set(ns.map((n) => phaseAt(story, n)))].join(', ');
  return story.isByBelief
    ? suspecters.map(({ by, share, n }) =>
        sentence(texts.suspected, { by: [player(by)], phase: [phaseAt(story, n)], share: [percent(share)] }),
      )
    : voters.map(({ by, ns }) => sentence(texts.votedAgainst, { by: [player(by)], phases: [phases(ns)] }));
}

/** Who won the table. */
export const resultOf = (winners: readonly number[]): readonly Part[] =>
  winners.length ? sentence(texts.won, { names: listOf(winners) }) : [texts.nobodyWon];

/** What a seat was, in the words of the game; with the card that was dealt where it is another one. */
export const castOf = ({ roles, dealt }: Round, seat: number): { readonly role: string; readonly dealt: string | undefined } => ({
  role: named(en.roles, roles[seat]!),
  dealt: dealt[seat] === roles[seat] ? undefined : `${texts.dealt} ${named(en.roles, dealt[seat]!)}`,
});

import { joinList, formatDuration } from '../kernel/format-text.ts';
import { namesOf, tellQuestion } from '../kernel/narration.ts';
import { isTableEvent } from '../kernel/play.ts';
import { type Seat, seatOf } from '../kernel/question.ts';
import type { QuestionEvent, Telling } from '../kernel/rules.ts';
import type { MawOptions } from './options.ts';
import { isWolf, type Maw, type MawEvent, wolfCount, wolves } from './state.ts';

const ROLE_NAMES = { wolf: 'Werewolf', villager: 'Villager', seer: 'Seer', hidden: 'unknown' } as const;

export function tell(e: MawEvent | QuestionEvent, about: Telling): string | undefined {
  const name = namesOf(about.names);
  if (isTableEvent(e))
    return tellQuestion(e, about, (by, [whom], step) =>
      step === 'inspect' ? `${name(by)} asks who ${name(seatOf(whom!))} is.` : `${name(by)} votes for ${name(seatOf(whom!))}.`,
    );
  switch (e.type) {
    case 'dealt':
      return 'The roles are dealt.';
    case 'dawned':
      return `Day ${e.day} begins. The Village is open.`;
    case 'dusked':
      return `Night ${e.day} falls. The Village is closed.`;
    case 'executed':
      return `${name(e.seat)} is executed.`;
    case 'spared':
      return e.because === 'tie' ? 'The vote is tied. Nobody is executed.' : 'Nobody voted. Nobody is executed.';
    case 'told':
      return `${name(e.seat)}, who was executed, was a ${ROLE_NAMES[e.role]}.`;
    case 'murdered':
      return `${name(e.seat)} was murdered in the night.`;
    case 'inspected':
      return `${name(e.seat)} is a ${ROLE_NAMES[e.role]}.`;
    case 'ended':
      return {
        'no-wolves': 'Every Werewolf is dead. The Villagers win.',
        'no-villagers': 'Every Villager is dead. The Werewolves win.',
        'parity': 'The Werewolves are as many as the others. The Werewolves win.',
        'too-long': 'The game has lasted too long. Nobody wins.',
      }[e.because];
  }
}

export function brief(s: Maw, seat: Seat, names: readonly string[]): string {
  const name = namesOf(names);
  const role = s.roles[seat] ?? 'hidden';
  const partners = isWolf(s, seat) ? wolves(s).filter((other) => other !== seat) : [];
  return [
    `Your role: ${ROLE_NAMES[role]}.`,
    ...(role === 'wolf' ? [partners.length ? `The other Werewolves: ${joinList(partners.map(name))}.` : 'You are the only Werewolf.'] : []),
    ...[...new Map(s.inspected)].map(([other, found]) => `You know that ${name(other)} is a ${ROLE_NAMES[found]}.`),
    ...(s.dead.includes(seat) ? ['You are dead: you may watch, not act.'] : []),
  ].join(' ');
}

/** How long a majority must stand, where it does not end the day at once. */
function graceText({ graceSeconds, shortestDaySeconds, votes, hurry }: MawOptions): readonly string[] {
  const stands = graceSeconds
    ? [`such a majority must stand for ${formatDuration(graceSeconds * 1000)}, in which votes may still change`]
    : [];
  const lasts = shortestDaySeconds ? [`it ends no day before ${formatDuration(shortestDaySeconds * 1000)} of it have passed`] : [];
  const text = joinList([...stands, ...lasts]);
  const isHastened = votes === 'public' && !hurry;
  return text
    ? [
        `${text[0]!.toUpperCase()}${text.slice(1)}.`,
        ...(isHastened ? ['Once all the living are ready for it, the day ends likewise; who is, is not told.'] : []),
      ]
    : [];
}

function nightEnd({ hurry, fullNights }: MawOptions): string {
  if (hurry) return '; the night ends as soon as all of them have voted';
  return fullNights ? ', and the night lasts its full time, whatever they do' : ', and it ends the night at once';
}

export function rulesText(players: number, o: MawOptions): string {
  const pack = wolfCount(players);
  const others = players - pack;
  return [
    `${players} players: ${pack} ${pack === 1 ? 'Werewolf' : 'Werewolves'} and ${others} Villagers${o.seer ? ', one of whom is the Seer' : ''}.`,
    `The Werewolves know each other. The Villagers know nothing. The game begins with day 1.`,
    `By day everybody alive talks freely in the Village for at most ${formatDuration(o.dayMs)} and has one vote for another player, which may be changed until the day ends.`,
    o.votes === 'public' ? 'Votes are announced as they are cast.' : 'Votes are secret.',
    o.hurry
      ? 'As soon as all the living have voted, or time runs out, the day ends, and the most voted is executed.'
      : 'As soon as more than half of the living vote for one player, the day ends and that player is executed; when time runs out, the most voted is.',
    ...graceText(o),
    o.dayTie === 'none' ? 'A tie or no vote executes nobody.' : 'A tie is broken at random; no vote executes nobody.',
    `The executed is named; the role is not.`,
    `By night the living Werewolves talk freely in the Hideout for ${o.fullNights && !o.hurry ? '' : 'at most '}${formatDuration(o.nightMs)}, learn the role of the executed, and vote for a victim. Only a unanimous vote murders${nightEnd(o)}.`,
    `In the morning the Village learns who was murdered. The dead watch and are silent.`,
    ...(o.seer ? ['Once each day the Seer may ask the role of one player and is told it in private. The Seer counts as a Villager.'] : []),
    ...(o.whisper
      ? [
          `By day a living player may whisper to another; ${o.whisperVisible ? 'the others see that it happened, not what was said' : 'nobody else knows'}.`,
        ]
      : []),
    `The Villagers win when every Werewolf is dead. The Werewolves win when every Villager is dead${o.parityWin ? ' or they are as many as the others' : ''}. After ${o.maxDays} days and nights it is a draw.`,
    `If the Werewolves win, each gets ${others} points; if the Villagers win, each gets as many points as Villagers are left. ${o.scoreDead ? 'The dead of the winning side score too.' : 'The dead score nothing.'}`,
    `A speech has at most ${o.maxChars} characters.`,
  ].join('\n');
}

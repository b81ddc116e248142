import { joinList, formatDuration } from '../kernel/format-text.ts';
import { nameOption, type NameOf, namesOf, tellQuestion } from '../kernel/narration.ts';
import { isTableEvent } from '../kernel/play.ts';
import { namedSeats, type Seat } from '../kernel/question.ts';
import type { Mark } from '../kernel/rule-set.ts';
import type { QuestionEvent, Telling } from '../kernel/rules.ts';
import { failsNeeded, teamSize } from './setup.ts';
import type { AvalonOptions } from './options.ts';
import { type Avalon, type AvalonEvent, isEvil, type Role, ROLES, scoreOf, sideOf, type Sight } from './state.ts';

const NAMES: { readonly [R in Role]: string } = {
  merlin: 'Merlin',
  percival: 'Percival',
  tristan: 'Tristan',
  isolde: 'Isolde',
  servant: 'Loyal Servant',
  morgana: 'Morgana',
  assassin: 'Assassin',
  minion: 'Minion of Mordred',
  mordred: 'Mordred',
  oberon: 'Oberon',
};
/** Only these roles can be dealt more than once. */
const MANY: { readonly [role: string]: string } = { servant: 'Loyal Servants', minion: 'Minions of Mordred' };
const cardsOf = (fails: number): string => (fails === 1 ? '1 fail card' : `${fails || 'no'} fail cards`);
const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six'];

export function tell(e: AvalonEvent | QuestionEvent, about: Telling): string | undefined {
  const name = namesOf(about.names);
  if (isTableEvent(e)) return tellQuestion(e, about, (by, says, step) => choice(name(by), says, step, name));
  const all = (of: readonly Seat[]) => joinList(of.map(name)) || 'nobody';
  switch (e.type) {
    case 'dealt':
      return 'The roles are dealt.';
    case 'saw':
      return `${name(e.seat)} ${seeing(e, name)}`;
    case 'led':
      return `Quest ${e.quest}, proposal ${e.proposal}: ${name(e.leader)} leads and will name a team of ${e.size}.`;
    case 'proposed':
      return `${name(e.leader)} names ${all(e.team)} for quest ${e.quest}${e.isForced ? '; they go without a vote' : ''}.`;
    case 'voted':
      return `The team of ${all(e.team)} is ${e.isApproved ? 'approved' : 'rejected'}: ${all(e.approve)} for it, ${all(e.reject)} against.`;
    case 'quested':
      return `Quest ${e.quest} of ${all(e.team)} ${e.isSuccess ? 'succeeds' : 'fails'}: ${cardsOf(e.fails)}.`;
    case 'lady':
      return e.by === undefined
        ? `${name(e.holder)} holds the Lady of the Lake.`
        : `The Lady of the Lake shows ${name(e.by)} the side of ${name(e.holder)}, who holds her now.`;
    case 'inspected':
      return `${name(e.by)} sees that ${name(e.seat)} is ${e.found}.`;
    case 'sought':
      return `The Assassin may name Merlin${e.lovers ? ', or Tristan and Isolde,' : ''} now.`;
    case 'shot': {
      const named = e.other === undefined ? `${name(e.seat)} as Merlin` : `${all([e.seat, e.other])} as Tristan and Isolde`;
      return `${name(e.by)} is the Assassin and names ${named}: ${e.isMerlin || e.areLovers ? 'right' : 'wrong'}.`;
    }
    case 'ended':
      return `${ENDINGS[e.because]} ${e.roles.map((role, seat) => `${name(seat)}: ${NAMES[role]}`).join(', ')}.`;
  }
}

const ENDINGS = {
  'quests-succeeded': 'Three quests have succeeded and Merlin is not found. Good wins.',
  'quests-failed': 'Three quests have failed. Evil wins.',
  'five-rejected': 'Five teams in a row are rejected. Evil wins.',
  'merlin-named': 'Merlin is found. Evil wins.',
  'lovers-named': 'Tristan and Isolde are found. Evil wins.',
} as const;

function choice(who: string, says: readonly string[], step: string, name: NameOf): string {
  const named = joinList(says.map((option) => nameOption(option, name)));
  switch (step) {
    case 'approve':
      return says[0] === 'approve' ? `${who} approves.` : `${who} rejects.`;
    case 'quest':
      return `${who} plays ${named}.`;
    case 'assassinate':
      return `${who} names ${named} as ${says.some((option) => namedSeats(option).length > 1) ? 'Tristan and Isolde' : 'Merlin'}.`;
    case 'lady':
      return `${who} lets the Lady of the Lake show the side of ${named}.`;
    default:
      return `${who} names ${named}.`;
  }
}

function seeing({ of, as }: Pick<Sight, 'of' | 'as'>, name: NameOf): string {
  const seen = of.map(name);
  switch (as) {
    case 'merlin':
    case 'tristan':
    case 'isolde':
      return `sees that ${joinList(seen)} is ${NAMES[as]}.`;
    case 'merlin-or-morgana':
      return `sees ${joinList(seen)}: one of them is Merlin, the other Morgana.`;
    case 'evil':
      return seen.length ? `sees that ${joinList(seen)} ${seen.length === 1 ? 'is' : 'are'} evil.` : 'sees nobody else who is evil.';
  }
}

export const briefFor =
  (cast: readonly Role[]) =>
  (s: Avalon, seat: Seat, names: readonly string[]): string => {
    const role = s.roles[seat] ?? 'hidden';
    if (role === 'hidden') return 'Your role: unknown.';
    const name = namesOf(names);
    const sight = s.sights.find((one) => one.seat === seat);
    const look = s.looks?.find(({ by }) => by === seat);
    const { succeeded, failed } = scoreOf(s);
    const seen = sight && `You ${seeing(sight, name).replace(/^sees/, 'see')}`;
    return [
      `Your role: ${NAMES[role]}, ${isEvil(role) ? 'evil' : 'good'}.`,
      seen ?? (role === 'oberon' ? 'You do not know the other evil players, nor do they know you.' : 'You know nobody else’s role.'),
      ...(role === 'merlin' && cast.includes('mordred') ? ['Mordred is evil too, and you do not see who.'] : []),
      ...(isEvil(role) && role !== 'oberon' && cast.includes('oberon') ? ['Oberon is evil too, and you do not see who.'] : []),
      ...(role === 'mordred' ? ['Merlin does not see you.'] : []),
      ...(s.quests.length ? [`Quests so far: ${succeeded} succeeded, ${failed} failed.`] : []),
      ...(s.holders?.at(-1) === seat ? ['You hold the Lady of the Lake.'] : []),
      ...(look ? [`The Lady of the Lake has shown you that ${name(look.seat)} is ${look.found}.`] : []),
      ...(s.shot?.by === seat
        ? [`You have named ${s.shot.other === undefined ? 'Merlin' : 'the lovers'} once and may not do so again.`]
        : []),
    ].join(' ');
  };

/** The roles of one side, counted: `Merlin, Percival and 2 Loyal Servants`. */
function rolesOf(cast: readonly Role[], side: 'good' | 'evil'): string {
  const counted = ROLES.filter((role) => sideOf(role) === side).flatMap((role) => {
    const count = cast.filter((one) => one === role).length;
    return count === 0 ? [] : [count === 1 ? NAMES[role] : `${count} ${MANY[role]}`];
  });
  return joinList(counted);
}

export function rulesText(cast: readonly Role[], o: AvalonOptions): string {
  const players = cast.length;
  const has = (role: Role) => cast.includes(role);
  const sizes = [1, 2, 3, 4, 5].map((quest) => teamSize(players, quest));
  const isTwo = failsNeeded(players, 4, o.twoFails) === 2;
  const evil = cast.filter((role) => sideOf(role) === 'evil').length;
  return [
    `${players} players. Good: ${rolesOf(cast, 'good')}. Evil: ${rolesOf(cast, 'evil')}.`,
    `Merlin sees who is evil${has('mordred') ? ', but for Mordred' : ''}.`,
    ...(has('percival') ? [`Percival sees ${has('morgana') ? 'Merlin and Morgana, but not who is which' : 'who Merlin is'}.`] : []),
    ...(has('tristan') ? ['Tristan and Isolde see each other.'] : []),
    `The evil players see each other${has('oberon') ? ', but for Oberon, who sees none of them and is seen by none of them' : ''}. There are ${NUMBERS[evil]} of them.`,
    `There are at most five quests, of ${joinList(sizes.map(String))} players. The first leader is drawn.`,
    ...(o.talk
      ? [
          `Before each proposal everybody speaks once at the Table, the leader first, then in the order of seats: at most ${o.maxChars} characters in ${formatDuration(o.turnMs)}.`,
        ]
      : ['There is no talk.']),
    `The leader names a team of exactly the size within ${formatDuration(o.teamMs)}; of too many names the first count, and who is silent goes with the next in the order of seats. Then all vote at once, within ${formatDuration(o.voteMs)}; the votes are shown, and silence approves.`,
    `A team is approved by ${o.approval === 'half' ? 'half of the votes or more' : 'more than half of the votes'}. If it is rejected, the next in the order of seats leads.`,
    o.fifth === 'forced'
      ? 'The team of the fifth proposal of a quest goes without a vote.'
      : 'If the fifth proposal of a quest is rejected too, evil wins.',
    `Each of the team plays a secret card within ${formatDuration(o.questMs)}: ${o.goodMayFail ? 'success or fail' : 'the good success, the evil success or fail'}. The cards are counted and shown to nobody; of the silent the good play success, the evil fail.`,
    `One fail card fails a quest${isTwo ? '; quest 4 needs two' : ''}. After a quest the next in the order of seats leads.`,
    ...(o.lady
      ? [
          `Whoever would lead last holds the Lady of the Lake first, as all see. After quests 2, 3 and 4, unless the game is over, the holder names a player within ${formatDuration(o.teamMs)} who has not held her; silence names the next in the order of seats. The holder alone learns whether that player is good or evil, never the role; all learn who was named, and that player holds her from then on.`,
        ]
      : []),
    `Three failed quests: evil wins. After three successes good wins, unless the Assassin names Merlin${has('tristan') ? ', or Tristan and Isolde together' : ''}.`,
    ...(has('tristan')
      ? ['The Assassin names either one player as Merlin or two as Tristan and Isolde; one of the lovers is not enough.']
      : []),
    o.assassination === 'end'
      ? `The Assassin has ${formatDuration(o.assassinMs)} for that, after the third success, and may be silent.`
      : `The Assassin may do that once in the game, after any quest, the third failed one included, and has ${formatDuration(o.assassinMs)} for it${o.hurry ? ' or answers sooner' : ', which pass whether there is an answer or not, unless it is the third success'}. If ${has('tristan') ? 'that is right' : 'it is Merlin'}, evil wins at once; if not, the Assassin and who was named are told, and the game goes on.`,
    'Each of the winning side gets a point.',
  ].join('\n');
}

/** Who leads, who is named for the team, and who holds the Lady of the Lake, once a quest has begun. */
export function marksOf({ quest, leader, team, holders }: Avalon, seat: Seat): readonly Mark[] {
  const is: { readonly [mark in Mark]?: boolean } = { leader: leader === seat, team: team.includes(seat), lady: holders?.at(-1) === seat };
  return quest === 0 ? [] : (Object.keys(is) as Mark[]).filter((mark) => is[mark]);
}

import { joinList, formatDuration } from '../kernel/format-text.ts';
import { isCut } from './lengths.ts';
import { type RoleCounts, hasWhispers } from './role-counts.ts';
import type { AiwolfOptions } from './options.ts';
import { type Role, ROLES } from './state.ts';
import { LEAST_SHARE_MS } from './steps.ts';
import { ROLE_NAMES } from './narration.ts';

const PLURALS: { readonly [role in Role]?: string } = {
  villager: 'Villagers',
  possessed: 'Possessed',
  fox: 'Foxes',
  immoralist: 'Immoralists',
  werewolf: 'Werewolves',
};
const times = (n: number): string => (n === 1 ? 'once' : n === 2 ? 'twice' : `${n} times`);

export function rulesText(cast: RoleCounts, o: AiwolfOptions): string {
  const players = ROLES.reduce((sum, role) => sum + cast[role], 0);
  const roles = ROLES.filter((role) => cast[role]).map(
    (role) => `${cast[role]} ${cast[role] === 1 ? ROLE_NAMES[role] : (PLURALS[role] ?? ROLE_NAMES[role])}`,
  );
  return [
    `${players} players: ${joinList(roles)}. Who is what is not told, also not of the dead.`,
    ...people(cast, o),
    ...days(o),
    ...(hasWhispers(cast) ? whispering(o) : []),
    ...nights(cast, o),
    ...ends(cast, o),
  ].join('\n');
}

/** Who is human and not of the village. */
const othersIn = (cast: RoleCounts): string[] => [
  ...(cast.possessed ? ['the Possessed'] : []),
  ...(cast.fox ? ['Foxes'] : []),
  ...(cast.immoralist ? ['Immoralists'] : []),
];

/** What foxes and immoralists die of. */
function curses(cast: RoleCounts): string[] {
  return [
    'An attack on a Fox kills nobody.',
    ...(cast.seer ? ['A Fox that the Seer chooses dies in that night, guarded or not, also if the Seer dies in it.'] : []),
    ...(cast.immoralist ? ['With the last Fox all living Immoralists die: by day at once, by night in that night.'] : []),
    'All who died in a night are named in the morning, not of what.',
  ];
}

function people(cast: RoleCounts, o: AiwolfOptions): string[] {
  const humans = othersIn(cast);
  const foxes = cast.immoralist
    ? 'Foxes and Immoralists win together; Foxes know each other, and Immoralists know the Foxes, who do not know them.'
    : 'Foxes win together, and know each other.';
  return [
    `The ${cast.werewolf === 1 ? 'Werewolf wins' : 'Werewolves know each other, and win'} ${cast.possessed ? 'together with the Possessed, who is human, does not know the Werewolves and is not known to them' : 'alone'}. ${cast.fox ? `${foxes} ` : ''}All others are the village.`,
    ...(cast.fox ? curses(cast) : []),
    ...(cast.seer
      ? [
          `Each night, the first one before day 1 too, the Seer chooses ${o.selfDivine ? 'a' : 'another'} living player, after the execution is known, and learns in the morning whether that player is human or a Werewolf; an executed Seer learns nothing, a killed one still does.`,
        ]
      : []),
    ...(cast.medium ? ['In the morning the Medium, dead or alive, learns whether yesterday’s executed was human or a Werewolf.'] : []),
    ...(cast.bodyguard
      ? [
          `Each night but the first, after the execution is known, the Bodyguard chooses another ${o.guardDead ? '' : 'living '}player to guard, who is safe from the attack of that night${o.guardDead ? '; a dead one may be chosen, to no use' : ''}. Whether it helped is not told.`,
        ]
      : []),
    ...(humans.length && (cast.seer || cast.medium)
      ? [
          `To ${joinList([...(cast.seer ? ['the Seer'] : []), ...(cast.medium ? ['the Medium'] : [])])} ${joinList(humans)} ${cast.fox ? 'are' : 'is'} human.`,
        ]
      : []),
    ...(o.talkOnFirstDay ? ['There is talk, but no vote and no attack, on day 0.'] : ['On day 0 there is no talk, no vote and no attack.']),
    ...(o.nightTold
      ? []
      : [
          `The ${cast.werewolf === 1 ? 'Werewolf is' : 'Werewolves are'} not told who is attacked${cast.bodyguard ? ', nor the Bodyguard whom it guards' : ''}; all learn in the morning who died.`,
        ]),
  ];
}

function days(o: AiwolfOptions): string[] {
  return [
    ...talking(o),
    `${o.skips ? `After ${o.skips} ${o.skips === 1 ? 'Skip' : 'Skips'} running the next one counts as Over.` : 'A Skip counts as Over.'} ${o.talk === 'turns' ? `Each has ${formatDuration(o.turnMs)} to speak; silence is a Skip${o.over === 'final' ? ', however often' : ''}. ` : ''}An utterance has at most ${o.maxChars} characters.`,
    ...lengths(o),
    o.language === 'protocol'
      ? 'Only sentences of the AIWolf protocol, version 3.6, can be said; the first player is Agent[01]. Examples: ESTIMATE Agent[01] WEREWOLF; COMINGOUT Agent[01] SEER; DIVINED Agent[01] HUMAN; IDENTIFIED Agent[01] WEREWOLF; GUARDED Agent[01]; VOTE Agent[01]; AGREE TALK day1 ID:0; REQUEST ANY (VOTE Agent[01]); INQUIRE Agent[01] (COMINGOUT ANY SEER); DAY 1 (VOTED Agent[01]); NOT (...); AND (...) (...); OR (...) (...); XOR (...) (...); BECAUSE (reason) (consequence).'
      : 'Anything may be said; only exactly Skip and Over have their meaning.',
    `Then all living vote at the same time, for ${o.selfVotes ? 'a living player, who may be oneself' : 'another living player'}, within ${formatDuration(o.voteMs)}; a missing vote counts for ${o.missingVote === 'random' ? 'somebody at random' : 'nobody, and without any vote nobody is executed'}. ${o.voteVisible ? 'All then learn who voted for whom.' : 'Who voted for whom is not told.'} The most voted is executed. ${o.revotes ? `A tie is voted on again${o.revotes === 1 ? '' : `, up to ${times(o.revotes)}`}, by all and over all; then a tie` : 'A tie'} ${o.noExecution ? 'executes nobody' : 'is broken at random'}.`,
  ];
}

function talking(o: AiwolfOptions): string[] {
  const things = times(o.utterances).replace('once', 'one thing').replace('twice', 'two things').replace(' times', ' things');
  if (o.talk === 'anytime')
    return [
      `By day the living talk whenever they like, for at most ${formatDuration(o.talkMs)}. A player may say ${things} a day, a Skip (nothing now) included, and Over (nothing more). The talk ends once everybody has said Over or all of that.`,
    ];
  const order =
    o.order === 'turn' ? 'in each turn one after another in a new random order' : 'in all turns of a day in the same random order';
  const counting = o.skipsCount
    ? 'counting Skip (nothing now), not Over (nothing more),'
    : 'not counting Skip (nothing now) and Over (nothing more),';
  const over = o.over === 'final' ? 'has nothing more to say that day' : 'may speak again while others go on';
  return [
    `By day the living talk in turns, ${order}. The talk ends after a turn in which everybody said Over, or after ${o.turns} turns. A player may say ${things} a day, ${counting} and is not asked again after that; who has said Over ${over}.`,
  ];
}

function lengths(o: AiwolfOptions): string[] {
  if (!isCut(o)) return [];
  const unit = { visible: 'characters that are not blank', characters: 'characters', words: 'words' }[o.lengthIn];
  const base = o.baseLength || o.lengthPerDay;
  const more = o.lengthPerDay
    ? [
        `Beyond ${o.baseLength || 'none'} of them an utterance takes from the ${o.lengthPerDay} that a player has for each talk; who has used them up is not asked again.`,
      ]
    : [];
  const which = o.mention === 'first' ? 'the first counts' : 'that of the lowest seat counts';
  const mention =
    base && o.mentionLength
      ? [`Who mentions another player, as @Name, may say ${o.mentionLength} more after it; of several mentions ${which}.`]
      : [];
  const most = o.lengthPerTalk ? [`At most ${o.lengthPerTalk} of them make one utterance.`] : [];
  const limit = base
    ? [`An utterance is cut after ${o.baseLength + o.lengthPerDay} ${unit}.`]
    : [`What is too long is cut; it counts in ${unit}.`];
  return [[...limit, ...more, ...mention, ...most].join(' ')];
}

function whispering(o: AiwolfOptions): string[] {
  return [
    `Each night, the first one too${o.firstWhispers > 1 ? ', and there twice, before and after the talk' : ''}, the living Werewolves whisper in turns ${o.talk === 'turns' ? 'as by day' : 'one after another'}, in the Hideout, which nobody else hears: at most ${o.whispers} utterances each and ${o.whisperTurns} turns${o.hurry ? '' : `, within ${formatDuration(o.whisperMs)}`}. A single living Werewolf does not whisper.`,
  ];
}

function nights(cast: RoleCounts, o: AiwolfOptions): string[] {
  const dies = `The attacked dies${cast.bodyguard ? ' unless guarded' : ''}, and is named in the morning.`;
  const more = o.attackRevotes === 1 ? 'once more' : `up to ${times(o.attackRevotes)} more`;
  const nobody = o.wolfTargets === 'void' ? 'no vote counts' : 'nobody votes';
  const pack = [
    o.wolfTargets === 'refused'
      ? 'Each night but the first the living Werewolves vote at the same time for a living player who is no Werewolf; the most voted is attacked.'
      : `Each night but the first the living Werewolves vote at the same time for a living player; the most voted who is no Werewolf is attacked. A vote for ${o.selfVotes ? 'a Werewolf, who may be oneself,' : 'another Werewolf'} is shown and does not count.`,
    ...(o.attackRevotes ? [`On a tie they vote ${more}${o.whisperBeforeRevote ? ', after whispering again' : ''}.`] : []),
    o.noAttack
      ? `If it stays tied, or ${nobody}, nobody is attacked.`
      : o.missingAttack === 'nobody'
        ? `If it stays tied, chance decides among the tied; if ${nobody}, nobody is attacked.`
        : `If it stays tied, or ${nobody}, chance decides among the tied, or among all who are no Werewolves.`,
  ];
  const single = [
    `Each night but the first the living Werewolf chooses ${o.wolfTargets === 'void' && o.selfVotes ? 'a living player to attack; itself to no use' : 'a living player to attack'}.`,
    ...(o.attackRevotes ? [`Without a choice it is asked ${more}.`] : []),
    o.noAttack || o.missingAttack === 'nobody' ? 'Without one nobody is attacked.' : 'Without one somebody is attacked at random.',
  ];
  return [
    [...(cast.werewolf > 1 ? pack : single), dies].join(' '),
    o.hurry
      ? 'A step of the night ends as soon as it is answered, and those of nobody are left out.'
      : o.wholeNightMs
        ? `Each night lasts ${formatDuration(o.wholeNightMs)}${hasWhispers(cast) ? ' besides its whispering' : ''}; its steps share that time alike, with ${formatDuration(LEAST_SHARE_MS)} at least for each, whoever is alive to take them.`
        : `Each step of the night lasts its full time, ${formatDuration(o.nightMs)}, whoever is alive to take it.`,
  ];
}

function ends(cast: RoleCounts, o: AiwolfOptions): string[] {
  const among = othersIn(cast).filter((role) => role !== 'Foxes' || o.foxCounts === 'human');
  const fox = `${o.foxCounts === 'human' ? '' : 'A living Fox is not counted. '}If a Fox lives then, ${cast.immoralist ? 'Foxes and Immoralists' : 'the Foxes'} win instead, and nobody else. `;
  return [
    `The village wins when no Werewolf lives. The Werewolves win when the living others${among.length ? `, ${joinList(among)} among them,` : ''} are not more than they. ${cast.fox ? fox : ''}${o.endCheck === 'morning' ? 'This is looked at in the morning only, so that the night after a decisive execution is played.' : 'This is looked at after every death.'} After ${o.maxDays} ${o.maxDays === 1 ? 'day' : 'days'} it is a draw.`,
    'Each winner, dead or alive, gets one point.',
  ];
}

import { type NameOf, namesOf, tellQuestion } from '../kernel/narration.ts';
import { isTableEvent } from '../kernel/play.ts';
import { type Answer, type Seat, seatOf, stepOf } from '../kernel/question.ts';
import type { QuestionEvent, Telling } from '../kernel/rules.ts';
import { type Aiwolf, type AiwolfEvent, type Finding, type Role, sideOf } from './state.ts';

export const ROLE_NAMES: { readonly [role in Role]: string } = {
  villager: 'Villager',
  seer: 'Seer',
  medium: 'Medium',
  bodyguard: 'Bodyguard',
  possessed: 'Possessed',
  fox: 'Fox',
  immoralist: 'Immoralist',
  werewolf: 'Werewolf',
};

/** A choice, as told to the narrator or to the player who made it. */
const CHOICES: { readonly [step: string]: string } = { vote: 'votes for', attack: 'votes to attack', divine: 'looks at', guard: 'guards' };

export function tell(e: AiwolfEvent | QuestionEvent, about: Telling): string | undefined {
  if (isTableEvent(e)) return tellStep(e, about);
  const name = namesOf(about.names);
  switch (e.type) {
    case 'dealt':
      return 'The roles are dealt.';
    case 'dawned':
      return `Day ${e.day} begins.`;
    case 'killed':
      return `${name(e.seat)} was killed in the night.`;
    case 'unharmed':
      return 'Nobody was killed in the night.';
    case 'ordered':
      return undefined;
    case 'tied':
      return e.vote === 'vote' ? 'The vote is tied and held again.' : 'The vote of the Werewolves is tied and held again.';
    case 'executed':
      return `${name(e.seat)} is executed.`;
    case 'died':
      return `${name(e.seat)} dies too.`;
    case 'spared':
      return e.because === 'no-votes' ? 'Nobody has voted. Nobody is executed.' : 'The vote is still tied. Nobody is executed.';
    case 'gazed':
      return `${name(e.by)} looks at ${name(e.seat)} tonight.`;
    case 'guarded':
      return `${name(e.by)} guards ${name(e.seat)} tonight.`;
    case 'attacked':
      return e.seat === undefined ? 'The Werewolves attack nobody tonight.' : `The Werewolves attack ${name(e.seat)} tonight.`;
    case 'divined':
      return `${name(e.seat)} is ${A[e.found]}.`;
    case 'identified':
      return `${name(e.seat)}, who was executed, was ${A[e.found]}.`;
    case 'ended':
      if (e.winner === 'fox') return `${e.because === 'parity' ? PARITY : 'Every Werewolf is dead.'} A Fox lives: the Foxes win.`;
      return {
        'no-werewolves': 'Every Werewolf is dead. The village wins.',
        'parity': `${PARITY} The Werewolves win.`,
        'too-long': 'The game has lasted too long. Nobody wins.',
      }[e.because];
  }
}

function tellStep(e: QuestionEvent, about: Telling): string | undefined {
  const name = namesOf(about.names);
  if (e.type === 'passed') return `${name(e.seat)} ${about.question?.verb === 'choose' ? 'makes no choice' : 'says nothing'}.`;
  if (e.type === 'settled' && about.question?.heard === 'when-settled')
    return votes([...e.answers, ...(e.defaulted ?? [])], stepOf(e.question), name);
  return tellQuestion(e, about, (by, [whom], step) => `${name(by)} ${CHOICES[step] ?? 'chooses'} ${name(seatOf(whom!))}.`);
}

/** A vote, shown once it has closed. */
function votes(answers: readonly Answer[], step: string, name: NameOf): string | undefined {
  const all = answers.toSorted((a, b) => a.by - b.by).map(({ by, says }) => `${name(by)} for ${name(seatOf(says[0]!))}`);
  return all.length ? `${step === 'attack' ? 'Votes to attack' : 'Votes'}: ${all.join(', ')}.` : undefined;
}

const PARITY = 'The others are not more than the Werewolves.';

const A = { human: 'a human', werewolf: 'a Werewolf' } as const;
const WINNERS = { village: 'village', werewolves: 'Werewolves', fox: 'Foxes' } as const;

export function brief(s: Aiwolf, seat: Seat, names: readonly string[]): string {
  const name = namesOf(names);
  const role = s.roles[seat];
  if (!role || role === 'hidden') return '';
  const holders = (of: Role) => s.roles.flatMap((other, at) => (other === of && at !== seat ? [name(at)] : []));
  const partners = holders(role).join(', ');
  const side = WINNERS[sideOf(role)];
  const found = ({ seat: other, found: species }: Finding) => `${name(other)} is ${A[species]}`;
  const was = ({ seat: other, found: species }: Finding) => `${name(other)}, who was executed, was ${A[species]}`;
  return [
    `You are Agent[${String(seat + 1).padStart(2, '0')}]. Your role: ${ROLE_NAMES[role]}. You win with the ${side}.`,
    ...(role === 'werewolf' || role === 'fox'
      ? [partners ? `The other ${side}: ${partners}.` : `You are the only ${ROLE_NAMES[role]}.`]
      : []),
    ...(role === 'immoralist' ? holders('fox').map((fox) => `You know that ${fox} is a Fox.`) : []),
    ...s.divined.map((finding) => `You know that ${found(finding)}.`),
    ...s.identified.map((finding) => `You know that ${was(finding)}.`),
    ...(s.dead.includes(seat) ? ['You are dead: you may watch, not act.'] : []),
  ].join(' ');
}

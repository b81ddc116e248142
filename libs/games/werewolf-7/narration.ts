import { joinList } from '../kernel/format-text.ts';
import { type NameOf, namesOf, tellQuestion } from '../kernel/narration.ts';
import { isTableEvent } from '../kernel/play.ts';
import { type Seat, seatOf } from '../kernel/question.ts';
import type { QuestionEvent, Telling } from '../kernel/rules.ts';
import { isOrphaned, isWolf, type Role, type Werewolf7, type Werewolf7Event, wolves } from './state.ts';

const ROLE_NAMES = { werewolf: 'Werewolf', villager: 'Villager', seer: 'Seer', guard: 'Guard', witch: 'Witch', hidden: 'unknown' } as const;

export function tell(e: Werewolf7Event | QuestionEvent, about: Telling): string | undefined {
  const name = namesOf(about.names);
  if (isTableEvent(e)) return tellQuestion(e, about, (by, [option], step) => choice(name(by), option!, step, name));
  const was = ({ seat, role }: { seat: Seat; role?: Role }) => (role === undefined ? name(seat) : `${name(seat)} (${ROLE_NAMES[role]})`);
  switch (e.type) {
    case 'dealt':
      return `The roles are dealt. The order of speaking: ${e.order.map(name).join(', ')}.`;
    case 'dusked':
      return `Night ${e.night} falls.`;
    case 'aimed':
      return undefined;
    case 'protected':
      return `${name(e.seat)} is protected tonight.`;
    case 'warned':
      return `The Werewolves have chosen ${name(e.seat)} tonight.`;
    case 'saved':
      return `${name(e.seat)} is saved by the antidote.`;
    case 'poisoned':
      return `${name(e.seat)} is poisoned.`;
    case 'inspected':
      return `${name(e.seat)} is ${e.isWolf ? '' : 'not '}a Werewolf.`;
    case 'gathered':
      return 'Day breaks. A sheriff is elected before the dead of the night are named.';
    case 'stood':
      return `For sheriff ${e.seats.length > 1 ? 'run' : 'runs'} ${joinList(e.seats.map(name)) || 'nobody'}.`;
    case 'elected':
      return e.seat === undefined ? 'There will be no sheriff.' : `${name(e.seat)} is the sheriff.`;
    case 'inherited':
      return e.seat === undefined ? 'The badge is torn. There is no sheriff any more.' : `${name(e.seat)} is the sheriff now.`;
    case 'tied':
      return `${joinList(e.seats.map(name))} are tied. ${e.decides === 'sheriff' ? 'The sheriff decides' : 'They speak once more, and a second ballot decides'}.`;
    case 'dawned':
      return `Day ${e.day} begins. ${e.dead.length ? `${joinList(e.dead.map(was))} died in the night.` : 'Nobody died in the night.'}`;
    case 'condemned':
      return `${name(e.seat)} will be executed, and may speak once more.`;
    case 'executed':
      return `${was(e)} is executed.`;
    case 'spared':
      return e.because === 'tie' ? 'The vote is tied. Nobody is executed.' : 'Most votes are for nobody. Nobody is executed.';
    case 'ended':
      return {
        'no-wolves': 'Every Werewolf is dead. The village wins.',
        'no-villagers': 'Both Villagers are dead. The Werewolves win.',
        'no-others': 'Only Werewolves are left. The Werewolves win.',
        'parity': 'The Werewolves are as many as the others. The Werewolves win.',
        'too-long': 'The game has lasted too long. Nobody wins.',
      }[e.because];
  }
}

const PASSES = { vote: 'votes for nobody', elect: 'votes for nobody', hunt: 'wants to kill nobody tonight', heir: 'tears the badge' };

function choice(who: string, option: string, step: string, name: NameOf): string {
  if (step === 'run') return `${who} ${option === 'run' ? 'runs' : 'does not run'} for sheriff.`;
  if (option === 'pass') return `${who} ${PASSES[step as 'vote'] ?? 'passes'}.`;
  const whom = name(seatOf(option));
  const does: { readonly [step: string]: string } = {
    hunt: `${who} wants to kill ${whom} tonight.`,
    protect: `${who} protects ${whom}.`,
    save: `${who} saves ${whom}.`,
    poison: `${who} poisons ${whom}.`,
    inspect: `${who} asks whether ${whom} is a Werewolf.`,
    elect: `${who} votes for ${whom} as sheriff.`,
    decide: `${who} decides that ${whom} is executed.`,
    heir: `${who} passes the badge to ${whom}.`,
  };
  return does[step] ?? `${who} votes for ${whom}.`;
}

export function brief(s: Werewolf7, seat: Seat, names: readonly string[]): string {
  const name = namesOf(names);
  const role = s.roles[seat] ?? 'hidden';
  return [
    `Your role: ${ROLE_NAMES[role]}.`,
    ...(isWolf(s, seat) ? [partner()] : []),
    ...[...new Map(s.inspected)].map(([other, is]) => `You know that ${name(other)} is ${is ? '' : 'not '}a Werewolf.`),
    ...(role === 'guard' ? protection() : []),
    ...(role === 'witch' ? [`You have ${drugs()}.`, ...warning()] : []),
    ...(s.condemned === seat ? ['You will be executed: these are your last words.'] : []),
    ...(s.sheriff?.seat === seat ? [`You are the sheriff: your vote by day counts ${s.sheriff.halves / 2}.`] : []),
    ...(s.dead.includes(seat) ? [`You are dead: you may ${isOrphaned(s) ? 'pass on your badge' : 'watch'}, not act.`] : []),
  ].join(' ');

  function partner(): string {
    const other = wolves(s).find((wolf) => wolf !== seat)!;
    return `The other Werewolf: ${name(other)}${s.dead.includes(other) ? ', who is dead' : ''}.`;
  }

  function protection(): readonly string[] {
    const last = s.night ? (s.tonight.guarded ?? s.guardedBefore) : s.tonight.guarded;
    if (last === undefined) return [];
    return [`You ${s.night && s.tonight.guarded !== undefined ? 'protect' : 'last protected'} ${name(last)}.`];
  }

  function drugs(): string {
    return joinList([...(s.antidote ? ['the antidote'] : []), ...(s.poison ? ['the poison'] : [])]) || 'neither antidote nor poison left';
  }

  function warning(): readonly string[] {
    const { warned, saved } = s.tonight;
    return s.night && warned !== undefined && saved === undefined
      ? [`The Werewolves kill ${name(warned)} tonight unless you save ${warned === seat ? 'yourself' : 'them'}.`]
      : [];
  }
}

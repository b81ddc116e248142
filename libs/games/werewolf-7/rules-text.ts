import { formatDuration } from '../kernel/format-text.ts';
import type { Werewolf7Options } from './options.ts';

export function rulesText(o: Werewolf7Options): string {
  return [
    'Seven players: two Werewolves, two Villagers, the Seer, the Guard and the Witch. The Werewolves know each other; nobody else knows more than their own role. All but the Werewolves are the village.',
    'The game begins with night 1. In the night, one after another: the Werewolves choose a victim, the Guard protects, the Witch may use her antidote and then her poison, the Seer inspects.',
    o.hurry
      ? `A step of the night ends as soon as it is answered, after ${formatDuration(o.nightMs)} at the latest.`
      : `Each step of the night lasts ${formatDuration(o.nightMs)}, whether somebody acts in it or not.`,
    'The Werewolves vote in order of seats, the second seeing the first one’s vote, for any living player, themselves included, or to pass. The most votes count; a tie, or most votes for pass, kills nobody. A last Werewolf decides alone.',
    `The Guard protects one player from the Werewolves, himself if he likes${o.guardRepeat ? ', the same on as many nights as he likes' : ', but not the same on two nights running'}. He does not protect from poison.`,
    `The Witch has one antidote and one poison for the whole game. As long as she has the antidote she is told whom the Werewolves will kill, unless the Guard protects them, and may save them, herself too. She may poison any living player. ${o.witchBoth ? 'She may use both in one night.' : 'She may not use both in one night.'}`,
    'Each night the Seer learns of one player whether that is a Werewolf. A Seer who dies in that night learns nothing of it.',
    o.nightState === 'nightfall'
      ? 'All choices of a night are among those alive at nightfall, and count even if their maker dies in that night.'
      : 'The choices of a night are among those who have not died in it so far: the victim has once the Witch has not used the antidote she has, or else after the poison, and the poisoned has before the Seer chooses. Who has died so far chooses in vain.',
    `In the morning the dead of the night are named${nightRoles(o)}. Then everybody alive makes one speech of at most ${formatDuration(o.turnMs)} and ${o.maxChars} characters, in an order shuffled once for the game.`,
    `Then all vote in that order, openly, within ${formatDuration(o.voteMs)} each, for any living player or to pass. The most voted is executed; a tie, or most votes for pass, executes nobody.`,
    `${o.lastWords ? 'The condemned may say last words before dying.' : 'There are no last words.'} The role of the executed is ${o.revealExecuted ? 'announced' : 'not announced'}. Whoever does not choose in time passes.`,
    `The village wins when no Werewolf is alive. The Werewolves win when ${wolfWin(o)}. Both are looked at in the morning and after an execution, ${o.endFirst === 'village' ? 'the village first' : 'the Werewolves first'}. After day ${o.maxDays} it is a draw.`,
    'Everybody of the winning side, alive or dead, gets one point.',
  ].join('\n');
}

function nightRoles(o: Werewolf7Options): string {
  if (o.revealNightRoles) return ', with their roles';
  return o.revealFirstNight ? ', those of the first night with their roles' : ', without their roles';
}

function wolfWin(o: Werewolf7Options): string {
  return {
    'villagers-dead': 'both Villagers are dead, whoever else lives',
    'all-good-dead': 'nobody else is alive',
    'parity': 'they are as many as the others alive',
  }[o.wolfWin];
}

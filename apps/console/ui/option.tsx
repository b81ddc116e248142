import { namedSeats } from '@maw/games/kernel/question.ts';
import { useScene } from '../scene/scene.ts';
import { en, named } from '../text/en.ts';
import { PlayerName } from './player.tsx';

const WORDS: { readonly [option: string]: string } = { ...en.votes, approve: en.votes.approved };

/** What was chosen, in words: a player by name. */
export function Option({ option }: { readonly option: string }) {
  const { names } = useScene();
  const seats = namedSeats(option);
  if (!seats.length) return named(WORDS, option);
  return seats.map((seat, i) => [i > 0 && ' + ', <PlayerName key={seat} seat={seat} name={names[seat]} />]);
}

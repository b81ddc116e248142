import { useScene } from '../scene/scene.ts';
import { en, named } from '../text/en.ts';
import { PlayerName } from './player.tsx';

const WORDS: { readonly [option: string]: string } = { ...en.votes, approve: en.votes.approved };

/** What was chosen, in words: a player by name. */
export function Option({ option }: { readonly option: string }) {
  const { names } = useScene();
  if (!option.startsWith('seat:')) return named(WORDS, option);
  const seat = Number(option.slice('seat:'.length));
  return <PlayerName seat={seat} name={names[seat]} />;
}

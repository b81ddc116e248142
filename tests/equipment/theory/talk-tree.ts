import { onuw } from '@maw/games/onuw/onuw.ts';
import { buildTree, type Tree } from '@maw/games/tree/tree.ts';

/** All that can be said in the game with talk: claims about the Robber's night. */
export const CLAIMS = ['The Robber did nothing.', 'The Robber swapped with Player 1.', 'The Robber swapped with Player 2.'] as const;

/** The game of section 4 of document 004 with one round of talk, in seat order, in which each player makes one of the claims. Nothing binds a player to the truth. */
export const talkTree = (): Tree =>
  buildTree(onuw.rules(3, { setup: 'analysis', analysisTalk: true, talkRounds: 1 }), 3, { alphabet: CLAIMS });

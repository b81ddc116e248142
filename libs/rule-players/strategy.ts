import type { Act } from '@maw/games/english/sentence.ts';
import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Opinion } from './conversation/converse.ts';
import type { Ears, Hearing, Listener } from './conversation/hearing.ts';
import type { Heard } from './conversation/understand.ts';
import type { SmallTalk } from './conversation/small-talk.ts';
import type { Book, Voice } from './conversation/voice.ts';
import type { Wording } from './conversation/wording.ts';
import type { Answer, Moment, News } from './moment.ts';

/** The discussion tactics of document 004. */
export type Tactic = `${'honest' | 'deceptive'}_${'evidence' | 'accusation' | 'defense'}`;

/** What a strategy speaks with: words for its occasions, and what was said at the table. */
export interface Floor<Occasion extends string> {
  readonly voice: Voice<Occasion>;
  readonly wording: Wording;
  readonly hearing: Hearing;
  /** How to speak, in games whose strategy knows tactics. Absent: as it thinks fit. */
  readonly tactic?: Tactic | undefined;
}

/** The result of a strategy's thought. */
export interface Play<Known> {
  readonly answers: readonly Answer[];
  readonly known: Known;
  /** Absent: it takes no part in the conversation. */
  readonly opinion?: Opinion;
}

/** How the player without a model plays one game. `Known` is what it knows of the game, `Belief` what it concludes; both are JSON. */
export interface Strategy<Known, Belief extends { readonly [about: string]: unknown }, Occasion extends string> {
  /** What it says. */
  readonly book: Book<Occasion | SmallTalk>;
  /** The same in Japanese. Absent: it speaks English only. */
  readonly japanese?: Book<Occasion | SmallTalk>;
  /** The roles, or cards, that somebody may ask for. */
  readonly roles: readonly string[];
  /** Understands what others say. */
  understand(heard: Heard): readonly Act[];
  /** Reads the gist of it. */
  readonly gist: Listener;
  /** The same, and the roles, of a table whose roles are its own. Absent: they are those of the game. */
  earsAt?(known: Known): Ears & { readonly roles: readonly string[] };
  begin(): Known;
  /** Adds one piece of news. The same piece may arrive twice: as a line of its room, and later as an event. */
  fold(known: Known, news: News, moment: Moment): Known;
  believe(known: Known, moment: Moment): Belief;
  act(known: Known, belief: Belief, moment: Moment, dice: Dice, floor: Floor<Occasion>): Play<Known>;
}

/** A strategy whose game does not matter. */
// oxlint-disable-next-line typescript/no-explicit-any -- the types of a game are erased only here
export type AnyStrategy = Strategy<any, any, string>;

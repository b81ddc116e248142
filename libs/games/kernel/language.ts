import type { Seat } from './question.ts';

/** Who speaks, and what the words of the speech may refer to. */
export interface Speaker {
  readonly seat: Seat;
  readonly names: readonly string[];
  readonly alive: readonly boolean[];
  /** The questions of this day or night in which something was said, with what was said, in order. */
  readonly said: readonly Said[];
  /** The question that the speech answers. */
  readonly question: string;
}

export interface Said {
  readonly question: string;
  readonly by: Seat;
  /** Undefined: the time to speak ran out. */
  readonly text: string | undefined;
}

/** What can be said, or why it cannot, in words for the person who typed. */
export type Translation = { readonly text: string } | { readonly why: string };

/** How people take part in a game that has a language of its own. */
export interface Language {
  /** A player as people see it. */
  displayName(name: string, seat: Seat): string;
  /** A sentence of the game, with its players as people see them. */
  displayText(text: string, names: readonly string[]): string;
  /** A speech, with its players as people see them. */
  displaySpeech(text: string, names: readonly string[]): string;
  /** What somebody does who says this, where it is a word for having nothing to say. */
  silence(text: string): string | undefined;
  /** Whole sentences, for readers that must know beforehand what can be said: those that can always be said, `always`, and others, at most some hundred. */
  sentences(always: readonly string[], players: number, speaker: Seat): readonly string[];
  /** A sentence in plain English that can be said where the speech can. */
  plainExample(speech: string, names: readonly string[]): string;
  /** Turns plain English into the language. */
  translate(sentence: string, speaker: Speaker): Translation;
}

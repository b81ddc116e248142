/** A question as the page and the terminal show it to the person who may answer it. */
interface AskedQuestion {
  readonly id: string;
  readonly verb: 'say' | 'tell' | 'choose';
  /** What may be chosen, or who may be told, and how people call it. For say: texts that are always allowed. */
  readonly options: readonly { readonly is: string; readonly named: string }[];
  readonly pick: number;
  readonly final: boolean;
}

/** What each choice of the games is for. */
const PURPOSES: { readonly [step: string]: string } = {
  vote: 'Vote for whom to execute',
  hunt: 'Choose the victim of the wolves',
  inspect: 'Choose whose role to look at',
  protect: 'Choose whom to protect tonight',
  save: 'Choose whom the antidote saves',
  poison: 'Choose whom the poison kills',
  divine: 'Choose whom to divine',
  guard: 'Choose whom to guard tonight',
  attack: 'Choose whom the wolves attack',
  team: 'Name the team of the quest',
  approve: 'Vote on the team',
  quest: 'Play your card for the quest',
  assassinate: 'Name the player who is Merlin',
  werewolf: 'Look at a card in the centre',
  seer: 'Look at cards',
  robber: 'Choose whose card to take for yours',
  troublemaker: 'Choose whose cards to swap',
  doppelganger: 'Choose whose card to copy',
  drunk: 'Choose the card of the centre to take',
};

/** Whether the rules of some game ask for this choice. */
export const isKnownChoice = (step: string): boolean => Object.hasOwn(PURPOSES, step);

/** What a choice is for, by the step of its question. A choice that is not listed is called by its own name. */
export const purposeOf = (step: string): string => PURPOSES[step] ?? `You are asked to ${step}`;

/** Whether the question wants sentences of a language of the game. */
export const hasLanguage = ({ verb, options }: AskedQuestion): boolean => verb === 'say' && options.some(({ is }) => is.includes(' '));

/** Whether the game has a word for having nothing to say. */
export const hasOver = ({ verb, options }: AskedQuestion): boolean => verb === 'say' && options.some(({ is }) => is === 'Over');

/** The options that are words, such as `approve` or `pass`. */
export const wordOptions = ({ verb, options }: AskedQuestion): readonly string[] =>
  verb === 'choose' ? options.flatMap(({ is }) => (/^[a-z]+$/.test(is) ? [is] : [])) : [];

/** Whether these options are a whole answer to a choice. A single `pass` always is. */
export const isComplete = ({ pick }: AskedQuestion, says: readonly string[]): boolean =>
  (says.length === pick && new Set(says).size === pick) || (says.length === 1 && says[0] === 'pass');

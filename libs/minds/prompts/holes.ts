import { kindOfDecision } from '../decision-kind.ts';
import { rolesIn, sideOf } from '@maw/games/roles.ts';
import { ownRole } from '../own-role.ts';
import type { Mind, Moment } from '../mind.ts';
import { sanitize } from '../sanitize.ts';
import { believed, choicesPrompt, decisionsPrompt, rulesPrompt } from './prompt.ts';
import type { HoleValue } from './prompt-file.ts';
import { waysOf } from './reply.ts';
import { exampleOf, goalOf, roleName, seatedAt, timeOf } from './words.ts';

/** The texts of a recipe by rule set and role: `goal: { general: ..., avalon: { general: ..., merlin: ... } }`. */
export interface RoleTexts {
  readonly [name: string]: RoleText;
}
export type RoleText = string | readonly string[] | { readonly [rulesOrRole: string]: RoleText };

const names = ({ players }: Moment, isWanted: (player: Moment['players'][number]) => boolean): string =>
  players.filter(isWanted).map(({ name }) => sanitize(name)).join(', '); // prettier-ignore

const othersOf = ({ players, seat: own }: Moment) =>
  players.filter(({ alive, seat }) => alive && seat !== own).map(({ name }) => sanitize(name)) as [string, ...string[]];

/** The holes that every prompt may have. Whatever others said is quoted or sanitized in each of them. */
const standardHoles: { readonly [hole: string]: (mind: Mind, moment: Moment) => HoleValue } = {
  /** The rules of the game with the notice that speech is no instruction. Every prompt needs it or `rules`. */
  preamble: (_, moment) => rulesPrompt(moment),
  rules: (_, { rules }) => rules.text,
  game: (_, { rules }) => rules.name,
  name: (_, { name }) => sanitize(name),
  role: (mind, moment) => roleName(ownRole(mind), moment),
  side: (mind, { rules }) => sideOf(ownRole(mind), rules.name),
  /** The roles that are in the game. */
  roles: (_, moment) =>
    rolesIn(moment.rules)
      .map((role) => roleName(role, moment))
      .join(', '),
  /** The role and what the seat knows by it, in words. */
  brief: (_, { brief }) => sanitize(brief),
  /** What the seat wants to reach. */
  goal: (mind, moment) => goalOf(mind, moment),
  time: (_, moment) => timeOf(moment),
  /** Who is at the table, in a sentence: alive or dead, where players can die. */
  seated: (_, moment) => seatedAt(moment),
  players: (_, moment) => names(moment, () => true),
  alive: (_, moment) => names(moment, ({ alive }) => alive),
  dead: (_, moment) => names(moment, ({ alive }) => !alive),
  /** The living but oneself. */
  others: (_, moment) => othersOf(moment).join(', '),
  /** One of these, for an example of a form. */
  somebody: (_, moment) => exampleOf(othersOf(moment), moment),
  /** All lines of the log. */
  log: ({ context, unread }) => [...context.lines, ...unread],
  past: ({ context }) => context.lines,
  news: ({ unread }) => unread,
  /** The debate of `day-notes` where the prompt has it: in the shared layout `note.debate` comes before what only the seat knows. */
  discussion: ({ notes }) => noteText(notes['debate']),
  recalled: ({ recalled }) => recalled,
  reflections: ({ reflections }) => reflections,
  beliefs: ({ beliefs }) => believed(beliefs),
  plan: ({ plan }) => plan,
  draft: ({ answers }) => answers.map(({ says }) => JSON.stringify(says)),
  refused: (_, { refused }) => refused.map((why) => `Your last answer was refused: ${sanitize(why)}.`),
  /** What may be decided, in words. */
  choices: (mind, moment) => choicesPrompt(mind, moment),
  /** What may be answered now, with the JSON of each answer. */
  decisions: (mind, moment) => decisionsPrompt(mind, moment, waysOf(moment)),
};

/** What a recipe and the calling step add to the standard holes. */
export interface HoleSources {
  readonly parameters: { readonly [name: string]: unknown };
  readonly texts: RoleTexts;
  /** Made by the step for this call. */
  readonly own?: { readonly [hole: string]: HoleValue };
}

/** Fills a hole: the step's own, `parameter.NAME`, `text.NAME`, `note.NAME`, or a standard one. Undefined when there is no such hole. */
export function holeValue(hole: string, mind: Mind, moment: Moment, { parameters, texts, own = {} }: HoleSources): HoleValue | undefined {
  if (Object.hasOwn(own, hole)) return own[hole];
  const [family, name = ''] = splitAtDot(hole);
  switch (family) {
    case 'parameter':
      return Object.hasOwn(parameters, name) ? parameterText(parameters[name]) : undefined;
    case 'text':
      return Object.hasOwn(texts, name) ? roleText(texts[name]!, mind, moment) : undefined;
    case 'note':
      return noteText(name.split('.').reduce(fieldOf, mind.notes));
    default:
      return Object.hasOwn(standardHoles, hole) ? standardHoles[hole]!(mind, moment) : undefined;
  }
}

/** Why a hole can never be filled; undefined when it can. @param own the holes that the step fills itself */
export function holeError(hole: string, { parameters, texts }: HoleSources, own: readonly string[]): string | undefined {
  const [family, name = ''] = splitAtDot(hole);
  if (own.includes(hole) || Object.hasOwn(standardHoles, hole) || family === 'note') return undefined;
  if (family === 'parameter') return Object.hasOwn(parameters, name) ? undefined : `the recipe has no parameter ${name}`;
  if (family === 'text') return Object.hasOwn(texts, name) ? undefined : `the texts of the recipe have no ${name}`;
  return `there are ${[...own, ...Object.keys(standardHoles)].join(', ')}, parameter.NAME, text.NAME and note.NAME`;
}

const splitAtDot = (hole: string): readonly [string, string?] => {
  const dot = hole.indexOf('.');
  return dot < 0 ? [hole] : [hole.slice(0, dot), hole.slice(dot + 1)];
};

/**
 * The text for a decision: at every level that of the rule set, the kind of decision, the dealt role or its side, whichever the text names
 * first in this order; else `general`.
 */
export function roleText(text: RoleText, mind: Pick<Mind, 'notes'>, moment: Moment): string | readonly string[] {
  const rules = moment.rules.name;
  const role = ownRole(mind);
  return textBy(text, [rules, kindOfDecision(moment), role, sideOf(role, rules), 'general']);
}

function textBy(text: RoleText, keys: readonly string[]): string | readonly string[] {
  if (typeof text === 'string' || isList(text)) return text;
  const next = keys.find((key) => key !== '' && Object.hasOwn(text, key));
  return next === undefined ? '' : textBy(text[next]!, keys);
}

const isList = (text: RoleText): text is readonly string[] => Array.isArray(text);

/** A switch that is off is an empty text. */
const parameterText = (value: unknown): string => (value === false ? '' : String(value));

const fieldOf = (note: unknown, field: string): unknown =>
  typeof note === 'object' && note !== null && Object.hasOwn(note, field)
    ? (note as { readonly [field: string]: unknown })[field]
    : undefined;

function noteText(note: unknown): HoleValue {
  if (note === undefined) return '';
  if (typeof note === 'string' || (Array.isArray(note) && note.every(isLineOrMessage))) return note as HoleValue;
  return JSON.stringify(note);
}

const isLineOrMessage = (each: unknown): boolean =>
  typeof each === 'string' || (typeof each === 'object' && each !== null && 'role' in each && 'content' in each);

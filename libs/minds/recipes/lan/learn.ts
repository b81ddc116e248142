import { z } from 'zod';
import { schemaOf } from '../../prompts/json-schema.ts';
import { labelOf, labelPlayers, unlabelPlayers } from '../../experience/label-players.ts';
import type { CompletionRequest, Mind, Moment, NumberedLesson, RoleLesson, Step, StrategyBook, Tools } from '../../mind.ts';
import { roleText } from '../../prompts/holes.ts';
import { roleName } from '../../prompts/words.ts';
import type { HoleValue } from '../../prompts/prompt-file.ts';
import { type RecipePrompt, type StepSetup, stepKind } from '../../recipe/step-kind.ts';
import { sanitize, truncate } from '../../sanitize.ts';
import { askAll, proseAll } from '../../steps/calls.ts';
import { newest } from '../../steps/budget.ts';
import { lessonFor, openBook, usedLesson } from './lesson.ts';
import { memoryOf, roomFor } from './recall.ts';

const MAX_CHARS = 800;
/** How often a version is revised anew because another was written meanwhile. */
const MAX_TRIES = 20;
const SUGGESTIONS = 3;
const suggestionsShape = z.object({ suggestions: z.array(z.string().min(1).max(400)).min(1).max(SUGGESTIONS) });

const parameters = z.strictObject({
  others: z.string().describe('The prompt file that asks for the strategies of all roles'),
  suggest: z.string().describe('The prompt file that asks for suggestions'),
  merge: z.string().describe('The prompt file that merges them into the strategy'),
  learn: z.enum(['both', 'own', 'others', 'off']).describe('Whether the own strategy is improved, those of other roles are noted, or both'),
  strategies: z.string().describe('The set of strategies that the result is a version of; off: it stays at the table'),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1).describe('Tokens of a reply'),
});

/**
 * After a round: suggestions for the own role, and the strategies of the others, together; then the suggestions are merged into the strategy. The
 * result is in the note `learned`, by role, or a new version in the set of strategies; without names of players.
 */
export const learnKind = stepKind({
  step: 'lan-learn',
  description: 'Revises the strategy of the role that was played, and notes how the other roles played.',
  parameters,
  create(given, setup): Omit<Step, 'name'> {
    const files = {
      others: setup.prompt(given.others, ['outcome', 'roles', 'past', 'before']),
      suggest: setup.prompt(given.suggest, ['outcome', 'roles', 'past', 'before', 'strategy']),
      merge: setup.prompt(given.merge, ['strategy', 'suggestions']),
    };
    return {
      kind: 'reflect',
      chain: given.learn === 'others' ? 1 : 2,
      async run(before, moment, tools) {
        const role = (moment.outcome?.dealt ?? moment.outcome?.roles)?.[moment.seat];
        if (role === undefined) return {};
        const mind = { ...before, notes: { ...before.notes, role } }; // the next round may have begun
        const learning: Learning = { given, files, mind, moment, tools, role, first: firstStrategy(setup, mind, moment) };
        const book = openBook(given.strategies, tools);
        const written = book ? await learnIntoSet(learning, book) : await learnAtTable(learning);
        return written ? { notes: { ...before.notes, ...written } } : {};
      },
      shows: (before, { notes }) =>
        before.notes === notes ? {} : { ...shown('learned', before, notes), ...shown('revised', before, notes) },
    };
  },
});

const shown = (note: string, before: Mind, notes: Mind['notes']) => (before.notes[note] === notes[note] ? {} : { [note]: notes[note] });

/** What one seat learns from. */
interface Learning {
  readonly given: z.output<typeof parameters>;
  readonly files: { readonly [call in 'others' | 'suggest' | 'merge']: RecipePrompt };
  readonly mind: Mind;
  readonly moment: Moment;
  readonly tools: Tools;
  readonly role: string;
  /** The recipe's own strategy for the role. */
  readonly first: string;
}

/** Returns the note `learned`; undefined when there is nothing new. @throws when no model replied */
async function learnAtTable(learning: Learning): Promise<Mind['notes'] | undefined> {
  const { mind, role } = learning;
  const known = lessonFor(mind, role) ?? firstLesson(learning);
  const heard = await ask(learning, known);
  if (!heard) return undefined;
  const lesson = { version: known.version + 1, ...(await revise(learning, known, heard)) };
  const learned = mind.notes['learned'] as { readonly lan?: object } | undefined;
  return { learned: { ...learned, lan: { ...learned?.lan, [role]: lesson } } };
}

/**
 * Adds a version to a set, and returns the note `revised` about it. The version that was played by is revised; when another seat or game has
 * revised it meanwhile, its version is, so that nothing of either is lost.
 * @throws Error when no model replied, or others kept writing
 */
async function learnIntoSet(learning: Learning, book: StrategyBook): Promise<Mind['notes'] | undefined> {
  const { mind, moment, role } = learning;
  const why = await book.whyClosed();
  if (why !== undefined) return { revised: { set: book.name, notWritten: why } };
  const read = usedLesson(mind, moment, role);
  const used = (read ? read.lesson : await book.used(role)) ?? firstLesson(learning);
  const heard = await ask(learning, used);
  if (!heard) return undefined;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const latest = (await book.newest(role)) ?? firstLesson(learning);
    const base = latest.version === used.version ? used : latest;
    const others = base === used || !heard.others ? heard.others : await proseOrNone(learning, 'others', { before: base.others });
    const lesson = await revise(learning, base, { ...heard, others: others || heard.others });
    const version = await book.write(role, base.version, lesson);
    if (typeof version === 'string') return { revised: { set: book.name, notWritten: version } };
    if (version !== undefined) return { revised: { set: book.name, role, used: used.version, parent: base.version, version, ...lesson } };
  }
  throw new Error(`the strategy of ${role} in ${book.name} was revised by others ${MAX_TRIES} times`);
}

const firstLesson = ({ first }: Learning): NumberedLesson => ({ version: 0, strategy: first, suggestions: [], others: '' });

interface Heard {
  readonly others: string;
  readonly suggestions: readonly string[];
}

/** Asks for the strategies of others and for suggestions; undefined when the replies say nothing. @throws when no model replied */
async function ask(learning: Learning, known: RoleLesson): Promise<Heard | undefined> {
  const { given, tools } = learning;
  const asked = await Promise.allSettled([
    given.learn === 'own' ? '' : prose(learning, 'others', { before: known.others }),
    given.learn === 'others' ? [] : suggest(learning, known),
  ]);
  tools.signal.throwIfAborted();
  const [others, suggestions] = [valueOf(asked[0]) ?? '', valueOf(asked[1]) ?? []];
  if (others || suggestions.length) return { others, suggestions };
  const failed = asked.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return undefined;
}

const valueOf = <T>(result: PromiseSettledResult<T>): T | undefined => (result.status === 'fulfilled' ? result.value : undefined);

/** Merges the suggestions into the strategy. Without a reply the strategy stays as it was, and the suggestions stand beside it. */
async function revise(learning: Learning, known: RoleLesson, { others, suggestions }: Heard): Promise<RoleLesson> {
  const merged = suggestions.length ? await proseOrNone(learning, 'merge', { strategy: known.strategy, suggestions }) : '';
  return {
    strategy: merged || known.strategy,
    suggestions: suggestions.length ? suggestions : known.suggestions,
    others: others || known.others,
  };
}

const firstStrategy = ({ texts }: StepSetup, mind: Mind, moment: Moment): string =>
  [roleText(texts['strategy'] ?? '', mind, moment)].flat().join(' ');

/** How the game went, for the prompts. Players have labels: a model that is told no name can write none. */
function gameHoles(mind: Mind, moment: Moment) {
  const { outcome, players } = moment;
  const roles = outcome!.dealt ?? outcome!.roles;
  const { summaries, rounds } = memoryOf(mind);
  const names = namesOf(moment);
  const lines = rounds.flatMap(({ messages }) => messages.map(({ message }) => labelPlayers(message, names)));
  return {
    name: labelOf(moment.seat),
    outcome: `${outcome!.winner} wins`,
    roles: players.map(({ seat }) => `${labelOf(seat)}: ${roleName(roles[seat] ?? '', moment)}`).join(', '),
    past: [...summaries.map(({ round, text }) => `${round}: ${labelPlayers(text, names)}`), ...newest(lines, roomFor(moment) / 2)],
  };
}

type Holes = { readonly [hole: string]: HoleValue };

function requestOf({ given, files, mind, moment }: Learning, call: keyof Learning['files'], own: Holes): CompletionRequest {
  const messages = files[call].messages(mind, moment, { ...gameHoles(mind, moment), ...own });
  return { messages, temperature: given.temperature, maxTokens: given.maxTokens };
}

/** @throws when no model replied */
async function suggest(learning: Learning, { suggestions, strategy }: RoleLesson): Promise<readonly string[]> {
  const request = requestOf(learning, 'suggest', { before: suggestions, strategy });
  const [reply] = await askAll(learning.tools, [{ ...request, format: schemaOf(suggestionsShape) }], suggestionsShape);
  return (reply?.suggestions ?? []).map((each) => withRoles(each, learning.moment)).filter(Boolean);
}

/** @throws when no model replied */
async function prose(learning: Learning, call: keyof Learning['files'], own: Holes): Promise<string> {
  const [reply] = await proseAll(learning.tools, [requestOf(learning, call, own)]);
  return withRoles(reply!, learning.moment);
}

/** The same; empty without a reply. @throws the abort reason of the signal */
async function proseOrNone(learning: Learning, call: keyof Learning['files'], own: Holes): Promise<string> {
  const reply = await prose(learning, call, own).catch(() => '');
  learning.tools.signal.throwIfAborted();
  return reply;
}

/** One line in which players are named by their roles instead of their labels. */
function withRoles(text: string, moment: Moment): string {
  const roles = moment.outcome!.dealt ?? moment.outcome!.roles;
  const named = unlabelPlayers(
    sanitize(text),
    namesOf(moment).length,
    (seat) => `the ${roles[seat] ? roleName(roles[seat], moment) : 'player'}`,
  );
  return truncate(named, MAX_CHARS).trim();
}

function namesOf({ players }: Moment): readonly string[] {
  const names: string[] = [];
  for (const { name, seat } of players) names[seat] = name;
  return names;
}

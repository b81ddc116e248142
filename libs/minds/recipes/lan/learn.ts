import { z } from 'zod';
import { schemaOf } from '../../prompts/json-schema.ts';
import type { CompletionRequest, Mind, Moment, Step, Tools } from '../../mind.ts';
import { namePattern } from '../../name-pattern.ts';
import { roleText } from '../../prompts/holes.ts';
import type { HoleValue } from '../../prompts/prompt-file.ts';
import { type RecipePrompt, type StepSetup, stepKind } from '../../recipe/step-kind.ts';
import { sanitize } from '../../sanitize.ts';
import { askAll, completeAll } from '../../steps/calls.ts';
import { newest } from '../../steps/observe.ts';
import { lessonFor, type RoleLesson } from './lesson.ts';
import { memoryOf, roomFor } from './recall.ts';

const MAX_CHARS = 800;
const SUGGESTIONS = 3;
const suggestionsShape = z.object({ suggestions: z.array(z.string().min(1).max(400)).min(1).max(SUGGESTIONS) });

const parameters = z.strictObject({
  others: z.string().describe('The prompt file that asks for the strategies of all roles'),
  suggest: z.string().describe('The prompt file that asks for suggestions'),
  merge: z.string().describe('The prompt file that merges them into the strategy'),
  learn: z.enum(['both', 'own', 'others', 'off']).describe('Whether the own strategy is improved, those of other roles are noted, or both'),
  temperature: z.number().min(0).max(2),
  maxTokens: z.int().min(1).describe('Tokens of a reply'),
});

/**
 * After a round: suggestions for the own role, and the strategies of the others, together; then the suggestions are merged into the strategy. The
 * result is in the note `learned`, by role, without names of players.
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
    const { temperature, maxTokens } = given;
    return {
      kind: 'reflect',
      chain: given.learn === 'others' ? 1 : 2,
      async run(before, moment, tools) {
        const role = (moment.outcome?.dealt ?? moment.outcome?.roles)?.[moment.seat];
        if (role === undefined) return {};
        const mind = { ...before, notes: { ...before.notes, role } }; // the next round may have begun
        const known = lessonFor(mind, role) ?? { version: 0, strategy: firstStrategy(setup, mind, moment), suggestions: [], others: '' };
        const holes = gameHoles(mind, moment);
        const ask = (file: RecipePrompt, own: { readonly [hole: string]: HoleValue }): CompletionRequest => ({
          messages: file.messages(mind, moment, { ...holes, ...own }),
          temperature,
          maxTokens,
        });
        const asked = await Promise.allSettled([
          given.learn === 'own' ? '' : prose(ask(files.others, { before: known.others }), moment, tools),
          given.learn === 'others'
            ? []
            : suggest(ask(files.suggest, { before: known.suggestions, strategy: known.strategy }), moment, tools),
        ]);
        tools.signal.throwIfAborted();
        const [others, suggestions] = [valueOf(asked[0]) ?? '', valueOf(asked[1]) ?? []];
        if (!others && !suggestions.length) return noneOf(asked);
        const merged = suggestions.length ? await merge(ask(files.merge, { strategy: known.strategy, suggestions }), moment, tools) : '';
        const lesson: RoleLesson = {
          version: known.version + 1,
          strategy: merged || known.strategy,
          suggestions: suggestions.length ? suggestions : known.suggestions,
          others: others || known.others,
        };
        return { notes: { ...before.notes, learned: withLesson(mind, role, lesson) } };
      },
      shows: (before, { notes }) => (before.notes === notes ? {} : { learned: notes['learned'] }),
    };
  },
});

const firstStrategy = ({ texts }: StepSetup, mind: Mind, moment: Moment): string =>
  [roleText(texts['strategy'] ?? '', mind, moment)].flat().join(' ');

function withLesson({ notes }: Mind, role: string, lesson: RoleLesson) {
  const learned = notes['learned'] as { readonly lan?: object } | undefined;
  return { ...learned, lan: { ...learned?.lan, [role]: lesson } };
}

/** How the game went, for the prompts. */
function gameHoles(mind: Mind, moment: Moment) {
  const { outcome, players } = moment;
  const roles = outcome!.dealt ?? outcome!.roles;
  const { summaries, rounds } = memoryOf(mind);
  const lines = rounds.flatMap(({ messages }) => messages.map(({ message }) => message));
  return {
    outcome: `${outcome!.winner} wins`,
    roles: players.map(({ name, seat }) => `${sanitize(name)}: ${wordsOf(roles[seat] ?? '')}`).join(', '),
    past: [...summaries.map(({ round, text }) => `${round}: ${text}`), ...newest(lines, roomFor(moment) / 2)],
  };
}

const wordsOf = (role: string): string => role.replaceAll('-', ' ');

const valueOf = <T>(result: PromiseSettledResult<T>): T | undefined => (result.status === 'fulfilled' ? result.value : undefined);

/** Nothing was learned. @throws the error of a call that failed */
function noneOf(asked: readonly PromiseSettledResult<unknown>[]): Partial<Mind> {
  const failed = asked.find((each) => each.status === 'rejected');
  if (failed) throw failed.reason;
  return {};
}

/** @throws when no model replied */
async function suggest(request: CompletionRequest, moment: Moment, tools: Tools): Promise<readonly string[]> {
  const [reply] = await askAll(tools, [{ ...request, format: schemaOf(suggestionsShape) }], suggestionsShape);
  return (reply?.suggestions ?? []).map((each) => withoutNames(each, moment)).filter(Boolean);
}

/** @throws when no model replied */
async function prose(request: CompletionRequest, moment: Moment, tools: Tools): Promise<string> {
  const [reply] = await completeAll(tools, [request]);
  return withoutNames(reply?.content ?? '', moment);
}

/** The merged strategy; empty without a reply: the strategy stays as it was, and the suggestions stand beside it. */
async function merge(request: CompletionRequest, moment: Moment, tools: Tools): Promise<string> {
  const merged = await prose(request, moment, tools).catch(() => '');
  tools.signal.throwIfAborted();
  return merged;
}

/** One line in which players are named by their roles: what is learned in one game must not name its players in another. */
function withoutNames(text: string, { players, outcome }: Moment): string {
  const roles = outcome!.dealt ?? outcome!.roles;
  const byLength = players.toSorted((a, b) => b.name.length - a.name.length);
  const named = byLength.reduce(
    (line, { name, seat }) => line.replace(new RegExp(namePattern(sanitize(name)), 'giu'), () => `the ${wordsOf(roles[seat] ?? 'player')}`),
    sanitize(text),
  );
  return named.slice(0, MAX_CHARS).trim();
}

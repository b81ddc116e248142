import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import { kindOfDecision } from '@maw/minds/decision-kind.ts';
import type { Moment, Recipe, Step } from '@maw/minds/mind.ts';
import { ownRole } from '@maw/minds/own-role.ts';
import { root } from '../equipment/source/repository.ts';
import { manyQuestions, type Script, type ScriptedCall, scriptedModel } from '../equipment/fakes/scripted-model.ts';

/** One decision of a game that was played with a scripted model. */
export interface PlayedDecision {
  readonly kind: string;
  readonly role: string;
  readonly moment: Moment;
  readonly calls: readonly ScriptedCall[];
  /** How many calls were made in a row, the longest chain. */
  readonly chain: number;
  /** The time between question and decision in which no call was under way, in milliseconds. */
  readonly ownMs: number;
}

/** With these all kinds of decision come up. */
const OPTIONS: { readonly [rules: string]: { readonly [name: string]: unknown } } = {
  maw: { seer: true, maxDays: 3 },
  avalon: { approval: 'half' },
};

/** Plays a whole game in which every seat has the recipe, and returns its decisions, those in a hurry included. */
export async function playDecisions(
  recipe: Recipe,
  rules: string,
  script: Script = {},
  options = OPTIONS[rules] ?? {},
): Promise<readonly PlayedDecision[]> {
  const set = ruleSetNamed(rules);
  const decisions: MeteredDecision[] = [];
  const note: Step = {
    kind: 'observe',
    name: 'note',
    shows: () => ({}),
    async run(mind, moment) {
      decisions.push(meteredDecision({ kind: kindOfDecision(moment), role: ownRole(mind), moment }));
      return {};
    },
  };
  const [first, ...others] = recipe.steps;
  const noting: Recipe = { ...recipe, steps: [first!, note, ...others] }; // the first step observes, and so the role is known
  await playGame({
    rules: set,
    players: set.players.usual,
    options,
    seed: 'transcript',
    recipeFor: () => noting,
    toolsFor(_, now) {
      const number = decisions.length;
      const model = scriptedModel(script, number);
      return {
        ...model.tools,
        now: () => now,
        complete: (...given) => decisions[number]!.call(model.calls, () => model.tools.complete(...given)),
        record: async () => decisions[number]?.thought(), // none yet when the first step is recorded
      };
    },
  });
  return decisions;
}

interface MeteredDecision extends PlayedDecision {
  /** Counts a call. @param calls all of this thought */
  call<T>(calls: readonly ScriptedCall[], make: () => Promise<T>): Promise<T>;
  /** Notes that a step is over. */
  thought(): void;
}

/** A decision that is being made: it counts its calls and its own time. */
function meteredDecision(about: Pick<PlayedDecision, 'kind' | 'role' | 'moment'>): MeteredDecision {
  let underway = 0;
  let since = performance.now();
  let own = 0;
  const decision = {
    ...about,
    calls: [] as readonly ScriptedCall[],
    chain: 0,
    ownMs: 0,
    async call<T>(calls: readonly ScriptedCall[], make: () => Promise<T>): Promise<T> {
      decision.calls = calls;
      const length = decision.chain + 1;
      if (underway++ === 0) own += performance.now() - since;
      try {
        return await make();
      } finally {
        decision.chain = Math.max(decision.chain, length);
        if (--underway === 0) since = performance.now();
      }
    },
    thought: () => void (decision.ownMs = own + performance.now() - since),
  };
  return decision;
}

/** Which decision of a kind is shown: not the first one, so that something has happened. */
const SHOWN = 8;

/** Long enough for all kinds of decision. */
const SHORT: typeof OPTIONS = { ...OPTIONS, 'werewolf-7': { maxDays: 3 } };

/** What a recipe sends in a game, for reading by eye: one decision of each kind, and of each role in secret. */
export async function transcriptOf(recipe: Recipe, rules: string, script: Script = manyQuestions): Promise<string> {
  const shown = new Map<string, PlayedDecision>();
  const counts = new Map<string, number>();
  for (const decision of await playDecisions(recipe, rules, script, SHORT[rules])) {
    const { kind, role, moment, calls } = decision;
    const key = kind === 'secret-choice' ? `${kind}, ${role}` : kind;
    const count = (counts.get(key) ?? 0) + 1;
    if (!calls.length || moment.isTimeShort || count > SHOWN) continue;
    counts.set(key, count);
    shown.set(key, decision);
  }
  const head = `${recipe.name}, ${rules}: ${JSON.stringify(recipe.values ?? {})}\n`;
  const seen = new Map<string, string>();
  return [head, ...[...shown].map(([key, decision]) => decisionText(key, decision, seen))].join('\n');
}

/** @param seen where each message was shown already */
function decisionText(key: string, { role, moment, calls }: PlayedDecision, seen: Map<string, string>): string {
  const title = `===== ${key}: ${moment.name}, ${role}, ${moment.phase}, ${calls.length} ${calls.length === 1 ? 'call' : 'calls'}`;
  const texts = calls.map(({ step, temperature, maxTokens, model, messages, format, reply }, i) => {
    const how = [`T ${temperature}`, `${maxTokens} tokens`, ...(model === undefined ? [] : [model])].join(', ');
    const lines = messages.map(({ role: from, content }) => {
      const before = seen.get(`${from}${content}`);
      if (before === undefined) seen.set(`${from}${content}`, `${key} ${i + 1}`);
      return before === undefined ? `[${from}]\n${content}` : `[${from}] as in ${before}`;
    });
    return [`----- ${i + 1} ${step}: ${how}`, ...lines, ...(format ? [`[format] ${JSON.stringify(format)}`] : []), `[reply] ${reply}`].join(
      '\n',
    );
  });
  return `${title}\n${texts.join('\n')}\n`;
}

const FOLDER = join(root, 'tests/minds/transcripts');
const pathOf = (recipe: string, rules: string): string => join(FOLDER, `${recipe}.${rules}.txt`);

/** The stored transcript; empty when there is none. */
export const storedTranscript = (recipe: string, rules: string): string =>
  existsSync(pathOf(recipe, rules)) ? readFileSync(pathOf(recipe, rules), 'utf8') : '';

export function storeTranscript(recipe: string, rules: string, text: string): void {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(pathOf(recipe, rules), text);
}

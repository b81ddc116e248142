import type { ThinkingLevel } from '@maw/recipes/parameters.ts';
import type { Data } from '@maw/contracts/contracts.ts';
import type { Observation } from '@maw/learning/observation/observation.ts';
import type { Instant, Seat } from '@maw/games/kernel/question.ts';
import type { Outcome } from '@maw/games/kernel/rules.ts';
import type { DecisionKind } from '@maw/games/kernel/rule-set.ts';
import { type Context, newContext } from './context.ts';
import type { News } from './news.ts';
import type { RecipeCard } from '@maw/recipes/card.ts';
import type { ParameterValues } from '@maw/recipes/parameters.ts';

type Decide = Data<'seat.decide'>;
/** A question as the seat sees it. */
export type Asking = Decide['questions'][number];
export type Player = Decide['players'][number];

/** An answer to a question, as `table.act` and `room.speak` carry it. */
export interface Answer {
  readonly question: string;
  /** say: `[text]`. tell: `[option, text]`. choose: options. */
  readonly says: readonly string[];
}

/** The mind of one seat: an immutable JSON value; every step returns the next one. */
export interface Mind {
  /** What it has heard and read. */
  readonly context: Context;
  /** What it has heard since its last thought: M of Algorithm 1. */
  readonly unread: readonly string[];
  /** Memories that matter now. */
  readonly recalled: readonly string[];
  /** Conclusions. */
  readonly reflections: readonly string[];
  /** For example the probability that `seat:3` is a wolf. */
  readonly beliefs: { readonly [about: string]: unknown };
  readonly plan: string;
  /** Its answers, or a draft. */
  readonly answers: readonly Answer[];
  /** Private data of recipes and steps, by name. */
  readonly notes: { readonly [name: string]: unknown };
  /** The wait before its next thought, as a share of the longest one, from 0 to 1. Absent: random. */
  readonly pause?: number | undefined;
}

/** The longest wait between two thoughts of a mind without a model where people play, in milliseconds. */
export const PEOPLE_WAIT_MS = 8_000;

export const newMind: Mind = {
  context: newContext,
  unread: [],
  recalled: [],
  reflections: [],
  beliefs: {},
  plan: '',
  answers: [],
  notes: {},
};

/** The situation in which a mind thinks. */
export interface Moment {
  readonly recipe: string;
  /** The table's id: public, and different for every game. */
  readonly table: string;
  readonly seat: Seat;
  readonly name: string;
  readonly now: Instant;
  /** The deadline of its answer. */
  readonly until: Instant;
  readonly phase: string;
  readonly round: number;
  /** Counts the thoughts of a decision from 0. */
  readonly iteration: number;
  /** The questions it may answer; empty only after a game. */
  readonly questions: readonly Asking[];
  /** Its standing answers, by question: for example its vote. */
  readonly standing: { readonly [question: string]: readonly string[] };
  /** News since the last thought. */
  readonly news: readonly News[];
  /** Why its last answers were refused. */
  readonly refused: readonly string[];
  /** Its role and partners, in words. */
  readonly brief: string;
  readonly rules: { readonly name: string; readonly text: string };
  readonly players: readonly Player[];
  /** The seed for models and strategies; independent of the game's dice. */
  readonly seed: string;
  /** Only observing and acting are left to do. */
  readonly isTimeShort: boolean;
  /** A missing choice has to be made now. */
  readonly mustChoose: boolean;
  /** Nobody has spoken yet, and listening brings nothing. */
  readonly mustSpeak?: boolean;
  /** The limit for a prompt and its reply together, in tokens. */
  readonly contextTokens: number;
  /** After a game: how it ended. */
  readonly outcome?: Outcome;
}

export interface CompletionRequest {
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[];
  /** Absent: the model of the seat. */
  readonly model?: string;
  /** A JSON schema. */
  readonly format?: { readonly [keyword: string]: unknown };
  readonly temperature?: number;
  /** Absent: `think` sets one by step and number of the call. */
  readonly seed?: number;
  readonly maxTokens?: number;
  readonly think?: boolean | ThinkingLevel;
  readonly topP?: number;
}

export interface CompletionReply {
  readonly content: string;
  readonly model: string;
  readonly tokens: { readonly prompt: number; readonly completion: number };
  /** The tokens of prompt and reply together that the model takes; absent: not told. */
  readonly context?: number | undefined;
  /** The first reply was invalid, and this is the second. */
  readonly repaired?: boolean;
  /** Why the content does not fit `format`; absent: it does. */
  readonly unfit?: string | undefined;
  readonly [field: string]: unknown;
}

export interface Thought {
  readonly kind: Step['kind'];
  readonly name: string;
  /** JSON. */
  readonly content: { readonly [field: string]: unknown };
}

/** The vectors of some texts, in their order. */
export interface Embeddings {
  readonly embeddings: readonly (readonly number[])[];
  readonly model: string;
}

/** One decision of a finished game, without names of players. */
export interface Experience {
  readonly reflection: string;
  readonly response: string;
  readonly score: number;
}

export interface ExperienceQuery {
  /** The kind of decision. */
  readonly branch: string;
  readonly reflection: string;
  /** The embedding of the reflection; only in a pool with vectors. */
  readonly vector?: readonly number[] | undefined;
  /** Cosines must be above it. */
  readonly epsilon: number;
  readonly most: number;
}

/** A pool of experience that can be searched. */
export interface ExperienceIndex {
  /** `NAME@VERSION`. */
  readonly pool: string;
  /** The model of its embeddings; undefined: it is searched by words. */
  readonly model: string | undefined;
  /** The most similar ones, best first. */
  find(query: ExperienceQuery): Promise<readonly Experience[]>;
}

/** What was learned about playing a role. */
export interface RoleLesson {
  readonly strategy: string;
  readonly suggestions: readonly string[];
  /** The strategies of other roles. */
  readonly others: string;
}

/** A lesson of a set of strategies. */
export interface NumberedLesson extends RoleLesson {
  /** Its number in the set. */
  readonly version: number;
}

/** A set of strategies, as one seat uses it in one round. */
export interface StrategyBook {
  readonly name: string;
  /** The lesson that a role is played by in this round; undefined when there is none yet. */
  used(role: string): Promise<NumberedLesson | undefined>;
  newest(role: string): Promise<NumberedLesson | undefined>;
  /** Why this seat writes no lesson of this round; undefined when it may. */
  whyClosed(): Promise<string | undefined>;
  /**
   * Adds a lesson that revises version `parent` (0: the recipe's own text). Returns its number; undefined when `parent` is not the newest, and
   * why it is closed.
   */
  write(role: string, parent: number, lesson: RoleLesson): Promise<number | string | undefined>;
}

/** A trained policy that chooses discussion tactics. */
export interface TacticPolicy {
  /** `NAME@VERSION`. */
  readonly name: string;
  /** The tactic of the greatest value. @param tools for encoders that ask a model for embeddings */
  choose(observation: Observation, tools: Pick<Tools, 'embed'>): Promise<string>;
}

/** The tools of a mind. Whatever else a recipe needs is passed to the functions that create its steps. */
export interface Tools {
  /**
   * Asks the model. Calls may run together: they are recorded in the order in which they were made.
   * @param step the name of the calling step, set by `think`
   * @param by when the reply must be there, set by `think`
   * @throws Refusal when no model answers in time; the abort reason of `signal`
   */
  complete(completion: CompletionRequest, step?: string, by?: Instant): Promise<CompletionReply>;
  /** Embeds texts, 256 at most. @throws Refusal when no model does in time; the abort reason of `signal` */
  embed(texts: readonly string[], model?: string): Promise<Embeddings>;
  record(thought: Thought): Promise<void>;
  /** Finds experience of finished games by the name of a pool. Absent: nothing is kept here. @throws Error when there is no such pool */
  experience?(pool: string): Promise<ExperienceIndex>;
  /** Opens a set of strategies. Absent: none is kept here. @throws Error when it is no name of one */
  strategies?(set: string): StrategyBook;
  /** Opens a policy by `NAME@VERSION`. Absent: none is kept here. @throws Error when there is no such policy, or it cannot be used */
  policy?(policy: string): Promise<TacticPolicy>;
  now(): Instant;
  /** Aborted when nothing is left to decide. */
  readonly signal: AbortSignal;
  /** When the model must have answered; within a step, for that step. Absent: whenever. */
  readonly deadline?: Instant;
  /** How long a call of this seat takes, in milliseconds; 0 when unknown. */
  callMs?(): number;
  /** Replies of this thought that were there before a crash. */
  readonly memo?: CallMemo;
}

/** The replies of the calls of one thought, by step and number. */
export interface CallMemo {
  get(call: string): CompletionReply | undefined;
  set(call: string, reply: CompletionReply): Promise<void>;
}

/** One step of a thought. */
export interface Step {
  readonly kind: 'observe' | 'remember' | 'reflect' | 'believe' | 'plan' | 'act';
  readonly name: string;
  /** The decisions for which it runs. Absent: all. */
  readonly on?: readonly DecisionKind[];
  /** It runs only while these notes are there and not empty. */
  readonly needs?: readonly string[];
  /** The longest chain of model calls it makes. Absent: none for `observe`, else 1. */
  readonly chain?: number;
  /** Returns the changes to the mind. */
  run(mind: Mind, moment: Moment, tools: Tools): Promise<Partial<Mind>>;
  /** What the recorded thought shows; by default all changes. */
  shows?(before: Mind, after: Mind): { readonly [field: string]: unknown };
}

/** The calls of the model that a step makes in a row. */
export const chainOf = ({ kind, chain }: Pick<Step, 'kind' | 'chain'>): number => chain ?? (kind === 'observe' ? 0 : 1);

/** A way of thinking: what is known of it by its card, and its list of steps. */
export interface Recipe extends RecipeCard {
  /** A hash of its file and of all files that it names; absent for recipes that are no files. */
  readonly fingerprint?: string;
  readonly steps: readonly Step[];
  /** How many calls of the model a decision makes at most; absent: 1. The rate limits count decisions. */
  readonly calls?: number;
  /** Run once when a round is over, its roles and winners known. What they put into the note `learned` is there in the rounds that follow. */
  readonly after?: readonly Step[];
  configure?(given: ParameterValues): Recipe;
}

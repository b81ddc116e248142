import type { GameToPlay, PlayedGame } from './played-game.ts';

/** What a game with a real model came to. Shares are from 0 to 1. */
export interface GameFigures {
  readonly hasEnded: boolean;
  readonly seconds: number;
  /** Decisions that asked the model and came to an end, by how they came about. */
  readonly decisions: number;
  readonly valid: number;
  readonly repaired: number;
  readonly fallback: number;
  readonly defaulted: number;
  /** Chats of the game, without checks of slots. */
  readonly calls: number;
  readonly callsPerDecision: number;
  /** Calls without a reply, and calls whose choice stood already. */
  readonly failedCalls: number;
  readonly idleCalls: number;
  /** Checks of slots after the first call of the game: they push its prompts out of what the engine keeps. */
  readonly slotChecks: number;
  readonly speeches: number;
  /** Phases in which all at the table may talk. */
  readonly talks: number;
  readonly speechesPerDay: number;
  /** Such phases in which a choice was made before anybody had spoken. */
  readonly mute: number;
  readonly promptTokens: number;
  readonly tokens: number;
  /** Of the prompts, what the engine had kept: by its times, and by the text of the prompts. */
  readonly reusedByTimes: number;
  readonly reusedByText: number;
  readonly freshTokensPerSecond: number;
  readonly names: readonly string[];
  /** Names with a word of the rules or of the game in them. */
  readonly namesOfRules: readonly string[];
}

/** A line of a file of results. */
export type GameResult = Pick<GameToPlay, 'rules' | 'mind' | 'model' | 'seed'> & { readonly withoutFormat: boolean } & GameFigures;

export function figuresOf(played: PlayedGame): GameFigures {
  const { isOver, seconds, chats, tape, freshTokensPerSecond } = played;
  const calls = chats.filter(({ isSlotCheck }) => !isSlotCheck);
  const firstAt = calls[0]?.at ?? Infinity;
  const ended = calls.flatMap(({ end }) => (end ? [end] : []));
  const promptTokens = sum(ended.map((end) => end.promptTokens));
  const promptMs = sum(ended.map((end) => end.promptMs));
  const decided = decisionFigures(played);
  const talk = talkFigures(played);
  const names = tape.flatMap(({ event: { type, name } }) => (type === 'joined' ? [String(name)] : []));
  return {
    hasEnded: isOver && tape.some(({ event }) => event.type === 'scored'),
    seconds: rounded(seconds, 1),
    ...decided,
    calls: calls.length,
    callsPerDecision: rounded(calls.length / decided.decisions, 2),
    slotChecks: chats.filter(({ at, isSlotCheck }) => isSlotCheck && at > firstAt).length,
    ...talk,
    promptTokens,
    tokens: sum(ended.map((end) => end.tokens)),
    reusedByTimes: rounded(Math.max(0, 1 - (freshTokensPerSecond * promptMs) / 1000 / promptTokens), 2),
    reusedByText: rounded(sum(calls.map((chat) => chat.sharedChars)) / sum(calls.map((chat) => chat.promptChars)), 2),
    freshTokensPerSecond: rounded(freshTokensPerSecond, 0),
    names,
    namesOfRules: names.filter((name) => isOfRules(name, played.rulesText)),
  };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
/** 0 where nothing was counted. */
const rounded = (value: number, digits: number): number => (Number.isFinite(value) ? Number(value.toFixed(digits)) : 0);

interface Answered {
  readonly question: string;
  readonly says: readonly string[];
}

function decisionFigures({ decisions, tape }: PlayedGame) {
  const outcomes = { valid: 0, repaired: 0, fallback: 0, defaulted: 0 };
  let [failedCalls, idleCalls] = [0, 0];
  const choices = questionsOf(tape, 'choose');
  const standing = new Map<string, string>();
  for (const { decision, steps } of decisions)
    for (const { content } of steps) {
      const { calls = [], outcome } = content;
      failedCalls += calls.filter(({ failed }) => failed !== undefined).length;
      if (!calls.length || typeof outcome !== 'string' || !(outcome in outcomes)) continue;
      outcomes[outcome as keyof typeof outcomes]++;
      const answers = (content['answers'] ?? []) as readonly Answered[];
      const isIdle = answers.length > 0 && answers.every(({ question, says }) => standing.get(`${decision.seat} ${question}`) === says.join(' ')); // prettier-ignore
      if (isIdle) idleCalls += calls.length;
      for (const { question, says } of answers) if (choices.has(question)) standing.set(`${decision.seat} ${question}`, says.join(' '));
    }
  return { decisions: sum(Object.values(outcomes)), ...outcomes, failedCalls, idleCalls };
}

function talkFigures({ decisions, tape }: PlayedGame) {
  const talks = questionsOf(tape, 'say', 'table');
  const spoken = decisions.flatMap(({ steps }) =>
    steps.flatMap(({ at, content }) =>
      ((content['answers'] ?? []) as readonly Answered[]).flatMap(({ question, says }) =>
        talks.has(question) && says.some((text) => /[\p{L}\p{N}]/u.test(text)) ? [{ at, phase: phaseOf(question) }] : [],
      ),
    ),
  );
  const phases = new Set([...talks].map(phaseOf));
  const mute = [...phases].filter((phase) => {
    const choice = tape.find(({ event }) => event.type === 'answered' && phaseOf(String(event['question'])) === phase);
    return choice !== undefined && !spoken.some((speech) => speech.phase === phase && speech.at <= choice.at);
  }).length;
  return { speeches: spoken.length, talks: phases.size, speechesPerDay: rounded(spoken.length / phases.size, 2), mute };
}

/** The ids of the questions that were asked during the rounds. */
function questionsOf(tape: PlayedGame['tape'], verb: string, among?: string): ReadonlySet<string> {
  return new Set(
    tape.flatMap(({ event }) => {
      const question = event['question'] as { readonly id: string; readonly verb: string; readonly among: unknown } | string | undefined;
      if (event.type !== 'asked' || typeof question !== 'object' || question.verb !== verb || question.id.startsWith('lobby')) return [];
      return among === undefined || question.among === among ? [question.id] : [];
    }),
  );
}

const phaseOf = (question: string): string => question.slice(0, question.lastIndexOf('/'));

/** Words that stand for the game and its parts, in any rule set. */
const WORDS = ['maw', 'onuw', 'avalon', 'aiwolf', 'werewolf', 'wolf', 'game', 'player', 'village', 'seer', 'gamemaster', 'moderator', 'name', 'round', 'day', 'night']; // prettier-ignore

/** Whether a word of a name is one of the game, or stands in the rules with a capital letter. */
export function isOfRules(name: string, rulesText: string): boolean {
  const own = new Set([...WORDS, ...[...rulesText.matchAll(/\p{Lu}\p{L}{2,}/gu)].map(([word]) => singular(word))]);
  const parts = name.split(/[^\p{L}]+|(?<=\p{Ll})(?=\p{Lu})/u).filter(Boolean);
  return !parts.length || [name, ...parts].some((part) => own.has(singular(part)));
}

const singular = (word: string): string => word.toLowerCase().replace(/ves$/, 'f').replace(/s$/, '');

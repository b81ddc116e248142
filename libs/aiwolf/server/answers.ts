/** What an agent's raw text means, checked as the published servers check it. */
import { isUtterance, agentOf } from '@maw/games/aiwolf/language/content-reader.ts';
import { isCut } from '@maw/games/aiwolf/lengths.ts';
import { OVER, SKIP } from '@maw/games/aiwolf/turns.ts';
import { type Open, optionsFor, type Seat, stepOf } from '@maw/games/kernel/question.ts';
import { objection, type Reason } from '@maw/games/kernel/refusal.ts';
import { isPrintable, printable } from '@maw/text/clean.ts';
import type { SeatState } from './seat.ts';
import type { Terms } from './terms.ts';

/** What is wrong with an answer. That it is late or does not come is no matter of its text. */
export type Fault = 'empty' | 'unreadable' | 'unknown-target' | 'own-target' | 'dead-target' | 'forbidden-target' | Reason;

export interface Faulty {
  readonly fault: Fault;
  /** What the agent sent, and what it should have, for people. */
  readonly detail: string;
  /** What counts as said instead. Absent: nothing does, and the rules say what a silence counts as. */
  readonly says?: string;
  /** One of these counts instead, at random. */
  readonly oneOf?: readonly string[];
}

export type Reading = { readonly says: string } | Faulty;

/**
 * What to say to the question, or what is wrong.
 * @param question that the agent was sent
 * @param raw a line or a message, as it came
 */
export function readAnswer(terms: Terms, { table }: SeatState, question: string, raw: string): Reading {
  const q = table.open.find(({ id }) => id === question);
  if (!q) return { fault: 'phase-over', detail: `${question} is not open` };
  const names = table.game.names as readonly string[];
  if (q.verb === 'say') return terms.division === 'protocol' ? protocolSpeech(terms, q, raw) : naturalSpeech(terms, q, raw);
  const living = (table.game.game as { readonly living: readonly Seat[] }).living;
  const found = terms.division === 'protocol' ? numberedTarget(terms, raw) : namedTarget(terms, names, raw);
  const read = typeof found === 'number' ? checkedTarget(terms, q, found, living) : found;
  return 'fault' in read ? { ...read, ...replacement(terms, q) } : read;
}

/** What counts instead of an answer that does not come. */
export function withoutAnswer(terms: Terms, { table }: SeatState, question: string): Pick<Faulty, 'says' | 'oneOf'> {
  const q = table.open.find(({ id }) => id === question);
  return q && q.verb !== 'say' ? replacement(terms, q) : {};
}

/** The protocol division's server casts a vote that is missing at random; every other choice just does not happen. */
function replacement({ seat, options }: Terms, q: Open): Pick<Faulty, 'oneOf'> {
  if (stepOf(q.id) !== 'vote' || options.missingVote === 'none') return {};
  return { oneOf: q.options.filter((option) => option !== `seat:${seat}`) };
}

// ── Speech ──

// A speech that cannot be used is no Skip of the agent's own, which may end its day: it counts like one that does not come.

/** A line without its end. */
function protocolSpeech({ seat, options }: Terms, q: Open, raw: string): Reading {
  const text = raw.replace(/\r?\n?$/, '');
  if (!text) return { fault: 'empty', detail: 'an empty line; say Skip or Over' };
  if (options.language === 'protocol' && !isUtterance(text))
    return { fault: 'unreadable', detail: `${shown(text)} is no sentence of the AIWolf protocol` };
  return allowed(q, seat, isPrintable(text) ? text : printable(text));
}

/** An answer with more does not fit in a message to the table, where every utterance is far shorter. */
const MAX_CHARS = 4000;

/** A message without what no player may say. What is too long is cut; an agent may skip in a second way. */
function naturalSpeech({ seat, options, isStrict }: Terms, q: Open, raw: string): Reading {
  const text = [...(isStrict ? joined(raw) : mended(raw))].slice(0, MAX_CHARS).join('');
  if (!q.inTurn) return allowed(q, seat, text.trim());
  if (text === 'ForceSkip') return { says: SKIP };
  if (!text.trim())
    return { fault: 'empty', detail: 'an empty text; say Skip or Over', ...(isStrict && /^\n*$/.test(raw) ? { says: OVER } : {}) };
  return allowed(q, seat, isCut(options) ? text : [...text].slice(0, q.maxChars).join(''));
}

/** Without the line feed at its end and what is not printable: a line break in it becomes a blank. */
function mended(raw: string): string {
  const text = raw.replace(/\n$/, '');
  return isPrintable(text) ? text : printable(text);
}

/** As the published server stores a text, but for characters that our tables do not take: it deletes line feeds, and nothing else. */
function joined(raw: string): string {
  const text = raw.replaceAll('\n', '').replace(/\p{Cc}/gu, ' ');
  return isPrintable(text) ? text : printable(text);
}

function allowed(q: Open, by: Seat, text: string): Reading {
  const why = objection(q, { by, says: [text] });
  return why ? { fault: why.reason, detail: why.detail } : { says: text };
}

// ── Targets ──

/** The server looks for exactly this, anywhere in the line. */
const AGENT_INDEX = /\{"agentIdx":(\d+)\}/;

function numberedTarget({ players }: Terms, raw: string): Seat | Faulty {
  if (!raw.trim()) return { fault: 'empty', detail: 'an empty line; send {"agentIdx":1} with the number of an agent' };
  const number = AGENT_INDEX.exec(raw)?.[1];
  if (number === undefined)
    return { fault: 'unreadable', detail: `${shown(raw)} has no {"agentIdx":1}, which must not have a blank in it` };
  const seat = Number(number) - 1;
  return seat >= 0 && seat < players ? seat : { fault: 'unknown-target', detail: `there is no agent ${number}, only 1 to ${players}` };
}

function namedTarget({ isStrict }: Terms, names: readonly string[], raw: string): Seat | Faulty {
  const name = isStrict ? raw.replaceAll('\n', '') : printable(raw);
  if (!name) return { fault: 'empty', detail: `an empty text; send one of ${names.join(', ')}` };
  const seat = names.indexOf(name);
  return seat < 0 ? { fault: 'unknown-target', detail: `${shown(name)} is none of ${names.join(', ')}` } : seat;
}

function checkedTarget({ seat }: Terms, q: Open, target: Seat, living: readonly Seat[]): Reading {
  const says = `seat:${target}`;
  if (optionsFor(q, seat).includes(says)) return { says };
  if (target === seat) return { fault: 'own-target', detail: `agent ${agentOf(seat)} names itself` };
  if (!living.includes(target)) return { fault: 'dead-target', detail: `agent ${agentOf(target)} is dead` };
  return { fault: 'forbidden-target', detail: `agent ${agentOf(target)} cannot be chosen here` };
}

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

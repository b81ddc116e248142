import { writeTarget } from '../wire/protocol/packet.ts';
import { agentOf, isUtterance } from '@maw/games/aiwolf/language/content-reader.ts';
import { cut, isCut } from '@maw/games/aiwolf/lengths.ts';
import { OVER, SKIP } from '@maw/games/aiwolf/turns.ts';
import { type Question, seatOf } from '@maw/games/kernel/question.ts';
import type { SeatView } from './seat-view.ts';

export type Division = 'protocol' | 'natural';

/** An answer as its server reads it: a speech in one line, a number in JSON, or a bare name. */
export function answerText(division: Division, view: SeatView, { verb }: Question, says: string): string {
  if (verb === 'say') return division === 'protocol' ? protocolSpeech(view, says) : naturalSpeech(view, says);
  return division === 'protocol' ? writeTarget(agentOf(seatOf(says))) : view.terms.names[seatOf(says)]!;
}

/** Empty lines and sentences that the server refuses are said as `Skip`, which they would count as. */
function protocolSpeech({ options }: SeatView, text: string): string {
  const line = inOneLine(text);
  return line.trim() && (options.language === 'free' || isUtterance(line)) ? line : SKIP;
}

/**
 * Without half-width commas, which would break the lines of the game's log; within the length of a speech without a mention; with a mention
 * at the start at most.
 */
function naturalSpeech({ me, terms, options, game }: SeatView, text: string): string {
  const plain = inOneLine(text).replaceAll(',', '').trim();
  const others = terms.names.filter((_, seat) => seat !== me);
  const mention = others.find((name) => plain.startsWith(`@${name}`));
  const speech = mention === undefined ? plain.replaceAll('@', '') : `@${mention}${plain.slice(mention.length + 1).replaceAll('@', '')}`;
  const short = isCut(options) ? cut(speech, [], game.speech?.share?.[me] ?? 0, options).trim() : speech;
  return short || OVER;
}

const inOneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');

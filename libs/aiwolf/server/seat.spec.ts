import { describe, expect, it } from '@jest/globals';
import { cut } from '@maw/games/aiwolf/lengths.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { readAnswer } from './answers.ts';
import {
  capturedPackets,
  captureNames,
  hasCaptures,
  type Initialize,
  naturalText,
  optionsOf,
  protocolText,
  sentOf,
  tapeOfLog,
  tapeOfText,
  termsOf,
} from './captures.suite.ts';
import { logOfCapture } from './log-of-capture.suite.ts';
import type { Terms } from './terms.ts';

const whenCaptured = hasCaptures ? describe : describe.skip;

whenCaptured('the packets of a seat, with the faults of the published servers', () => {
  it.each([
    ['n5-WEREWOLF', 'n5-game1'],
    ['n5-SEER', undefined],
    ['n15-WEREWOLF', 'n15-game1'],
    ['n15-MEDIUM', undefined],
  ])('are those of the captured connection %s of the protocol division', (capture, log) => {
    const captured = capturedPackets(`aiwolf/${capture}.jsonl`);
    const texts = captured.map(({ text }) => text);
    const { tape, inferred, players } = log ? tapeOfLog(`aiwolf/${log}.log`) : tapeOfText(logOfCapture(texts.slice(1)));
    const seat = (JSON.parse(texts[1]!) as { gameInfo: { agent: number } }).gameInfo.agent - 1;
    const sent = sentOf(tape, termsOf(seat, players.length, inferred, { division: 'protocol' }));
    for (const [i, text] of texts.entries()) expect(protocolText(sent[i]!.sent.text)).toBe(protocolText(text));
    expect(sent.map(({ sent: { request, question } }) => request === 'ROLE' || question !== undefined)).toEqual(
      captured.map(({ answer }) => answer !== undefined),
    );
  });

  it.each(captureNames('aiwolf-nlp'))('are those of the captured connection %s of the natural-language division', (capture) => {
    const packets = capturedPackets(`aiwolf-nlp/${capture}.jsonl`);
    const captured = packets.map(({ text }) => text);
    const first = JSON.parse(captured[0]!) as Initialize;
    const { info, setting } = first;
    const { tape, inferred, players } = tapeOfLog(`aiwolf-nlp/${capture.replace(/-(?:[A-Z]+\d?|seat\d)$/, '')}.log`, optionsOf(setting));
    const terms = termsOf(players.indexOf(info.agent), players.length, inferred, {
      division: 'natural',
      answerMs: setting.timeout.action,
      signMs: setting.timeout.response,
      ids: () => ({ id: info.game_id, seed: '0' }),
      ...(info.profile === undefined ? {} : { profile: info.profile }),
    });
    const moments = sentOf(tape, terms);
    const sent = moments.map(({ sent: { text } }) => text);
    for (const [i, text] of captured.entries()) expect(naturalText(sent[i]!, terms.options)).toBe(naturalText(text, terms.options));
    expect(sent).toHaveLength(captured.length);
    // What the agent answered reads as what stands in the log.
    for (const [
      i,
      {
        sent: { question },
        state,
      },
    ] of moments.entries()) {
      const raw = packets[i]!.answer;
      if (question === undefined || raw === undefined) continue;
      const read = readAnswer(terms, state, question, raw);
      const said = saidIn(tape, question, terms.seat);
      expect('says' in read ? storedAs(read.says!, said, terms, players) : undefined).toBe(said);
    }
  });
});

/** What a seat is taken to have answered. A log does not tell a Skip from silence. */
function saidIn(tape: readonly object[], question: string, seat: Seat): string | undefined {
  const events = tape.filter((e) => (e as { question?: unknown }).question === question) as TableEvent[];
  const own = events.flatMap((e) => (e.type === 'answered' ? e.answer : e.type === 'settled' ? (e.defaulted ?? []) : []));
  return own.find(({ by }) => by === seat)?.says[0];
}

/** Our rules cut what the agent said, and take a Skip too many as Over. */
const storedAs = (says: string, said: string | undefined, { seat, options }: Terms, names: readonly string[]): string => {
  if (says === 'Skip' && said === 'Over') return said;
  const others = names.filter((_, other) => other !== seat);
  return /^seat:\d+$/.test(says) ? says : cut(says, others, 0, { ...options, mention: 'lowest' });
};

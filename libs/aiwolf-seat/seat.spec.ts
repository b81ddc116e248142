import { describe, expect, it } from '@jest/globals';
import { cut } from '@maw/games/aiwolf/lengths.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { readAnswer } from './answers.ts';
import { capturedPackets, captureNames, hasCaptures, sentOf, tapeOfLog, tapeOfText, termsOf } from './captures.suite.ts';
import { logOfCapture } from './log-of-capture.suite.ts';
import type { Terms } from './terms.ts';

/** A packet as it is on the wire, but for the seed, and for the order in which a werewolf's roles stand, which is the server's own. */
const onTheWire = (text: string): string =>
  text
    .replace(/"randomSeed":-?\d+/, '"randomSeed":0')
    .replace(/"roleMap":\{([^}]*)\}/, (_, roles: string) => `"roleMap":{${roles.split(',').toSorted().join(',')}}`);

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
    for (const [i, text] of texts.entries()) expect(onTheWire(sent[i]!.sent.text)).toBe(onTheWire(text));
    expect(sent.map(({ sent: { request, question } }) => request === 'ROLE' || question !== undefined)).toEqual(
      captured.map(({ answer }) => answer !== undefined),
    );
  });

  it.each(captureNames('aiwolf-nlp'))('are those of the captured connection %s of the natural-language division', (capture) => {
    const packets = capturedPackets(`aiwolf-nlp/${capture}.jsonl`);
    const captured = packets.map(({ text }) => text);
    const first = JSON.parse(captured[0]!) as Initialize;
    const { tape, inferred, players } = tapeOfLog(`aiwolf-nlp/${capture.replace(/-(?:[A-Z]+\d?|seat\d)$/, '')}.log`);
    const { info, setting } = first;
    const terms = termsOf(
      players.indexOf(info.agent),
      players.length,
      { ...inferred, ...optionsOf(setting) },
      {
        division: 'natural',
        answerMs: setting.timeout.action,
        signMs: setting.timeout.response,
        ids: () => ({ id: info.game_id, seed: '0' }),
        ...(info.profile === undefined ? {} : { profile: info.profile }),
      },
    );
    const moments = sentOf(tape, terms);
    const sent = moments.map(({ sent: { text } }) => text);
    // A log does not tell a Skip from silence, which is free of the limit of Skips.
    const comparableText = (text: string | undefined) =>
      (terms.options.skips ? text?.replace(/"remain_skip":\d/, '') : text)?.replace(OWN_ATTACK_VOTE, '$1');
    for (const [i, text] of captured.entries()) expect(comparableText(sent[i])).toBe(comparableText(text));
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

/** That server has a setting of its own for it; our tables have one for both votes. */
const OWN_ATTACK_VOTE = /("attack_vote":\{"max_count":\d),"allow_self_vote":\w+/;

interface Initialize {
  readonly info: { readonly game_id: string; readonly agent: string; readonly profile?: string };
  readonly setting: {
    readonly max_day?: number;
    readonly vote_visibility: boolean;
    readonly talk: Speech;
    readonly whisper: Speech;
    readonly vote: { readonly max_count: number; readonly allow_self_vote: boolean };
    readonly attack_vote: { readonly max_count: number };
    readonly timeout: { readonly action: number; readonly response: number };
  };
}
interface Speech {
  readonly max_count: { readonly per_agent: number; readonly per_day: number };
  readonly max_length: { readonly base_length?: number; readonly mention_length?: number };
  readonly max_skip: number;
}

/** The options that a log does not show, from the settings that the agent was told. */
const optionsOf = ({ talk, whisper, vote, attack_vote, vote_visibility, max_day }: Initialize['setting']) => ({
  selfVotes: vote.allow_self_vote,
  revotes: vote.max_count - 1,
  attackRevotes: attack_vote.max_count - 1,
  turns: talk.max_count.per_day,
  utterances: talk.max_count.per_agent,
  whispers: whisper.max_count.per_agent,
  whisperTurns: whisper.max_count.per_day || 1,
  skips: talk.max_skip,
  baseLength: talk.max_length.base_length ?? 0,
  mentionLength: talk.max_length.mention_length ?? 0,
  voteVisible: vote_visibility,
  ...(max_day === undefined ? {} : { maxDays: max_day }),
});

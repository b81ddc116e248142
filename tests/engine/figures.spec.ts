import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { figuresOf, isOfRules } from './figures.ts';
import type { PlayedGame } from './played-game.ts';
import { startRecordingProxy } from './recording-proxy.ts';

const RULES = 'The Werewolves know each other. They meet in the Hideout. Merlin sees them, and so does a Servant.';

const asked = (id: string, verb: string, among: unknown = 'table') => ({
  n: 1,
  at: 0,
  event: { type: 'asked', question: { id, verb, among } },
});
const step = (at: number, answers: object[], outcome: string, calls = [{}]) => ({
  step: 1,
  kind: 'act',
  name: 'decide',
  at,
  content: { calls, outcome, answers },
});
const chat = (isSlotCheck: boolean, [promptChars, sharedChars]: readonly [number, number]) => ({
  at: 0,
  isSlotCheck,
  numCtx: undefined,
  promptChars,
  sharedChars,
  end: { promptTokens: 100, promptMs: 500, tokens: 10, tokensMs: 100 },
});

/** Seat 0 votes, speaks and votes the same again; seat 1 lost its reply. */
const played = {
  isOver: true,
  seconds: 10,
  rulesText: RULES,
  tape: [
    { n: 1, at: 0, event: { type: 'joined', name: 'Nils' } },
    { n: 2, at: 0, event: { type: 'joined', name: 'Merlin' } },
    asked('lobby-0/lobby', 'say'),
    { n: 3, at: 0, event: { type: 'began' } },
    asked('round-1/day-1/talk', 'say'),
    asked('round-1/day-1/vote', 'choose'),
    { n: 6, at: 5, event: { type: 'answered', question: 'round-1/day-1/vote' } },
    asked('round-1/day-2/talk', 'say'),
    asked('round-1/night-1/talk', 'say', [0, 1]),
    { n: 9, at: 9, event: { type: 'scored' } },
  ],
  decisions: [
    {
      decision: { seat: 0 },
      steps: [
        step(4, [{ question: 'round-1/day-1/vote', says: ['seat:1'] }], 'valid'),
        step(6, [{ question: 'round-1/day-1/talk', says: ['Hello.'] }], 'repaired'),
        step(7, [{ question: 'round-1/day-1/vote', says: ['seat:1'] }], 'valid'),
        step(8, [{ question: 'round-1/day-2/talk', says: ['...'] }], 'valid'),
      ],
    },
    { decision: { seat: 1 }, steps: [step(5, [], 'defaulted', [{ failed: 'late' }] as never)] },
  ],
  chats: [chat(true, [100, 0]), chat(false, [100, 0]), { ...chat(true, [100, 0]), at: 1 }, chat(false, [300, 200])],
  earlierChats: 0,
  freshTokensPerSecond: 100,
} as unknown as PlayedGame;

describe('figuresOf', () => {
  it('counts outcomes, speeches with words, calls that changed nothing, and what was kept', () => {
    expect(figuresOf(played)).toMatchObject({
      hasEnded: true,
      decisions: 5,
      valid: 3,
      repaired: 1,
      fallback: 0,
      defaulted: 1,
      calls: 2,
      slotChecks: 1,
      failedCalls: 1,
      idleCalls: 1,
      speeches: 1,
      talks: 2,
      mute: 1,
      reusedByText: 0.5,
      reusedByTimes: 0.5,
      promptTokens: 200,
      names: ['Nils', 'Merlin'],
      namesOfRules: ['Merlin'],
    });
  });

  it.each(['Merlin', 'Werewolf-15', 'VillageGame', 'GameOfOnuw', 'PlayerX', '7', 'servant'])('takes %s for a word of the game', (name) => {
    expect(isOfRules(name, RULES)).toBe(true);
  });

  it.each(['Nils', 'Mary Ann', 'Gamelan'])('takes %s for a name', (name) => {
    expect(isOfRules(name, RULES)).toBe(false);
  });
});

describe('the recording proxy', () => {
  it('takes the schema out, counts what the engine counted, and tells checks of slots apart', async () => {
    const bodies: { format?: unknown; messages?: unknown }[] = [];
    const engine = createServer((incoming, outgoing) => {
      let text = '';
      incoming.on('data', (piece) => (text += String(piece)));
      incoming.on('end', () => {
        bodies.push(JSON.parse(text) as object);
        outgoing.write('{"message":{"content":"Hö"},"done":false}\n');
        outgoing.end('{"done":true,"prompt_eval_count":30,"prompt_eval_duration":2000000,"eval_count":4,"eval_duration":1000000}\n');
      });
    }).listen(0, '127.0.0.1');
    await once(engine, 'listening');
    const proxy = await startRecordingProxy(`http://127.0.0.1:${(engine.address() as AddressInfo).port}`, { withoutFormat: true });
    const ask = async (content: string) => {
      const messages = [{ role: 'user', content }];
      const response = await fetch(`${proxy.url}/api/chat`, {
        method: 'POST',
        body: JSON.stringify({ messages, format: { type: 'object' } }),
      });
      return response.text();
    };
    try {
      expect(await ask('Whom do you vote for?')).toContain('Hö');
      await ask('Whom do you fear?');
      await ask('Slot check: say yes.');
      expect(bodies.map(({ format, messages }) => [format, Array.isArray(messages)])).toEqual([
        [undefined, true],
        [undefined, true],
        [undefined, true],
      ]);
      expect(proxy.chats).toMatchObject([
        { isSlotCheck: false, sharedChars: 0, end: { promptTokens: 30, promptMs: 2, tokens: 4, tokensMs: 1 } },
        { isSlotCheck: false, sharedChars: '<user>\nWhom do you '.length },
        { isSlotCheck: true },
      ]);
    } finally {
      await proxy.close();
      engine.close();
    }
  });
});

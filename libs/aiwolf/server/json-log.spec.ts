import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { readLog } from '../logs/log.ts';
import { data, hasCaptures, tapeOfLog, tapeOfText, termsOf } from './captures.suite.ts';
import { entriesOfTape, type JsonLogEntry, writeJsonLog } from './json-log.ts';

const read = (file: string): string => readFileSync(new URL(`aiwolf-nlp/${file}`, data), 'utf8');

/** Agent 3 says nothing at first, and agent 2 does not vote. */
const statuses = (day: number): string[] =>
  ['VILLAGER', 'VILLAGER', 'SEER', 'POSSESSED', 'WEREWOLF'].map(
    (role, i) => `${day},status,${i + 1},${role},${day > 1 && i === 4 ? 'DEAD' : 'ALIVE'},c${i + 1},N${i + 1}`,
  );
const talk = (day: number, ...texts: string[]): string[] => texts.map((text, i) => `${day},talk,${i},0,${i + 1},${text}`);
const LOG = [
  ...statuses(0),
  ...talk(0, 'Over', 'Over', 'Skip', 'Over', 'Over'),
  '0,talk,5,1,3,Over',
  '0,divine,3,5,WEREWOLF',
  ...statuses(1),
  ...talk(1, 'Over', 'Over', 'Over', 'Over', 'Over'),
  ...[1, 3, 4].map((agent) => `1,vote,${agent},5`),
  '1,vote,5,1',
  '1,execute,5,WEREWOLF',
  ...statuses(2),
  '2,result,4,0,VILLAGER',
].join('\n');

interface Captured {
  readonly game_id: string;
  readonly agents: readonly { readonly team: string }[];
  readonly entries: readonly JsonLogEntry[];
}

describe('the JSON log of a game', () => {
  it('says when each packet was answered, and that silence is no answer', () => {
    const { tape, inferred, players } = tapeOfText(LOG);
    const terms = players.map((_, seat) => termsOf(seat, players.length, inferred, { division: 'natural' }));
    const at = (i: number): number => 1_000 + 10 * i;
    const entries = entriesOfTape(tape.map((event, i) => ({ at: at(i), event })), terms); // prettier-ignore
    const asked = entries.filter(({ request }) => /"request":"(?:TALK|WHISPER|VOTE|DIVINE|GUARD|ATTACK)"/.test(request));
    for (const { response, error, request_timestamp: sent, response_timestamp: ended } of asked) {
      expect(error).toBe(response === undefined ? 'no answer' : undefined);
      expect(ended).toBeGreaterThan(sent);
    }
    expect(asked.flatMap(({ agent, error }) => (error ? [agent] : []))).toEqual(['N3', 'N2']);
  });

  (hasCaptures ? it : it.skip)('has every packet and answer of the published server, in its order, byte for byte', () => {
    const text = read('n5.log.json');
    const { game_id: id, agents, entries } = JSON.parse(text) as Captured;
    const { tape, inferred, players } = tapeOfLog('aiwolf-nlp/n5.log');
    const terms = players.map((name, seat) => {
      const { info, setting } = JSON.parse(entries.find(({ agent }) => agent === name)!.request) as {
        info: { profile: string };
        setting: { timeout: { action: number; response: number } };
      };
      const { action: answerMs, response: signMs } = setting.timeout;
      const options = { ...inferred, baseLength: 125, mentionLength: 125, whispers: 0 };
      return termsOf(seat, players.length, options, {
        division: 'natural',
        answerMs,
        signMs,
        profile: info.profile,
        ids: () => ({ id, seed: '0' }),
      });
    });
    const made = entriesOfTape(
      tape.map((event, i) => ({ at: i, event })),
      terms,
    );
    const packets = (all: readonly JsonLogEntry[]) => all.map(({ agent, request }) => ({ agent, request }));
    expect(packets(made)).toEqual(packets(entries));
    // What counted is what was answered, cut to the length of a speech; a Skip too many is Over.
    for (const [i, { response }] of made.entries()) {
      const raw = entries[i]!.response?.trimEnd();
      expect(raw === 'Skip' ? 'Over' : raw?.slice(0, response?.length)).toBe(response);
    }
    expect(writeJsonLog(id, readLog(read('n5.log')), agents.map(({ team }) => team), entries)).toBe(text); // prettier-ignore
  });
});

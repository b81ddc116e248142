import { describe, expect, it } from '@jest/globals';
import { contestTerms, gameOptions, MAX_GRACE_MS, readServerTerms, tableOptions } from './server-terms.ts';

const read = (...servers: object[]) => readServerTerms(JSON.stringify(servers));
const mistakesOf = (text: string): string => {
  try {
    readServerTerms(text);
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('the terms of a server', () => {
  it('need a division and a port; the rest is as the contest has it', () => {
    const [protocol, natural] = read({ division: 'protocol', port: 10_000 }, { division: 'natural', port: 8080, players: 13 });
    expect(protocol).toEqual({
      division: 'protocol',
      host: '127.0.0.1',
      port: 10_000,
      players: 5,
      agents: 5,
      people: 0,
      peopleMs: 120_000,
      games: 100,
      fill: { recipe: 'rules' },
      standIn: { recipe: 'rules' },
      contests: false,
      awayMs: 60_000,
      answerMs: 1000,
      extraMs: 0,
      signMs: 10_000,
      faults: 10,
      strict: false,
      preset: 'protocol-2021',
      options: {},
      match: 'any',
    });
    expect(natural).toMatchObject({ agents: 13, answerMs: 60_000, extraMs: 5_000, signMs: 120_000, preset: 'nlp-2026', match: 'any' });
  });

  it('read the same after they were written', () => {
    const terms = read({
      division: 'natural',
      port: 0,
      fill: { recipe: 'rules', parameters: { language: 'ja' } },
      options: { talkMs: 1000 },
    });
    expect(readServerTerms(JSON.stringify(terms))).toEqual(terms);
  });

  it('give a table the preset, and times that are longer than any answer may take', () => {
    const [terms] = read({ division: 'natural', port: 0, options: { skips: 1 } });
    expect(tableOptions(terms!)).toMatchObject({ skips: 1, preset: 'nlp-2026', hurry: true, turnMs: 275_000, nightMs: 275_000 });
    expect(gameOptions(terms!)).toMatchObject({ skips: 1, utterances: 4, voteMs: 275_000 });
  });

  it('give the table of a contest its own options, and times to come back in', () => {
    const [terms] = read({ division: 'natural', port: 0, contests: true, awayMs: 30_000, players: 13, options: { skips: 3 } });
    const seats = [{ kind: 'person' as const, isOutside: true as const }, ...Array.from({ length: 5 }, () => ({ kind: 'mind' as const }))];
    const opening = { rules: 'aiwolf', seats, rounds: 1, options: { preset: 'nlp-2025', skips: 2, turnMs: 5, pace: 'people' } };
    const own = contestTerms(terms!, opening as never);
    expect(own).toMatchObject({ players: 6, agents: 1, games: 1, preset: 'nlp-2025', options: { skips: 2 } });
    expect(tableOptions(own)).toMatchObject({ skips: 2, preset: 'nlp-2025', pace: 'machines', turnMs: 305_000 });
    expect(() => contestTerms(terms!, { ...opening, rules: 'maw' } as never)).toThrow('outside agents play aiwolf, not maw');
    expect(() => contestTerms(terms!, { ...opening, options: { talks: 1 } } as never)).toThrow('there is no option talks');
  });

  it('give people at least their time, and the pace of people, where seats are kept for them', () => {
    const [without, long, short] = read(
      { division: 'protocol', port: 0, peopleMs: 300_000 },
      { division: 'protocol', port: 0, people: 1, peopleMs: 300_000 },
      { division: 'natural', port: 0, people: 2, peopleMs: 60_000 },
    );
    expect(tableOptions(without!)).toMatchObject({ pace: 'machines', turnMs: 101_000 });
    expect(tableOptions(long!)).toMatchObject({ pace: 'people', turnMs: 300_000, voteMs: 300_000, nightMs: 300_000 });
    expect([tableOptions(short!).turnMs, long!.agents, short!.agents]).toEqual([275_000, 4, 3]);
    expect(gameOptions(long!)).toMatchObject({ turnMs: 300_000 });
  });

  it.each(['protocol', 'natural'] as const)('of the %s division keep questions open for a restart and the return of agents', (division) => {
    const [terms] = read({ division, port: 0 });
    const { answerMs, extraMs, signMs } = terms!;
    const { turnMs, voteMs, nightMs } = tableOptions(terms!);
    expect(Math.min(turnMs, voteMs, nightMs) - (answerMs + extraMs + signMs)).toBeGreaterThan(MAX_GRACE_MS);
  });

  it('are refused with the path of each mistake', () => {
    const text = JSON.stringify([
      { division: 'protocol', port: 1, agents: 6, options: { roles: 'villager=5' } },
      { division: 'protocol', port: 70_000, secret: 'x', options: { turnMs: 1 } },
      { division: 'nlp', port: 0 },
    ]);
    expect(mistakesOf(text).split('\n')).toEqual([
      'servers[0].agents: 6 agents do not fit at a table for 5 players',
      expect.stringMatching(/^servers\[0\]\.options: roles: .*there is no werewolf/),
      'servers[1].port: must be a whole number from 0 (any free port) to 65535',
      'servers[1]: secret is no term of a server of this division; leave out what it does not have',
      'servers[2].division: must be protocol or natural',
    ]);
    expect(
      mistakesOf('[{"division":"protocol","port":0,"agents":4,"people":2},{"division":"natural","port":0,"people":5}]').split('\n'),
    ).toEqual([
      'servers[0].people: 4 agents and 2 people do not fit at a table for 5 players; at least one seat is for an agent',
      'servers[1].people: 1 agent and 5 people do not fit at a table for 5 players; at least one seat is for an agent',
    ]);
    expect(mistakesOf('[{"division":"protocol","port":0,"contests":true,"sets":2}]')).toBe(
      'servers[0].contests: contests say who plays and how often; leave people and sets out',
    );
    expect(mistakesOf('[{"division":"protocol","port":0,"people":-1,"peopleMs":1}]').split('\n')).toEqual([
      'servers[0].people: must be a whole number from 0 to 18',
      'servers[0].peopleMs: must be a whole number of milliseconds, at most 3600000 and at least 10',
    ]);
    expect(mistakesOf('[{"division":"protocol","port":0,"options":{"turnMs":50}}]')).toBe(
      'servers[0].options: turnMs is set by the terms of the server: answerMs',
    );
    expect(mistakesOf('[{"division":"protocol","port":7},{"division":"natural","port":7}]')).toBe(
      'servers[1].port: another server listens on 127.0.0.1:7 already',
    );
    expect(mistakesOf('[]')).toMatch(/^servers: names no server/);
    expect(mistakesOf('{}')).toMatch(/^servers: must be an array/);
    expect(mistakesOf('[{"division":"natural","fill":{"recipe":1},"secret":""},{},7]').split('\n')).toEqual([
      'servers[0].port: is missing; it must be a whole number from 0 (any free port) to 65535',
      expect.stringMatching(/^servers\[0\]\.fill(?:\.recipe)?: must be the name of a mind/),
      'servers[0].secret: must be a text that is not empty',
      'servers[1].division: is missing; it must be protocol or natural',
      'servers[2]: must be an object with the terms of a server',
    ]);
    expect(mistakesOf('{')).toMatch(/^the terms of the servers are no JSON: /);
  });
});

import { describe, expect, it } from '@jest/globals';
import { CARDS } from '@maw/games/onuw/state.ts';
import { alone } from '../conversation/understand.ts';
import { voiceOf } from '../conversation/voice.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { lie } from './claim.ts';
import { newRecord } from './record.ts';
import { sentences } from './sentences.ts';
import { type Claim, claimed, readSpeech } from './speech.ts';

const names = ['Ann', 'Bob', 'Ann Lee', 'C.D', 'Eve'];
const read = (text: string) => readSpeech(alone(text, names));

describe('readSpeech', () => {
  it.each<readonly [string, Claim]>([
    ['I am the Seer', { role: 'seer' }],
    ['i was dealt a villager', { role: 'villager' }],
    ['Listen: I’m the Insomniac!', { role: 'insomniac' }],
    ['I was dealt a Seer. I looked at Bob: a Werewolf.', { role: 'seer', looks: [{ about: 1, card: 'werewolf' }] }],
    ['I checked Bob’s card and found a Robber', { looks: [{ about: 1, card: 'robber' }] }],
    ['In the centre I saw a Villager and an Insomniac.', { centre: ['villager', 'insomniac'] }],
    ['I robbed Eve and got a Werewolf.', { robbed: { from: 4, card: 'werewolf' } }],
    ['I robbed Ann Lee', { robbed: { from: 2 } }],
    ['I robbed nobody.', { robbed: {} }],
    ['I swapped C.D with Ann.', { swapped: [3, 0] }],
    ['I swapped nobody', { swapped: [] }],
    ['I was dealt an Insomniac. At the end I had a Seer.', { role: 'insomniac', last: 'seer' }],
    ['At the end of the night I was still the Insomniac.', { last: 'insomniac' }],
  ])('finds the claim in %j', (text, claim) => {
    expect(read(text)).toEqual({ claim, suspects: [] });
  });

  it.each([
    ['I suspect Bob.', [1]],
    ['I vote for bob, and I accuse Eve', [1, 4]],
    ['Ann Lee must be a Werewolf', [2]],
    ['Bob has the Werewolf', [1]],
    ['I suspect C.D', [3]],
  ])('finds the suspicion in %j', (text, suspects) => {
    expect(read(text)).toEqual({ claim: {}, suspects });
  });

  it.each(['Hm.', '', 'Bobby is a Werewolf', 'I am not the Werewolf', 'Who is the Seer?', 'I suspect CxD', 'I robbed a bank'])(
    'finds nothing in %j',
    (text) => {
      expect(read(text)).toEqual({ claim: {}, suspects: [] });
    },
  );

  it('uses the last of repeated claims', () => {
    expect(read('I was dealt a Villager. No: I was dealt a Robber.').claim).toEqual({ role: 'robber' });
  });

  it('handles a table without names', () => {
    expect(readSpeech(alone('I suspect everybody. I am the Seer.', []))).toEqual({ claim: { role: 'seer' }, suspects: [] });
  });
});

const all = (text: string) => readSpeech({ ...alone(text, names), roles: CARDS });

describe('readSpeech at a table with all cards', () => {
  it.each<readonly [string, Claim]>([
    ["i'm the drunk, i took the left card", { role: 'drunk', took: 0 }],
    ['I am the Drunk and exchanged my card for the third centre card', { role: 'drunk', took: 2 }],
    ['drunk. i swapped with something from the middle', { role: 'drunk' }],
    [
      'I am the Doppelgänger. I copied Bob: a Seer. I looked at Eve: a Minion.',
      {
        role: 'doppelganger',
        looks: [
          { about: 1, card: 'seer' },
          { about: 4, card: 'minion' },
        ],
      },
    ],
    [
      'doppleganger here, copied bob the robber and robbed eve, got tanner',
      { role: 'doppelganger', looks: [{ about: 1, card: 'robber' }], robbed: { from: 4, card: 'tanner' } },
    ],
    ['I am the Doppelgänger and copied Bob, who is a Seer', { role: 'doppelganger', looks: [{ about: 1, card: 'seer' }] }],
    ['i was drunk and took the left card', { role: 'drunk', took: 0 }],
    ['i was the drunk', { role: 'drunk' }],
    ['I was Drunk.', { role: 'drunk' }],
    ['im drunk', { role: 'drunk' }],
    ['Bob and I are the masons', { role: 'mason', looks: [{ about: 1, card: 'mason' }] }],
    ['mason, woke alone', { role: 'mason' }],
    ['hunetr here', { role: 'hunter' }],
    ['i was dealt the minoin', { role: 'minion' }],
    ['I was the Insomniac. I ended up as the Tanner', { role: 'insomniac', last: 'tanner' }],
  ])('finds the claim in %j', (text, claim) => expect(all(text).claim).toEqual(claim));

  it.each([
    'let us hunt them down',
    'you must be drunk',
    'I was drunk last night, sorry.',
    'i got so drunk',
    'I looked at Bob, who said he is a Seer',
    'I left the right card for others',
    'Bob says he took the left card',
    'if I were the drunk',
  ])('finds nothing in %j', (text) => expect(all(text)).toEqual({ claim: {}, suspects: [] }));

  it('is as before at other tables', () => {
    for (const text of ["i'm the drunk, i took the left card", 'I copied Bob: a Seer', 'Bob and I are masons', 'I am a hunter'])
      expect(read(text).claim).toEqual({});
  });
});

describe('its own sentences', () => {
  it.each<Claim>([
    { role: 'werewolf' },
    { role: 'villager' },
    {
      role: 'seer',
      looks: [
        { about: 1, card: 'villager' },
        { about: 3, card: 'werewolf' },
      ],
    },
    { role: 'seer', centre: ['werewolf', 'insomniac'] },
    { role: 'robber', robbed: { from: 2, card: 'troublemaker' } },
    { role: 'robber', robbed: {} },
    { role: 'troublemaker', swapped: [4, 2] },
    { role: 'troublemaker', swapped: [] },
    { role: 'insomniac', last: 'insomniac' },
    { role: 'insomniac', last: 'robber' },
  ])('understands its own claim %j', (claim) => {
    for (let i = 0; i < 10; i++) {
      const voice = voiceOf(sentences, { table: `${i}`, seat: 0, phase: '', iteration: 0, players: [] });
      expect(read(claimed(claim, names, voice).join(' '))).toEqual({ claim, suspects: [] });
    }
  });

  it.each<Claim>([
    { role: 'mason', looks: [{ about: 3, card: 'mason' }] },
    { role: 'mason' },
    { role: 'drunk', took: 0 },
    { role: 'drunk', took: 1 },
    { role: 'drunk', took: 2 },
    { role: 'hunter' },
    { role: 'doppelganger', looks: [{ about: 1, card: 'hunter' }] },
    { role: 'doppelganger', looks: [{ about: 1, card: 'robber' }], robbed: { from: 2, card: 'drunk' } },
    { role: 'doppelganger', looks: [{ about: 1, card: 'drunk' }], took: 2 },
    { role: 'doppelganger', looks: [{ about: 4, card: 'insomniac' }], last: 'doppelganger' },
  ])('understands its own claim %j at a table with all cards', (claim) => {
    for (let i = 0; i < 10; i++) {
      const voice = voiceOf(sentences, { table: `${i}`, seat: 0, phase: '', iteration: 0, players: [] });
      expect(all(claimed(claim, names, voice).join(' '))).toEqual({ claim, suspects: [] });
    }
  });
});

it('a Tanner claims no Doppelgänger after another when there is no card that it could have copied', () => {
  const deck = ['werewolf', 'tanner', 'doppelganger', 'seer', 'robber', 'troublemaker', 'insomniac'] as const;
  const known = { ...newRecord(0, deck), claims: { 1: { role: 'doppelganger' } } as const };
  for (let n = 0; n < 50; n++) expect(lie(known, 0, diceOf('a', String(n)), true).role).not.toBe('doppelganger');
});

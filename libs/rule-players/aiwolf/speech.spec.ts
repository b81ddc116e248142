import { describe, expect, it } from '@jest/globals';
import { isUtterance, readContent } from '@maw/games/aiwolf/language/content-reader.ts';
import { writeContent } from '@maw/games/aiwolf/language/content-writer.ts';
import { voiceOf } from '../conversation/voice.ts';
import { english } from '../conversation/wording.ts';
import { sentences } from './sentences.ts';
import { appeal, attackOn, comingOut, inSentences, result, statementsOf, voteFor } from './speech.ts';
import type { Statement } from './statement.ts';

const names = ['Ann', 'Bob', 'Cid', 'Dot'];
const read = (speech: string) => statementsOf({ speech, by: 1, names });

const role = (one: 'seer' | 'medium' | 'bodyguard' | 'possessed' | 'werewolf' | 'villager'): Statement => ({ states: 'role', role: one });
const found = (as: 'seer' | 'medium', about: number, isWolf: boolean): Statement => ({ states: 'found', as, about, isWolf });
const wish = (about: number): Statement => ({ states: 'wish', about });

describe('what Agent[02] states', () => {
  it.each<[string, readonly Statement[]]>([
    ['COMINGOUT Agent[02] SEER', [role('seer')]],
    ['Agent[02] COMINGOUT Agent[02] MEDIUM', [role('medium')]],
    ['COMINGOUT Agent[02] POSSESSED', [role('possessed')]],
    ['DIVINED Agent[01] WEREWOLF', [found('seer', 0, true)]],
    ['DAY 3 (DIVINED Agent[04] HUMAN)', [found('seer', 3, false)]],
    ['IDENTIFIED Agent[03] HUMAN', [found('medium', 2, false)]],
    ['VOTE Agent[03]', [wish(2)]],
    ['ATTACK Agent[03]', [wish(2)]],
    ['REQUEST ANY (VOTE Agent[04])', [wish(3)]],
    ['REQUEST Agent[01] (VOTE Agent[04])', [wish(3)]],
    ['AND (COMINGOUT Agent[02] SEER) (DIVINED Agent[01] HUMAN)', [role('seer'), found('seer', 0, false)]],
    [
      'BECAUSE (DIVINED Agent[01] WEREWOLF) (AND (VOTE Agent[01]) (REQUEST ANY (VOTE Agent[01])))',
      [found('seer', 0, true), wish(0), wish(0)],
    ],
  ])('is parsed from %s', (speech, statements) => expect(read(speech)).toEqual(statements));

  it.each([
    ['Skip'],
    ['Over'],
    ['VOTE ANY'],
    ['VOTE Agent[02]'],
    ['REQUEST ANY (VOTE ANY)'],
    ['REQUEST ANY (DIVINATION Agent[01])'],
    ['COMINGOUT Agent[01] SEER'],
    ['COMINGOUT Agent[02] FOX'],
    ['Agent[01] COMINGOUT Agent[01] SEER'],
    ['Agent[01] DIVINED Agent[03] WEREWOLF'],
    ['DAY 1 (Agent[01] DIVINED Agent[02] WEREWOLF)'],
    ['Agent[01] REQUEST ANY (VOTE Agent[03])'],
    ['DIVINED Agent[01] ANY'],
    ['DIVINED ANY WEREWOLF'],
    ['NOT (COMINGOUT Agent[02] SEER)'],
    ['XOR (DIVINED Agent[01] WEREWOLF) (DIVINED Agent[01] HUMAN)'],
    ['OR (VOTE Agent[01]) (VOTE Agent[03])'],
    ['INQUIRE ANY (VOTE Agent[03])'],
    ['VOTED Agent[03]'],
    ['ESTIMATE Agent[03] WEREWOLF'],
    ['What a lovely morning.'],
  ])('states nothing in %s', (speech) => expect(read(speech)).toEqual([]));

  it('is parsed from plain sentences too', () => {
    expect(read('I am the Seer. Ann is a Werewolf. Dot is not a Werewolf.')).toEqual([
      role('seer'),
      found('seer', 0, true),
      found('seer', 3, false),
      wish(0),
    ]);
    expect(read('I suspect Cid.')).toEqual([wish(2)]);
  });
});

describe('its own sentences', () => {
  const all = [
    comingOut(1, 'SEER'),
    comingOut(1, 'MEDIUM'),
    comingOut(1, 'POSSESSED'),
    voteFor(2),
    attackOn(14),
    result({ as: 'seer', about: 0, isWolf: false }),
    result({ as: 'medium', about: 0, isWolf: true }),
    appeal({ as: 'seer', about: 0, isWolf: true }),
  ];

  it('is canonical protocol language', () => {
    for (const text of all) {
      expect(isUtterance(text)).toBe(true);
      expect(writeContent(readContent(text)!)).toBe(text);
    }
    expect(all).toContain('BECAUSE (DIVINED Agent[01] WEREWOLF) (REQUEST ANY (VOTE Agent[01]))');
    expect(all).toContain('ATTACK Agent[15]');
  });

  it('is understood by its own reader', () => {
    expect(all.map((text) => read(text)[0])).toEqual([
      role('seer'),
      role('medium'),
      role('possessed'),
      wish(2),
      wish(14),
      found('seer', 0, false),
      found('medium', 0, true),
      found('seer', 0, true),
    ]);
  });

  it('states the same in plain English', () => {
    const others = ['Ann', 'Bob', 'Cid', 'Dot', ...Array.from({ length: 11 }, (_, i) => `Player ${i + 5}`)];
    for (let i = 0; i < 20; i++) {
      const voice = voiceOf(sentences, { table: `${i}`, seat: 1, phase: '', iteration: 0, players: [] });
      const spoken = all.map((text) => inSentences(text, { names: others, dead: [0], voice, wording: english }));
      expect(spoken.map((text) => [isUtterance(text), statementsOf({ speech: text, by: 1, names: others })])).toEqual(
        all.map((text) => [false, statementsOf({ speech: text, by: 1, names: others })]),
      );
    }
  });
});

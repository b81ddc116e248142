import { describe, expect, it } from '@jest/globals';
import { read } from '@maw/games/english/reader.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import type { Moment } from '../moment.ts';
import { listener } from './understand.ts';
import { banterOf } from './banter.ts';
import { type Hearing, newHearing } from './hearing.ts';
import { banter, smallTalk } from './small-talk.ts';
import { fill, sentencesOf, voiceOf } from './voice.ts';

const names = ['Ada', 'Bela', 'Cleo', 'Dario', 'Rose', 'Will'];
const ROLES: { readonly [rules: string]: readonly string[] } = {
  maw: ['werewolf', 'villager', 'seer'],
  aiwolf: ['werewolf', 'villager', 'seer', 'medium', 'bodyguard', 'possessed'],
  avalon: ['merlin', 'percival', 'servant', 'morgana', 'assassin', 'evil', 'good'],
  onuw: ['werewolf', 'villager', 'seer', 'robber', 'troublemaker', 'insomniac'],
};
/** Acts that are for or against somebody, and claims. */
const MEANT = ['accuses', 'defends', 'wants', 'shuns', 'calls-vote', 'own-vote', 'claims-role', 'claims-result'];
const lines = Object.values(banter).flatMap((sentences) => sentencesOf(sentences));
const filled = lines.flatMap((line) => [
  fill(line, { by: 'Bela', name: 'Cleo', before: 'Dario', count: '3' }),
  fill(line, { by: 'Rose', name: 'Will', before: 'Ada', count: '2' }),
]);

describe('what is said without a new opinion', () => {
  const before = [
    { by: 1, text: 'I think Cleo is a werewolf' },
    { by: 2, text: 'no, vote Bela' },
  ];

  it.each(Object.entries(ROLES))('is read as no accusation, vote, defence or claim at %s, whatever was said before', (_, roles) => {
    const wrong = filled.filter((text) =>
      [[], before].some((lately) => read(text, 0, { names, roles }, lately).some(({ act }) => MEANT.includes(act))),
    );
    expect(wrong).toEqual([]);
  });

  it('is no evidence to those who know the sentences', () => {
    const understand = listener(smallTalk, ROLES['maw']!);
    expect(filled.filter((speech) => understand({ speech, by: 0, names, before }).length)).toEqual([]);
  });

  it('has lines of four words and less in every second sentence', () => {
    expect(filled.filter((text) => text.split(' ').length <= 4).length).toBeGreaterThan(filled.length / 2);
  });
});

const moment = {
  table: 't1', seat: 0, now: 150, until: 300, phase: 'round-1/day-1', iteration: 3, questions: [], standing: {}, news: [], rules: { name: 'maw' },
  players: names.map((name, seat) => ({ seat, name, alive: true })), seed: 's', isTimeShort: false,
} satisfies Moment; // prettier-ignore

function said(hearing: Partial<Hearing>, votes: readonly { readonly by: number; readonly about: number }[] = []): readonly string[] {
  const texts: string[] = [];
  for (let i = 0; i < 60; i++) {
    const now: Hearing = { ...newHearing, phase: moment.phase, isForPeople: true, ...hearing, texts: [...(hearing.texts ?? []), ...texts] };
    const affairs = { votes, accusations: [], innocent: [], found: [] };
    const voice = voiceOf({ ...banter, ...smallTalk }, { ...moment, iteration: i }, now.texts);
    const text = banterOf(
      { hearing: now, moment, affairs, voice, dice: diceOf('s', `${i}`), gone: 0.5, nameOf: (seat) => names[seat]! },
      [],
    );
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

describe('a seat with nothing new to say', () => {
  it('says no line twice in a talk until all is said, and is never silent in its turn', () => {
    const texts = said({});
    expect(new Set(texts.slice(0, 20)).size).toBe(20);
    expect(texts).toHaveLength(60);
  });

  it('asks who has said nothing, and nobody to whom one has just spoken', () => {
    const talk = { phase: moment.phase, by: { 1: 2, 2: 1, 3: 1, 4: 1 } };
    expect(said({ talk }).some((text) => text.includes('Will') && text.endsWith('?'))).toBe(true);
    const [next] = said({ talk, texts: ['Will, Rose, Cleo, Dario, Bela: good morning.'] });
    expect(next).not.toMatch(/Will/);
  });

  it('nods at what was stated, and neither at a question nor at a nod', () => {
    const talk = { phase: moment.phase, by: { 1: 1, 2: 1, 3: 1, 4: 1, 5: 1 }, last: 1 };
    const nods = (text: string) => {
      const all = said({ talk, before: [{ by: 1, text }] });
      return all.filter((one) => sentencesOf(banter.nod).some((nod) => fill(nod, { by: 'Bela' }) === one)).length;
    };
    expect(nods('cleo talks too much')).toBeGreaterThan(3);
    expect(['Cleo, what about Will?', 'I hear you, Rose.', 'Hm.', 'Riveting.', 'Time is short.'].map(nods)).toEqual([0, 0, 0, 0, 0]);
  });

  it('speaks of the votes as they stand', () => {
    const ballots = { phase: moment.phase, by: { 1: 2, 3: 2, 4: 2 }, last: { by: 4, about: 2, before: 3, line: 0 } };
    const texts = said({ ballots });
    expect(texts.filter((text) => /\b3\b/.test(text))).toHaveLength(1); // once, in whatever words
    expect(
      texts.some((text) => /^(?:Rose, why the change|First Dario, now Cleo, Rose|Changed your mind, Rose|Rose has moved on)/.test(text)),
    ).toBe(true);
    expect(texts.filter((text) => /\d/.test(text) && !/\b3\b.*Cleo|Cleo.*\b3\b/.test(text))).toEqual([]);
    expect(said({ ballots: { ...ballots, phase: 'round-1/day-0' } }).filter((text) => /vote|change/.test(text))).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Moment } from '../moment.ts';
import { type Affairs, affairsOf, isUntrue, reasonAgainst } from './affairs.ts';
import { converse, type Opinion } from './converse.ts';
import { type Hearing, newHearing } from './hearing.ts';
import type { Filling } from './voice.ts';
import { english } from './wording.ts';

const names = ['Ann', 'Ben', 'Cleo', 'Dan'];
const nothing: Affairs = { votes: [], accusations: [], innocent: [], found: [] };
const voice = (occasion: string, filling: Filling = {}): string => [occasion, ...Object.values(filling)].join(' ');
const reason = (affairs: Partial<Affairs>, isTrusted = true) =>
  reasonAgainst({ ...nothing, ...affairs }, 1, () => isTrusted, { me: 0, who: 'Ben', voice, nameOf: (seat) => names[seat]! });

describe('a reason', () => {
  it('is none where nothing was seen', () => {
    expect(reason({})).toBeUndefined();
    expect(reason({ votes: [{ by: 2, about: 3 }], innocent: [3] })).toBeUndefined();
  });

  it('names the vote for one who was no wolf', () => {
    expect(reason({ votes: [{ by: 1, about: 2 }], innocent: [2] })).toBe('clauseVote Ben Cleo');
    expect(reason({ votes: [{ by: 1, about: 2 }] })).toBeUndefined();
  });

  it('names what a trusted player found, and nobody’s else', () => {
    const found = [{ by: 3, about: 1 }];
    expect(reason({ found })).toBe('clauseFound Ben Dan');
    expect(reason({ found }, false)).toBeUndefined();
    expect(reason({ found: [{ by: 0, about: 1 }] })).toBeUndefined();
  });

  it('tells a vote from an accusation', () => {
    expect(reason({ votes: [{ by: 1, about: 0 }] })).toBe('clauseCritic Ben');
    expect(reason({ accusations: [{ by: 1, about: 0 }] })).toBe('clauseAccuser Ben');
  });

  it('names a vote against the voter’s words, unless the accused was voted for too', () => {
    const accusations = [{ by: 1, about: 2 }];
    expect(reason({ accusations, votes: [{ by: 1, about: 3 }] })).toBe('clauseTurn Ben Cleo Dan');
    const both = [2, 3].map((about) => ({ by: 1, about }));
    expect(reason({ accusations, votes: both })).toBeUndefined();
    expect(reason({ accusations, votes: [{ by: 1, about: 3 }], found: [{ by: 0, about: 3 }] })).toBeUndefined();
  });
});

it('reads votes and accusations of all days', () => {
  const days = [{ votes: { 1: [2, 3] }, accusations: ['0/1'] }];
  expect(affairsOf(days, (targets) => targets)).toEqual({
    votes: [
      { by: 1, about: 2 },
      { by: 1, about: 3 },
    ],
    accusations: [{ by: 0, about: 1 }],
  });
});

const moment = {
  table: 't',
  seat: 0,
  phase: 'day-1',
  iteration: 0,
  now: 0,
  until: 100,
  players: names.map((name, seat) => ({ seat, name, alive: true })),
  questions: [{ id: 'round-1/day-1/talk', verb: 'say', pick: 1, final: false, maxChars: 500, options: [] }],
  standing: {},
} as unknown as Moment;

/** What Ann says, who suspects Ben, after what she has heard. */
function says(heard: Partial<Hearing>, affairs: Partial<Affairs> = {}, remark?: string, voiced = voice, here = moment): string | undefined {
  const opinion: Opinion = { suspect: 1, affairs: { ...nothing, ...affairs }, believes: () => true };
  const ears = {
    gist: ({ speech }: { readonly speech: string }) => ({ against: speech.includes('suspect Ben') ? [1] : [] }),
    understand: ({ speech }: { readonly speech: string }) => (speech.includes('suspect') ? [{ act: 'accuses' as const, about: 1 }] : []),
  };
  const planned = remark === undefined ? [] : [{ question: 'round-1/day-1/talk', says: [remark] }];
  const said = converse({ ...newHearing, ...heard }, here, planned, { opinion, voice: voiced, wording: english, roles: [], ears });
  return said.answers[0]?.says[0];
}

describe('a conversation', () => {
  it('contradicts a vote that never was, where votes are public', () => {
    const votes = [{ by: 1, about: 0 }];
    const untrue = { by: 1, of: 2, about: 3 };
    expect(isUntrue({ ...nothing, votes }, untrue)).toBe(true);
    expect(isUntrue(nothing, untrue)).toBe(false);
    expect(says({ reported: untrue }, { votes })).toBe('untrue Ben Cleo Dan');
    expect(says({ reported: { by: 3, of: 1, about: 0 } }, { votes })).toBeUndefined();
  });

  it('answers all who ask for a name at once, and not beside the opinion itself', () => {
    const asked = [2, 3].map((by) => ({ by, subject: 'suspect' as const }));
    expect(says({ asked })).toBe('replySuspect Cleo and Dan Ben');
    expect(says({ asked }, {}, 'I suspect Ben.')).toBe('replyAnswer Cleo and Dan I suspect Ben.');
  });

  it('answers who asks twice once, and the question that it has an answer to', () => {
    const asked = [
      { by: 2, subject: 'why' as const, about: 1 },
      { by: 2, subject: 'other' as const },
      { by: 3, subject: 'other' as const },
    ];
    expect(says({ asked })).toBe('replyWhy Cleo clauseHunch Ben replyOther Dan');
  });

  it('denies words that it never said, and a claim that it never made', () => {
    const words = { by: 2, of: 0, about: 3, isSaid: true };
    expect(says({ reported: words })).toBe('replyUnsaid Cleo');
    expect(says({ reported: words, own: ['Dan looks odd.'] })).toBeUndefined();
    const claim = { ...words, about: 0 };
    expect(says({ reported: claim })).toBe('replyUnsaid Cleo');
    expect(says({ reported: claim, claimants: [0] })).toBeUndefined();
    expect(says({ reported: { ...words, of: 1 } })).toBeUndefined();
  });

  it('speaks to whom it has suspected before as one does', () => {
    const asked = [{ by: 2, subject: 'why' as const, about: 2 }];
    expect(says({ named: 2, asked }, {}, 'I suspect Ben.')).toContain('turned you I suspect Ben.');
  });

  it('takes a confession for a joke, and thanks nobody whom it suspects', () => {
    expect(says({ cues: [{ is: 'confessed', by: 2 }] }, {}, 'Nothing.')).toBe('confessed Cleo Nothing.');
    expect(says({ cues: [{ is: 'thanks', by: 1 }] }, {}, 'Nothing.')).not.toContain('thanks');
  });

  it('does not give the same reason in other words', () => {
    const own = ['I suspect Ben. Ben spoke against me.'];
    const accusations = [{ by: 1, about: 0 }];
    expect(
      says({ own }, { accusations }, 'I suspect Ben.', (is, filling = {}) =>
        is === 'clauseAccuser' ? 'Ben accused me' : voice(is, filling),
      ),
    ).not.toContain('because');
  });

  it('says why with the opinion, once', () => {
    const votes = [{ by: 1, about: 0 }];
    expect(says({}, { votes }, 'I suspect Ben.')).toBe('I suspect Ben. because clauseCritic Ben');
    expect(says({ own: ['because clauseCritic Ben'] }, { votes }, 'I suspect Ben.')).not.toContain('because');
  });

  it('says that it has changed its mind, or was wrong', () => {
    expect(says({ named: 2 }, {}, 'I suspect Ben.')).toMatch(/^(?:.* )?turned Cleo I suspect Ben\./);
    expect(says({ named: 2 }, { innocent: [2] }, 'I suspect Ben.')).toMatch(/^(?:.* )?conceded Cleo I suspect Ben\./);
    expect(says({ named: 1 }, {}, 'I suspect Ben.')).not.toMatch(/turned|conceded/);
  });

  it('does not say that it has nothing to say after an answer', () => {
    expect(says({ asked: [{ by: 2, subject: 'suspect' }] }, {}, 'Nothing from me.')).toMatch(/^replySuspect Cleo Ben(?! Nothing)/);
  });

  it('gives for a vote of before no reason that has come out since', () => {
    const asked = [{ by: 2, subject: 'why' as const, about: 1 }];
    const since = { votes: [{ by: 1, about: 3 }], innocent: [3] };
    expect(says({ asked, ownVotes: [1] }, since)).toBe('replyWhy Cleo clauseVote Ben Dan');
    const dead = { ...moment, players: moment.players.map((one) => ({ ...one, alive: one.seat !== 1 })) };
    expect(says({ asked, ownVotes: [1] }, since, undefined, voice, dead)).toBe('replyWhy Cleo clauseHunch Ben');
  });

  it('explains the vote that stands where nobody is named', () => {
    const asked = [{ by: 2, subject: 'why' as const }];
    const ballots = { phase: 'day-1', by: { 0: 3 } };
    const votes = [{ by: 3, about: 0 }];
    const voted = { asked, named: 1, ownVotes: [3], ballots, phase: 'day-1', isForPeople: true };
    expect(says(voted, { votes })).toBe('replyWhy Cleo clauseCritic Dan');
    expect(says({ ...voted, phase: 'day-2' }, { votes })).toBe('replyWhy Cleo clauseHunch Ben');
  });

  it('puts nobody into a sentence as nobody, not as a name', () => {
    const voiced: typeof voice = (is, filling) => (is === 'clauseHunch' ? 'Nobody had told us' : voice(is, filling));
    expect(says({ asked: [{ by: 2, subject: 'why', about: 1 }] }, {}, undefined, voiced)).toBe('replyWhy Cleo nobody had told us');
  });

  it('asks nobody again whom it has just asked, where people listen', () => {
    const lonely = { ...moment, players: moment.players.map((one) => ({ ...one, alive: one.seat < 2 })) };
    const questions = (own: readonly string[]) =>
      Array.from({ length: 60 }, (_, iteration) =>
        says({ isForPeople: true, own }, {}, 'Nothing.', voice, { ...lonely, iteration }),
      ).filter((text) => /\bask(?:Quiet)? Ben/.test(text ?? ''));
    expect(questions([]).length).toBeGreaterThan(0);
    expect(questions(['Ben, who is it?'])).toEqual([]);
  });

  it('keeps the capital of I in a reason', () => {
    const why = says({ asked: [{ by: 2, subject: 'why', about: 1 }] });
    expect(why).toBe('replyWhy Cleo clauseHunch Ben');
  });
});

import { describe, expect, it } from '@jest/globals';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { isUtterance, readContent } from '@maw/games/aiwolf/language/content-reader.ts';
import { writeContent } from '@maw/games/aiwolf/language/content-writer.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { playGame } from '@maw/minds/arena/arena.ts';
import { asking as askingWith, dayTwo } from '@maw/minds/fixtures.suite.ts';
import type { Asking, Moment } from '@maw/minds/mind.ts';
import { type News, newsFromLine } from '@maw/minds/news.ts';
import { type Event, floorAt, knownAfter } from './known-after.suite.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { aiwolfStrategy } from '@maw/rule-players/aiwolf/aiwolf.ts';
import type { Known } from '@maw/rule-players/aiwolf/record.ts';

const rules = findRecipe('rules');
const ALL = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida', 'Jon', 'Kay', 'Lee', 'Moe', 'Ned', 'Oda'];

/** A seat at a table, after some events of its view. */
function after(events: readonly Event[], { seat = 0, players = 5 } = {}) {
  const names = ALL.slice(0, players);
  const moment: Moment = { ...dayTwo, seat, name: names[seat]!, players: names.map((name, other) => ({ seat: other, name, alive: true })) };
  return { moment, known: knownAfter(aiwolfStrategy, events, moment), names };
}

/** The deal as one seat sees it: its own role, and those it knows. */
const dealt = (roles: { readonly [seat: number]: string }, players = 5, options: object = {}): readonly Event[] => [
  { type: 'opened', opening: { options } },
  { type: 'began', round: 1 },
  { type: 'dealt', roles: Array.from({ length: players }, (_, seat) => roles[seat] ?? 'hidden') },
];
const dawn = (day: number, killed?: number): readonly Event[] => [
  { type: 'dawned', day },
  ...(killed === undefined ? [] : [{ type: 'killed', seat: killed }]),
];
const turn = (at: string, order: readonly number[]): readonly Event[] => {
  const place = at.startsWith('night') ? 'whisper' : 'talk';
  return [
    { type: 'ordered', place, turn: Number(at.slice(at.lastIndexOf('-') + 1)), order, left: [], skips: [], until: 0 },
    { type: 'asked', question: { id: `round-1/${at}/${place}`, verb: 'say' } },
  ];
};
const says = (at: string, by: number, text: string): Event => ({
  type: 'answered',
  question: `round-1/${at}/${at.startsWith('night') ? 'whisper' : 'talk'}`,
  answer: { by, says: [text] },
});
const ballot = (question: string, ...votes: readonly (readonly [number, number])[]): Event => ({
  type: 'settled',
  question: `round-1/${question}`,
  answers: votes.map(([by, on]) => ({ by, says: [`seat:${on}`] })),
});
const day1 = [...dawn(1), ...turn('day-1/turn-0', [0, 1, 2, 3, 4])];
const later = turn('day-1/turn-1', [0, 1, 2, 3, 4]);

const asking = (id: string, verb: Asking['verb'], options: readonly number[] = []) =>
  askingWith(
    id,
    verb,
    options.map((seat) => ({ is: `seat:${seat}`, named: ALL[seat]! })),
  );
function answer({ known, moment }: ReturnType<typeof after>, question: Asking, standing = {}) {
  const asked: Moment = { ...moment, standing, phase: question.id.slice(0, question.id.lastIndexOf('/')), questions: [question] };
  return aiwolfStrategy.act(known, aiwolfStrategy.believe(known, asked), asked, diceOf('seed', question.id), floorAt(aiwolfStrategy, asked))
    .answers[0]?.says[0];
}
const talk = (at: ReturnType<typeof after>, where = 'day-1/turn-1') => answer(at, asking(`${where}/talk`, 'say'));
const vote = (at: ReturnType<typeof after>, options: readonly number[] = [0, 1, 2, 3, 4].filter((seat) => seat !== at.moment.seat)) =>
  answer(at, asking('day-1/vote', 'choose', options));

describe('the record', () => {
  const here = after([...dealt({ 0: 'villager' }), ...day1]);
  const line = (at: string, number: number, by: number, text: string) =>
    newsFromLine(`round-1/${at}/Village`, { line: number, at: 0, by, text }, here.names);
  const fold = (...news: readonly News[]): Known => news.reduce((known, one) => aiwolfStrategy.fold(known, one, here.moment), here.known);

  it('contains the roles of the table', () => {
    expect(here.known.cast).toMatchObject({ villager: 2, seer: 1, medium: 0, possessed: 1, werewolf: 1 });
    const own = { roles: { villager: 3, werewolf: 2 } };
    expect(after(dealt({ 0: 'villager' }, 5, own)).known.cast).toMatchObject({ villager: 3, seer: 0, possessed: 0, werewolf: 2 });
  });

  it('contains each claim once, from room and event', () => {
    const claim = line('day-1/turn-0', 1, 2, 'DIVINED Agent[04] WEREWOLF');
    const event: News = { ...claim, n: 9, event: says('day-1/turn-0', 2, 'DIVINED Agent[04] WEREWOLF') };
    const known = fold(claim, line('day-1/turn-0', 2, 2, 'COMINGOUT Agent[03] SEER'), event);
    expect(known.claims[2]).toEqual({ roles: ['seer'], found: [{ as: 'seer', about: 3, isWolf: true }] });
    expect(fold(claim, event)).toEqual(fold(claim));
  });

  it('contains the later of two results, and none about unknown seats', () => {
    const known = fold(
      line('day-1/turn-0', 1, 2, 'DIVINED Agent[04] WEREWOLF'),
      line('day-1/turn-1', 1, 2, 'DIVINED Agent[04] HUMAN'),
      line('day-1/turn-2', 1, 2, 'DIVINED Agent[06] HUMAN'),
      line('day-1/turn-3', 1, 2, 'VOTE Agent[99]'),
    );
    expect(known.claims[2]!.found).toEqual([{ as: 'seer', about: 3, isWolf: false }]);
    expect(known.wishes).toEqual({});
  });

  it('contains the wish of the latest turn; a vote overrides it', () => {
    const known = fold(line('day-1/turn-1', 1, 2, 'VOTE Agent[02]'), line('day-1/turn-0', 1, 2, 'VOTE Agent[04]'));
    expect(known.wishes[2]).toEqual({ about: 1, turn: 1 });
    const event = ballot('day-1/vote', [2, 4]);
    const voted = aiwolfStrategy.fold(known, { event }, here.moment) as Known;
    expect(voted.wishes[2]!.about).toBe(4);
    expect(voted.ballots).toEqual({ 'round-1/day-1/vote': [[2, 4]] });
    expect((aiwolfStrategy.fold(voted, { event: dawn(2)[0]! }, here.moment) as Known).wishes).toEqual({});
  });

  it('ignores claims in whispers, and wishes of yesterday', () => {
    const whispered = newsFromLine(
      'round-1/night-1/turn-0/Hideout',
      { line: 1, at: 0, by: 2, text: 'COMINGOUT Agent[03] SEER' },
      here.names,
    );
    expect(fold(whispered).claims).toEqual(here.known.claims);
    expect(fold(line('day-0/turn-0', 1, 2, 'VOTE Agent[02]')).wishes).toEqual({});
  });

  it('restarts each round', () => {
    const known = fold(line('day-1/turn-0', 1, 2, 'COMINGOUT Agent[03] SEER'), { at: 0, event: { type: 'began', round: 2 } });
    expect(known).toMatchObject({ round: 2, claims: [], cast: undefined });
  });

  it('survives serialization', () => {
    const known = JSON.parse(JSON.stringify(here.known)) as Known;
    expect(talk({ ...here, known })).toBe(talk(here));
  });
});

describe('a villager', () => {
  it('announces its vote once, then says Over', () => {
    const at = after([...dealt({ 0: 'villager' }), ...day1]);
    const first = talk(at, 'day-1/turn-0')!;
    expect(first).toMatch(/^VOTE Agent\[0[2-5]\]$/);
    expect(talk(after([...dealt({ 0: 'villager' }), ...day1, says('day-1/turn-0', 0, first)]), 'day-1/turn-1')).toBe('Over');
  });

  it('acts the same as others of its kind while nothing is known', () => {
    const named = [0, 1, 2, 3, 4].map((seat) => talk(after([...dealt({ [seat]: 'villager' }), ...day1], { seat }), 'day-1/turn-0'));
    const counts = [...new Set(named)].map((text) => named.filter((other) => other === text).length);
    expect(Math.max(...counts)).toBe(4); // all but the one they name
  });

  it('votes for a wolf that a single seer reports', () => {
    const told = [says('day-1/turn-0', 2, 'COMINGOUT Agent[03] SEER'), says('day-1/turn-0', 2, 'DIVINED Agent[05] WEREWOLF')];
    const at = after([...dealt({ 0: 'villager' }), ...day1, ...told, ...later]);
    expect(vote(at)).toBe('seat:4');
    expect(talk(at)).toBe('VOTE Agent[05]');
  });

  it('disbelieves who calls it a werewolf, and believes the rival', () => {
    const told = [says('day-1/turn-0', 1, 'DIVINED Agent[01] WEREWOLF'), says('day-1/turn-0', 2, 'DIVINED Agent[05] WEREWOLF')];
    expect(vote(after([...dealt({ 0: 'villager' }), ...day1, ...told, ...later]))).toBe('seat:4');
  });

  it('follows those it trusts when unsure', () => {
    const wishes = [1, 2, 3].map((by) => says('day-1/turn-0', by, 'VOTE Agent[05]'));
    expect(vote(after([...dealt({ 0: 'villager' }), ...day1, ...wishes]))).toBe('seat:4');
    const others = [1, 2, 4].map((by) => says('day-1/turn-0', by, 'VOTE Agent[04]'));
    expect(vote(after([...dealt({ 0: 'villager' }), ...day1, ...others]))).toBe('seat:3');
  });

  it('prefers the leader of the first ballot in the second', () => {
    const first = [...dealt({ 0: 'villager' }), ...day1, ballot('day-1/vote', [0, 2], [1, 3], [2, 3], [3, 2], [4, 3])];
    expect(vote(after([...first, { type: 'tied', vote: 'vote' }]))).toBe('seat:3');
  });

  it('spares a single seer claimant until the last day', () => {
    const wish = [says('day-1/turn-0', 4, 'VOTE Agent[03]')];
    const claim = [says('day-1/turn-0', 2, 'COMINGOUT Agent[03] SEER'), ...wish, ...later];
    expect(vote(after([...dealt({ 0: 'villager' }), ...day1, ...claim]))).not.toBe('seat:2');
    const dead = [{ type: 'executed', seat: 3 }, ...dawn(2, 4)];
    const last = after([...dealt({ 0: 'villager' }), ...day1, ...claim, ...dead, says('day-2/turn-0', 2, 'DIVINED Agent[02] HUMAN')]);
    const belief = aiwolfStrategy.believe(last.known, last.moment);
    const suspect = belief.werewolf![1]! > belief.werewolf![2]! ? 'seat:1' : 'seat:2';
    expect(vote(last, [1, 2])).toBe(suspect);
  });

  it('never votes for a cleared seat', () => {
    const told = [says('day-1/turn-0', 2, 'DIVINED Agent[05] HUMAN'), { type: 'executed', seat: 3 }, ...dawn(2, 2)];
    const wish = says('day-2/turn-0', 4, 'VOTE Agent[02]');
    expect(vote(after([...dealt({ 0: 'villager' }), ...day1, ...told, wish]), [1, 4])).toBe('seat:1');
  });
});

describe('a seer', () => {
  const seer = [...dealt({ 0: 'seer' }), { type: 'gazed', by: 0, seat: 3 }];
  const human = [...seer, ...dawn(1), { type: 'divined', by: 0, seat: 3, found: 'human' }, ...turn('day-1/turn-0', [0, 1, 2, 3, 4])];
  const wolf = [...seer, ...dawn(1), { type: 'divined', by: 0, seat: 3, found: 'werewolf' }, ...turn('day-1/turn-0', [0, 1, 2, 3, 4])];

  it('comes out with its first result, tells it, then announces its vote', () => {
    expect(talk(after(human), 'day-1/turn-0')).toBe('COMINGOUT Agent[01] SEER');
    const out = [...human, says('day-1/turn-0', 0, 'COMINGOUT Agent[01] SEER'), ...later];
    expect(talk(after(out))).toBe('DIVINED Agent[04] HUMAN');
    expect(talk(after([...out, says('day-1/turn-1', 0, 'DIVINED Agent[04] HUMAN')]), 'day-1/turn-2')).toMatch(/^VOTE Agent\[0[235]\]$/);
  });

  it('requests votes against a found wolf, and votes for it', () => {
    const out = after([...wolf, says('day-1/turn-0', 0, 'COMINGOUT Agent[01] SEER'), ...later]);
    expect(talk(out)).toBe('BECAUSE (DIVINED Agent[04] WEREWOLF) (REQUEST ANY (VOTE Agent[04]))');
    expect(vote(out)).toBe('seat:3');
  });

  it('comes out only with a result or against a rival', () => {
    const none = [...dealt({ 0: 'seer' }), ...day1];
    expect(talk(after(none), 'day-1/turn-0')).toMatch(/^VOTE/);
    expect(talk(after([...none, says('day-1/turn-0', 2, 'COMINGOUT Agent[03] SEER')]), 'day-1/turn-0')).toBe('COMINGOUT Agent[01] SEER');
  });

  it('divines new seats, never itself', () => {
    const looked = [1, 2, 4].map((seat) => ({ type: 'divined', by: 0, seat, found: 'human' }));
    expect(answer(after([...dealt({ 0: 'seer' }), ...dawn(1), ...looked]), asking('night-1/divine', 'choose', [0, 1, 2, 3, 4]))).toBe(
      'seat:3',
    );
    expect(answer(after(dealt({ 0: 'seer' })), asking('night-0/divine', 'choose', [0, 1, 2, 3, 4]))).not.toBe('seat:0');
  });
});

describe('medium and bodyguard', () => {
  it('report their results, and guard the likely seer', () => {
    const executed = [...day1, { type: 'executed', seat: 7 }, ...dawn(2, 8), { type: 'identified', by: 0, seat: 7, found: 'werewolf' }];
    const medium = after([...dealt({ 0: 'medium' }, 15), ...executed], { players: 15 });
    expect(talk(medium, 'day-2/turn-0')).toBe('COMINGOUT Agent[01] MEDIUM');
    const out = [...executed, says('day-2/turn-0', 0, 'COMINGOUT Agent[01] MEDIUM')];
    // the executed is dead: there is nobody to vote for
    expect(talk(after([...dealt({ 0: 'medium' }, 15), ...out], { players: 15 }), 'day-2/turn-1')).toBe('IDENTIFIED Agent[08] WEREWOLF');

    const told = [says('day-1/turn-0', 5, 'COMINGOUT Agent[06] SEER'), says('day-1/turn-0', 5, 'DIVINED Agent[09] HUMAN'), ...later];
    const guard = after([...dealt({ 0: 'bodyguard' }, 15), ...day1, ...told], { players: 15 });
    const all = Array.from({ length: 14 }, (_, i) => i + 1);
    expect(answer(guard, asking('night-1/guard', 'choose', all))).toBe('seat:5');
  });
});

describe('a werewolf', () => {
  const pack = dealt({ 0: 'werewolf', 1: 'werewolf', 2: 'werewolf' }, 15);
  const prey = Array.from({ length: 12 }, (_, i) => i + 3);
  const hunt = (events: readonly Event[], seat = 0) =>
    answer(after([...pack, ...events], { players: 15, seat }), asking('night-1/attack', 'choose', prey));
  const claims = [says('day-1/turn-0', 5, 'COMINGOUT Agent[06] SEER'), says('day-1/turn-0', 5, 'DIVINED Agent[09] HUMAN'), ...later];

  it('names the same victim as its pack without talking', () => {
    const [first, ...others] = [0, 1, 2].map((seat) => hunt(day1, seat));
    expect(prey.map((seat) => `seat:${seat}`)).toContain(first);
    expect(others).toEqual([first, first]);
  });

  it('attacks the true seer, not the possessed', () => {
    expect(hunt([...day1, ...claims])).toBe('seat:5');
    const lie = [says('day-1/turn-0', 5, 'DIVINED Agent[09] WEREWOLF'), says('day-1/turn-0', 6, 'DIVINED Agent[10] HUMAN'), ...later];
    expect(hunt([...day1, ...lie])).toBe('seat:6');
  });

  it('tries another victim after a guarded one', () => {
    const night = [{ type: 'attacked', seat: 5 }, ...dawn(2), { type: 'unharmed' }];
    const second = after([...pack, ...day1, ...claims, ...night], { players: 15 });
    expect(answer(second, asking('night-2/attack', 'choose', prey))).not.toBe('seat:5');
  });

  it('whispers its target once, and not on day 0', () => {
    const night = [...day1, ...claims, ...turn('night-1/turn-0', [0, 1, 2])];
    const at = (events: readonly Event[], where = 'night-1/turn-0') =>
      answer(after([...pack, ...events], { players: 15 }), asking(`${where}/whisper`, 'say'));
    expect(at(night)).toBe('ATTACK Agent[06]');
    expect(at([...night, says('night-1/turn-0', 1, 'ATTACK Agent[06]')])).toBe('Over');
    expect(at(turn('night-0/turn-0', [0, 1, 2]), 'night-0/turn-0')).toBe('Over');
  });

  it('gives in to its pack', () => {
    const night = [...day1, ...turn('night-1/turn-0', [0, 1, 2])];
    const plan = [says('night-1/turn-0', 1, 'ATTACK Agent[15]'), says('night-1/turn-0', 2, 'ATTACK Agent[15]')];
    expect(hunt([...night, ...plan])).toBe('seat:14');
  });

  it('votes with the crowd, but not against its pack', () => {
    const own = [4, 5, 6, 7, 8].map((by) => says('day-1/turn-0', by, 'VOTE Agent[02]'));
    const other = says('day-1/turn-0', 9, 'VOTE Agent[15]');
    const all = Array.from({ length: 14 }, (_, i) => i + 1);
    expect(vote(after([...pack, ...day1, ...own, other], { players: 15 }), all)).toBe('seat:14');
  });
});

describe('a possessed', () => {
  const possessed = dealt({ 0: 'possessed' }, 15);
  const out = [says('day-1/turn-0', 0, 'COMINGOUT Agent[01] SEER'), ...later];

  it('claims to be the seer, and calls a rival a werewolf', () => {
    expect(talk(after([...possessed, ...day1], { players: 15 }), 'day-1/turn-0')).toBe('COMINGOUT Agent[01] SEER');
    const rival = says('day-1/turn-0', 5, 'COMINGOUT Agent[06] SEER');
    expect(talk(after([...possessed, ...day1, rival, ...out], { players: 15 }))).toBe('DIVINED Agent[06] WEREWOLF');
  });

  it('clears somebody once a day when there is no rival', () => {
    const alone = [...possessed, ...day1, ...out];
    const lie = talk(after(alone, { players: 15 }))!;
    expect(lie).toMatch(/^DIVINED Agent\[\d\d\] HUMAN$/);
    expect(talk(after([...alone, says('day-1/turn-1', 0, lie)], { players: 15 }), 'day-1/turn-2')).toMatch(/^VOTE/);
  });

  it('reveals itself when it and the wolves are half of the living', () => {
    const half = [...dealt({ 0: 'possessed' }), ...day1, ...out, { type: 'executed', seat: 3 }, ...dawn(2)];
    expect(talk(after(half), 'day-2/turn-0')).toBe('COMINGOUT Agent[01] POSSESSED');
    const few = [...half, { type: 'killed', seat: 4 }];
    expect(talk(after(few), 'day-2/turn-0')).toBe('COMINGOUT Agent[01] POSSESSED');
    // and votes with the wolf, which is not the one who wants it executed
    const wishes = [says('day-2/turn-0', 1, 'VOTE Agent[01]'), says('day-2/turn-0', 2, 'VOTE Agent[02]')];
    expect(vote(after([...few, ...wishes]), [1, 2])).toBe('seat:1');
  });
});

describe('every role', () => {
  it('is silent in the Lobby, before the first round and between rounds', () => {
    const lobby = { ...asking('talk', 'say'), id: 'lobby-0/lobby' };
    expect(answer(after([]), lobby)).toBeUndefined();
    expect(
      answer(after([...dealt({ 0: 'villager' }), ...day1, { type: 'ended', winner: 'village', because: 'no-werewolves' }]), {
        ...lobby,
        id: 'lobby-1/lobby',
      }),
    ).toBeUndefined();
  });

  it('chooses only options, and repeats no standing choice', () => {
    const told = says('day-1/turn-0', 2, 'DIVINED Agent[05] WEREWOLF');
    const at = after([...dealt({ 0: 'villager' }), ...day1, told, ...later]);
    expect(vote(at, [1, 2])).toBeUndefined();
    const question = { ...asking('day-1/vote', 'choose', [1, 2, 3, 4]), final: false };
    expect(answer(at, question, { [question.id]: ['seat:4'] })).toBeUndefined();
    expect(answer(at, question, { [question.id]: ['seat:3'] })).toBe('seat:4');
  });

  it('never exceeds the length limit', () => {
    const at = after([...dealt({ 0: 'villager' }), ...day1]);
    expect(answer(at, { ...asking('day-1/turn-0/talk', 'say'), maxChars: 10 })).toBe('Over');
  });

  it('changes its mind silently after many speeches', () => {
    const spoken = [0, 1, 2, 3, 4, 5].map((n) => says(`day-1/turn-${n}`, 0, 'VOTE Agent[02]'));
    const told = says('day-1/turn-5', 2, 'DIVINED Agent[05] WEREWOLF');
    expect(talk(after([...dealt({ 0: 'villager' }), ...day1, ...spoken.slice(1), told, ...later]), 'day-1/turn-6')).toBe('VOTE Agent[05]');
    expect(talk(after([...dealt({ 0: 'villager' }), ...day1, ...spoken, told, ...later]), 'day-1/turn-6')).toBe('Over');
  });
});

describe('rules at AIWolf', () => {
  it.each([
    [5, {}],
    [15, {}],
    [13, { hurry: true }],
    [9, { voteVisible: false, noExecution: true, noAttack: true, endCheck: 'at-once' }],
    [15, { talkOnFirstDay: true, whisperBeforeRevote: true, utterances: 1, whispers: 1 }],
    [4, { maxChars: 20 }],
    [8, { roles: { villager: 3, possessed: 3, werewolf: 2 } }],
  ])('speak only the language, miss no turn and are never refused: %d players, %j', async (players, options) => {
    const { tape, outcome } = await playGame({ rules: aiwolf, players, options, seed: 'tape', recipeFor: () => rules });
    expect(['village', 'werewolves']).toContain(outcome.winner);
    expect(tape.filter(({ type }) => type === 'passed' || type === 'refused')).toEqual([]);
    const said = tape.flatMap((event) =>
      event.type === 'answered' && /\/(talk|whisper)$/.test(event['question'] as string)
        ? (event['answer'] as { says: string[] }).says
        : [],
    );
    expect(said.length).toBeGreaterThan(players);
    for (const text of said) {
      expect(isUtterance(text)).toBe(true);
      expect(writeContent(readContent(text)!)).toBe(text);
    }
  });

  it('cast every vote and end the talk when there is nothing to say', async () => {
    const { tape } = await playGame({ rules: aiwolf, players: 15, seed: 'talk', recipeFor: () => rules });
    expect(tape.filter((event) => event.type === 'settled' && event['defaulted'])).toEqual([]);
    const turns = tape.flatMap((event) => (event.type === 'ordered' && event['place'] === 'talk' ? [event['turn'] as number] : []));
    expect(Math.max(...turns)).toBeLessThan(12);
  });

  it.each([
    ['nlp-2025', 13],
    ['nlp-2026', 9],
    ['nlp-anytime', 5],
  ])('plays the contest %s with %i players legally, in time, and within the length', async (preset, players) => {
    const { tape, outcome } = await playGame({
      rules: aiwolf,
      players,
      options: { preset, maxDays: 4 },
      seed: preset,
      recipeFor: () => rules,
    });
    expect(outcome.roles).toHaveLength(players);
    expect(tape.filter(({ type }) => type === 'passed' || type === 'refused')).toEqual([]);
    const said = tape.flatMap((event) => (event.type === 'answered' ? (event['answer'] as { says: string[] }).says : []));
    expect(said.filter((text) => /^I vote for|I suspect/.test(text)).length).toBeGreaterThan(players / 2);
    for (const text of said) expect([...text].length).toBeLessThanOrEqual(125);
    expect(tape.some(({ type }) => type === 'executed')).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Quest, Role, Sight, Vote } from '@maw/games/avalon/state.ts';
import {
  bestTeam,
  bitsOf,
  count,
  feignedBelief,
  fits,
  ownBelief,
  publicBelief,
  safety,
  seatsIn,
  servantBelief,
  setsOf,
  worldsOf,
} from './belief.ts';
import { type Known, newRecord, type Opinion } from './record.ts';

import fc from 'fast-check';

interface Given {
  readonly players?: number;
  readonly role?: Role;
  readonly sees?: readonly number[];
  readonly as?: Sight['as'];
  readonly quests?: readonly Quest[];
  readonly votes?: readonly Vote[];
  readonly opinions?: readonly Opinion[];
  readonly shot?: Known['game']['shot'];
  readonly options?: object;
}

/** What seat 0 knows. */
function knowing({
  players = 6,
  role = 'servant',
  sees,
  as = 'evil',
  quests = [],
  votes = [],
  opinions = [],
  shot,
  options = {},
}: Given): Known {
  const fresh = newRecord(1, { ...newRecord().options, ...options }, players);
  const roles = Array.from({ length: players }, (_, seat) => (seat === 0 ? role : ('hidden' as const)));
  return { ...fresh, opinions, game: { ...fresh.game, roles, sights: sees ? [{ seat: 0, of: sees, as }] : [], quests, votes, shot } };
}
const quest = (number: number, team: readonly number[], fails: number): Quest => ({ quest: number, team, fails, isSuccess: fails === 0 });
const vote = (leader: number, team: readonly number[], approve: readonly number[], proposal = 1, players = 6): Vote => ({
  quest: 1,
  proposal,
  leader,
  team,
  approve,
  reject: Array.from({ length: players }, (_, seat) => seat).filter((seat) => !approve.includes(seat)),
  isApproved: approve.length * 2 > players,
});
const own = (given: Given) => ownBelief(knowing(given), 0, given.players ?? 6);
const possible = (given: Given) => worldsOf(given.players ?? 6).filter(fits(knowing(given).game, 0));
const sum = (of: readonly number[]) => of.reduce((a, b) => a + b, 0);

describe('the worlds', () => {
  it('combine every set of evil with every good Merlin', () => {
    expect(worldsOf(5)).toHaveLength(10 * 3);
    expect(worldsOf(6)).toHaveLength(15 * 4);
    expect(worldsOf(7)).toHaveLength(35 * 4);
    expect(worldsOf(10)).toHaveLength(210 * 6);
    expect(new Set(worldsOf(10).map(({ evil, merlin }) => `${evil} ${merlin}`)).size).toBe(1260);
    for (const { evil, merlin } of worldsOf(8)) expect([count(evil), (evil >> merlin) & 1]).toEqual([3, 0]);
  });

  it('are sets of bits', () => {
    expect(bitsOf([0, 3, 9])).toBe(521);
    expect(seatsIn(521)).toEqual([0, 3, 9]);
    expect(count(521)).toBe(3);
    expect(setsOf([6, 2])).toHaveLength(15);
    expect(setsOf([10, 5])).toHaveLength(252);
  });

  it('of a Servant have it good and not Merlin', () => {
    expect(possible({})).toHaveLength(10 * 3);
  });

  it('of Merlin have the seen evil, and one more with Mordred', () => {
    expect(possible({ role: 'merlin', sees: [2, 4] })).toEqual([{ evil: bitsOf([2, 4]), merlin: 0 }]);
    expect(possible({ players: 9, role: 'merlin', sees: [2, 4] }).map(({ evil }) => evil & ~bitsOf([2, 4]))).toEqual(
      [1, 3, 5, 6, 7, 8].map((seat) => 1 << seat),
    );
  });

  it('of Percival have one of the two as Merlin and the other as evil', () => {
    const worlds = possible({ role: 'percival', sees: [1, 5], as: 'merlin-or-morgana' });
    expect(worlds).toHaveLength(2 * 3);
    for (const { evil, merlin } of worlds) expect([merlin, evil & bitsOf([1, 5])]).toEqual(merlin === 1 ? [1, 32] : [5, 2]);
    const lone = possible({ role: 'percival', sees: [5], as: 'merlin' });
    expect(lone).toHaveLength(6); // two evil of the four others
    for (const { merlin } of lone) expect(merlin).toBe(5);
  });

  it('of the evil contain their allies, and Oberon anywhere else', () => {
    expect(possible({ role: 'assassin', sees: [3] }).map(({ merlin }) => merlin)).toEqual([1, 2, 4, 5]);
    expect(possible({ players: 7, role: 'assassin', sees: [3] })).toHaveLength(5 * 4);
    expect(possible({ players: 7, role: 'oberon' })).toHaveLength(15 * 4);
  });
});

describe('beliefOf', () => {
  it('starts with the share of evil, and one Merlin among the others', () => {
    const { evil, merlin } = own({});
    expect(evil[0]).toBe(0);
    for (const seat of [1, 2, 3, 4, 5]) {
      expect(evil[seat]).toBeCloseTo(2 / 5);
      expect(merlin[seat]).toBeCloseTo(1 / 5);
    }
  });

  it('attributes a fail to the rest of its team', () => {
    const other = own({ quests: [quest(1, [1, 2], 1)] });
    expect(other.evil[1]).toBeCloseTo(other.evil[2]!);
    expect(other.evil[1]! + other.evil[2]!).toBeGreaterThanOrEqual(1);
    expect(other.evil[3]).toBeLessThan(0.4);
    expect(own({ quests: [quest(1, [0, 2], 1)] }).evil[2]).toBeCloseTo(1);
    expect(own({ quests: [quest(1, [1, 2], 2)] }).evil).toEqual([0, 1, 1, 0, 0, 0]);
  });

  it('attributes one fail of two to one evil rather than two', () => {
    // one evil: 3 ways each of 2, with .6 * .8 + .4 * .65 = .74; two evil: 1 way, with .6 * .8 + .4 * 2 * .65 * .35 = .662
    const { sets } = own({ quests: [quest(1, [1, 2], 1)] });
    const both = sets.find(({ evil }) => evil === bitsOf([1, 2]))!.p;
    expect(both).toBeCloseTo(0.662 / (0.662 + 6 * 0.74), 6);
  });

  it('trusts a team slightly more after a success', () => {
    const { evil } = own({ quests: [quest(1, [1, 2], 0)] });
    expect(evil[1]).toBeLessThan(0.35);
    expect(evil[3]).toBeGreaterThan(0.4);
    expect(evil[1]).toBeGreaterThan(0);
  });

  it('assumes two fails for quest 4 of seven, unless one is enough', () => {
    // One of the four is evil in any case; a success speaks for one against more only if one could do nothing.
    const success = (options: object) => own({ players: 7, quests: [quest(4, [1, 2, 3, 4], 0)], options }).evil[1]!;
    expect(success({})).toBeLessThan(success({ twoFails: false }));
    const one = own({ players: 7, quests: [{ ...quest(4, [1, 2, 3, 4], 1), isSuccess: true }] });
    expect(sum([1, 2, 3, 4].map((seat) => one.evil[seat]!))).toBeGreaterThan(1);
  });

  it('suspects supporters of bad teams and opponents of good ones', () => {
    const failed = own({ quests: [quest(1, [0, 1], 1)], votes: [vote(1, [0, 1], [0, 1, 2, 3])] });
    expect(failed.evil[2]).toBeGreaterThan(failed.evil[4]!);
    const sent = own({ role: 'merlin', sees: [4, 5], votes: [vote(1, [0, 1], [0, 1, 2, 3])] });
    expect(sent.evil).toEqual([0, 0, 0, 0, 1, 1]); // Merlin has nothing to learn
  });

  it('suspects rejecting the last team, but not with fifth: forced', () => {
    const last = (options: object) => own({ votes: [vote(1, [0, 1], [0, 1, 2, 3, 4], 5)], options }).evil[5]!;
    expect(last({})).toBeGreaterThan(0.6);
    expect(last({ fifth: 'forced' })).toBeLessThan(0.5);
  });

  it('suspects Merlin in who voted against bad teams and for good ones', () => {
    const votes = [vote(1, [1, 2], [1, 2, 3, 5]), vote(4, [4, 5], [3, 4, 5], 2), vote(3, [0, 3], [0, 1, 2, 3], 3)];
    const { merlin } = own({ role: 'assassin', sees: [3], votes });
    expect(merlin[4]).toBeGreaterThan(merlin[1]!);
    expect(merlin[4]).toBeGreaterThan(merlin[2]!);
    expect(merlin[0]! + merlin[3]!).toBe(0);
  });

  it('uses speech: the evil oppose the good, Merlin the evil', () => {
    const said = (by: number, about: number, isAgainst: boolean): Opinion => ({ by, about, isAgainst, quest: 1 });
    const known = { quests: [quest(1, [0, 5], 1)] };
    const { evil, merlin } = own({ ...known, opinions: [said(1, 5, true), said(2, 5, false)] });
    expect(evil[2]).toBeGreaterThan(evil[3]!);
    expect(evil[1]).toBeLessThan(evil[3]!);
    expect(merlin[1]).toBeGreaterThan(merlin[3]!);
  });

  it('judges a leader by its team', () => {
    const { evil } = own({ quests: [quest(1, [0, 5], 1)], votes: [vote(1, [2, 5], [0, 1, 2, 3, 4, 5])] });
    expect(evil[1]).toBeGreaterThan(evil[3]!);
  });

  it('identifies the Assassin and a non-Merlin after a wrong shot', () => {
    const { evil, merlin } = own({ shot: { by: 4, seat: 2, isMerlin: false } });
    expect(evil[4]).toBeCloseTo(1);
    expect(merlin[2]).toBe(0);
  });

  it('always sums to the number of evil and one Merlin', () => {
    const seats = fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 2, maxLength: 4 });
    const voted = fc.record({
      leader: fc.integer({ min: 0, max: 5 }),
      team: seats,
      approve: seats,
      proposal: fc.integer({ min: 1, max: 5 }),
    });
    const opinion = fc.record({
      by: fc.integer({ min: 0, max: 5 }),
      about: fc.integer({ min: 0, max: 5 }),
      isAgainst: fc.boolean(),
      quest: fc.constant(1),
    });
    fc.assert(
      fc.property(
        fc.array(voted, { maxLength: 8 }),
        fc.array(seats, { maxLength: 4 }),
        fc.array(opinion, { maxLength: 8 }),
        (votes, teams, opinions) => {
          const given = {
            votes: votes.map(({ leader, team, approve, proposal }) => vote(leader, team, approve, proposal)),
            quests: teams.map((team, i) => quest(i + 1, team, Number(team.includes(4)))),
            opinions,
          };
          const { evil, merlin, sets } = publicBelief(knowing(given), 6);
          expect(sum(evil)).toBeCloseTo(2);
          expect(sum(merlin)).toBeCloseTo(1);
          expect(sum(sets.map(({ p }) => p))).toBeCloseTo(1);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('throws for impossible evidence', () => {
    expect(() => own({ quests: [quest(1, [0, 1, 2], 3)] })).toThrow('not of this game');
  });

  it('of a Servant in the same seat ignore private knowledge', () => {
    const known = knowing({ role: 'merlin', sees: [4, 5] });
    expect(ownBelief(known, 0, 6).evil).toEqual([0, 0, 0, 0, 1, 1]);
    for (const seat of [1, 2, 3, 4, 5]) expect(servantBelief(known, 0, 6).evil[seat]).toBeCloseTo(2 / 5);
    expect(publicBelief(known, 6).evil[0]).toBeCloseTo(1 / 3);
  });

  it('are a Servant’s when feigned, while that is plausible', () => {
    const known = knowing({ role: 'assassin', sees: [3] });
    expect(feignedBelief(known, 0, 6).evil[0]).toBe(0);
    const caught = knowing({ role: 'assassin', sees: [3], quests: [quest(1, [0, 3], 2)] });
    expect(feignedBelief(caught, 0, 6).evil[0]).toBe(1);
  });

  it('returns the cached belief for the same record', () => {
    const known = knowing({ quests: [quest(1, [1, 2], 1)] });
    expect(ownBelief(known, 0, 6)).toBe(ownBelief(known, 0, 6));
    const heard = { ...known, opinions: [{ by: 1, about: 2, isAgainst: true, quest: 1 }] };
    expect(ownBelief(heard, 0, 6).evil).not.toEqual(ownBelief(known, 0, 6).evil);
  });
});

describe('the safety of a team', () => {
  it('is the probability of too few evil to fail', () => {
    const nothing = own({});
    expect(safety(nothing, bitsOf([0, 1]), 1)).toBeCloseTo(3 / 5);
    expect(safety(nothing, bitsOf([1, 2]), 1)).toBeCloseTo(3 / 10);
    expect(safety(nothing, bitsOf([1, 2]), 2)).toBeCloseTo(9 / 10);
  });

  it('is highest for bestTeam', () => {
    const merlin = own({ role: 'merlin', sees: [2, 4] });
    const { team, worth } = bestTeam(6, 4, (one) => safety(merlin, one, 1));
    expect(seatsIn(team)).toEqual([0, 1, 3, 5]);
    expect(worth).toBe(1);
  });
});

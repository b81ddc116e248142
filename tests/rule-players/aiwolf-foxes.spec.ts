import { describe, expect, it } from '@jest/globals';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { asking as askingWith, dayTwo } from '@maw/minds/fixtures.suite.ts';
import type { Asking, Moment } from '@maw/minds/mind.ts';
import { type Belief, beliefOf, ownEvidence, publicEvidence } from '@maw/rule-players/aiwolf/belief.ts';
import { aiwolfStrategy } from '@maw/rule-players/aiwolf/aiwolf.ts';
import type { Known } from '@maw/rule-players/aiwolf/record.ts';
import { statementsOf } from '@maw/rule-players/aiwolf/speech.ts';
import { ROLES } from '@maw/games/aiwolf/state.ts';
import { type Event, floorAt, knownAfter } from './known-after.suite.ts';

const ALL = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay', 'Gus', 'Hal', 'Ida', 'Jon'];
const CAST = 'villager=4,seer=1,bodyguard=1,fox=1,immoralist=1,werewolf=2';

function after(events: readonly Event[], roles: { readonly [seat: number]: string }, options: object = {}) {
  const players = ALL.map((name, seat) => ({ seat, name, alive: true }));
  const moment: Moment = { ...dayTwo, seat: 0, name: 'Ann', players };
  const deal: readonly Event[] = [
    { type: 'opened', opening: { options: { roles: CAST, ...options } } },
    { type: 'began', round: 1 },
    { type: 'dealt', roles: ALL.map((_, seat) => roles[seat] ?? 'hidden') },
  ];
  return { moment, known: knownAfter(aiwolfStrategy, [...deal, ...events], moment) as Known };
}
const dawn = (day: number, ...killed: readonly number[]): readonly Event[] => [
  { type: 'dawned', day },
  ...killed.map((seat) => ({ type: 'killed', seat })),
];
const found = (seat: number): Event => ({ type: 'divined', by: 0, seat, found: 'human' });
const talk: readonly Event[] = [
  { type: 'ordered', place: 'talk', turn: 0, order: ALL.map((_, seat) => seat), left: [], skips: [], until: 0 },
  { type: 'asked', question: { id: 'round-1/day-1/turn-0/talk', verb: 'say' } },
];
const says = (by: number, text: string): Event => ({
  type: 'answered',
  question: 'round-1/day-1/turn-0/talk',
  answer: { by, says: [text] },
});
const belief = ({ known }: { readonly known: Known }): Belief => beliefOf(ownEvidence(known, 0));
function answer({ known, moment }: ReturnType<typeof after>, id: string, verb: Asking['verb'] = 'choose') {
  const options = ALL.flatMap((name, seat) => (seat ? [{ is: `seat:${seat}`, named: name }] : []));
  const question = askingWith(id, verb, options);
  const asked: Moment = { ...moment, phase: id.slice(0, id.lastIndexOf('/')), questions: [question] };
  const beliefs = aiwolfStrategy.believe(known, asked);
  return aiwolfStrategy.act(known, beliefs, asked, diceOf('seed', id), floorAt(aiwolfStrategy, asked)).answers[0]?.says[0];
}

describe('what a mind believes of foxes', () => {
  it('is nothing at a table without', () => {
    const plain = after(dawn(1), { 0: 'villager' }, { roles: 'villager=7,seer=1,werewolf=2' });
    expect(Object.keys(belief(plain))).toEqual(['villager', 'seer', 'medium', 'bodyguard', 'possessed', 'werewolf']);
  });

  it('is their share in the beginning', () => {
    const { fox, immoralist } = belief(after(dawn(1), { 0: 'villager' }));
    expect(fox![3]).toBeCloseTo(1 / 9);
    expect(immoralist![3]).toBeCloseTo(1 / 9);
  });

  it.each([
    ['in the first night', dawn(1, 4)],
    ['with another', [...dawn(1), ...dawn(2, 3, 4)]],
  ] as const)('makes a fox of one who died %s and was divined in it', (_, events) => {
    expect(belief(after([...events, found(4)], { 0: 'seer' })).fox![4]).toBeCloseTo(1);
    expect(belief(after(events, { 0: 'villager' })).fox![4]).toBeGreaterThan(1 / 9);
  });

  it('makes no fox of one who died alone, perhaps of the attack', () => {
    const alone = belief(after([...dawn(1), ...dawn(2, 4), found(4)], { 0: 'seer' }));
    expect(alone.fox![4]).toBeLessThan(0.2);
  });

  it('clears whom the seer has divined and who lives', () => {
    expect(belief(after([...dawn(1), found(4)], { 0: 'seer' })).fox![4]).toBe(0);
    const told = after([...dawn(1), ...talk, says(3, 'DIVINED Agent[05] HUMAN')], { 0: 'villager' });
    expect(belief(told).fox![4]).toBeLessThan(belief(told).fox![5]!);
  });

  it('knows by who died with an executed player that this was the last fox', () => {
    const events = [...dawn(1), { type: 'executed', seat: 4 }, { type: 'died', seat: 6 }, ...dawn(2)];
    const { fox, immoralist } = beliefOf(publicEvidence(after(events, { 0: 'villager' }).known));
    expect([fox![4], immoralist![6], fox![5]]).toEqual([1, 1, 0]);
  });

  it('takes one whom the wolves attacked in vain for a likely fox, without a bodyguard for a certain one', () => {
    const events = [...dawn(1), { type: 'attacked', seat: 4 }, { type: 'dawned', day: 2 }];
    const wolves = { 0: 'werewolf', 1: 'werewolf' };
    expect(belief(after(events, wolves)).fox![4]).toBeGreaterThan(0.5);
    const sure = belief(after(events, wolves, { roles: CAST.replace('bodyguard=1', 'possessed=1') }));
    expect(sure.fox![4]).toBeGreaterThan(0.99);
  });
});

describe('who plays with foxes', () => {
  it('as the seer divines a likely fox before a cleared player', () => {
    const seen = after([...dawn(1), found(4), found(5)], { 0: 'seer' });
    expect(['seat:4', 'seat:5']).not.toContain(answer(seen, 'night-1/divine'));
  });

  it('as a wolf does not attack again in vain, and votes for the fox by day', () => {
    const events = [...dawn(1), { type: 'attacked', seat: 4 }, { type: 'dawned', day: 2 }];
    const wolf = after(events, { 0: 'werewolf', 1: 'werewolf' }, { roles: CAST.replace('bodyguard=1', 'possessed=1') });
    expect(answer(wolf, 'night-2/attack')).not.toBe('seat:4');
    expect(answer(wolf, 'day-2/vote')).toBe('seat:4');
  });

  it('as a fox votes with the crowd, claims nothing and never votes for a fox', () => {
    const roles = { 0: 'fox', 2: 'fox' };
    const cast = { roles: CAST.replace('fox=1', 'fox=2').replace('villager=4', 'villager=3') };
    const wishes = [3, 4, 5, 6].map((by) => says(by, 'VOTE Agent[03]'));
    const fox = after([...dawn(1), ...talk, ...wishes, says(7, 'VOTE Agent[09]')], roles, cast);
    expect(answer(fox, 'day-1/vote')).toBe('seat:8');
    expect(answer(fox, 'day-1/turn-1/talk', 'say')).toBe('VOTE Agent[09]');
  });

  it('as an immoralist claims to be the seer, clears the fox and does not vote for it', () => {
    const roles = { 0: 'immoralist', 3: 'fox' };
    const begun = [...dawn(1), ...talk];
    expect(answer(after(begun, roles), 'day-1/turn-0/talk', 'say')).toBe('COMINGOUT Agent[01] SEER');
    const out = [...begun, says(0, 'COMINGOUT Agent[01] SEER')];
    expect(answer(after(out, roles), 'day-1/turn-1/talk', 'say')).toBe('DIVINED Agent[04] HUMAN');
    const wishes = [4, 5, 6, 7, 8].map((by) => says(by, 'VOTE Agent[04]'));
    expect(answer(after([...out, ...wishes], roles), 'day-1/vote')).not.toBe('seat:3');
  });
});

describe('a fox in what is said', () => {
  const said = (speech: string, roles?: Parameters<typeof statementsOf>[1]) => statementsOf({ speech, by: 1, names: ALL }, roles);
  it.each(['COMINGOUT Agent[02] FOX', 'I am the fox.'])('is a claim where the table has one only: %s', (speech) => {
    expect(said(speech, ROLES)).toEqual([{ states: 'role', role: 'fox' }]);
    expect(said(speech)).toEqual([]);
  });
});

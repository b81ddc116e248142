import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Dice, diceOf } from '@maw/games/kernel/dice.ts';
import { QUESTIONS, type SeatTrace, type TracedPacket, tracesOf } from './first-packets.ts';
import { chanceOf } from './permutation.ts';

let dice: Dice;
beforeEach(() => {
  dice = diceOf('first packets', 'spec');
});
const ROLES = ['VILLAGER', 'VILLAGER', 'SEER', 'POSSESSED', 'WEREWOLF'];
const REQUESTS = ['ROLE', 'INITIALIZE', 'DAILY_INITIALIZE', 'DAILY_FINISH', 'DAILY_INITIALIZE', 'TALK', 'VOTE'];

interface Leak {
  readonly request: string;
  readonly bytes?: number;
  readonly ms?: number;
}

/** Games in which everything is by chance, but for this packet of one agent. @param about whether it is the agent */
function games(leak: Leak, about: (seat: number, roles: readonly string[]) => boolean): SeatTrace[][] {
  return Array.from({ length: 60 }, () => {
    const roles = dice.shuffle(ROLES);
    return roles.map((role, seat): SeatTrace => {
      let at = dice.below(3);
      const packets = REQUESTS.map((request): TracedPacket => {
        const isLeak = request === leak.request && about(seat, roles);
        at += 10 + dice.below(20) + (isLeak ? (leak.ms ?? 0) : 0);
        return { request, at, bytes: 100 + dice.below(20) + (isLeak ? (leak.bytes ?? 0) : 0) };
      });
      return { agent: `agent${seat}`, role, packets };
    });
  });
}

const chances = (played: SeatTrace[][]) =>
  Object.fromEntries(QUESTIONS.map(({ what, of, samples }) => [`${what}, ${of}`, chanceOf(samples(played), 999, dice)]));
const isSeer = (seat: number, roles: readonly string[]) => roles[seat] === 'SEER';
/** A villager, in games with this werewolf. */
const besideWolf = (seat: number, roles: readonly string[]) => roles[seat] === 'VILLAGER' && roles[4] === 'WEREWOLF';

describe('the packets before a role may be known', () => {
  it.each([
    ['bytes before INITIALIZE, own role', { request: 'ROLE', bytes: 20 }, isSeer],
    ['place among the INITIALIZE of a game, own role', { request: 'INITIALIZE', ms: 40 }, isSeer],
    ['time until INITIALIZE, own role', { request: 'INITIALIZE', ms: 40 }, isSeer],
    ["bytes of a villager's packets until VOTE, who is the WEREWOLF", { request: 'TALK', bytes: 80 }, besideWolf],
    ['length of night 0 for a villager, who is the WEREWOLF', { request: 'DAILY_INITIALIZE', ms: 60 }, besideWolf],
    ['time from INITIALIZE of a villager to its first TALK, who is the WEREWOLF', { request: 'TALK', ms: 90 }, besideWolf],
  ] as const)('show a planted dependence: %s', (question, leak, about) => {
    expect(chances(games(leak, about))[question]).toBe(0.001);
  });

  it('show none where there is none', () => {
    expect(Math.min(...Object.values(chances(games({ request: 'TALK' }, () => true))))).toBeGreaterThan(0.002);
  });

  it('are those of each game on its own', () => {
    const texts = ['NAME', 'ROLE', 'INITIALIZE', 'FINISH', 'ROLE', 'INITIALIZE', 'FINISH'];
    const gameInfo = { agent: 1, roleMap: { 1: 'SEER' } };
    const packets = texts.map((request) => ({ request, gameInfo }));
    const traces = tracesOf({ name: 'a', packets, texts, times: texts.map((_, i) => i) });
    expect(traces.map((trace) => [trace.role, ...trace.packets.map(({ request, bytes, at }) => `${request} ${bytes} ${at}`)])).toEqual([
      ['SEER', 'ROLE 4 1', 'INITIALIZE 10 2', 'FINISH 6 3'],
      ['SEER', 'ROLE 4 4', 'INITIALIZE 10 5', 'FINISH 6 6'],
    ]);
  });
});

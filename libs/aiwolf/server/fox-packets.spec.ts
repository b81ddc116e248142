import { describe, expect, it } from '@jest/globals';
import { naturalNotice } from '../client/natural-notice.ts';
import { protocolNotice } from '../client/protocol-notice.ts';
import { beginView, eventsOf, type SeatEvent, type SeatView } from '../client/seat-view.ts';
import { playOut, tableOf as matchOf } from '@maw/tests/equipment/fakes/table.ts';
import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { type Table, tableOf, WITH_FOX } from '@maw/games/aiwolf/aiwolf.suite.ts';
import type { AiwolfEvent } from '@maw/games/aiwolf/state.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import { sentOf, termsOf } from './captures.suite.ts';
import { naturalPacket } from './natural.ts';
import { protocolPacket } from './protocol.ts';
import { newView, viewAfter } from './view.ts';

const ROLES = 'villager=3,seer=1,medium=1,bodyguard=1,fox=1,immoralist=1,werewolf=2';
const names = WITH_FOX.map((_, seat) => `P${seat}`);
const table = (): Table => {
  const begun = tableOf(WITH_FOX);
  begun.until();
  return begun;
};

/** What the packets of a seat are made from. */
function packetsAt(at: Table, seat: number) {
  const events = at.view(seat).filter((e) => !isTableEvent(e as never)) as readonly AiwolfEvent[];
  const terms = termsOf(seat, WITH_FOX.length, { roles: ROLES }, { division: 'protocol', isStrict: false });
  return { terms, view: events.reduce((view, e) => viewAfter(view, e, terms), newView) };
}
function infoAt(at: Table, seat: number, request: 'DAILY_INITIALIZE' | 'DIVINE' = 'DAILY_INITIALIZE') {
  const { terms, view } = packetsAt(at, seat);
  return protocolPacket(terms, view, request, 1).gameInfo as { readonly [field: string]: unknown };
}

describe('the packets of a game with a fox', () => {
  it('tell each of the roles that it knows', () => {
    const known = (seat: number) => infoAt(table(), seat)['roleMap'];
    expect(known(6)).toEqual({ 7: 'FOX' });
    expect(known(7)).toEqual({ 7: 'FOX', 8: 'IMMORALIST' });
    expect(known(0)).toEqual({ 1: 'VILLAGER' });
    expect(infoAt(table(), 0)['existingRoleList']).toEqual(expect.arrayContaining(['FOX', 'IMMORALIST']));
  });

  it('tell how many there are; of immoralists only where there are some', () => {
    const countsWith = (roles: string, players: number) => {
      const { view } = packetsAt(table(), 0);
      const terms = termsOf(0, players, { roles }, { division: 'protocol', isStrict: false });
      const natural = naturalPacket(terms, view, 'INITIALIZE', 1, names) as { readonly setting?: { readonly role_num_map: object } };
      const packet = protocolPacket(terms, view, 'INITIALIZE', 1).gameSetting as { readonly roleNumMap: object };
      return [packet.roleNumMap, natural.setting!.role_num_map];
    };
    for (const counts of countsWith(ROLES, 10)) expect(counts).toMatchObject({ FOX: 1, IMMORALIST: 1 });
    const [protocol, natural] = countsWith('villager=3,seer=1,werewolf=1', 5);
    expect(protocol).toMatchObject({ FOX: 0 });
    expect(protocol).not.toHaveProperty('IMMORALIST');
    for (const role of ['FOX', 'IMMORALIST']) expect(natural).not.toHaveProperty(role);
  });

  it.each([
    ['a villager in the order of numbers: the order would tell who was the fox', 0, [3, 7]],
    ['the seer, who divined it, the fox first', 3, [7, 3]],
    ['a wolf, who knows the attacked, that one last', 8, [7, 3]],
    ['the fox itself first', 6, [7, 3]],
  ])('list the dead of a night for %s', (_, seat, dead) => {
    const at = table();
    at.day({ execute: 7, divine: 6, attack: 2 });
    const info = infoAt(at, seat);
    expect(info['lastDeadAgentList']).toEqual(dead);
    expect(info['cursedFox']).toBe(-1);
  });

  it('tell of an attack on it as of one that was guarded off', () => {
    const at = table();
    at.day({ execute: 7, attack: 6 });
    expect(infoAt(at, 8)).toMatchObject({ attackedAgent: 7, lastDeadAgentList: [] });
    expect(infoAt(at, 0)).toMatchObject({ attackedAgent: -1, lastDeadAgentList: [] });
  });

  it('tell that it is dead, and the immoralist too, as soon as it is executed', () => {
    const at = table();
    at.hush();
    at.vote(6);
    const info = infoAt(at, 3, 'DIVINE');
    expect(info['latestExecutedAgent']).toBe(7);
    expect(info['statusMap']).toMatchObject({ 7: 'DEAD', 8: 'DEAD', 9: 'ALIVE' });
  });

  it('name one dead in the natural-language division, and show all by their status', () => {
    const at = table();
    at.day({ execute: 7, divine: 6, attack: 2 });
    const { terms, view } = packetsAt(at, 0);
    const { info } = naturalPacket({ ...terms, division: 'natural' }, view, 'DAILY_INITIALIZE', 1, names);
    expect(info.attacked_agent).toBe('P6');
    expect(info.status_map).toMatchObject({ P2: 'DEAD', P6: 'DEAD', P7: 'DEAD' });
  });
});

/** What one of our minds sees of a game through its packets. */
function seenBy(packets: readonly string[], division: 'protocol' | 'natural'): readonly SeatEvent[] {
  const events: SeatEvent[] = [];
  let view: SeatView | undefined;
  for (const text of packets) {
    const notice = division === 'protocol' ? protocolNotice(text) : naturalNotice(text);
    if (notice.terms && notice.request === 'INITIALIZE') ({ view } = beginView(notice.terms, notice.situation!));
    else if (view) events.push(...eventsOf(view, notice, 0));
  }
  return events;
}

it.each([
  ['protocol', {}],
  ['protocol', { foxCounts: 'nobody' }],
  ['natural', { preset: 'nlp-2026' }],
] as const)('a mind in a server of the %s division with %j sees who dies, and who has won', (division, more) => {
  const options = { hurry: true, roles: ROLES, ...more };
  let followed = 0;
  for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const played = matchOf(aiwolf, { players: 10, options, seed });
    playOut(played, seed);
    const tape = played.tape as readonly { readonly type: string; readonly seat?: number; readonly winner?: string }[];
    const seats = tape.flatMap(({ type, seat }) => (/^(?:executed|died|killed)$/.test(type) ? [`${type} ${seat}`] : []));
    followed += seats.filter((death) => death.startsWith('died')).length;
    for (const seat of [0, 5, 9]) {
      const sent = sentOf(played.tape, termsOf(seat, 10, options, { division, isStrict: false })).map(({ sent: { text } }) => text);
      const seen = seenBy(sent, division) as typeof tape;
      const deaths = seen.flatMap(({ type, seat: who }) => (/^(?:executed|died|killed)$/.test(type) ? [`${type} ${who}`] : []));
      if (division === 'protocol') expect(deaths).toEqual(seats);
      else expect(new Set(deaths.map((death) => death.split(' ')[1]))).toEqual(new Set(seats.map((death) => death.split(' ')[1])));
      expect(seen.at(-1)).toMatchObject({ type: 'ended', winner: tape.find(({ type }) => type === 'ended')!.winner });
    }
  }
  expect(followed).toBeGreaterThan(0);
});

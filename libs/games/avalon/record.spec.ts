import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { play } from '../kernel/play.ts';
import type { Moment } from '../kernel/rules.ts';
import { avalon } from './avalon.ts';

interface Recorded {
  readonly options: { readonly [name: string]: unknown };
  readonly players: readonly string[];
  readonly deal: { readonly [name: string]: unknown };
  readonly acts: readonly { readonly step: string; readonly seat: number; readonly says: readonly string[] }[];
}

const record = JSON.parse(readFileSync(join(import.meta.dirname, '../../../testing/records/avalon-6.json'), 'utf8')) as Recorded;

/** Plays the acts of the record with its deal. Time advances only where a seat was silent. */
function played() {
  const { options, players, deal, acts } = record;
  const fixed = (name: string) => deal[name];
  const rules = avalon.rules(players.length, options);
  const game = play(rules, () => ({ pick: fixed, shuffle: fixed }) as unknown as Moment['dice']);
  const tape: { readonly type: string; readonly [field: string]: unknown }[] = [];
  let now = 0;
  let position = game.begin();
  const add = (events: readonly { readonly type: string }[]) => {
    tape.push(...events);
    position = game.fold(events, position);
  };
  const isNext = ({ step, seat }: (typeof acts)[number]) => game.asked(position, seat).some(({ id }) => id === step);
  add(game.deal(players.length, now, 'record'));
  for (const act of acts) {
    while (!isNext(act)) {
      now = game.wake(position)!;
      add(game.tick(position, now, 'record'));
    }
    add(game.act(position, act.step, { by: act.seat, says: act.says }, now, 'record'));
  }
  const tell = (type: string) => tape.filter((e) => e.type === type).map((e) => rules.tell(e, { names: players }));
  return { tape, tell, outcome: rules.outcome(position.game)! };
}

describe('the recorded game of six', () => {
  const { tape, tell, outcome } = played();

  it('has these proposals and votes', () => {
    expect(tell('proposed')).toEqual([
      'Cid names Cid and Bob for quest 1.',
      'Dot names Dot and Ann for quest 1.',
      'Eve names Eve, Cid and Fay for quest 2.', // the first three of four names
      'Fay names Fay, Eve, Cid and Bob for quest 3.',
      'Ann names Ann, Bob and Cid for quest 4.', // the silent seats
      'Bob names Bob, Dot and Ann for quest 4.',
      'Cid names Cid, Eve and Fay for quest 4.',
    ]);
    const votes = tape.filter((e) => e.type === 'voted').map((e) => [(e['approve'] as number[]).join(''), e['isApproved']]);
    expect(votes).toEqual([
      ['12', false],
      ['0135', true],
      ['0245', true],
      ['1235', true],
      ['013', false], // two seats were silent; half of six is not more than half
      ['13', false],
      ['0245', true],
    ]);
  });

  it('has these quests and a missed shot, and ends', () => {
    expect([...tell('quested'), ...tell('shot')]).toEqual([
      'Quest 1 of Dot and Ann succeeds: no fail cards.',
      'Quest 2 of Eve, Cid and Fay succeeds: no fail cards.',
      'Quest 3 of Fay, Eve, Cid and Bob fails: 1 fail card.',
      'Quest 4 of Cid, Eve and Fay succeeds: no fail cards.',
      'Dot is the Assassin and names Cid as Merlin: wrong.',
    ]);
    expect(outcome).toEqual({ winner: 'good', winners: [0, 2, 4, 5], roles: record.deal['roles'], points: [1, 0, 1, 0, 1, 1] });
  });
});

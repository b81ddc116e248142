import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { fixedRoll } from '@maw/games/records/fixed-dice.ts';
import { onuw } from '@maw/games/onuw/onuw.ts';
import type { Onuw, OnuwEvent } from '@maw/games/onuw/state.ts';
import { play } from '@maw/games/kernel/play.ts';
import type { GameRecord } from '@maw/games/records/record.ts';

const record = JSON.parse(readFileSync(join(import.meta.dirname, 'onuw-5.json'), 'utf8')) as GameRecord;

/** Plays a record by hand: time passes until the step of the next act is open, and its seat may answer. */
function played({ options, players, deal, acts }: GameRecord) {
  const told = onuw.readDeal!(deal);
  const objections: unknown[] = [];
  const roll = fixedRoll(
    (_, name) => told[name],
    ({ objection }) => void (objection && objections.push(objection)),
  );
  const game = play<Onuw, OnuwEvent>(onuw.rules(players.length, options), roll);
  const tape = [...game.deal(players.length, 0, 'record')];
  let now = 0;
  let position = game.fold(tape);
  const add = (events: typeof tape) => {
    tape.push(...events);
    position = game.fold(events, position);
  };
  const wait = () => {
    now = game.wake(position)!;
    add(game.tick(position, now, 'record'));
  };
  for (const { step, seat, says } of acts) {
    while (!game.asked(position, seat).some(({ id }) => id === step)) wait();
    add(game.act(position, step, { by: seat, says }, now, 'record'));
  }
  while (!game.isOver(position)) wait();
  return { game, tape, state: position.game, outcome: game.rules.outcome(position.game)!, objections };
}

describe('the recorded game of ONUW', () => {
  it('is dealt as it says and comes out as it says', () => {
    const { state, outcome, objections } = played(record);
    expect(objections).toEqual([]);
    expect([state.roles, state.centre]).toEqual([record.deal['cards'], record.deal['centre']]);
    const alive = state.roles.flatMap((_, seat) => (state.dead.includes(seat) ? [] : [seat]));
    expect({ ...outcome, alive }).toEqual({ ...record.expect, alive: record.expect!.alive, dealt: record.deal['cards'] });
  });

  it('has the Insomniac see what the Troublemaker has done, and nobody else', () => {
    const { game, tape } = played(record);
    const looks = (eye: number) => game.view(tape, eye).flatMap((e) => (e.type === 'looked' ? [`${e.at} ${e.card}`] : []));
    expect([0, 1, 2, 3, 4].map(looks)).toEqual([[], ['seat:0 werewolf'], ['seat:2 troublemaker'], [], ['seat:4 werewolf']]);
  });

  it('would come out otherwise if the Troublemaker had slept', () => {
    const asleep = { ...record, acts: record.acts.filter(({ step }) => step !== 'night/troublemaker') };
    expect(played(asleep).outcome.winner).toBe('village');
  });
});

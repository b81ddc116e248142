import type { DrawResult } from '@maw/games/records/fixed-dice.ts';
import { randomAnswer } from '@maw/games/kernel/random-play.ts';
import { diceOf } from '@maw/games/kernel/dice.ts';
import { play } from '@maw/games/kernel/play.ts';
import type { TableEvent } from '@maw/games/kernel/rules.ts';
import { readRecord } from '@maw/games/records/read-record.ts';
import { recordingRoll, recordOfTape } from '../../records/record-tape.ts';
import { replay } from '@maw/games/records/replay.ts';
import { must, mustEqual } from './broken-law.ts';
import type { Playthrough } from './playthrough.ts';
import { tableOf } from '../fakes/table.ts';

type Event = { readonly type: string };

/** The tape's answers and seed produce the same game again, event for event. @throws BrokenLaw */
export function dealsAgain({ set, setting, table: { tape, standing } }: Playthrough): void {
  const { players, rounds, seed = 'seed' } = setting;
  const { options } = standing.game.opening;
  const again = tableOf(set, { ...(players === undefined ? {} : { players }), ...(rounds === undefined ? {} : { rounds }), seed, options });
  for (const e of tape) {
    const done = e as unknown as TableEvent;
    if (done.type !== 'answered' && done.type !== 'ready') continue;
    const { question, at } = done;
    while (again.game.wake(again.standing)! <= at && !again.standing.open.some((q) => q.id === question)) again.wait();
    again.pass(at - again.now);
    again.add(
      done.type === 'ready'
        ? again.game.ready(again.standing, question, done.seat, at, seed)
        : again.game.act(again.standing, question, done.answer, at, seed),
    );
  }
  while (!again.game.isOver(again.standing)) again.wait();
  mustEqual(again.tape, tape, 'the tape and the seed deal another game');
}

/** A game without a match, converted to a record with all draws, replays from any seed. @throws BrokenLaw */
export function replaysFromRecord({ set, setting, n }: Playthrough): void {
  const { players = set.players.usual, options = {} } = setting;
  const rules = set.rules(players, options);
  const drawn: DrawResult[] = [];
  const game = play<unknown, Event>(
    rules,
    recordingRoll((each) => void drawn.push(each)),
  );
  const dice = diceOf(`record ${n}`, 'random play');
  const tape: Event[] = [];
  let [now, position] = [0, game.begin()];
  const add = (events: readonly Event[]): void => {
    tape.push(...events);
    position = game.fold(events, position);
  };
  add(game.deal(players, now, 'one seed'));
  while (!game.isOver(position)) {
    const seats = Array.from({ length: players }, (_, seat) => seat);
    const may = seats.flatMap((seat) => game.asked(position, seat).map((q) => ({ seat, q })));
    const turn = may.length && dice.below(4) ? may[dice.below(may.length)] : undefined;
    const says = turn && randomAnswer(turn.q, turn.seat, dice);
    const wake = game.wake(position)!;
    if (turn && says && now + 1 < wake) {
      now += 1 + dice.below(Math.ceil((wake - now - 1) / 8));
      add(game.act(position, turn.q.id, { by: turn.seat, says }, now, 'one seed'));
    } else add(game.tick(position, (now = Math.max(now, wake)), 'one seed'));
  }
  const names = drawn.map(({ step, name }) => `${step}: ${name}`);
  must(new Set(names).size === names.length, () => `a name is drawn twice in one moment, of ${names.join(', ')}`);
  const seated = { rules: set.name, options, players: Array.from({ length: players }, (_, seat) => `P${seat}`) };
  const record = recordOfTape(tape, { ...seated, drawn, dealtAt: 0 }, [set]);
  const read = readRecord(JSON.parse(JSON.stringify({ ...record, seed: 'another seed' })), [set]);
  const { events, refused, mistakes } = replay(read, {}, [set]);
  mustEqual({ refused, mistakes }, { refused: [], mistakes: [] }, 'the record does not fit');
  mustEqual(events, tape, 'the record replays as another game');
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '@maw/testing/source/repository.ts';
import type { Roll } from '../kernel/dice.ts';
import { play, type Position } from '../kernel/play.ts';
import { type Question, waiting } from '../kernel/question.ts';
import type { Werewolf7, Werewolf7Event } from './state.ts';
import { werewolf7 } from './werewolf-7.ts';

/** The complete round of appendix A.7 of document 001 as a record, without its talk. */
const record = JSON.parse(readFileSync(join(root, 'testing/records/werewolf-7-a7.json'), 'utf8')) as {
  readonly options: { readonly [name: string]: unknown };
  readonly players: readonly string[];
  readonly deal: { readonly [name: string]: readonly (string | number)[] };
  readonly acts: readonly { readonly step: string; readonly seat: number; readonly says: readonly string[] }[];
};

/** Dice that fall as recorded. */
const recorded: Roll = () => ({
  pick: (name) => {
    throw new Error(`nothing is picked in this game, yet ${name} is`);
  },
  shuffle: <T extends string | number>(name: string) => [...record.deal[name]!] as T[],
});

/** Plays the record: each act as soon as it is legal, with the clock advancing until then. */
function replay(options: { readonly [name: string]: unknown }) {
  const game = play(werewolf7.rules(7, options), recorded);
  const tape: ReturnType<typeof game.tick> = [...game.deal(7, 0, '')];
  let now = 0;
  let at: Position<Werewolf7> = game.fold(tape);
  const add = (events: readonly (typeof tape)[number][]) => {
    tape.push(...events);
    at = game.fold(events, at);
  };
  for (const { step, seat, says } of record.acts) {
    for (let q = at.open[0]; q?.id !== step || waiting(q)[0] !== seat; q = at.open[0]) {
      if (!q || now > 1e9) throw new Error(`${step} is never asked of seat ${seat}`);
      now = game.wake(at)!;
      add(game.tick(at, now, ''));
    }
    add(game.act(at, step, { by: seat, says }, now, ''));
  }
  while (!game.isOver(at)) {
    now = game.wake(at)!;
    add(game.tick(at, now, ''));
  }
  const of = <T extends Werewolf7Event['type']>(type: T) => tape.filter((e): e is Extract<Werewolf7Event, { type: T }> => e.type === type);
  const asked = tape.flatMap((e) => (e.type === 'asked' ? [e.question] : []));
  return { game, tape, of, asked, state: at.game, outcome: game.rules.outcome(at.game)! };
}

const { of, asked, state, outcome } = replay(record.options);
const player = (n: number) => n - 1;

describe('the published game of document 001, A.7', () => {
  it('deals Players 1 and 2 wolves, 3 and 7 villagers, 4 the seer, 5 the guard, 6 the witch', () => {
    expect(of('dealt')[0]!.roles).toEqual(['werewolf', 'werewolf', 'villager', 'seer', 'guard', 'witch', 'villager']);
  });

  it('has five nights: P5 guarded, P1 poisoned, P7 saved, nobody attacked, P3 dead', () => {
    expect(of('dawned').map(({ day, dead }) => [day, dead.map(({ seat }) => seat + 1)])).toEqual([
      [1, []],
      [2, [1]],
      [3, []],
      [4, []],
      [5, [3]],
    ]);
    expect(of('protected').map(({ seat }) => seat + 1)).toEqual([5, 3, 4, 4, 4]);
    expect(of('warned')).toEqual([{ type: 'warned', to: player(6), seat: player(7) }]);
    expect(of('saved')).toEqual([{ type: 'saved', by: player(6), seat: player(7) }]);
    expect(of('poisoned')).toEqual([{ type: 'poisoned', by: player(6), seat: player(1) }]);
    expect(of('aimed').map(({ by, at }) => [by + 1, at === 'pass' ? at : at + 1])).toEqual([
      [1, 5],
      [2, 5],
      [1, 3],
      [2, 7],
      [2, 7],
      [2, 'pass'],
      [2, 3],
    ]);
  });

  it('tells the seer the published results', () => {
    expect(of('inspected').map(({ seat, isWolf }) => [seat + 1, isWolf])).toEqual([
      [2, true],
      [3, false],
      [3, false],
      [3, false],
      [6, false],
    ]);
  });

  it('executes only Player 2, on day 5, after last words', () => {
    expect(of('spared').map(({ because }) => because)).toEqual(['pass', 'pass', 'pass', 'pass']);
    expect(of('condemned')).toEqual([{ type: 'condemned', seat: player(2) }]);
    expect(of('executed')).toEqual([{ type: 'executed', seat: player(2) }]);
    expect(asked.filter(({ id }) => id.endsWith('/last-words')).map((q) => q.of)).toEqual([[player(2)]]);
  });

  it('is won by the village, with 4, 5, 6 and 7 alive', () => {
    expect(outcome).toEqual({
      winner: 'village',
      winners: [3, 4, 5, 6, 7].map(player),
      roles: of('dealt')[0]!.roles,
      points: [0, 0, 1, 1, 1, 1, 1],
    });
    expect([4, 5, 6, 7].map(player)).toEqual([0, 1, 2, 3, 4, 5, 6].filter((seat) => !state.dead.includes(seat)));
  });

  it('has the same outcome with nightState: nightfall', () => {
    const other = replay({ ...record.options, nightState: 'nightfall' });
    expect(other.outcome).toEqual(outcome);
    expect(other.of('dawned')).toEqual(of('dawned'));
  });

  it('is impossible when the guard may not repeat', () => {
    expect(() => replay({ ...record.options, guardRepeat: false })).toThrow('not-an-option');
  });
});

const DOCUMENT = join(root, '../shared/seeds/001-llm-werewolf-xu.txt');
const here = existsSync(DOCUMENT) ? it : it.skip;

describe(`the words of the document${existsSync(DOCUMENT) ? '' : ' (skipped: the text of document 001 is not beside the repository)'}`, () => {
  const lines = () => {
    const whole = readFileSync(DOCUMENT, 'utf8');
    return whole.slice(whole.lastIndexOf('A.7 A Complete Round Example')).split('\n');
  };
  const option = (name: string) => (/\d/.test(name) ? `seat:${Number(/\d/.exec(name)![0]) - 1}` : 'pass');

  here('choose what the record chooses, one after another', () => {
    const said = lines().flatMap((line) => {
      const [, who, text] = /^Player (\d): (I (?:choose|vote)\b.*)$/.exec(line) ?? [];
      if (who === undefined || text === undefined) return [];
      const says = text.includes('pass')
        ? 'pass'
        : text.includes('myself')
          ? `seat:${Number(who) - 1}`
          : option(/Player \d/.exec(text)![0]);
      return [[Number(who) - 1, says]];
    });
    expect(said).toHaveLength(50);
    expect(record.acts.map(({ seat, says }) => [seat, says[0]])).toEqual(said);
  });

  here('offer what the game offers, list for list', () => {
    const lists = lines().flatMap((line) => {
      const list = /options please: \[(.*?)\]|options: \[(Player.*?)\]/.exec(line);
      return list ? [(list[1] ?? list[2]!).split(', ').map(option).join()] : [];
    });
    const perVoter = (q: Question) => (q.inTurn ? q.of.map(() => q.options.join()) : [q.options.join()]);
    const offered = asked.filter((q) => q.verb === 'choose' && q.of.length > 0 && !q.id.endsWith('/save')).flatMap(perVoter);
    expect(lists).toHaveLength(49);
    expect(offered).toEqual(lists);
  });

  here('have the order of speaking that the record has', () => {
    const first = lines().flatMap((line) => /^Moderator .*(?:The first|The next) (Player \d), you(?:,| please)/.exec(line)?.[1] ?? []);
    expect(first.slice(0, 7).map((name) => Number(name.at(-1)) - 1)).toEqual(record.deal['order']);
  });
});

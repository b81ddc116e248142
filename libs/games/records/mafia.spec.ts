import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ruleSetNamed } from '../catalogue.ts';
import { play } from '../kernel/play.ts';
import { match } from '../match/match.ts';
import { importMafia, readImported, showRecord } from './imported.ts';
import { RecordError } from './mistake.ts';

interface Game {
  readonly players: readonly string[];
  readonly mafia: readonly string[];
  readonly winner: string;
  readonly events: readonly { readonly t: number; readonly type: string; readonly [field: string]: unknown }[];
  readonly [field: string]: unknown;
}

const phase = (t: number, name: string, day: number) => ({ t, type: 'phase', phase: name, day });
const vote = (t: number, name: string, by: string, whom: string) => ({ t, type: 'vote', phase: name, by, for: whom });
/** Four players and one mafioso, who wins; a tie of the first day falls on Ann, and one vote of the second is missing. */
const game: Game = {
  game: 'small',
  players: ['Ann', 'Bob', 'Cy', 'Dan', 'Eve'],
  mafia: ['Bob'],
  model: 'Dan',
  modelName: 'A Model 8B',
  daySeconds: 120,
  nightSeconds: 45,
  winner: 'mafia',
  events: [
    phase(0, 'day', 1),
    { t: 5, type: 'message', phase: 'day', id: 'd1', by: 'Ann', text: 'hi' },
    { t: 9, type: 'message', phase: 'day', id: 'd2', by: 'Dan', text: '' },
    phase(120, 'day-vote', 1),
    vote(130, 'day-vote', 'Ann', 'Bob'),
    vote(131, 'day-vote', 'Bob', 'Ann'),
    { t: 140, type: 'execution', player: 'Ann', role: 'bystander' },
    phase(140, 'night', 1),
    phase(140, 'night-vote', 1),
    vote(150, 'night-vote', 'Bob', 'Cy'),
    { t: 150, type: 'kill', player: 'Cy', role: 'bystander' },
    phase(150, 'day', 2),
    { t: 150, type: 'message', phase: 'day', id: 'd3', by: 'Dan', text: 'late', sent: 145 },
    phase(270, 'day-vote', 2),
    vote(275, 'day-vote', 'Bob', 'Eve'),
    { t: 280, type: 'execution', player: 'Eve', role: 'bystander' },
    { t: 280, type: 'end', winner: 'mafia' },
  ],
};
const changed = (i: number, change: object): Game => ({
  ...game,
  events: game.events.map((event, at) => (at === i ? { ...event, ...change } : event)),
});
const mistakesOf = (value: unknown): readonly string[] => {
  try {
    importMafia(value);
    return [];
  } catch (error) {
    return (error as RecordError).mistakes.map(({ where, wrong, right }) => `${where}: ${wrong}; ${right}`);
  }
};
/** The end of a game as the rules fold it from the tape. */
const foldOf = (players: number, tape: readonly { readonly event: object }[]) => {
  const table = play(match(ruleSetNamed('maw').rules(players, {})));
  return tape.reduce((position, { event }) => table.evolve(position, event as never), table.begin());
};

const GAMES = new URL('../../../../shared/data/human-speech/games/', import.meta.url);
const played = existsSync(GAMES) ? readdirSync(GAMES).map((name) => JSON.parse(readFileSync(new URL(name, GAMES), 'utf8')) as Game) : [];

describe('a game of Mafia that people played', () => {
  it('is told as a game of maw, with the times and the outcome of its file', () => {
    const { tape, ...about } = readImported(importMafia(game))!;
    expect(about).toMatchObject({
      winner: 'wolves',
      winners: [1],
      dead: [0, 2, 4],
      roles: ['villager', 'wolf', 'villager', 'villager', 'villager'],
    });
    const told = tape.map(
      ({ at, event }) => `${at / 1000} ${event.type} ${JSON.stringify(event['seat'] ?? event['question'] ?? event['day'] ?? '')}`,
    );
    expect(told.filter((line) => /dawned|dusked|executed|murdered|ended|closed/.test(line))).toEqual([
      '0 dawned 1',
      '140 executed 0',
      '140 dusked 1',
      '150 dawned 2',
      '150 murdered 2',
      '280 executed 4',
      '280 ended ""',
      '280 closed ""',
    ]);
    expect(told).toContain('9 answered "round-1/day-1/talk"');
    expect(told).toContain('150 answered "round-1/night-1/hunt"');
  });

  it('shows who was a model, and leaves no question open', () => {
    const { tape, isImported } = showRecord(importMafia(game));
    const end = foldOf(5, tape);
    expect(end).toMatchObject({ open: [], game: { stage: 'over', closed: { winners: [1] } } });
    const { opening } = tape[0]!.event as unknown as { readonly opening: { readonly seats: readonly object[]; readonly options: object } };
    expect(opening.seats[3]).toEqual({ kind: 'mind', recipe: 'A Model 8B' });
    expect(opening.options).toMatchObject({ pace: 'people' }); // beliefs weigh what is done there as people's habits
    expect(isImported).toBe(true);
  });

  it('may be imported again, with the same result', () => {
    expect(importMafia(importMafia(game))).toEqual(importMafia(game));
  });

  it.each([
    [[], 'game: [] is no game; a game of Mafia is an object with game, players,'],
    [{ ...game, mafia: ['Zoe'] }, 'game.mafia[0]: "Zoe" is no player; players are Ann, Bob, Cy, Dan, Eve; correct the name'],
    [{ ...game, winner: 'village' }, 'game.winner: "village" is no side; it is one of mafia, bystanders'],
    [{ ...game, players: ['Ann', 'Ann'] }, 'game.players[1]: "Ann" is the name of seat 0 too; each name is there once'],
    [{ ...game, colour: 'red' }, 'game.colour: there is no such field; fields are game,'],
    [{ ...game, events: [] }, 'game.events[0]: is no phase; a game begins with the phase of its first day; add it'],
    [changed(1, { by: 'Anne' }), 'game.events[1].by: "Anne" is no player;'],
    [changed(1, { phase: 'night' }), 'game.events[1].phase: it is of the phase night; the phase here is day;'],
    [changed(2, { t: 3 }), 'game.events[2].t: 3 is before 5, the time of the event before; put the events in their order'],
    [changed(4, { for: undefined }), 'game.events[4].for: is missing; an event of the type vote has phase, by, for'],
    [changed(6, { type: 'hanged' }), 'game.events[6].type: "hanged" is no type of event; it is one of phase,'],
    [{ rules: 'maw', imported: 'mafia' }, 'game: is missing;'],
  ])('is refused with the place and what to do (%#)', (value, says) => {
    const [first = ''] = mistakesOf(value);
    expect(first.slice(0, says.length)).toBe(says);
  });

  it('of an unknown source is no record', () => {
    expect(() => readImported({ imported: 'cluedo' })).toThrow('imported: it is no known source');
    expect(readImported({ rules: 'maw', players: [], acts: [] })).toBeUndefined();
  });

  (played.length ? it : it.skip)('comes out in the games of people, which are not part of this repository, as their files say', () => {
    for (const each of played) {
      const { tape, dead, winner } = readImported(importMafia(each))!;
      const count = (...types: string[]) => each.events.filter(({ type }) => types.includes(type)).length;
      expect([each['game'], winner]).toEqual([each['game'], each.winner === 'mafia' ? 'wolves' : 'villagers']);
      expect(dead).toHaveLength(count('execution', 'kill'));
      expect(tape.filter(({ event }) => event.type === 'answered')).toHaveLength(count('message', 'vote'));
      expect(foldOf(each.players.length, tape)).toMatchObject({ open: [], game: { game: { dead } } });
    }
  });
});

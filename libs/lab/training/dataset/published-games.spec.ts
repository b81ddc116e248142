import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { choicesOfPublished } from './published-games.ts';
import { TACTICS_004 } from '@maw/learning/policy/tactics.ts';

interface PublishedMessage {
  readonly agent_name: string;
  readonly belief?: string;
  readonly strategy?: string;
  readonly content: string;
  readonly visible_to?: string | readonly string[];
}

const message = ({ belief = '', strategy = '', visible_to = 'all', ...rest }: PublishedMessage) => ({
  belief,
  strategy,
  visible_to,
  ...rest,
});
const says = (player: number, strategy: string, content: string, belief = ''): PublishedMessage => ({ agent_name: `player${player}`, strategy, content, belief }); // prettier-ignore
const host = (content: string, visible_to?: PublishedMessage['visible_to']): PublishedMessage => ({ agent_name: 'Moderator', content, ...(visible_to && { visible_to }) }); // prettier-ignore

/** A game of three in the form of the program, shortened. */
const game = (messages: readonly PublishedMessage[], evaluation: object = {}): string =>
  JSON.stringify({
    messages: messages.map(message),
    evaluation: {
      roles_assigned: { player1: 'Werewolf', player2: 'Seer', player3: 'Robber' },
      roles_ground_truth: { player1: 'Robber', player2: 'Seer', player3: 'Werewolf' },
      role_pool: ['Villager'],
      voting_result: { player1: 1, player2: 0, player3: 2 },
      winner: 'Team Village',
      ...evaluation,
    },
  });

const TALK: readonly PublishedMessage[] = [
  host('All werewolves in the game: player1.', ['player1']),
  { agent_name: 'player2', content: 'I would like to check player1.', visible_to: 'player2' },
  host('The role of player1 is Werewolf.', 'player2'),
  host('Night phase ends.'),
  says(1, 'deceptive_evidence', 'I am a Villager.', 'I am player1, a Werewolf.'),
  says(2, 'honest_accusation', 'Player1 is a Werewolf!', 'player1: Werewolf'),
  says(3, 'deceptive_evidence', 'I slept.'),
  host('Discussion round 1 ends.'),
  says(1, 'deceptive_defense', 'I am not.'),
  host('Day phase ends.'),
  { agent_name: 'player1', content: 'I am voting for player2.', visible_to: 'player1' },
];

describe('a published game', () => {
  it('gives the choices of each seat with what it saw, players by their labels, and its points by its last role', () => {
    const choices = choicesOfPublished(game(TALK), 'episode_004.json', 'end');
    expect(choices.map(({ seat, role, turn, tactic, reward, isLast }) => [seat, role, turn, tactic, reward, isLast])).toEqual([
      [0, 'werewolf', 0, 'deceptive_evidence', 0, false],
      [0, 'werewolf', 1, 'deceptive_defense', 1, true],
      [1, 'seer', 0, 'honest_accusation', 1, true],
      [2, 'robber', 0, 'deceptive_evidence', -1, true],
    ]);
    expect(choices[2]).toMatchObject({
      deal: 'werewolf seer robber',
      game: 'episode_004',
      log: [
        'me: I would like to check p2.',
        'Moderator: The role of p2 is Werewolf.',
        'Moderator: Night phase ends.',
        'p2: I am a Villager.',
      ],
      thought: 'p2: Werewolf',
    });
    expect(choices[3]!.log).toEqual(['Moderator: Night phase ends.', 'p1: I am a Villager.', 'p2: p1 is a Werewolf!']);
  });

  it('is rewarded at each step, less votes if so wanted; a draw is 0', () => {
    const of = (reward: 'every-step' | 'minus-votes', evaluation = {}) =>
      choicesOfPublished(game(TALK, evaluation), 'a.json', reward).map((each) => each.reward);
    expect(of('every-step')).toEqual([1, 1, 1, -1]);
    const votes = of('minus-votes');
    [1 - 1 / 3, 1 - 1 / 3, 1, -1 - 2 / 3].forEach((reward, i) => expect(votes[i]).toBeCloseTo(reward, 9));
    expect(of('every-step', { winner: 'Team Werewolf' })).toEqual([-1, -1, -1, 1]);
    expect(of('every-step', { winner: 'Draw' })).toEqual([0, 0, 0, 0]);
  });

  it.each([
    [game(TALK).slice(0, -9), 'e.json: no JSON value'],
    ['{"messages":[]}', "e.json is no game of document 004's program: evaluation: "],
    [game(TALK.with(5, says(2, 'shouting', 'x'))), 'e.json, message 5: "shouting" is no tactic; they are honest_evidence, '],
    [game(TALK.with(5, says(4, 'honest_defense', 'x'))), 'e.json, message 5: "player4" has no role in roles_assigned'],
    [game(TALK.slice(0, 8)), 'e.json: no message of the Moderator says “Day phase ends.”'],
    [game(TALK, { winner: 'Nobody' }), 'e.json: the winner is "Nobody"'],
    [game(TALK, { roles_ground_truth: {} }), 'e.json: player1 has no role in roles_ground_truth'],
  ])('is refused where it is wrong (%#)', (text, why) => expect(() => choicesOfPublished(text, 'e.json', 'end')).toThrow(why));
});

/** The 120 games, where they are at hand: https://github.com/KylJin/Werewolf, dataset_process/gpt4_dataset. */
const PUBLISHED = new URL('../../../../../shared/data/onuw-gpt4/', import.meta.url);

(existsSync(PUBLISHED) ? describe : describe.skip)('the 120 published games', () => {
  it('give table 2 of document 004 to the digit', () => {
    const names = readdirSync(PUBLISHED).filter((name) => name.endsWith('.json'));
    const choices = names.flatMap((name) => choicesOfPublished(readFileSync(new URL(name, PUBLISHED), 'utf8'), name, 'end'));
    const counts = Object.fromEntries(
      [...Map.groupBy(choices, ({ role }) => role)].map(([role, own]) => [
        role,
        TACTICS_004.map((tactic) => own.filter((choice) => choice.tactic === tactic).length),
      ]),
    );
    expect(counts).toEqual({
      werewolf: [44, 184, 56, 114, 17, 56],
      villager: [264, 2, 145, 4, 19, 4],
      seer: [136, 2, 42, 0, 2, 1],
      robber: [133, 28, 43, 15, 5, 10],
      troublemaker: [157, 1, 44, 1, 3, 1],
      insomniac: [188, 11, 45, 10, 5, 8],
    });
    const games = [...Map.groupBy(choices, ({ deal }) => deal).values()].map((own) => new Set(own.map((choice) => choice.game)).size);
    const deals = [1, 2, 3].map((played) => games.filter((count) => count === played).length);
    expect([games.length, deals]).toEqual([42, [1, 4, 37]]);
  });
});

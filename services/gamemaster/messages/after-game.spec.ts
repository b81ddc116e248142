import { describe, expect, it } from '@jest/globals';
import type { SeatPlan } from '@maw/games/match/state.ts';
import type { RecipeCard } from '@maw/recipes/card.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import type { Standing } from '../state/game.ts';
import { finishedMessages } from './after-game.ts';

const plain: RecipeCard = { name: 'plain', description: '', usesModel: true, contextTokens: 1 };
const learner: RecipeCard = {
  ...plain,
  name: 'learner',
  after: [{ name: 'learn' }],
  configure: ({ learning: isOn, ...values }) => (isOn === false ? { ...plain, after: [] } : { ...learner, values }),
};

const outcome = { winner: 'wolves', winners: [0], roles: ['wolf', 'villager'], points: [1, 0] };
const scored = { event: { type: 'scored', round: 2, outcome, totals: [1, 0] }, sequence: 9, at: 5, cause: 'c' } as unknown as RecordedEvent;
const heads = (kind: string, sequence: number, at: number) => ({
  id: `${sequence}/${kind}`,
  source: 'gamemaster',
  subject: 't',
  at,
  causeid: 'c',
  sequence,
  replyBy: undefined,
});
const context = {
  rulesText: 'Rules.',
  recipes: [plain, learner],
  playersFor: () => [],
  seedFor: (seat: number, what: string) => `${seat}/${what}`,
};
const messagesFor = (seats: readonly SeatPlan[], holders = seats.map(({ kind }) => kind), recorded = scored, rounds = 3) =>
  finishedMessages(
    recorded,
    { game: { opening: { rules: 'maw', rounds, seed: 's', seats }, holders } } as unknown as Standing,
    heads,
    context,
  );

describe('what follows a scored round', () => {
  it('tells minds that learn its roles and winners, and nobody else', () => {
    const seats: SeatPlan[] = [
      { kind: 'mind', recipe: 'learner', parameters: { learning: true }, model: 'm' },
      { kind: 'mind', recipe: 'plain' },
      { kind: 'mind' },
      { kind: 'person', recipe: 'learner' },
      { kind: 'mind', recipe: 'learner', parameters: { learning: false } },
      { kind: 'mind', recipe: 'unknown' },
    ];
    const messages = messagesFor(seats);
    expect(messages.map(({ id, data }) => [id, data.seat])).toEqual([['9/finished-0', 0]]);
    expect(messages[0]!.data).toMatchObject({
      round: 2,
      outcome,
      recipe: 'learner',
      parameters: { learning: true },
      model: 'm',
      seed: '0/after-2',
    });
    expect(messagesFor(seats, ['person', 'mind', 'mind', 'mind', 'mind', 'mind']).map(({ data }) => data.seat)).toEqual([3]);
    expect(messagesFor(seats, undefined, { ...scored, event: { type: 'began', round: 2 } } as unknown as RecordedEvent)).toEqual([]);
    expect(messagesFor(seats, undefined, scored, 2)).toEqual([]); // the last round: nothing would be played with it
  });

  it('tells minds of a set of strategies after the last round too, unless its version is fixed', () => {
    const seats = ['s', 's@2+', 's@2', 'off'].map((strategies): SeatPlan => ({
      kind: 'mind',
      recipe: 'learner',
      parameters: { strategies },
    }));
    const told = (rounds: number) => messagesFor(seats, undefined, scored, rounds).map(({ data }) => data.seat);
    expect([told(2), told(3)]).toEqual([
      [0, 1],
      [0, 1, 3],
    ]);
  });
});

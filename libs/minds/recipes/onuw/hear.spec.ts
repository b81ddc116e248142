import { describe, expect, it } from '@jest/globals';
import { ruleSetNamed } from '@maw/games/catalogue.ts';
import { playGame } from '../../arena/arena.ts';
import { dayTwo } from '../../fixtures.suite.ts';
import { newMind, type Moment, type Recipe, type TacticPolicy } from '../../mind.ts';
import { type News, newsFromEvent, newsFromLine } from '../../news.ts';
import { findRecipe } from '../../recipes.ts';
import { hear, heardOf } from './hear.ts';
import { observationOf } from './tactic-step.ts';

const names = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve'];
const at = (seat: number, news: readonly News[]): Moment => ({
  ...dayTwo,
  seat,
  name: names[seat]!,
  rules: { name: 'onuw', text: '' },
  players: names.map((name, i) => ({ seat: i, name, alive: true })),
  news,
});
const speech = (by: number, text: string, line: number): News =>
  newsFromLine('round-1/day/round-1/Village', { line, at: 0, by, text }, names);
const heardBy = async (moment: Moment, before = newMind) => ({ ...before, ...(await hear.run(before, moment, {} as never)) });

type Event = { readonly type: string; readonly [field: string]: unknown };
/** The view of a deal and a night that a seat has: cards of others are hidden, and so is what others saw. */
function viewOf(seat: number, cards: readonly string[], night: readonly Event[]): readonly News[] {
  const rules = ruleSetNamed('onuw').rules(5, {});
  const dealt = { type: 'dealt', cards, centre: ['werewolf', 'villager', 'villager'] };
  return [{ type: 'began', round: 1 }, dealt, ...night].flatMap((event, i) => {
    const seen =
      event.type === 'began' ? event : (rules.see(event as never, seat, rules.evolve(rules.begin(), dealt as never)) as Event | undefined);
    return seen ? [newsFromEvent({ n: i + 1, at: 0, event: seen }, { names, verbs: {}, isRead: false })] : [];
  });
}

describe('what a seat hears', () => {
  it('has labels for names, and each speech once', async () => {
    const line = speech(2, 'Bob, I was dealt a Seer. ANN lies.', 4);
    const event: News = { ...line, n: 9, event: { type: 'answered', question: 'round-1/day/round-1/talk' } };
    const mind = await heardBy(at(1, [line, speech(1, 'No, Cid.', 5)]));
    expect(heardOf(mind)).toMatchObject({ lines: ['p1: me, I was dealt a Seer. p4 lies.', 'me: No, p1.'], spoken: 1 });
    expect(heardOf(await heardBy(at(1, [event]), mind)).lines).toHaveLength(2);
    const next = { at: 0, event: { type: 'began', round: 2 } };
    expect(heardOf(await heardBy(at(1, [next]), mind))).toMatchObject({ lines: [], spoken: 0, role: '' });
  });

  it('is the same in worlds that the seat cannot tell apart, and so is what a policy is asked with', async () => {
    const looked = { type: 'looked', by: 2, at: 'seat:3', card: 'werewolf' };
    const swapped = { type: 'swapped', by: 1, seats: [1, 0] };
    const worlds = [
      viewOf(0, ['villager', 'robber', 'seer', 'werewolf', 'insomniac'], [looked, swapped]),
      viewOf(0, ['villager', 'werewolf', 'robber', 'seer', 'insomniac'], []),
    ];
    const states = await Promise.all(
      worlds.map(async (news) => {
        const moment = at(0, [...news, speech(1, 'I am a Villager.', 1)]);
        return observationOf(await heardBy(moment), moment);
      }),
    );
    expect(states[0]).toEqual(states[1]);
    const [seer, robber] = await Promise.all([2, 1].map((seat) => heardBy(at(seat, viewOf(seat, ['villager', 'robber', 'seer', 'werewolf', 'insomniac'], [looked, swapped]))))); // prettier-ignore
    expect([heardOf(seer!).role, ...heardOf(seer!).lines]).toEqual(['seer', 'me sees that p1’s card is a Werewolf.']);
    expect([heardOf(robber!).role, ...heardOf(robber!).lines]).toEqual(['robber', 'me makes me’s card and p4’s card change places.']);
  });
});

describe('the recipe tactician', () => {
  /** Every observation of one game, by seat. */
  async function played(recipe: Recipe, tactic = 'honest_evidence') {
    const asked: { role: string; turn: number; belief?: object | undefined }[] = [];
    const policy: TacticPolicy = { name: 'p@1', choose: async (observation) => (asked.push(observation), tactic) };
    const set = ruleSetNamed('onuw');
    const game = await playGame({ rules: set, players: 5, seed: 'a', recipeFor: () => recipe, policy: async () => policy });
    const said = game.tape.flatMap(({ type, question, answer }) =>
      type === 'answered' && String(question).endsWith('/talk') ? (answer as { says: readonly string[] }).says : [],
    );
    return { asked, said };
  }

  it('asks its policy before each speech, with its belief and how often it has spoken', async () => {
    const { asked, said } = await played(findRecipe('tactician', undefined, { tactic: 'rl', policy: 'p' }));
    expect(asked.length).toBeGreaterThanOrEqual(said.length);
    expect(new Set(asked.map(({ turn }) => turn))).toEqual(new Set([0, 1, 2]));
    for (const { role, belief } of asked)
      expect([role, Object.keys(belief!)[0]]).toEqual([expect.stringMatching(/^[a-z]+$/), expect.stringMatching(/^me=/)]);
    expect(said.filter((text) => /suspect|vote/.test(text))).toEqual([]);
  });

  it('says what the policy wants, and speaks as rules does without tactics', async () => {
    const { said } = await played(findRecipe('tactician', undefined, { tactic: 'rl', policy: 'p' }), 'honest_accusation');
    expect(said.every((text) => !/dealt|I am /.test(text)) && said.some((text) => /suspect|trust|Werewolf/.test(text))).toBe(true);
    const [plain, rules] = await Promise.all([played(findRecipe('tactician', undefined, { tactic: 'none' })), played(findRecipe('rules'))]);
    expect(plain.said).toEqual(rules.said);
    expect(plain.asked).toEqual([]);
  });

  it('fails in the arena without its policy', async () => {
    const recipe = findRecipe('tactician', undefined, { tactic: 'rl', policy: 'p' });
    const game = playGame({ rules: ruleSetNamed('onuw'), players: 5, seed: 'a', recipeFor: () => recipe });
    await expect(game).rejects.toThrow('no policies are kept here');
  });
});

import { describe, expect, it } from '@jest/globals';
import { newsFromEvent, newsFromLine } from '@maw/minds/news.ts';
import { dayTwo, talk } from '@maw/minds/fixtures.suite.ts';
import { type Mind, type Moment, newMind } from '@maw/minds/mind.ts';
import { findRecipe } from '@maw/minds/recipes.ts';
import { playDriven } from './driven-game.ts';
import { median, quietIn, talkFigures, talksIn } from './talk-figures.ts';

const names = ['Ann', 'Bob', 'Cid', 'Dot', 'Eve', 'Fay'];
const MINUTE = 60_000;

/** What others say, with accusations and questions of the seat 0. */
const HEARD = [
  [4_000, 1, 'Good morning.'],
  [15_000, 2, 'I suspect Ann.'],
  [40_000, 3, 'Ann, whom do you have in mind?'],
  [48_000, 4, 'Fay may be a Werewolf.'],
  [95_000, 2, 'Why is nobody talking?'],
  [150_000, 5, 'I do not trust Ann either.'],
  [200_000, 1, 'ok'],
] as const;

type Told = { readonly type: string } & { readonly [field: string]: unknown };

const roleNews = (roles: readonly string[], more: readonly Told[]) =>
  [
    { type: 'opened', opening: { options: { seer: true, pace: 'people' } } },
    { type: 'began', round: 1 },
    { type: 'dealt', roles },
    ...more,
    { type: 'dawned', day: 2 },
  ].map((event: Told, n) => newsFromEvent({ n: n + 1, at: 0, event }, { names, verbs: {}, isRead: true }));

/** When the seat 0 speaks in five minutes: it thinks once a second, and hears the same lines whatever it is. */
async function timesOf(roles: readonly string[], more: readonly Told[] = [], seed = 's'): Promise<readonly number[]> {
  const recipe = findRecipe('rules');
  const lines: { readonly at: number; readonly by: number; readonly text: string }[] = HEARD.map(([at, by, text]) => ({ at, by, text }));
  const times: number[] = [];
  let [mind, read]: [Mind, number] = [newMind, 0];
  const players = names.map((name, seat) => ({ seat, name, alive: true }));
  for (let now = 0, iteration = 0; now < 5 * MINUTE; now += 1_000, iteration++) {
    const heard = lines
      .filter(({ at }) => at <= now)
      .toSorted((a, b) => a.at - b.at)
      .slice(read);
    const news = heard.map((line, n) => newsFromLine(talk.room!, { line: read + n + 1, ...line }, names));
    read += heard.length;
    const first = iteration === 0 ? roleNews(roles, more) : [];
    const moment: Moment = {
      ...dayTwo,
      seat: 0,
      name: 'Ann',
      questions: [talk],
      players,
      seed,
      until: 5 * MINUTE,
      now,
      iteration,
      news: [...first, ...news],
    };
    for (const step of recipe.steps) mind = { ...mind, ...(await step.run({ ...mind, answers: [] }, moment, undefined as never)) };
    if (!mind.answers.length) continue;
    times.push(now);
    lines.push({ at: now, by: 0, text: mind.answers[0]!.says[0]! });
    mind = { ...mind, answers: [] };
  }
  return times;
}

const hidden = (role: string) => [role, 'hidden', 'hidden', 'hidden', 'hidden', 'hidden'];
const found = { type: 'inspected', by: 0, seat: 5, role: 'wolf' };
const cleared = { type: 'inspected', by: 0, seat: 5, role: 'villager' };

describe('when a player without a model speaks', () => {
  it.each(['a', 'b', 'c', 'd'])('is the same for a villager, a wolf, and a seer with and without results: seed %s', async (seed) => {
    const villager = await timesOf(hidden('villager'), [], seed);
    expect(villager.length).toBeGreaterThan(3);
    expect(await timesOf(['wolf', 'villager', 'villager', 'villager', 'wolf', 'villager'], [], seed)).toEqual(villager);
    expect(await timesOf(hidden('seer'), [], seed)).toEqual(villager);
    expect(await timesOf(hidden('seer'), [found], seed)).toEqual(villager);
    expect(await timesOf(hidden('seer'), [cleared], seed)).toEqual(villager);
  });

  it('is another time with another seed', async () => {
    expect(await timesOf(hidden('villager'), [], 'e')).not.toEqual(await timesOf(hidden('villager'), [], 'f'));
  });
});

const GAMES = 12;
const played = Promise.all(
  Array.from({ length: GAMES }, (_, n) => playDriven({ rules: 'maw', seed: `times ${n}`, options: { pace: 'people', seer: true } })),
);

describe('at tables where people sit', () => {
  it('wolves, villagers and seers speak as often, as soon, and after silences as long', async () => {
    const byRole = new Map<string, { readonly shares: number[]; readonly firsts: number[]; readonly waits: number[] }>();
    for (const tape of await played) {
      const roles = tape.flatMap(({ event }) => (event.type === 'dealt' ? [(event as unknown as { roles: string[] }).roles] : []))[0]!;
      for (const { lines, speakers, from } of talksIn(tape).filter((one) => one.lines.length > 0))
        for (const seat of speakers.filter((one) => one !== 0)) {
          const of = byRole.get(roles[seat]!) ?? { shares: [], firsts: [], waits: [] };
          byRole.set(roles[seat]!, of);
          const own = lines.filter(({ by }) => by === seat);
          of.shares.push((own.length * speakers.length) / lines.length);
          if (own[0]) of.firsts.push(own[0].at - from);
          for (const line of own) of.waits.push(line.at - (lines.findLast(({ at }) => at < line.at)?.at ?? from));
        }
    }
    const { villager, wolf, seer } = Object.fromEntries(byRole);
    for (const other of [wolf!, seer!])
      for (const figure of ['shares', 'firsts', 'waits'] as const)
        expect(Math.abs(standardScore(villager![figure], other[figure]))).toBeLessThan(3);
  });

  it('there are as many lines and as long silences as in games of people, and no sentence twice', async () => {
    const tapes = await played;
    const { linesPerMinute, medianSilence, longestSilence } = talkFigures(tapes);
    expect(linesPerMinute).toBeGreaterThan(5.4);
    expect(linesPerMinute).toBeLessThan(10.6);
    expect(medianSilence).toBeLessThan(7);
    expect(longestSilence).toBeLessThan(35);
    const repeated = tapes.flatMap(talksIn).flatMap(({ lines }) => lines.length - new Set(lines.map(({ text }) => text)).size);
    expect(repeated.filter(Boolean).length).toBeLessThanOrEqual(repeated.length / 20);
  });
});

/** How many standard errors two means are apart. */
function standardScore(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const error = (values: readonly number[]) => mean(values.map((value) => (value - mean(values)) ** 2)) / values.length;
  return (mean(a) - mean(b)) / Math.sqrt(error(a) + error(b));
}

describe('figures of a talk', () => {
  const seats = [0, 1];
  const asked = { type: 'asked', question: { id: 'round-1/day-1/talk', verb: 'say', among: 'table', final: false, of: seats } };
  const said = (by: number, at: number) => ({
    at,
    event: { type: 'answered', question: asked.question.id, answer: { by, says: ['one two'] } },
  });
  const tape = [
    { at: 0, event: asked },
    said(0, 10_000),
    said(1, 12_000),
    said(0, 30_000),
    { at: 40_000, event: { type: 'settled', question: asked.question.id } },
  ];

  it('are those of its lines and of what is between them', () => {
    const [day] = talksIn(tape as never);
    expect(day).toMatchObject({ from: 0, until: 40_000, isFree: true, lines: [{ by: 0 }, { by: 1 }, { by: 0 }] });
    expect([median([1, 2, 30]), median([1, 2]), median([])]).toEqual([2, 1.5, NaN]);
  });

  it('include the time in which nothing happens that all see', async () => {
    const [first] = await played;
    const quiet = quietIn(first!);
    expect([...quiet.keys()]).toEqual(expect.arrayContaining(['round-1/day-1', 'round-1/night-1']));
    expect(Math.max(...quiet.values())).toBeLessThan(300_000);
  });
});

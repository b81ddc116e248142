import { describe, expect, it } from '@jest/globals';
import { dayTwo } from '../fixtures.suite.ts';
import { type Mind, type Moment, newMind } from '../mind.ts';
import { newsFromLine, type News } from '../news.ts';
import { stepKinds } from '../step-kinds.ts';

const names = ['Ann', 'Bob', 'Cid', 'Dot'];
const kind = stepKinds.find(({ step }) => step === 'day-notes')!;
const setup = {
  name: 'day-notes',
  layout: 'paper' as const,
  parameters: {},
  texts: {},
  prompt: () => ({ messages: () => [] }),
  data: () => undefined as never,
};
const step = kind.create({ besides: 1000 }, setup);

const say = (by: number, text: string, room = 'round-1/day-2/Village'): News => newsFromLine(room, { line: 1, at: 0, by, text }, names);
const chosen = (by: number, text: string, room?: string): News => ({
  at: 0,
  by,
  says: ['x'],
  text,
  ...(room === undefined ? {} : { room }),
});
const told = (text: string, room?: string): News => ({ at: 0, text, ...(room === undefined ? {} : { room }) });

async function notesAfter(...thoughts: readonly Partial<Moment>[]): Promise<Mind['notes']> {
  let mind: Mind = newMind;
  for (const thought of thoughts) mind = { ...mind, ...(await step.run(mind, { ...dayTwo, ...thought }, undefined as never)) };
  return mind.notes;
}

describe('the notes of a day', () => {
  it('keep announcements apart from what is said', async () => {
    const notes = await notesAfter({ news: [told('Day 2 begins.'), say(1, 'hi'), say(2, 'ho')] });
    expect(notes).toMatchObject({
      observations: ['Day 2: Day 2 begins.'],
      debate: ['[Village] Bob: «hi»', '[Village] Cid: «ho»'],
      speaker: 2,
      heard: 'yes',
    });
  });

  it('hand over the debate and the own vote when the day is over, with lines that come late', async () => {
    const vote = chosen(0, 'Ann votes for Bob.', 'round-1/day-2/Village');
    const night = { phase: 'round-1/night-2', news: [say(1, 'late'), told('Night 2 falls.')] };
    const notes = await notesAfter({ news: [say(1, 'hi'), vote] }, night);
    expect(notes).toMatchObject({
      finished: ['[Village] Bob: «hi»', 'Ann votes for Bob.', '[Village] Bob: «late»'],
      observations: ['Day 2: Ann votes for Bob.', 'Day 2: Night 2 falls.'],
      debate: [],
      earlier: 'day-2',
    });
    expect((await notesAfter({ news: [say(1, 'hi')] }, night, { phase: 'round-1/night-2', news: [] }))['finished']).toEqual([]);
  });

  it('keep a night with all that was said and done in it', async () => {
    const hideout = 'round-1/night-1/Hideout';
    const night = { phase: 'round-1/night-1', news: [say(2, 'Dot?', hideout), chosen(0, 'Ann looks at Dot.')] };
    const notes = await notesAfter(night, { news: [] });
    expect(notes).toMatchObject({
      observations: ['Night 1: Ann looks at Dot.', 'Night 1: [Hideout] Cid: «Dot?»'],
      finished: [],
      debate: [],
    });
  });

  it('begin anew with a new round', async () => {
    const began: News = { at: 0, event: { type: 'began' }, text: 'Round 2 begins.' };
    const notes = await notesAfter({ news: [told('old'), say(1, 'old')] }, { news: [began, told('new')] });
    expect(notes).toMatchObject({ observations: ['Day 2: new'], debate: [], finished: [] });
  });

  it('fit into the context, the newest first, and observations before speech', async () => {
    const talk = Array.from({ length: 100 }, (_, i) => say(1, `line ${i}`));
    const notes = await notesAfter({ contextTokens: 1000, news: [told('Bob is the seer.'), ...talk] });
    expect(notes['observations']).toEqual(['Day 2: Bob is the seer.']);
    const debate = notes['debate'] as readonly string[];
    expect([debate.length < 60, debate.length > 10, debate.at(-1)]).toEqual([true, true, '[Village] Bob: «line 99»']);
    expect(notes['dropped']).toBe(100 - debate.length);
  });
});

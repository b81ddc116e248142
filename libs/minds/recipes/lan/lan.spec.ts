import { describe, expect, it } from '@jest/globals';
import { type CompletionRequest, type Mind, type Moment, newMind, type StrategyBook } from '../../mind.ts';
import { situationOf, situations } from '../../recipe-moments.suite.ts';
import { findRecipe } from '../../recipes.ts';
import { type Script, scriptedThought } from '../../scripted-thought.suite.ts';

const lan = (given = {}) => findRecipe('lan', undefined, { layout: 'paper', ...given });
const FULL = ['analysis', 'plan', 'action', 'response'];

/** A model that follows its prompts, and takes the first options. */
function scriptFor({ questions: [asked] }: Moment): Script {
  const { verb, id, options, pick } = asked!;
  const does = verb === 'say' ? 'speak' : id.split('/').at(-1)!;
  const targets = options.slice(0, pick).map(({ named }) => named);
  const chosen = verb === 'say' ? { text: options[0]?.is ?? 'Bob, what did you do?' } : pick > 1 ? { targets } : { target: targets[0] };
  return {
    summary: 'Bob claims to be loyal.',
    analysis: 'Bob is likely an enemy, who hides behind others.',
    plan: (prompt) =>
      JSON.stringify(
        Object.fromEntries(
          /these rounds: (.*)\. Answer/
            .exec(prompt)![1]!
            .split(', ')
            .map((round) => [round, `Watch Bob in ${round}.`]),
        ),
      ),
    action: JSON.stringify({ reason: 'Bob lies.', do: does, ...(verb === 'say' ? {} : { targets }) }),
    response: JSON.stringify({ do: does, ...chosen }),
  };
}
const thought = (moment: Moment, given = {}, script: Script = {}, before: Mind = newMind) =>
  scriptedThought(lan(given), moment, { ...scriptFor(moment), ...script }, before);
const textOf = ({ request: { messages } }: { readonly request: CompletionRequest }): string =>
  messages.map(({ content }) => content).join('\n');
const team = situationOf('avalon', 'choice');
const saidIn = (phase: string) => ({
  ...team,
  phase,
  news: [{ at: 0, by: 4, room: `${phase}/Table`, line: 9, speech: 'No.', text: '[Table] Eve: «No.»' }],
});
/** The same seat two quests later, with one more line. */
const later = saidIn('round-1/quest-3/proposal-1');

describe('the recipe lan', () => {
  it.each(situations.flatMap((rules) => [[rules, 'talk'] as const, [rules, 'choice'] as const]))(
    'makes the calls of the paper for every decision: %s, %s',
    async (rules, kind) => {
      const { mind, steps } = await thought(situationOf(rules, kind));
      expect(steps).toEqual(FULL);
      expect(mind.answers).toHaveLength(1);
    },
  );

  it.each<[object, readonly string[]]>([
    [{ analysis: 'off' }, ['plan', 'action', 'response']],
    [{ plan: false }, ['analysis', 'action', 'response']],
    [{ action: false }, ['analysis', 'plan', 'response']],
    [{ source: 'program' }, ['summary', ...FULL]],
  ])('%j changes its calls and nothing else', async (given, steps) => {
    const { steps: made, mind } = await thought(team, given);
    expect([made, mind.answers]).toEqual([steps, [{ question: team.questions[0]!.id, says: ['seat:0', 'seat:1', 'seat:2'] }]]);
  });

  it.each([
    ['all', 'all other players'],
    ['enemies', 'your enemies'],
    ['teammates', 'your teammates'],
  ])('analyses %s', async (analysis, whom) => {
    const { calls } = await thought(team, { analysis });
    expect(textOf(calls[0]!)).toContain(`the roles and the strategies of ${whom}?`);
  });

  it('summarises a round once it is over, and shows the summary instead of its lines', async () => {
    const first = await thought(team);
    const { calls, steps } = await thought(later, {}, {}, first.mind);
    expect(steps).toEqual(['summary', ...FULL]);
    expect(textOf(calls[0]!)).toContain(
      '{"message_type":"public","name":"Eve","message":"[Village] Eve: «Bob must be evil, for I played success.»"',
    );
    expect(textOf(calls[0]!)).toContain('{"message_type":"private","name":"gamemaster","message":"Ann sees that Bob and Cid are evil."');
    expect(textOf(calls[0]!)).toContain('{"message_type":"public","name":"gamemaster","message":"Dot names Bob and Eve for quest 1."');
    expect(textOf(calls[1]!)).toContain('quest 2: Bob claims to be loyal.');
    expect(textOf(calls[1]!)).toContain('[Table] Eve: «No.»');
    expect(textOf(calls[1]!)).not.toContain('Bob must be evil');
  });

  it('files the result of a quest under that quest, though it is read in the next one', async () => {
    const first = await thought(team);
    const quested = { at: 0, room: 'round-1/quest-3/proposal-1/Table', event: { type: 'quested', quest: 2 }, text: 'Quest 2 succeeds.' };
    const { calls } = await thought({ ...later, news: [quested, ...later.news] }, {}, {}, first.mind);
    expect(textOf(calls[0]!)).toContain('"message":"Quest 2 succeeds.","phase":"round-1/quest-2"');
    expect(textOf(calls[1]!)).not.toContain('Quest 2 succeeds.');
  });

  it('with `summary=message` shows nothing but summaries, which it renews with what is new', async () => {
    const first = await thought(team, { summary: 'message' });
    expect(textOf(first.calls[1]!)).not.toContain('Bob must be evil');
    const { calls } = await thought(saidIn(team.phase), { summary: 'message' }, {}, first.mind);
    expect(textOf(calls[0]!)).toContain('Your summary so far: Bob claims to be loyal.');
    expect(textOf(calls[0]!)).toContain('[Table] Eve: «No.»');
    expect(textOf(calls[0]!)).not.toContain('Bob must be evil');
  });

  it('keeps the lines of a plan that a new plan does not replace', async () => {
    const first = await thought(team);
    const { mind } = await thought(later, {}, { plan: '{"quest 4":"Trust Dot."}' }, first.mind);
    expect(mind.notes['plan']).toEqual(['quest 3: Watch Bob in quest 3.', 'quest 4: Trust Dot.', 'quest 5: Watch Bob in quest 5.']);
  });

  it('asks for no words when it decides to be silent', async () => {
    const talk = situationOf('maw', 'talk');
    const { steps, mind } = await thought(talk, {}, { action: '{"reason":"Wait.","do":"listen"}' });
    expect([steps, mind.answers]).toEqual([['analysis', 'plan', 'action'], []]);
  });

  it('asks for the words of a decided speech, not for silence again', async () => {
    const { calls } = await thought(situationOf('maw', 'talk'));
    expect(textOf(calls.at(-1)!)).not.toContain('"do":"listen"');
  });

  it('acts as decided when its words are not clear', async () => {
    const { mind } = await thought(team, {}, { response: 'I do not know.' });
    expect(mind.answers).toEqual([{ question: team.questions[0]!.id, says: ['seat:0', 'seat:1', 'seat:2'] }]);
  });

  it.each<[string, readonly string[], object, readonly string[]]>([
    ['approve', ['approve', 'reject'], {}, ['approve']],
    ['quest', ['success', 'fail'], {}, ['fail']],
    ['quest', ['success', 'fail'], { unclearCard: 'success' }, ['success']],
    ['quest', ['success'], {}, ['success']],
    ['assassinate', ['seat:1', 'seat:2'], {}, []],
  ])('takes an unclear %s of %j with %j for %j', async (step, options, given, says) => {
    const asked = { ...team.questions[0]!, id: `round-1/quest-2/${step}`, pick: 1, options: options.map((is) => ({ is, named: is })) };
    const { mind } = await thought({ ...team, questions: [asked] }, given, { action: '?', response: 'Well, perhaps.' });
    expect(mind.answers.flatMap((answer) => answer.says)).toEqual(says);
  });

  it('counts the first of too many names', async () => {
    const { mind } = await thought(team, {}, { action: '?', response: 'Dot and Ann, and Bob, and Fay.' });
    expect(mind.answers).toEqual([{ question: team.questions[0]!.id, says: ['seat:3', 'seat:0', 'seat:1'] }]);
  });

  describe('after a round', () => {
    const roles = ['merlin', 'assassin', 'morgana', 'servant', 'servant', 'percival'];
    const ended = {
      ...team,
      questions: [],
      news: [],
      phase: 'round-1/end',
      outcome: { winner: 'evil', winners: [1, 2], roles, points: [0, 1, 1, 0, 0, 0] },
    };
    const learnt = async (given = {}, before = newMind) =>
      scriptedThought(
        { ...lan(given), steps: lan(given).after ?? [] },
        ended,
        {
          learn: (prompt) =>
            prompt.includes('Give 3 suggestions')
              ? JSON.stringify({ suggestions: ['Speak less than Player B.', 'Trust Player D.'] })
              : prompt.includes('A strategy for the role')
                ? 'Keep evil off quests, and speak less than Player B.'
                : 'Player C fails quests.',
        },
        before,
      );

    it('asks for the others and for suggestions, merges them, and names roles instead of players', async () => {
      const { calls, mind } = await learnt({}, (await thought(team)).mind);
      expect(calls).toHaveLength(3);
      expect(textOf(calls[0]!)).toContain('The roles: Player A: Merlin, Player B: Assassin, Player C: Morgana');
      expect(textOf(calls[0]!)).toContain('Quest 1 of Player B and Player E fails: 1 fail card.');
      expect(textOf(calls[2]!)).toContain('Suggestions:\nSpeak less than the Assassin.\nTrust the Loyal Servant.');
      expect(mind.notes['learned']).toEqual({
        lan: {
          merlin: {
            version: 1,
            strategy: 'Keep evil off quests, and speak less than the Assassin.',
            suggestions: ['Speak less than the Assassin.', 'Trust the Loyal Servant.'],
            others: 'the Morgana fails quests.',
          },
        },
      });
    });

    it('shows a model no name, in any form, and keeps words that are names', async () => {
      const names = ['May', 'Will'];
      const players = ended.players.map((player) => ({ ...player, name: names[player.seat] ?? player.name }));
      const summaries = [{ round: 'quest 1', text: 'Willy lies, says may; the Dots and cid like Eve’s plan.' }];
      const before = { ...newMind, notes: { lan: { rounds: [], summaries, plan: {} } } };
      const said = 'It may be that Players B and C will lie.';
      const learn = (prompt: string) => (prompt.includes('Give 3 suggestions') ? JSON.stringify({ suggestions: [said] }) : said);
      const { calls, mind } = await scriptedThought({ ...lan(), steps: lan().after ?? [] }, { ...ended, players }, { learn }, before);
      expect(calls.map(textOf).filter((text) => /\b(?:May|Willy?|Dots?|[Cc]id|Eve)\b/.test(text))).toEqual([]);
      expect(mind.notes['learned']).toMatchObject({
        lan: { merlin: { strategy: 'It may be that the Assassin and the Morgana will lie.' } },
      });
    });

    it.each([
      [{ learning: 'own' }, 2],
      [{ learning: 'others' }, 1],
      [{ learning: 'off' }, 0],
    ])('with %j makes %d calls', async (given, count) => {
      expect((await learnt(given)).calls).toHaveLength(count);
    });

    it('plays a round by one version of a set, and says which', async () => {
      const lesson = { version: 7, strategy: 'Wait.', suggestions: ['Smile.'], others: 'the Morgana lies.' };
      const asked: string[] = [];
      const book = { name: 's@7+', used: async (role: string) => (asked.push(role), { ...lesson, version: 6 + asked.length }) };
      const strategies = () => book as unknown as StrategyBook;
      const recipe = lan({ strategies: 's@7+' });
      const first = await scriptedThought(recipe, team, scriptFor(team), newMind, { strategies });
      expect(textOf(first.calls[0]!)).toContain('Your strategy: Wait.\nSuggestions from earlier games:\nSmile.');
      const usedLesson = { set: 's@7+', round: 1, role: 'merlin', lesson };
      expect(first.thoughts.find(({ name }) => name === 'lan-recall')!.content).toMatchObject({ usedLesson });
      const second = await scriptedThought(recipe, later, scriptFor(later), first.mind, { strategies });
      expect(second.thoughts.map(({ name }) => name)).not.toContain('lan-recall');
      const next = await scriptedThought(recipe, { ...later, round: 2 }, scriptFor(later), second.mind, { strategies });
      expect(next.thoughts.find(({ name }) => name === 'lan-recall')!.content).toMatchObject({ usedLesson: { lesson: { version: 8 } } });
      expect(asked).toEqual(['merlin', 'merlin']);
    });

    it('plays the role by what it has learned, and another role as before', async () => {
      const { mind } = await learnt();
      const { calls } = await thought(team, {}, {}, mind);
      expect(textOf(calls[0]!)).toContain('Your strategy: Keep evil off quests, and speak less than the Assassin.');
      expect(textOf(calls[0]!)).toContain('How other roles played in earlier games:\nthe Morgana fails quests.');
      const asServant = {
        ...team,
        news: team.news.map((news) => (news.event?.type === 'dealt' ? { ...news, event: { type: 'dealt', roles: ['servant'] } } : news)),
      };
      const other = await thought(asServant, {}, {}, mind);
      expect(textOf(other.calls[0]!)).toContain('Your strategy: You always offer yourself for quests');
      expect(textOf(other.calls[0]!)).not.toContain('earlier games');
    });
  });
});

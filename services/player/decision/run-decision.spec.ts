import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { memoryBus } from '@maw/bus/memory/memory-bus.ts';
import { contracts, type Data } from '@maw/contracts/contracts.ts';
import { logger } from '@maw/telemetry/log.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import { act, namedChoice } from '@maw/minds/steps/act.ts';
import { newMind, type Recipe } from '@maw/minds/mind.ts';
import { observe } from '@maw/minds/steps/observe.ts';
import { recipes } from '@maw/minds/recipes.ts';
import {
  answerTo,
  decideMessage,
  agree,
  dayFor,
  promptOf,
  refuse,
  tableMoved,
  room,
  type PlayerFixture,
  playerFixture,
  talkId,
  until,
  voteId,
} from '@maw/tests/equipment/fakes/player-fixture.ts';
import { player } from '../service.ts';
import { newMemory, parseMemory } from '../state/memory.ts';
import { newProgress } from '../state/progress.ts';

let here: PlayerFixture;
const others: { close(): Promise<unknown> }[] = [];
beforeEach(async () => {
  here = await playerFixture();
});
afterEach(async () => {
  for (const each of others.splice(0).toReversed()) await each.close();
  await here.close();
});

const vote = '{"do":"vote","target":"Bob"}';
const never = () => here.never();
const memoryOf = async (seat: number) => parseMemory(await here.store.thoughts.recall('t1', seat));
const said = (line: number, by: number, text: string) => ({ line, by, text, at: 0 });
/** Closes the questions of the day, which ends its dialogues. */
const closeDay = () => here.master.publish(tableMoved([voteId, talkId]));
const running = async () => (await metrics.thinking.get()).values.find(({ labels }) => labels.service === 'player')?.value ?? 0;

describe('the end of a phase', () => {
  it('aborts the completion in flight and cancels it at the gateway', async () => {
    here.script.model = never;
    await here.player();
    await here.master.publish(decideMessage(dayFor(0)));
    const [asked] = await until('a prompt', () => here.heard['llm.complete'].length > 0 && here.heard['llm.complete']);
    await closeDay();
    const [cancelled] = await until('a cancel', () => here.heard['llm.cancel'].length > 0 && here.heard['llm.cancel']);
    expect(cancelled!.data).toMatchObject({ request: asked!.id });
    await until('the end', async () => (await running()) === 0);
    expect(here.dead).toEqual([]);
  });

  it('is noticed by reading a private room', async () => {
    here.script.model = never;
    await here.player();
    const questions = dayFor(0).questions.map((question) => ({ ...question, secret: true as const }));
    await here.master.publish(decideMessage(dayFor(0, { questions })));
    await until('a prompt', () => here.heard['llm.complete'].length > 0);
    here.closed.add(room);
    await here.master.publish(tableMoved([], 'round-1/day-2'));
    await until('a cancel', () => here.heard['llm.cancel'].length > 0);
  });

  it('is not taken from a room that is not there yet, but from one that the seat has left', async () => {
    here.absent.add(room);
    await here.player({ readEveryMs: 0 });
    await here.master.publish(decideMessage(dayFor(0)));
    await until('thoughts without the room', () => here.heard['llm.complete'].length > 1);
    here.absent.delete(room);
    here.lines[room] = [said(1, 1, 'found')];
    await until('a line of the room', () => here.heard['llm.complete'].some((asked) => promptOf(asked).includes('found')));
    here.absent.add(room);
    await until('the end', async () => (await running()) === 0);
  });

  it('is known of all questions, secret ones too, when the round has ended', async () => {
    here.script.model = never;
    await here.player();
    const questions = dayFor(0).questions.map((question) => ({ ...question, secret: true as const }));
    await here.master.publish(decideMessage(dayFor(0, { questions })));
    await until('a prompt', () => here.heard['llm.complete'].length > 0);
    const read = here.heard['room.read'].length;
    for (const sequence of [9, 11]) {
      expect(here.heard['llm.cancel']).toEqual([]); // the end of an earlier round ends nothing
      await here.master.publish({ ...tableMoved([], ''), sequence, data: { stage: 'over', phase: '', closed: [] } });
    }
    await until('a cancel', () => here.heard['llm.cancel'].length > 0);
    expect(here.heard['room.read']).toHaveLength(read);
  });

  it('keeps unread news for the next phase', async () => {
    here.lines[room] = [said(1, 1, 'last words')];
    here.script.model = never;
    await here.player({ readEveryMs: 0 });
    await here.master.publish(decideMessage(dayFor(0)));
    await until('a prompt', () => here.heard['llm.complete'].length > 0);
    await closeDay();
    const memory = await until('memory', () => memoryOf(0));
    expect(memory.pending).toMatchObject([{ speech: 'last words' }]);
    here.script.model = () => '{"do":"listen"}';
    const again = {
      n: 1,
      at: 0,
      event: { type: 'answered', question: talkId, answer: { by: 1, says: ['last words'] } },
      text: 'last words',
      room,
      line: 1,
    };
    await here.master.publish(
      decideMessage(
        dayFor(0, {
          phase: 'round-1/day-2',
          news: [again],
          questions: [{ ...dayFor(0).questions[1]!, id: 'round-1/day-2/talk', room: 'round-1/day-2/Village' }],
        }),
        20,
      ),
    );
    const next = await until('the next prompt', () => here.heard['llm.complete'][1]);
    expect(promptOf(next).match(/last words/g)).toHaveLength(1);
    await here.master.publish(tableMoved(['round-1/day-2/talk']));
  });

  it('comes with a newer question', async () => {
    here.script.model = (asked) => (promptOf(asked).includes('day 1') ? never() : vote);
    await here.player();
    await here.master.publish(decideMessage(dayFor(0)));
    await until('a prompt', () => here.heard['llm.complete'].length > 0);
    await here.master.publish(decideMessage(dayFor(0, { phase: 'round-1/day-2' }), 20));
    const [voted] = await until('a vote', () => here.heard['table.act'].length > 0 && here.heard['table.act']);
    expect(voted!.id).toBe(answerTo(20, 0));
    expect(here.heard['llm.cancel']).toHaveLength(1);
    await closeDay();
  });
});

describe('when time is short', () => {
  type Prompts = PlayerFixture['heard']['llm.complete'];
  const isPressed = ({ data }: Prompts[number]) => !JSON.stringify(data.format).includes('listen');

  /**
   * Seat 0's first act and the prompts for it, where a question lasts `lastsMs` and was asked `pastMs` before. A machine that is busy may need
   * longer for what is expected: then a question of another day is asked, with four times as much time, and once more.
   */
  async function acted(given: { lastsMs: number; pastMs?: number; recipe?: string }, isExpected: (prompts: Prompts) => boolean) {
    const { pastMs = 0, ...more } = given;
    for (let day = 1, slower = 1; ; day++, slower *= 4) {
      const [prompts, acts] = [here.heard['llm.complete'], here.heard['table.act']];
      prompts.splice(0);
      acts.splice(0);
      const asked = dayFor(0, { ...more, lastsMs: slower * given.lastsMs, phase: `round-1/day-${day}` });
      const questions = asked.questions.map((one) => ({ ...one, id: one.id.replace('day-1', `day-${day}`) }));
      await here.master.publish(decideMessage({ ...asked, questions }, 10 * day, Date.now() - slower * pastMs));
      const voted = await until('a vote, or the end of the day', () => acts[0] ?? (Date.now() > asked.until + 1_000 && 'none'));
      if (slower === 16 || (voted !== 'none' && isExpected(prompts)))
        return { says: voted === 'none' ? [] : voted.data.says, prompts: [...prompts] };
    }
  }

  const slow: Recipe = {
    name: 'slow',
    description: '',
    usesModel: true,
    contextTokens: 8000,
    steps: [
      observe,
      {
        kind: 'reflect',
        name: 'long',
        run: async (_, __, tools) => ({
          reflections: [(await tools.complete({ messages: [{ role: 'user', content: 'reflect' }] })).content],
        }),
      },
      act('decide', { temperature: 0, maxTokens: 50, fallback: namedChoice }),
    ],
  };

  it('asks only for the owed vote', async () => {
    here.script.model = () => vote;
    await here.player({}, [...recipes, slow]);
    const { prompts } = await acted({ recipe: 'slow', lastsMs: 5_000, pastMs: 55_000 }, () => true);
    expect(prompts.filter((asked) => promptOf(asked) === 'reflect')).toEqual([]);
    expect(prompts[0]!.data.format).toMatchObject({ properties: { do: { const: 'vote' } } });
    await closeDay();
  });

  it('asks a silent mind once more in time to vote', async () => {
    here.script.model = (asked) => (JSON.stringify(asked.data.format).includes('listen') ? '{"do":"listen"}' : vote);
    await here.player({ maxWaitMs: 60_000 });
    const { says } = await acted({ lastsMs: 1_500 }, () => true);
    expect(says).toEqual(['seat:1']);
  });

  it('aborts a slow thought and asks for the act alone', async () => {
    here.script.model = (asked) => (JSON.stringify(asked.data.format).includes('listen') ? never() : vote);
    await here.player();
    const { says, prompts } = await acted({ lastsMs: 1_500 }, ([first]) => !isPressed(first!));
    expect([says, prompts.slice(0, 2).map(isPressed)]).toEqual([['seat:1'], [false, true]]);
  });
});

describe('completion requests', () => {
  it('ignore urgency, kind and agent set by a mind', async () => {
    const greedy: Recipe = {
      name: 'a recipe with a name that is longer than kinds are',
      description: '',
      usesModel: true,
      contextTokens: 8000,
      steps: [
        {
          kind: 'plan',
          name: 'greed',
          run: async (_, __, tools) => {
            const more = { urgency: 'critical', kind: 'short', tenant: 'rich', agent: 't1:3', model: 'dear' };
            await tools.complete({ messages: [{ role: 'user', content: 'first!' }], ...more });
            return {};
          },
        },
      ],
    };
    const day = dayFor(0, { recipe: greedy.name });
    await here.player({}, [...recipes, greedy]);
    await here.master.publish(decideMessage({ ...day, questions: [day.questions[1]!] }));
    const [asked] = await until('a prompt', () => here.heard['llm.complete'].length > 0 && here.heard['llm.complete']);
    expect(asked!.data).toMatchObject({ urgency: 'talk', agent: 't1:0', tenant: 'default' });
    expect(asked!.data.kind).toBe('a recipe with a name that is longer than');
    await closeDay();
  });
});

describe('a question that is asked once', () => {
  const final = () => {
    const day = dayFor(0);
    return { ...day, questions: [{ ...day.questions[0]!, final: true, id: 'round-1/night-1/guard' }] };
  };

  it('is decided once, without waiting', async () => {
    here.script.model = () => '{"do":"guard","target":"Cid"}';
    await here.player({ maxWaitMs: 60_000 });
    await here.master.publish(decideMessage(final()));
    await until('the end', async () => (await memoryOf(0))?.decision?.closed.length === 1 && (await running()) === 0);
    expect(here.heard['table.act'].map(({ data }) => data.says)).toEqual([['seat:2']]);
    expect(here.heard['llm.complete'].map(({ data }) => data.urgency)).toEqual(['critical']);
  });

  it('is tried again after a refusal, at most three times', async () => {
    here.script.act = () => refuse('not-an-option', 'another one');
    here.script.model = () => '{"do":"guard","target":"Cid"}';
    await here.player();
    await here.master.publish(decideMessage(final()));
    await until('three answers', () => here.heard['table.act'].length === 3);
    await until('the end', async () => (await running()) === 0);
    expect(promptOf(here.heard['llm.complete'][1]!)).toContain('not-an-option (another one)');
    expect(here.heard['table.act'].map(({ id }) => id)).toEqual([answerTo(10, 0), answerTo(10, 1), answerTo(10, 2)]);
  });

  it('is left to the rules when the mind is silent', async () => {
    here.script.model = () => 'hm';
    await here.player();
    await here.master.publish(decideMessage(final()));
    await until('the end', async () => (await memoryOf(0)) && (await running()) === 0);
    expect(here.heard['table.act']).toEqual([]);
    expect(here.heard['llm.complete']).toHaveLength(2);
  });
});

describe('another replica', () => {
  it('resumes a decision and repeats answers under the same ids', async () => {
    here.script.model = (_, count) => (count === 1 ? vote : count === 2 ? never() : '{"do":"vote","target":"Cid"}');
    const first = await here.player();
    await here.master.publish(decideMessage(dayFor(0)));
    await until('the first vote', () => here.heard['table.act'].length === 1);
    const line = { line: 1, at: 1, by: 1, text: 'Hm.' };
    here.lines[room] = [line];
    const about = { id: 'heard', source: 'chatroom', subject: 't1', at: Date.now() };
    await here.master.publish(contracts.write('room.line', { room, line: 1, said: line }, about));
    await until('the second thought', () => here.heard['llm.complete'].length === 2);
    await first.close();
    await until('a cancel', () => here.heard['llm.cancel'].length === 1);
    await here.player();
    await until('the second vote', () => here.heard['table.act'].some(({ data }) => data.says[0] === 'seat:2'));
    const ids = here.heard['table.act'].map(({ id, data }) => `${id} ${data.says[0]}`);
    expect(new Set(ids.slice(0, 3))).toEqual(new Set([`${answerTo(10, 0)} seat:1`, `${answerTo(10, 1)} seat:2`]));
    const thoughts = await here.store.thoughts.list('t1', { seat: 0 });
    expect(thoughts.slice(0, 2).map(({ step, content }) => [step, content['iteration']])).toEqual([
      [1, 0],
      [2, 1],
    ]);
    await closeDay();
  });

  it('finds every thought stored before its answers were sent', async () => {
    const kept: ReturnType<typeof memoryOf>[] = [];
    here.script.act = () => {
      kept.push(memoryOf(0));
      return agree({ at: Date.now() });
    };
    here.script.model = (_, count) => (count === 1 ? vote : '{"do":"listen"}');
    await here.player();
    await here.master.publish(decideMessage(dayFor(0)));
    await until('a vote', () => kept.length > 0);
    expect((await kept[0])?.decision).toMatchObject({ iteration: 1, answers: 1, outbox: [{ id: answerTo(10, 0), says: ['seat:1'] }] });
    await closeDay();
  });

  it('sends answers that were decided but not sent', async () => {
    const decision = decideMessage(dayFor(0));
    const outbox = [{ id: `${decision.id}:a4`, question: voteId, says: ['seat:3'] }];
    const progress = { ...newProgress(decision.id, 10, 'round-1/day-1'), iteration: 5, answers: 5, outbox };
    await here.store.thoughts.remember('t1', 0, 0, { ...newMemory, decision: progress });
    await here.player({ maxWaitMs: 60_000 });
    await here.master.publish(decision);
    const [sent] = await until('the vote', () => here.heard['table.act'].length > 0 && here.heard['table.act']);
    expect(sent).toMatchObject({ id: `${decision.id}:a4`, data: { says: ['seat:3'] } });
    await closeDay();
  });

  it('waits before a thought as long as the mind wants to', async () => {
    await here.store.thoughts.remember('t1', 0, 0, { ...newMemory, mind: { ...newMind, pause: 0 } });
    here.script.model = () => vote;
    await here.player({ maxWaitMs: 60_000 });
    await here.master.publish(decideMessage(dayFor(0)));
    await until('the vote', () => here.heard['table.act'].length > 0);
    await closeDay();
  });

  it('drops a question older than the last one', async () => {
    await here.store.thoughts.remember('t1', 0, 3, { ...newMemory, n: 3, decision: newProgress('t1/30/decide-0', 30, 'round-1/day-2') });
    here.script.model = () => '{"do":"vote","target":"Cid"}';
    await here.player();
    await here.master.publish(decideMessage(dayFor(0), 10));
    await here.master.publish(decideMessage(dayFor(1), 10));
    await until('the vote of the other seat', () => here.heard['table.act'].length > 0);
    expect(here.heard['table.act'].every(({ data }) => data.seat === 1)).toBe(true);
    expect((await memoryOf(0))!.decision!.sequence).toBe(30);
    await closeDay();
  });
});

const delayed = (n = 1) => ({ n, at: 0, event: { type: 'delayed', ms: 60_000, at: 0 }, text: 'The game stood still for 60 seconds.' });
const extended = (given: Partial<Data<'seat.decide'>> = {}) => dayFor(0, { news: [delayed()], ...given });

/** Another replica with its own bus, so that a test says who gets a message; the memory of seats is shared. */
async function another(): Promise<PlayerFixture> {
  const around = await playerFixture();
  const bus = memoryBus({ service: 'player', hub: around.hub, retryMs: [1, 1, 1], graceMs: 2_000 });
  const replica = await player({
    bus,
    thoughts: here.store.thoughts,
    now: Date.now,
    log: logger('test', { level: 'silent' }),
    options: { maxWaitMs: 5, marginMs: 20 },
  });
  others.push(around, bus, replica);
  return around;
}

describe('a decision whose deadline was extended', () => {
  it('continues and keeps the current choice', async () => {
    here.script.model = () => vote;
    await here.player();
    await here.master.publish(decideMessage(dayFor(0)));
    await until('the vote', () => here.heard['table.act'].length > 0);
    await here.master.publish(decideMessage(extended(), 20));
    await until('the new deadline', async () => (await memoryOf(0))?.decision?.id === 't1/20/decide-0');
    expect(here.heard['llm.complete'].filter((asked) => promptOf(asked).includes('stood still'))).toEqual([]);
    expect(here.heard['table.act'].map(({ id }) => id)).toEqual([answerTo(10, 0)]);
    const kept = (await memoryOf(0))!.decision!;
    expect([kept.id, kept.standing]).toEqual(['t1/20/decide-0', { [voteId]: ['seat:1'] }]);
    await closeDay();
    await until('the end', async () => (await running()) === 0);
  });

  it('repeats an answer that was refused as too late', async () => {
    let isBack = false;
    here.script.model = () => vote;
    here.script.act = () => (isBack ? agree({ at: Date.now() }) : refuse('phase-over'));
    await here.player();
    const final = { questions: [{ ...dayFor(0).questions[0]!, final: true }] };
    await here.master.publish(decideMessage(dayFor(0, final)));
    await until('the end of the first', async () => (await memoryOf(0))?.decision?.closed.length === 1 && (await running()) === 0);
    isBack = true;
    await here.master.publish(decideMessage(extended(final), 20));
    await until('the answer', () => here.heard['table.act'].some(({ id }) => id === answerTo(20, 0)));
  });

  it('stops the replica that was asked before', async () => {
    const thought = Promise.withResolvers<string>();
    here.script.model = () => thought.promise;
    await here.player();
    await here.master.publish(decideMessage(dayFor(0)));
    await until('the old thought', () => here.heard['llm.complete'].length === 1);
    const there = await another();
    there.script.model = (_, count) => (count === 1 ? vote : there.never());
    await there.master.publish(decideMessage(extended(), 20));
    await until('the new vote', () => there.heard['table.act'].length === 1);
    const before = await running();
    thought.resolve('{"do":"vote","target":"Cid"}');
    await until('the end of the old one', async () => (await running()) < before);
    expect(here.heard['table.act']).toEqual([]);
    expect((await memoryOf(0))!.decision).toMatchObject({ id: 't1/20/decide-0', outbox: [{ id: answerTo(20, 0), says: ['seat:1'] }] });
    expect(here.heard['llm.complete']).toHaveLength(1);
    await there.master.publish(tableMoved([voteId, talkId]));
  });
});

describe('a decision at a table that is paused', () => {
  const paused = (sequence: number) => {
    const moved = tableMoved([]);
    return { ...moved, sequence, data: { ...moved.data, isPaused: true as const } };
  };
  const resumed = { n: 2, at: 0, event: { type: 'resumed', ms: 60_000, at: 0 }, text: 'The game goes on.' };

  it('stops thinking, and sends the answer that was refused again when the table goes on', async () => {
    let isPaused = true;
    here.script.model = () => vote;
    here.script.act = () => (isPaused ? refuse('paused') : agree({ at: Date.now() }));
    await here.player();
    await here.master.publish(decideMessage(dayFor(0)));
    await until('the end of the first', async () => here.heard['table.act'].length > 0 && (await running()) === 0);
    const thoughts = here.heard['llm.complete'].length;
    isPaused = false;
    const final = dayFor(0)
      .questions.map((question) => ({ ...question, final: true }))
      .slice(0, 1);
    await here.master.publish(decideMessage(dayFor(0, { questions: final, news: [resumed] }), 20));
    await until('the end of the second', async () => here.heard['table.act'].length > 1 && (await running()) === 0);
    expect(here.heard['table.act'].map(({ id }) => id)).toEqual([answerTo(10, 0), answerTo(10, 0)]);
    expect(here.heard['llm.complete'].length).toBe(thoughts);
  });

  it('is dropped in the middle of a thought when the pause is announced', async () => {
    here.script.model = () => here.never();
    await here.player();
    await here.master.publish(decideMessage(dayFor(0)));
    await until('a thought', () => here.heard['llm.complete'].length > 0);
    await here.master.publish(paused(11));
    await until('the end', async () => (await running()) === 0 && here.heard['llm.cancel'].length > 0);
  });

  it('goes on when the news of an earlier pause comes again', async () => {
    const reply = Promise.withResolvers<typeof vote>();
    here.script.model = () => reply.promise;
    await here.player();
    await here.master.publish(decideMessage(dayFor(0), 20));
    await until('a thought', () => here.heard['llm.complete'].length > 0);
    await here.master.publish(paused(11));
    reply.resolve(vote);
    await until('the answer', () => here.heard['table.act'].length > 0);
    await closeDay();
    await until('the end', async () => (await running()) === 0);
  });
});

describe('the same decision at two replicas', () => {
  it('answers under the same ids', async () => {
    here.script.model = (_, count) => (count === 1 ? vote : here.never());
    await here.player();
    const there = await another();
    there.script.model = (_, count) => (count === 1 ? '{"do":"vote","target":"Cid"}' : there.never());
    const decision = decideMessage(dayFor(0));
    await Promise.all([here.master.publish(decision), there.master.publish(decision)]);
    await until('both votes', () => here.heard['table.act'].length > 0 && there.heard['table.act'].length > 0);
    expect(here.heard['table.act'][0]!.id).toBe(answerTo(10, 0));
    expect(there.heard['table.act'][0]!.id).toBe(answerTo(10, 0));
    await closeDay();
    await there.master.publish(tableMoved([voteId, talkId]));
  });
});

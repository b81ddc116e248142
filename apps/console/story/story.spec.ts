import { describe, expect, it } from '@jest/globals';
import { catalogue } from '@maw/games/catalogue.ts';
import type { Eye } from '@maw/games/kernel/question.ts';
import { playthrough } from '@maw/tests/equipment/laws/playthrough.ts';
import { suspicionsOf } from '../inside/suspicions.ts';
import { createTape, deriveView, type Tape } from '../time/tape.ts';
import { inTwoRounds, inWords, played, tapeOf } from './hand-made.suite.ts';
import { drawPicture, type Pen } from './picture.ts';
import { castOf, changeOf, lieSentence, missedSentences, resultOf, saidSentence, turnSentence } from './sentences.ts';
import { publicView, type Story, type StoryOptions, storyOf } from './story.ts';

const vote = (step: string, seat: number, whom: number) => ({ step: `${step}/vote`, seat, says: [`seat:${whom}`] });
const say = (step: string, seat: number, text: string) => ({ step: `${step}/talk`, seat, says: [text] });

const MAW = {
  rules: 'maw',
  options: { seer: true },
  players: ['Ann', 'Bo', 'Cy', 'Dora', 'Emil', 'Zora'],
  deal: { roles: ['wolf', 'wolf', 'villager', 'villager', 'villager', 'seer'] },
  acts: [
    say('day-1', 0, 'I am the Seer. I checked Cy: Werewolf!'),
    say('day-1', 5, 'I do not think so. I suspect Ann.'),
    ...[2, 5].map((seat) => vote('day-1', seat, 0)),
    ...[0, 1, 3, 4].map((seat) => vote('day-1', seat, 2)), // ends the day
    say('night-1', 0, 'Zora knows too much. Zora it is.'),
    { step: 'night-1/hunt', seat: 0, says: ['seat:5'] },
    { step: 'night-1/hunt', seat: 1, says: ['seat:5'] },
    say('day-2', 0, 'I am still the Seer.'),
    vote('day-2', 3, 0),
    vote('day-2', 4, 0),
    vote('day-2', 1, 3),
    vote('day-2', 0, 3),
    vote('day-2', 1, 0), // the last vote counts, and shows who changed
    { step: 'night-2/hunt', seat: 1, says: ['seat:3'] },
    vote('day-3', 1, 4),
  ],
};
/** The wolves are caught on two days, and nobody claims anything. */
const HONEST = {
  ...MAW,
  deal: { roles: ['villager', 'villager', 'wolf', 'seer', 'wolf', 'villager'] },
  acts: [
    say('day-1', 0, 'I suspect Cy.'),
    say('day-1', 3, 'I am the Seer.'),
    ...[0, 1, 3, 5].map((seat) => vote('day-1', seat, 2)),
    ...[0, 1, 3].map((seat) => vote('day-2', seat, 4)),
  ],
};

const told = (seen: Parameters<typeof tapeOf>[0], options: StoryOptions = {}): Story => storyOf(tapeOf(seen), options)!;
const lies = (story: Story) => story.lies.map((lie) => inWords(lieSentence(lie, story.rounds[lie.round - 1]!), story));
const turns = (story: Story) => story.turns.map((turn) => `${inWords(turnSentence(story, turn), story)} ${changeOf(turn)}`);
const titles = (story: Story) => story.seats.flatMap(({ seat, titles: own }) => own.map((title) => `${story.names[seat]} ${title}`));
const votes = (story: Story) => story.seats.map(({ right, votes: all }) => `${right}/${all}`).join(' ');
/** What stands in the picture of a story, line by line. */
function pictured(story: Story): readonly string[] {
  const written: string[] = [];
  const none = () => undefined;
  const pen = { fillRect: none, beginPath: none, arc: none, fill: none, fillStyle: '', font: '' };
  const measureText = (text: string) => ({ width: text.length * 12 }) as TextMetrics;
  drawPicture({ ...pen, measureText, fillText: (text) => void written.push(text.replaceAll(/[\u2068\u2069]/g, '')) } satisfies Pen, story);
  return written;
}
const eyes = (tape: Tape): readonly Eye[] => ['audience', ...tape.rules!.opening.seats.keys()];
const seenBy = (tape: Tape, eye: Eye): Tape => {
  const view = createTape();
  deriveView(tape, eye, view, 0);
  return view;
};

describe('the story of MAW', () => {
  const story = told(played(MAW));

  it('lays each lie beside the truth, once, and tells how often it was said', () => {
    expect(lies(story)).toEqual([
      'Ann, a Werewolf, claimed to be the Seer; Zora was.',
      'Ann, a Werewolf, said that Cy is a Werewolf; Cy was a Villager.',
    ]);
    expect(story.lies.map(({ times, text }) => [times, text])).toEqual([
      [2, 'I am the Seer. I checked Cy: Werewolf!'],
      [1, 'I am the Seer. I checked Cy: Werewolf!'],
    ]);
  });

  it('counts the last vote of each question, and tells where the votes of the village turned', () => {
    expect(votes(story)).toBe('2/2 2/3 1/1 1/2 1/2 1/1');
    // of the four villagers two were right on day 1, where a guess hits two of five; on day 2 both who live
    expect(turns(story)).toEqual(['Day 1: Cy is executed. up from 40 % to 50 %', 'Day 2: Ann is executed. up from 50 % to 100 %']);
  });

  it('tells what came of a vote, not that everybody was ready before', () => {
    const seen = played(MAW);
    const settled = seen.findIndex(({ event }) => event.type === 'settled' && String(event['question']).endsWith('day-2/vote'));
    const hastened = { type: 'hastened', question: 'round-1/day-2/vote', at: 0, until: 20_000 };
    expect(settled).toBeGreaterThan(0);
    expect(turns(told(seen.toSpliced(settled, 0, { ...seen[settled]!, event: hastened })))).toEqual(turns(story));
  });

  it('does not list who was what many were', () => {
    const dealt = ['wolf', 'villager', 'villager', 'villager'];
    const lie = { round: 1, n: 1, by: 0, about: 0, said: 'villager', text: '', times: 1 };
    const sentence = inWords(lieSentence(lie, { dealt, roles: dealt }), { names: ['Ann', 'Bo', 'Cy', 'Dora'] });
    expect(sentence).toBe('Ann, the Werewolf, claimed to be a Villager.');
  });

  it('gives titles by their formulas', () => {
    const all = titles(story);
    expect(all).toContain('Bo sheepskin');
    expect(all).not.toContain('Ann sheepskin'); // villagers voted against her
    expect(all.filter((title) => title.startsWith('Ann'))).toEqual(expect.arrayContaining(['Ann talker']));
  });

  it('is drawn with who won, who was what, the first lie and the first turn', () => {
    expect(pictured(storyOf(publicView(tapeOf(played(MAW))))!)).toEqual([
      'MAW',
      'Won by Ann and Bo',
      'Ann, Werewolf · Silver Tongue',
      'Bo, Werewolf · In sheep’s clothing',
      'Cy, Villager',
      'Dora, Villager',
      'Emil, Villager',
      'Zora, Seer',
      'Ann, a Werewolf, claimed to be the Seer; Zora was.',
      'Day 1: Cy is executed. (up from 40 % to 50 %)',
    ]);
  });

  it('says that nobody lied where nobody did', () => {
    expect(lies(told(played(HONEST)))).toEqual([]);
  });
});

describe('what a player missed', () => {
  it('is the talk of the night about it, and who suspected it when', () => {
    const tape = tapeOf(played(MAW));
    const at = tape.moments.find(({ seen }) => seen.event.type === 'executed')!.seen.at;
    const suspicions = [
      { seat: 3, at, round: 1, of: [0.1, 0.1, 0, 0, 0.1, 0.7] },
      { seat: 4, at, round: 1, of: [0.1, 0.1, 0, 0, 0, 0.4] },
      { seat: 0, at, round: 1, of: [1, 1, 0, 0, 0, 0.9] },
    ];
    const story = storyOf(tape, { you: 5, suspicions })!;
    const secrets = story.missed!.secrets.map((line) => inWords(line.text === undefined ? line.parts! : saidSentence(line), story));
    expect(secrets).toEqual(['Ann said: “Zora knows too much. Zora it is.”', 'Ann votes for Zora.', 'Bo votes for Zora.']);
    expect(missedSentences(story, story.missed!).map((parts) => inWords(parts, story))).toEqual([
      'Dora suspected you most at 70 %: Day 1.',
    ]);
  });

  it('is who voted against it, where nobody knows what minds thought', () => {
    const story = told(played(MAW), { you: 2 });
    expect(missedSentences(story, story.missed!).map((parts) => inWords(parts, story))).toEqual(
      ['Ann', 'Bo', 'Dora', 'Emil'].map((name) => `${name} voted against you: Day 1.`),
    );
  });
});

describe('the turns by belief', () => {
  const tape = tapeOf(played(MAW));
  const claim = tape.moments.find(({ seen: { event } }) => event.type === 'answered')!.seen.at;
  const night = tape.moments.find(({ seen: { event } }) => event.type === 'murdered')!.seen.at;

  it('are the events with the largest change of the mean belief of the living villagers, worked by hand', () => {
    const suspicions = [
      { seat: 2, at: claim + 500, round: 1, of: [0.9, 0.5, 0, 0, 0, 0] }, // 0.7 for the wolves instead of the 0.4 of a guess
      { seat: 3, at: claim - 500, round: 1, of: [0.4, 0.4, 0.4, 0, 0.4, 0.4] }, // 0.4, where it starts
      { seat: 3, at: claim + 500, round: 1, of: [0.1, 0.2, 1, 0, 0, 0] }, // 0.15
      { seat: 1, at: claim + 500, round: 1, of: [1, 1, 0, 0, 0, 0] }, // a wolf, who knows
      { seat: 3, at: night + 500, round: 1, of: [1, 1, 0, 0, 0, 0] },
      { seat: 5, at: night + 500, round: 1, of: [1, 1, 0, 0, 0, 0] }, // dead
    ];
    const story = storyOf(tape, { suspicions })!;
    // the claim: only Dora moves, from (0.7 + 0.4 + 0.4 + 1) / 4 = 0.625 to (0.7 + 0.15 + 0.4 + 1) / 4 = 0.5625
    // the night: Dora and Emil live, (0.15 + 0.4) / 2, then (1 + 0.4) / 2
    expect(turns(story)).toEqual([
      'Day 1: Ann said: “I am the Seer. I checked Cy: Werewolf!” down from 63 % to 56 %',
      'Day 2: Zora was murdered in the night. up from 28 % to 70 %',
    ]);
  });

  it('are read from the steps of decisions, whatever roles the recipe believes in', () => {
    const step = (n: number, beliefs: object) => ({ step: n, kind: 'believe', name: 'b', at: n, content: { beliefs } });
    const decision = { n: 1, seat: 2, decision: 'd', phase: 'round-1/day-1', began: 1, ended: 2, steps: 2 };
    const steps = [step(1, { wolf: [0.5, 0.25, 0, 0, 0, 0] }), step(2, { Ann: { werewolf: 0.75, villager: 0.25 }, Bo: { evil: 1 } })];
    expect(suspicionsOf([{ decision, steps }], tape).map(({ of }) => of)).toEqual([
      [0.5, 0.25, 0, 0, 0, 0],
      [0.75, 1, 0, 0, 0, 0],
    ]);
  });
});

it('tells two rounds of MAW with the roles of each', () => {
  const story = told(inTwoRounds(MAW, HONEST), { you: 2 });
  expect(story.rounds.map(({ round, winner }) => [round, winner])).toEqual([
    [1, 'wolves'],
    [2, 'villagers'],
  ]);
  expect(story.rounds.map((round) => castOf(round, 2).role)).toEqual(['Villager', 'Werewolf']);
  expect(lies(story)).toHaveLength(2);
  expect(turns(story)).toEqual([
    'Round 1, Day 1: Cy is executed. up from 40 % to 50 %',
    'Round 1, Day 2: Ann is executed. up from 50 % to 100 %',
    'Round 2, Day 1: Cy is executed. up from 40 % to 100 %',
  ]);
  const seen = inTwoRounds(MAW, HONEST);
  const between = seen.findIndex(({ event }) => event.type === 'scored');
  expect([between + 1, seen.length - 1].map((end) => storyOf(tapeOf(seen.slice(0, end))))).toEqual([undefined, undefined]);
});

describe('the story of one night', () => {
  const ONUW = {
    rules: 'onuw',
    players: ['Ann', 'Bo', 'Cy', 'Dora', 'Emil'],
    deal: { cards: ['robber', 'werewolf', 'villager', 'troublemaker', 'insomniac'], centre: ['seer', 'werewolf', 'villager'] },
    acts: [
      { step: 'night/robber', seat: 0, says: ['seat:1'] }, // Ann has the werewolf now, Bo the robber
      { step: 'day/round-1/talk', seat: 0, says: ['I am the Villager.'] },
      { step: 'day/round-1/talk', seat: 1, says: ['I am the Insomniac.'] },
      { step: 'day/round-1/talk', seat: 2, says: ['I am a Villager.'] },
      ...[1, 2, 3, 4].map((seat) => ({ step: 'day/vote', seat, says: ['seat:0'] })),
      { step: 'day/vote', seat: 0, says: ['seat:2'] },
    ],
  };
  const story = told(played(ONUW));

  it('compares claims with the cards that were dealt, and sides with those at the end', () => {
    expect(story.rounds.map((round) => [0, 1].map((seat) => castOf(round, seat)))).toEqual([
      [
        { role: 'Werewolf', dealt: 'dealt Robber' },
        { role: 'Robber', dealt: 'dealt Werewolf' },
      ],
    ]);
    expect(lies(story)).toEqual([
      'Ann, dealt the Robber, claimed to be the Villager; Cy was.',
      'Bo, dealt the Werewolf, claimed to be the Insomniac; Emil was.',
    ]);
    expect(votes(story)).toBe('1/1 1/1 1/1 1/1 1/1');
    expect(inWords(resultOf(story.winners), story)).toBe('Won by Bo, Cy, Dora and Emil');
  });

  it('takes no Robber for a liar that tells of a card which was moved afterwards, whoever looks', () => {
    const swap = { step: 'night/troublemaker', seat: 3, says: ['seat:0', 'seat:2'] };
    const acts = [ONUW.acts[0]!, swap, { ...ONUW.acts[1]!, says: ['I am a Werewolf now.'] }, ONUW.acts[2]!];
    const tape = tapeOf(played({ ...ONUW, acts }));
    expect(tape.moments.at(-1)!.after.game.results[0]!.roles).toEqual(['villager', 'robber', 'werewolf', 'troublemaker', 'insomniac']);
    for (const eye of ['audience', 0, 1] as const)
      expect(lies(storyOf(seenBy(tape, eye))!)).toEqual(['Bo, dealt the Werewolf, claimed to be the Insomniac; Emil was.']);
  });

  it('takes no Doppelgänger for a liar that tells of the role it has copied, or of a card it took by it, whoever looks', () => {
    const claims = (copies: string, acts: readonly object[], text: string) => {
      const deal = { cards: ['doppelganger', copies, 'villager', 'hunter', 'werewolf'], centre: ['werewolf', 'villager', 'minion'] };
      const deck = `doppelganger=1,${copies}=1,villager=2,hunter=1,werewolf=2,minion=1`;
      const copy = { step: 'night/doppelganger', seat: 0, says: ['seat:1'] };
      const tape = tapeOf(played({ ...ONUW, options: { deck }, deal, acts: [copy, ...acts, say('day/round-1', 0, text)] }));
      return (['audience', 0, 1] as const).map((eye) => lies(storyOf(seenBy(tape, eye))!).length);
    };
    expect(claims('seer', [], 'I am the Seer.')).toEqual([0, 0, 0]);
    expect(claims('seer', [], 'I am the Hunter.')).toEqual([1, 1, 1]);
    expect(claims('robber', [{ step: 'night/copied/robber', seat: 0, says: ['seat:4'] }], 'I am a Werewolf now.')).toEqual([0, 0, 0]);
  });

  it('counts no vote for a Tanner as right, and those of a Tanner against others', () => {
    const deal = { cards: ['tanner', 'werewolf', 'villager', 'hunter', 'seer'], centre: ['minion', 'werewolf', 'villager'] };
    const acts = [2, 0, 0, 1, 1].map((on, seat) => ({ step: 'day/vote', seat, says: [`seat:${on}`] }));
    const of = told(played({ ...ONUW, options: { deck: 'tanner=1,werewolf=2,villager=2,hunter=1,seer=1,minion=1' }, deal, acts }));
    expect(votes(of)).toBe('1/1 0/1 0/1 1/1 1/1');
    expect(of.turns.map(changeOf)).toEqual(['up from 25 % to 67 %']); // a guess hits the Werewolf among four
  });

  it('calls a talker only who said half as much again as the others', () => {
    const talkers = (lengths: readonly number[]) => {
      const acts = lengths.map((length, seat) => ({ step: 'day/round-1/talk', seat, says: ['a'.repeat(length)] }));
      return titles(told(played({ ...ONUW, acts }))).filter((title) => title.endsWith('talker'));
    };
    expect(talkers([16, 10, 10, 10, 10])).toEqual(['Ann talker']);
    expect(talkers([15, 10, 10, 10, 10])).toEqual([]);
  });
});

describe('the story of Avalon', () => {
  const all = [0, 1, 2, 3, 4];
  const quest = (n: number, leader: number, team: readonly number[], cards: readonly string[], against: readonly number[] = []) => [
    ...all.map((seat) => ({
      step: `quest-${n}/proposal-1/talk`,
      seat,
      says: [seat === 3 && n === 1 ? 'I am good. I am Merlin.' : 'Well.'],
    })),
    { step: `quest-${n}/proposal-1/team`, seat: leader, says: team.map((seat) => `seat:${seat}`) },
    ...all.map((seat) => ({ step: `quest-${n}/proposal-1/approve`, seat, says: [against.includes(seat) ? 'reject' : 'approve'] })),
    ...team.map((seat, i) => ({ step: `quest-${n}/proposal-1/quest`, seat, says: [cards[i]!] })),
  ];
  const story = told(
    played({
      rules: 'avalon',
      players: ['Ann', 'Bo', 'Cy', 'Dora', 'Emil'],
      deal: { roles: ['merlin', 'percival', 'servant', 'morgana', 'assassin'], leader: 0 },
      acts: [
        ...quest(1, 0, [0, 1], ['success', 'success'], [3, 4]),
        ...quest(2, 1, [0, 1, 3], ['success', 'success', 'fail'], [0]),
        ...quest(3, 2, [0, 3], ['success', 'fail'], [0]),
        ...quest(4, 3, [0, 3, 4], ['success', 'fail', 'fail'], [0]),
      ],
    }),
  );

  it('takes claims of a side and of a person for lies, and votes on teams by whom they served', () => {
    expect(lies(story)).toEqual(['Dora, Morgana, claimed to be good.', 'Dora, Morgana, claimed to be Merlin; Ann was.']);
    expect(votes(story)).toBe('4/4 1/4 1/4 4/4 4/4');
    expect(titles(story)).toEqual(expect.arrayContaining(['Ann bloodhound', 'Bo astray', 'Dora silverTongue']));
    // three approved the clean team; of the next, only Merlin rejected
    expect(turns(story).map((each) => each.replace(/^.*against\. |^.*\. (?=up|down)/, ''))).toContain('down from 100 % to 33 %');
  });
});

it('reads the language of AIWolf, its own claims only', () => {
  const talk = (seat: number, text: string) => ({ step: 'day-1/turn-0/talk', seat, says: [text] });
  const story = told(
    played({
      rules: 'aiwolf',
      players: ['Ann', 'Bo', 'Cy', 'Dora', 'Emil'],
      deal: { roles: ['seer', 'possessed', 'werewolf', 'villager', 'villager'] },
      acts: [
        talk(0, 'AND (COMINGOUT Agent[01] SEER) (DIVINED Agent[03] WEREWOLF)'),
        talk(1, 'BECAUSE (DIVINED Agent[01] WEREWOLF) (COMINGOUT Agent[02] SEER)'),
        talk(2, 'REQUEST ANY (DIVINED Agent[01] WEREWOLF)'),
        talk(3, 'Agent[02] DIVINED Agent[04] WEREWOLF'),
        talk(4, 'ESTIMATE Agent[01] WEREWOLF'),
      ],
    }),
  );
  expect(lies(story)).toEqual([
    'Bo[02], the Possessed, said that Ann[01] is the Werewolf; Ann[01] was the Seer.',
    'Bo[02], the Possessed, claimed to be the Seer; Ann[01] was.',
  ]);
});

it('tells an execution in AIWolf, and who dies with the last fox, as of the day that they end', () => {
  const players = ['Ann', 'Bo', 'Cy', 'Dora', 'Emil', 'Zora'];
  const deal = { roles: ['fox', 'immoralist', 'werewolf', 'villager', 'villager', 'villager'] };
  const options = { roles: { fox: 1, immoralist: 1, werewolf: 1, villager: 3 } };
  const acts = players.map((_, seat) => vote('day-1', seat, seat ? 0 : 1));
  const tape = tapeOf(played({ rules: 'aiwolf', options, players, deal, acts }));
  const suspicions = ['dealt', 'executed', 'died'].map((type, i) => {
    const { at } = tape.moments.find(({ seen }) => seen.event.type === type)!.seen;
    return { seat: 3, at, round: 1, of: [i, i, i, 0, 0, 0].map((share) => share / 2) };
  });
  const said = turns(storyOf(tape, { suspicions })!).map((turn) => turn.replace(/ (up|down) .*/, ''));
  expect(said).toEqual(['Day 1: Ann[01] is executed.', 'Day 1: Bo[02] dies too.']);
});

it('tells no lie of results about nobody at the table, or about anything', () => {
  const says = ['AND (DIVINED ANY WEREWOLF) (DIVINED Agent[99] WEREWOLF) (IDENTIFIED Agent[04] ANY)'];
  const acts = [{ step: 'day-1/turn-0/talk', seat: 0, says }];
  const roles = ['seer', 'possessed', 'werewolf', 'villager', 'villager'];
  expect(told(played({ rules: 'aiwolf', players: ['Ann', 'Bo', 'Cy', 'Dora', 'Emil'], deal: { roles }, acts })).lies).toEqual([]);
});

describe.each(catalogue.map((set) => ({ name: set.name, set })))('a table of $name', ({ set }) => {
  const { tape: events } = playthrough(set, { players: set.players.usual, seed: `story ${set.name}`, options: {} }, 1).table;
  const seen = events.map((event, i) => ({ n: i + 1, at: i * 1_000, event })) as unknown as Parameters<typeof tapeOf>[0];

  it('has no story before it is over, for nobody, and one afterwards for everybody', () => {
    const scored = events.findIndex(({ type }) => type === 'scored');
    for (const end of [10, Math.floor(scored / 2), scored, scored + 1, events.length - 2]) {
      const running = tapeOf(seen.slice(0, end));
      for (const eye of eyes(running)) expect(storyOf(seenBy(running, eye))).toBeUndefined();
      expect(storyOf(running)).toBeUndefined();
    }
    const over = tapeOf(seen);
    for (const eye of eyes(over)) expect(storyOf(seenBy(over, eye))!.rounds).toHaveLength(1);
  });

  it('gives every eye the same public story, so that a picture holds no secret', () => {
    const over = tapeOf(seen);
    const known = (tape: Tape) => {
      const { lies: all, turns: changes, seats, winners, rounds } = storyOf(seenBy(tape, 'audience'))!;
      const moved = changes.map(({ from, to, round }) => [from, to, round]);
      return {
        moved,
        lies: all.map(({ by, said, about, times }) => [by, said, about, times]),
        seats,
        winners,
        roles: rounds.map(({ roles }) => roles),
      };
    };
    const fromAll = known(over);
    const drawn = pictured(storyOf(publicView(over))!);
    for (const eye of eyes(over)) {
      expect(known(seenBy(over, eye))).toEqual(fromAll);
      expect(pictured(storyOf(publicView(seenBy(over, eye)))!)).toEqual(drawn);
    }
  });
});

/**
 * Seven-player Werewolf, the game of document 001 (Xu et al., "Exploring Large Language Models for Communication Games"), as a script:
 *
 *   deal two werewolves, two villagers, seer, guard and witch, and the order in which all speak; the wolves learn each other
 *   until a side has won, or maxDays have passed:
 *     night: the wolves name a victim in turn, the guard protects, the witch saves, then poisons, the seer inspects;
 *            each step lasts its full time whether anybody acts or not
 *     dawn:  the dead are named
 *     day:   one speech each, one vote each, in the order; the most voted is executed after last words
 *   with the options `sheriff` and `tie`: a sheriff is elected on day 1, whose badge is passed on at death, and a tie has a second ballot
 */
import { type Open, type Seat, seatOf, seats, silentIn } from '../kernel/question.ts';
import { ruleSet } from '../kernel/rule-set.ts';
import { ask, type Moment, outcomeFor, type Rules, rolesSeen } from '../kernel/rules.ts';
import { election, type Events, mostVoted, partOf, questionsOf } from './day.ts';
import { chosen, dying, fallen, nightQuestion, STEPS, victim } from './night.ts';
import { type Werewolf7Options, werewolf7Options } from './options.ts';
import {
  alive,
  evolve,
  type Fallen,
  halvesOf,
  inOrder,
  isOrphaned,
  isWolf,
  living,
  initialState,
  type Role,
  ROLES_DEALT,
  type Werewolf7,
  type Werewolf7Event,
} from './state.ts';
import { brief, tell } from './narration.ts';
import { formatDuration } from '../kernel/format-text.ts';

export const werewolf7 = ruleSet({
  name: 'werewolf-7',
  version: '1',
  says: 'Seven players with a seer, a guard and a witch: secret choices by night, one speech and one public vote each by day.',
  players: { least: 7, most: 7, usual: 7 },
  options: werewolf7Options,
  sides: { village: ['villager', 'seer', 'guard', 'witch'], werewolves: ['werewolf'] },
  marks(game, seat) {
    const { condemned, sheriff } = game as Werewolf7;
    return [...(condemned === seat ? ['condemned' as const] : []), ...(sheriff?.seat === seat ? ['sheriff' as const] : [])];
  },
  halves: (game, seat, step) => (step === 'vote' ? halvesOf(game as Werewolf7, seat) : 2),
  decisions: { run: 'secret-choice', elect: 'vote', decide: 'vote', heir: 'vote' },
  record: {
    deal: {
      roles: 'the roles by seat: werewolf, villager, seer, guard, witch',
      order: 'the seats in the order in which they speak and vote',
    },
    draws: {},
    optional: ['save', 'poison'],
  },
  rules: (_, options) => rulesOf(options),
  text: (_, options) => rulesText(options),
});

/** What is told in the Village, where it is open, and what everybody sees. */
const ANNOUNCED = ['gathered', 'stood', 'elected', 'inherited', 'tied', 'dawned', 'condemned'];
const PUBLIC = [...ANNOUNCED, 'dusked', 'executed', 'spared', 'ended'];

function rulesOf(options: Werewolf7Options): Rules<Werewolf7, Werewolf7Event> {
  const after = (s: Werewolf7, events: readonly Werewolf7Event[]): Werewolf7 => events.reduce(evolve, s);
  const { choices, speeches, candidacy, heir } = questionsOf(options);
  const isElection = (s: Werewolf7, at: Werewolf7Options['sheriffAt']): boolean =>
    options.sheriff === 'elected' && options.sheriffAt === at && s.day === 1;

  /** The result of a step of the night, then the next step or the dawn. */
  function next(s: Werewolf7, { id }: Open, { now }: Moment, events: readonly Werewolf7Event[]): Events {
    const then = after(s, events);
    const step = STEPS[STEPS.findIndex((each) => id.endsWith(`/${each}`)) + 1];
    return [...events, ...(step ? [ask(nightQuestion(then, step, now, options))] : dawn(then, now))];
  }

  const nightfall = (s: Werewolf7, day: number, now: number): Events => {
    const dusked: Werewolf7Event = { type: 'dusked', night: day };
    return [dusked, ask(nightQuestion(after(s, [dusked]), STEPS[0], now, options))];
  };

  const dawn = (s: Werewolf7, now: number): Events =>
    isElection(s, 'before-deaths') ? [ask(candidacy(s, now)), { type: 'gathered', day: s.day }] : nameDead(s, [], now);

  function nameDead(s: Werewolf7, before: readonly Werewolf7Event[], now: number): Events {
    const isTold = options.revealNightRoles || (options.revealFirstNight && s.day === 1);
    const dead = dying(s).map((seat): Fallen => (isTold ? { seat, role: s.roles[seat] as Role } : { seat }));
    const events: readonly Werewolf7Event[] = [...before, { type: 'dawned', day: s.day, dead }];
    const then = after(s, events);
    const end = ending(then);
    if (end) return [...events, end];
    if (isOrphaned(then)) return [ask(heir(then, 'dawn', now)), ...events];
    return isElection(then, 'after-deaths') ? [ask(candidacy(then, now)), ...events] : talk(then, events, now);
  }

  /** The room is open before anything is told in it. */
  const talk = (s: Werewolf7, events: Events, now: number): Events => [ask(speeches(s, 'talk', inOrder(s), now)), ...events];

  /** After the speeches of candidates, of those in a tie, or of all. */
  function afterTalk(s: Werewolf7, q: Open, { now }: Moment): Events {
    const part = partOf(q.id);
    const others = inOrder(s).filter((seat) => !s.candidates.includes(seat));
    const those = [...seats(q.of), 'pass'];
    if (part.endsWith('election')) return [ask(choices(s, `${part}/elect`, others, those, now))];
    if (part !== 'second-ballot') return [ask(choices(s, 'ballot/vote', inOrder(s), [...seats(alive(s)), 'pass'], now))];
    return [ask({ ...choices(s, 'second-ballot/vote', secondVoters(s, q.of), those, now), self: false })];
  }

  const secondVoters = (s: Werewolf7, tied: readonly Seat[]): readonly Seat[] =>
    inOrder(s).filter((seat) => options.runoffVoters === 'all' || !tied.includes(seat));

  /** After a vote: nothing, the execution, or what decides a tie. */
  function verdict(s: Werewolf7, q: Open, { now }: Moment): Events {
    const most = mostVoted(s, q);
    if (most.length === 1) return most[0] === 'pass' ? spare(s, 'pass', now) : condemn(s, seatOf(most[0]!), now);
    const tied = most.includes('pass') ? [] : inOrder(s).filter((seat) => most.includes(`seat:${seat}`));
    if (!tied.length || partOf(q.id) === 'second-ballot') return spare(s, 'tie', now);
    if (s.sheriff && options.sheriffTies === 'decides')
      return [ask(choices(s, 'tie/decide', [s.sheriff.seat], seats(tied), now)), { type: 'tied', seats: tied, decides: 'sheriff' }];
    if (options.tie === 'none' || !secondVoters(s, tied).length) return spare(s, 'tie', now);
    return [ask(speeches(s, 'second-ballot/talk', tied, now)), { type: 'tied', seats: tied, decides: 'ballot' }];
  }

  const spare = (s: Werewolf7, because: 'tie' | 'pass', now: number): Events => dusk(s, [{ type: 'spared', because }], now);

  /** The execution waits for the last words. */
  const condemn = (s: Werewolf7, seat: Seat, now: number): Events =>
    options.lastWords
      ? [ask(speeches(s, 'gallows/last-words', [seat], now)), { type: 'condemned', seat }]
      : execution({ ...s, condemned: seat }, now);

  function execution(s: Werewolf7, now: number): Events {
    const seat = s.condemned!;
    return dusk(s, [{ type: 'executed', seat, ...(options.revealExecuted ? { role: s.roles[seat] as Role } : {}) }], now);
  }

  /** The end of a day: the end of the game, or the next night. */
  function dusk(s: Werewolf7, events: readonly Werewolf7Event[], now: number): Events {
    const then = after(s, events);
    const end = ending(then);
    if (end) return [...events, end];
    if (s.day >= options.maxDays) return [...events, { type: 'ended', winner: 'draw', because: 'too-long' }];
    if (isOrphaned(then)) return [...events, ask(heir(then, 'dusk', now))];
    return [...events, ...nightfall(then, s.day + 1, now)];
  }

  function ending(s: Werewolf7): Werewolf7Event | undefined {
    const here = alive(s);
    const pack = here.filter((seat) => isWolf(s, seat)).length;
    const village: Werewolf7Event | undefined = pack ? undefined : { type: 'ended', winner: 'village', because: 'no-wolves' };
    const because = {
      'villagers-dead': living(s, 'villager') === undefined && ('no-villagers' as const),
      'all-good-dead': pack === here.length && ('no-others' as const),
      'parity': pack >= here.length - pack && ('parity' as const),
    }[options.wolfWin];
    const werewolves: Werewolf7Event | undefined = because ? { type: 'ended', winner: 'werewolves', because } : undefined;
    return options.endFirst === 'village' ? (village ?? werewolves) : (werewolves ?? village);
  }

  /** What follows a choice of one seat. With `running` a choice of somebody who has died before the step is void. */
  const choice =
    (made: (s: Werewolf7, by: Seat, seat: Seat) => readonly Werewolf7Event[]) =>
    (s: Werewolf7, q: Open, moment: Moment): Events => {
      const seat = chosen(q);
      return next(s, q, moment, seat === undefined ? [] : made(s, q.of[0]!, seat));
    };

  return {
    name: 'werewolf-7',
    begin: () => initialState,

    deal(_, { dice, now }) {
      const roles = dice.shuffle<Role>('roles', ROLES_DEALT);
      const order = dice.shuffle('order', [...ROLES_DEALT.keys()]);
      const dealt: Werewolf7Event = { type: 'dealt', roles, order };
      return [dealt, ...nightfall(after(initialState, [dealt]), 1, now)];
    },

    evolve,

    /** An unclear or missing choice counts as `pass`; silence stays silence. */
    defaults: (_, q) => (q.verb === 'choose' && q.options.includes('pass') ? silentIn(q).map((by) => ({ by, says: ['pass'] })) : []),

    follow: {
      ...election(options, (...then) => (options.sheriffAt === 'before-deaths' ? nameDead(...then) : talk(...then))),

      'hunt'(s, q, moment) {
        const aimed = q.answers.map(({ by }): Werewolf7Event => ({ type: 'aimed', by, at: chosen(q) ?? 'pass' }));
        return next(s, q, moment, aimed);
      },

      'protect'(s, q, moment) {
        const seat = chosen(q);
        const events: Werewolf7Event[] = seat === undefined ? [] : [{ type: 'protected', by: q.of[0]!, seat }];
        const doomed = victim(after(s, events));
        const witch = living(s, 'witch');
        const isWarned = s.antidote && witch !== undefined && doomed !== undefined;
        return next(s, q, moment, isWarned ? [...events, { type: 'warned', to: witch, seat: doomed }] : events);
      },

      'save': choice((_, by, seat) => [{ type: 'saved', by, seat }]),
      'poison': choice((s, by, seat) => (fallen(s, 'witch-2/poison', options).includes(by) ? [] : [{ type: 'poisoned', by, seat }])),
      // who dies tonight learns nothing any more
      'inspect': choice((s, by, seat) => (dying(s).includes(by) ? [] : [{ type: 'inspected', by, seat, isWolf: isWolf(s, seat) }])),
      'talk': afterTalk,
      'vote': verdict,
      'decide': (s, q, { now }) => (chosen(q) === undefined ? spare(s, 'tie', now) : condemn(s, chosen(q)!, now)),
      'last-words': (s, _, { now }) => execution(s, now),
      'heir'(s, q, { now }) {
        const seat = chosen(q);
        const passed: Werewolf7Event = { type: 'inherited', ...(seat === undefined ? {} : { seat }), halves: s.sheriff!.halves };
        return partOf(q.id) === 'dusk' ? dusk(s, [passed], now) : talk(s, [passed], now);
      },
    },

    see(e, eye) {
      if (e.type === 'dealt') return { ...e, roles: rolesSeen(e.roles, eye, 'werewolf') };
      if (e.type === 'warned') return e.to === eye ? e : undefined;
      if ('by' in e && e.type !== 'aimed') return e.by === eye ? e : undefined;
      return PUBLIC.includes(e.type) ? e : undefined;
    },

    /** A dead sheriff acts until the badge is passed on. */
    out: (s) => (isOrphaned(s) ? s.dead.filter((seat) => seat !== s.sheriff!.seat) : s.dead),
    secretPhase: (s) => ({ phase: `night-${s.day}`, ms: STEPS.length * options.nightMs }),
    outcome: ({ ended, roles }) =>
      ended && outcomeFor(ended.winner, roles, (seat) => ended.winner === (roles[seat] === 'werewolf' ? 'werewolves' : 'village')),
    tell,
    announce: (e) => (ANNOUNCED.includes(e.type) ? ['Village'] : []),
    brief,
  };
}

function rulesText(o: Werewolf7Options): string {
  return [
    'Seven players: two Werewolves, two Villagers, the Seer, the Guard and the Witch. The Werewolves know each other; nobody else knows more than their own role. All but the Werewolves are the village.',
    'The game begins with night 1. In the night, one after another: the Werewolves choose a victim, the Guard protects, the Witch may use her antidote and then her poison, the Seer inspects.',
    o.hurry
      ? `A step of the night ends as soon as it is answered, after ${formatDuration(o.nightMs)} at the latest.`
      : `Each step of the night lasts ${formatDuration(o.nightMs)}, whether somebody acts in it or not.`,
    'The Werewolves vote in order of seats, the second seeing the first one’s vote, for any living player, themselves included, or to pass. The most votes count; a tie, or most votes for pass, kills nobody. A last Werewolf decides alone.',
    `The Guard protects one player from the Werewolves, himself if he likes${o.guardRepeat ? ', the same on as many nights as he likes' : ', but not the same on two nights running'}. He does not protect from poison.`,
    `The Witch has one antidote and one poison for the whole game. As long as she has the antidote she is told whom the Werewolves will kill, unless the Guard protects them, and may save them, herself too. She may poison any living player. ${o.witchBoth ? 'She may use both in one night.' : 'She may not use both in one night.'}`,
    'Each night the Seer learns of one player whether that is a Werewolf. A Seer who dies in that night learns nothing of it.',
    o.nightState === 'nightfall'
      ? 'All choices of a night are among those alive at nightfall, and count even if their maker dies in that night.'
      : 'The choices of a night are among those who have not died in it so far: the victim has once the Witch has not used the antidote she has, or else after the poison, and the poisoned has before the Seer chooses. Who has died so far chooses in vain.',
    ...sheriffRules(o),
    `In the morning the dead of the night are named${nightRoles(o)}. Then everybody alive makes one speech of at most ${formatDuration(o.turnMs)} and ${o.maxChars} characters, in an order shuffled once for the game.`,
    `Then all vote in that order, openly, within ${formatDuration(o.voteMs)} each, for any living player or to pass. The most voted is executed; ${tieRules(o).length ? 'most votes for pass, or a tie with pass, execute nobody' : 'a tie, or most votes for pass, executes nobody'}.`,
    ...tieRules(o),
    `${o.lastWords ? 'The condemned may say last words before dying.' : 'There are no last words.'} The role of the executed is ${o.revealExecuted ? 'announced' : 'not announced'}. Whoever does not choose in time passes.`,
    `The village wins when no Werewolf is alive. The Werewolves win when ${wolfWin(o)}. Both are looked at in the morning and after an execution, ${o.endFirst === 'village' ? 'the village first' : 'the Werewolves first'}. After day ${o.maxDays} it is a draw.`,
    'Everybody of the winning side, alive or dead, gets one point.',
  ].join('\n');
}

/** What follows when several players, and not `pass`, have the most votes; nothing: nobody is executed. */
function tieRules({ sheriff, sheriffTies, tie, runoffVoters, voteMs }: Werewolf7Options): readonly string[] {
  const [isDecided, isAll] = [sheriff === 'elected' && sheriffTies === 'decides', runoffVoters === 'all'];
  const decides = `When several players tie and there is a sheriff, the sheriff names which of them is executed, within ${formatDuration(voteMs)}; silence executes nobody${tie === 'none' ? ', nor does a tie without a sheriff' : ''}.`;
  const second = `When several players tie${isDecided ? ' without a sheriff' : ''}, each of them makes one more speech in that order, then all ${isAll ? 'alive' : 'others alive'} vote once more, for one of them${isAll ? ' but not for themselves' : ''} or to pass. The most voted is executed; a tie, or most votes for pass, executes nobody.${isAll ? '' : ' When all who are alive tie, nobody is executed.'}`;
  return [...(isDecided ? [decides] : []), ...(tie === 'runoff' ? [second] : [])];
}

function sheriffRules({ sheriff, sheriffAt, sheriffVote, voteMs }: Werewolf7Options): readonly string[] {
  if (sheriff === 'none') return [];
  const isBefore = sheriffAt === 'before-deaths';
  const counts = { '1': 'like any other', '1.5': 'one and a half', '2': 'two' }[sheriffVote];
  return [
    `On day 1, ${isBefore ? 'before' : 'after'} the dead of the night are named, all ${isBefore ? 'who lived at nightfall' : 'alive'} are asked at once and in secret whether they run for sheriff; silence does not. If nobody or everybody runs, there is no sheriff in this game; a single candidate is elected.`,
    'Otherwise the candidates make one speech each, then all others vote openly, for one of them or to pass, and the most voted is the sheriff. In a tie the tied speak once more, and the same players vote among them; with another tie, or without any vote for a candidate, there is no sheriff in this game.',
    `The sheriff’s vote by day counts ${counts}, but not in elections. Being the sheriff tells and changes no role.`,
    `A sheriff who dies while the game goes on names a living heir, who is the sheriff at once, or tears the badge, within ${formatDuration(voteMs)}; silence tears it. A torn badge is gone for the game.`,
  ];
}

function nightRoles(o: Werewolf7Options): string {
  if (o.revealNightRoles) return ', with their roles';
  return o.revealFirstNight ? ', those of the first night with their roles' : ', without their roles';
}

function wolfWin(o: Werewolf7Options): string {
  return {
    'villagers-dead': 'both Villagers are dead, whoever else lives',
    'all-good-dead': 'nobody else is alive',
    'parity': 'they are as many as the others alive',
  }[o.wolfWin];
}

/**
 * Avalon, the game of document 003 (The Resistance: Avalon), as a script:
 *
 *   deal the roles; show each what its role sees; draw the first leader
 *   until three quests have succeeded or three have failed:
 *     up to five times: everybody speaks, the leader first; the leader names a team; all vote
 *       rejected: the next one leads; rejected for the fifth time: evil wins
 *     the team plays its cards; one fail card, or two, fails the quest; the next one leads
 *   three failed: evil wins; three succeeded: the Assassin names a seat, and evil wins if it is Merlin
 *
 * With `assassination: any-quest` the Assassin may name Merlin after every quest, as in the program of document 003, but only once per game.
 * A hit wins for evil. A miss reveals the Assassin and the choice, and the question is not asked again.
 *
 * With `lady: true` the holder of the Lady of the Lake names a player after quests 2, 3 and 4, learns its side, and hands her over.
 * With Tristan and Isolde in the cast the Assassin may name two seats as the lovers instead of one as Merlin.
 */
import {
  ballot,
  namedSeats,
  type Open,
  phaseOf,
  type Question,
  round,
  type Seat,
  seatOf,
  seats,
  secret,
  silentIn,
  stepOf,
} from '../kernel/question.ts';
import { ruleSet } from '../kernel/rule-set.ts';
import { ask, type Moment, outcomeFor, type Rules, rolesSeen, type TableEvent } from '../kernel/rules.ts';
import { rolesFor, failsNeeded, sightsOf, teamSize } from './setup.ts';
import { type AvalonOptions, avalonOptions } from './options.ts';
import { type Avalon, type AvalonEvent, type Ending, evolve, isEvil, initialState, type Role, scoreOf, seatsFrom } from './state.ts';
import { briefFor, marksOf, tell, rulesText } from './narration.ts';

type Events = (AvalonEvent | TableEvent)[];

/** The maximum of proposals per quest, and the number of quests that decides. */
const PROPOSALS = 5;
const DECIDE = 3;
/** The quest after which the Lady of the Lake is used first. */
const FIRST_LOOK = 2;
const ROOM = 'Table';
/** What the Assassin may answer besides a seat before the third success. */
const NOBODY = 'nobody';

export const avalon = ruleSet({
  name: 'avalon',
  version: '1',
  says: 'Quests and secret roles: teams are named, voted on and sent, and three quests decide, unless the Assassin finds Merlin.',
  players: { least: 5, most: 10, usual: 6 },
  options: avalonOptions,
  sides: { good: ['merlin', 'percival', 'servant', 'tristan', 'isolde'], evil: ['morgana', 'assassin', 'minion', 'mordred', 'oberon'] },
  optionalRoles: ['tristan', 'isolde'],
  periods: { word: 'quest', most: 5 },
  marks: (game, seat) => marksOf(game as Avalon, seat),
  decisions: { team: 'proposal', quest: 'quest-card', lady: 'secret-choice', assassinate: 'assassination' },
  record: {
    deal: {
      roles: 'the roles by seat: merlin, percival, servant, tristan, isolde, morgana, assassin, minion, mordred, oberon',
      leader: 'the seat that leads first, from 0',
    },
    draws: {},
    optional: ['assassinate'],
  },
  rules: (players, options) => rulesOf(rolesFor(players, options), options),
  text: (players, options) => rulesText(rolesFor(players, options), options),
});

function rulesOf(cast: readonly Role[], options: AvalonOptions): Rules<Avalon, AvalonEvent> {
  const players = cast.length;
  const everybody = seatsFrom(0, players);
  const hasLovers = cast.includes('tristan');
  const phase = ({ quest, proposal }: { readonly quest: number; readonly proposal: number }) => `quest-${quest}/proposal-${proposal}`;

  /** Starts a proposal: everybody speaks, or the leader names a team at once. `said` is announced in the room that opens. */
  function lead(
    to: { readonly quest: number; readonly proposal: number; readonly leader: Seat },
    { now }: Moment,
    said: Events = [],
  ): Events {
    const { turnMs, maxChars } = options;
    const first = options.talk
      ? round(`${phase(to)}/talk`, seatsFrom(to.leader, players), now, turnMs, { room: ROOM, maxChars })
      : team(to, to.leader, now);
    return [ask(first), ...said, { type: 'led', ...to, size: teamSize(players, to.quest) }];
  }

  const team = (at: { readonly quest: number; readonly proposal: number }, leader: Seat, now: number): Question =>
    ballot(`${phase(at)}/team`, [leader], seats(everybody), now + options.teamMs, { pick: teamSize(players, at.quest) });

  const cards = (s: Avalon, { now }: Moment): TableEvent =>
    ask(secret(`${phase(s)}/quest`, s.team, ['success', 'fail'], now + options.questMs, { among: 'table' }));

  const nextLeader = (s: Avalon): Seat => (s.leader + 1) % players;

  const end = (s: Avalon, winner: 'good' | 'evil', because: Ending): AvalonEvent => ({
    type: 'ended',
    winner,
    because,
    roles: s.roles as readonly Role[],
  });

  /** Asks the Assassin alone. Before the third success the question lasts its full time, so that its length reveals nothing. */
  function seek(s: Avalon, isLast: boolean, { now }: Moment): Events {
    const assassin = s.roles.indexOf('assassin');
    const known = s.sights.find(({ seat }) => seat === assassin)?.of ?? [];
    const named = everybody.filter((seat) => seat !== assassin && !known.includes(seat));
    const pairs = hasLovers ? named.flatMap((a) => named.flatMap((b) => (a < b ? [`seat:${a}+${b}`] : []))) : [];
    const targets = [...seats(named), ...pairs];
    const settles = isLast || options.hurry ? ('when-all-answer' as const) : ('by-the-clock' as const);
    return [
      { type: 'sought', ...(hasLovers ? { lovers: true as const } : {}) },
      ask(
        secret(
          isLast ? 'end/assassinate' : `quest-${s.quest}/assassinate`,
          [assassin],
          isLast ? targets : [NOBODY, ...targets],
          now + options.assassinMs,
          { settles },
        ),
      ),
    ];
  }

  function voted(s: Avalon, q: Open, moment: Moment): Events {
    const { quest, proposal, leader } = s;
    const approve = everybody.filter((seat) => q.answers.some(({ by, says }) => by === seat && says[0] === 'approve'));
    const reject = everybody.filter((seat) => !approve.includes(seat));
    const isApproved = options.approval === 'half' ? approve.length * 2 >= players : approve.length * 2 > players;
    const vote: AvalonEvent = { type: 'voted', quest, proposal, leader, team: s.team, approve, reject, isApproved };
    if (isApproved) return [vote, cards(s, moment)];
    if (proposal === PROPOSALS) return [vote, end(s, 'evil', 'five-rejected')];
    return lead({ quest, proposal: proposal + 1, leader: nextLeader(s) }, moment, [vote]);
  }

  function quested(s: Avalon, q: Open, moment: Moment): Events {
    const fails = q.answers.filter(({ says }) => says[0] === 'fail').length;
    const isSuccess = fails < failsNeeded(players, s.quest, options.twoFails);
    const quest: AvalonEvent = { type: 'quested', quest: s.quest, team: s.team, fails, isSuccess };
    const after = evolve(s, quest);
    const isLast = scoreOf(after).succeeded === DECIDE;
    const maySeek = !s.shot && (options.assassination === 'any-quest' || isLast);
    return maySeek ? [quest, ...seek(after, isLast, moment)] : next(after, moment, [quest]);
  }

  /** Asks the holder of the Lady of the Lake for somebody who has not held her, in the order of seats. Everybody sees who is asked. */
  function askHolder({ quest, holders = [] }: Avalon, { now }: Moment): TableEvent {
    const holder = holders.at(-1)!;
    const free = seatsFrom(holder, players).filter((seat) => !holders.includes(seat));
    return ask(ballot(`quest-${quest}/lady`, [holder], seats(free), now + options.teamMs));
  }

  function looked(s: Avalon, q: Open, moment: Moment): Events {
    const { by, says } = q.answers[0]!;
    const seat = seatOf(says[0]!);
    const looks: AvalonEvent[] = [
      { type: 'lady', holder: seat, by },
      { type: 'inspected', by, seat, found: isEvil(s.roles[seat]) ? 'evil' : 'good' },
    ];
    return lead({ quest: s.quest + 1, proposal: 1, leader: nextLeader(s) }, moment, looks);
  }

  /** After a quest in which Merlin was not found: the end, the Lady of the Lake, or the next quest. */
  function next(s: Avalon, moment: Moment, said: Events): Events {
    const { succeeded, failed } = scoreOf(s);
    if (failed === DECIDE) return [...said, end(s, 'evil', 'quests-failed')];
    if (succeeded === DECIDE) return [...said, end(s, 'good', 'quests-succeeded')];
    if (options.lady && s.quest >= FIRST_LOOK) return [...said, askHolder(s, moment)];
    return lead({ quest: s.quest + 1, proposal: 1, leader: nextLeader(s) }, moment, said);
  }

  function assassinated(s: Avalon, q: Open, moment: Moment): Events {
    const { by, says } = q.answers[0] ?? {};
    const [seat, other] = namedSeats(says?.[0] ?? NOBODY);
    if (by === undefined || seat === undefined) return next(s, moment, []);
    const isMerlin = other === undefined && s.roles[seat] === 'merlin';
    const areLovers = other !== undefined && ['tristan', 'isolde'].every((role) => [s.roles[seat], s.roles[other]].includes(role as Role));
    const shot: AvalonEvent = { type: 'shot', by, seat, isMerlin, ...(other === undefined ? {} : { other, areLovers }) };
    if (isMerlin) return [shot, end(s, 'evil', 'merlin-named')];
    return areLovers ? [shot, end(s, 'evil', 'lovers-named')] : next(s, moment, [shot]);
  }

  return {
    name: 'avalon',
    begin: () => initialState,

    deal(_, moment) {
      const roles = moment.dice.shuffle<Role>('roles', cast);
      const leader = moment.dice.pick('leader', everybody as [Seat, ...Seat[]]);
      const sights = sightsOf(roles).map((sight): AvalonEvent => ({ type: 'saw', ...sight }));
      const lady: AvalonEvent[] = options.lady ? [{ type: 'lady', holder: (leader + players - 1) % players }] : [];
      return [{ type: 'dealt', roles }, ...sights, ...lead({ quest: 1, proposal: 1, leader }, moment), ...lady];
    },

    narrow: (s, q, seat) =>
      stepOf(q.id) === 'quest' && !options.goodMayFail && !isEvil(s.roles[seat]) ? q.options.filter((card) => card !== 'fail') : q.options,

    /** Surplus names are dropped and repeated names count once (document 003, A.4). */
    admit(_, q, answer) {
      if (stepOf(q.id) !== 'team' || answer.says.length <= q.pick) return answer;
      return { ...answer, says: [...new Set(answer.says)].slice(0, q.pick) };
    },

    defaults(s, q) {
      const silent = silentIn(q);
      switch (stepOf(q.id)) {
        case 'team':
          return silent.map((by) => ({ by, says: seats(seatsFrom(by, players).slice(0, q.pick)) }));
        case 'approve':
          return silent.map((by) => ({ by, says: ['approve'] }));
        case 'lady':
          return silent.map((by) => ({ by, says: q.options.slice(0, 1) }));
        case 'quest':
          return silent.map((by) => ({ by, says: [isEvil(s.roles[by]) ? 'fail' : 'success'] }));
        default:
          return [];
      }
    },

    evolve,

    follow: {
      talk: (s, _, { now }) => [ask(team(s, s.leader, now))],

      team(s, q, moment) {
        const { quest, proposal, leader } = s;
        const isForced = options.fifth === 'forced' && proposal === PROPOSALS;
        const proposed: AvalonEvent = { type: 'proposed', isForced, quest, proposal, leader, team: q.answers[0]!.says.map(seatOf) };
        const following = isForced
          ? cards(evolve(s, proposed), moment)
          : ask(ballot(`${phaseOf(q.id)}/approve`, everybody, ['approve', 'reject'], moment.now + options.voteMs));
        return [proposed, following];
      },

      approve: voted,
      quest: quested,
      lady: looked,
      assassinate: assassinated,
    },

    see(e, eye) {
      switch (e.type) {
        case 'dealt':
          return { ...e, roles: rolesSeen(e.roles, eye) };
        case 'saw':
          return e.seat === eye ? e : undefined;
        case 'inspected':
          return e.by === eye ? e : undefined;
        case 'led':
        case 'proposed':
        case 'voted':
        case 'quested':
        case 'lady':
        case 'sought':
        case 'shot':
        case 'ended':
          return e;
      }
    },

    out: () => [],
    secretPhase: (s) => ({ phase: scoreOf(s).succeeded === DECIDE ? 'end' : `quest-${s.quest}`, ms: options.assassinMs }),
    outcome: ({ ended, roles }) => ended && outcomeFor(ended.winner, roles, (seat) => isEvil(roles[seat]) === (ended.winner === 'evil')),
    tell,
    announce: (e) => (/^(?:dealt|saw|inspected|sought)$/.test(e.type) ? [] : [ROOM]),
    brief: briefFor(cast),
  };
}

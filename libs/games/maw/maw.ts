/**
 * MAW, the game of document 000, as a script:
 *
 *   deal wolves to a third, villagers to the rest; wolves learn each other
 *   until a side is dead, or maxDays have passed:
 *     day:   the Village talks and votes; a majority ends the day at once, else the most voted dies at the deadline
 *     night: the Hideout learns the executed's role, talks and votes; only unanimity murders, at once or at the end of the night
 */
import { chat, leaders, type Open, type Seat, seatOf, seats, secret, vote, whispers } from '../kernel/question.ts';
import { ruleSet } from '../kernel/rule-set.ts';
import { ask, type Moment, type Outcome, type Rules, rolesSeen, type TableEvent, withdraw } from '../kernel/rules.ts';
import { type MawOptions, mawOptions } from './options.ts';
import { alive, evolve, isWolf, type Maw, type MawEvent, initialState, type Role, type Side, wolfCount, wolves } from './state.ts';
import { brief, tell, rulesText } from './narration.ts';

type Events = (MawEvent | TableEvent)[];

export const maw = ruleSet({
  name: 'maw',
  version: '1',
  says: 'The Village by day, the Hideout by night: free talk, changeable votes, points over several rounds.',
  players: { least: 3, most: 20, usual: 6 },
  options: mawOptions,
  sides: { villagers: ['villager', 'seer'], wolves: ['wolf'] },
  record: {
    deal: { roles: 'the roles by seat: wolf, villager, seer' },
    draws: { executed: 'who of those in a tie is executed, with `dayTie: random`' },
    optional: ['inspect'],
  },
  rules: (_, options) => rulesOf(options),
  text: rulesText,
});

function rulesOf(options: MawOptions): Rules<Maw, MawEvent> {
  const heard = options.votes === 'public' ? ('at-once' as const) : ('never' as const);

  const whenAllVote = options.hurry ? { settles: 'when-all-answer' as const } : {};

  /** Without a time of grace a majority ends the day at once. */
  const graceFrom = (now: number) =>
    options.graceSeconds || options.shortestDaySeconds
      ? { grace: { ms: options.graceSeconds * 1000, notBefore: now + options.shortestDaySeconds * 1000 } }
      : {};

  function day(s: Maw, { now }: Moment): Events {
    const until = now + options.dayMs;
    const id = (step: string) => `day-${s.day}/${step}`;
    const living = alive(s);
    const seer = living.filter((seat) => s.roles[seat] === 'seer');
    const room = 'Village';
    return [
      ask(vote(id('vote'), living, seats(living), until, { self: false, heard, room, ...graceFrom(now), ...whenAllVote })),
      ask(chat(id('talk'), living, until, { room, maxChars: options.maxChars })),
      ...(options.whisper
        ? [
            ask(
              whispers(id('whisper'), living, until, {
                room: 'Whisper',
                maxChars: options.maxChars,
                heard: options.whisperVisible ? 'at-once' : 'never',
              }),
            ),
          ]
        : []),
      ...(seer.length ? [ask(secret(id('inspect'), seer, seats(living), until, { self: false }))] : []),
    ];
  }

  /** The Hideout: every wolf, dead or alive, may listen; the living talk and vote. */
  function night(s: Maw, { now }: Moment): Events {
    const until = now + options.nightMs;
    const living = alive(s);
    const hunters = living.filter((seat) => isWolf(s, seat));
    const prey = living.filter((seat) => !isWolf(s, seat));
    const settles = options.fullNights ? ('by-the-clock' as const) : ('on-unanimity' as const);
    const rest = { among: wolves(s), room: 'Hideout', settles, heard, ...whenAllVote };
    return [
      ask(vote(`night-${s.day}/hunt`, hunters, seats(prey), until, rest)),
      ask(chat(`night-${s.day}/talk`, hunters, until, { among: wolves(s), room: 'Hideout', maxChars: options.maxChars })),
    ];
  }

  /** After the day's vote: an execution or none, then the end or the night. */
  function dusk(s: Maw, q: Open, moment: Moment): Events {
    const most = leaders(q).options.toSorted();
    const chosen =
      most.length === 1
        ? most[0]!
        : most.length > 1 && options.dayTie === 'random'
          ? moment.dice.pick('executed', most as [string, ...string[]])
          : undefined;
    const verdict: Events =
      chosen === undefined ? [{ type: 'spared', because: most.length ? 'tie' : 'no-votes' }] : [{ type: 'executed', seat: seatOf(chosen) }];
    const after = verdict.reduce((state, e) => evolve(state, e as MawEvent), s);
    const close = moment.open.map((open) => withdraw(open.id));
    const end = ending(after);
    if (end) return [...verdict, ...end, ...close];
    const told: Events =
      chosen === undefined ? [] : [{ type: 'told', to: wolves(s), seat: seatOf(chosen), role: s.roles[seatOf(chosen)] as Role }];
    return [...verdict, ...close, { type: 'dusked', day: s.day }, ...night(after, moment), ...told];
  }

  /** After the wolves' vote: a murder or none, then the end or the next day. */
  function dawn(s: Maw, q: Open, moment: Moment): Events {
    const { options: most, count } = leaders(q);
    const murder: Events = most.length === 1 && count === q.of.length ? [{ type: 'murdered', seat: seatOf(most[0]!) }] : [];
    const after = murder.reduce((state, e) => evolve(state, e as MawEvent), s);
    const close = moment.open.map((open) => withdraw(open.id));
    const end = ending(after) ?? (s.day >= options.maxDays ? [{ type: 'ended', winner: 'draw', because: 'too-long' } as const] : undefined);
    if (end) return [...murder, ...end, ...close];
    const next: Maw = { ...after, day: s.day + 1, night: false };
    return [...close, ...day(next, moment), { type: 'dawned', day: next.day }, ...murder]; // the room is open before the dead are named in it
  }

  function ending(s: Maw): MawEvent[] | undefined {
    const living = alive(s);
    const hunters = living.filter((seat) => isWolf(s, seat)).length;
    if (hunters === 0) return [{ type: 'ended', winner: 'villagers', because: 'no-wolves' }];
    if (hunters === living.length) return [{ type: 'ended', winner: 'wolves', because: 'no-villagers' }];
    return options.parityWin && hunters >= living.length - hunters ? [{ type: 'ended', winner: 'wolves', because: 'parity' }] : undefined;
  }

  function outcome(s: Maw): Outcome | undefined {
    if (!s.ended) return undefined;
    const { winner } = s.ended;
    const pack = wolves(s);
    const others = s.roles.flatMap((_, seat) => (pack.includes(seat) ? [] : [seat]));
    const side: { [of in Side | 'draw']: readonly Seat[] } = { wolves: pack, villagers: others, draw: [] };
    const worth = winner === 'wolves' ? others.length : alive(s).filter((seat) => others.includes(seat)).length;
    const scores = (seat: Seat) => side[winner].includes(seat) && (options.scoreDead || !s.dead.includes(seat));
    return { winner, winners: side[winner], roles: s.roles, points: s.roles.map((_, seat) => (scores(seat) ? worth : 0)) };
  }

  return {
    name: 'maw',
    begin: () => initialState,

    deal(players, moment) {
      const pack = wolfCount(players);
      const roles = moment.dice.shuffle<Role>(
        'roles',
        Array.from({ length: players }, (_, i) => (i < pack ? 'wolf' : options.seer && i === pack ? 'seer' : 'villager')),
      );
      return [{ type: 'dealt', roles }, ...day({ ...initialState, roles, day: 1 }, moment), { type: 'dawned', day: 1 }];
    },

    evolve,

    follow: {
      vote: dusk,
      hunt: dawn,
      talk: () => [],
      whisper: () => [],
      inspect: (s, q) =>
        q.answers.map(({ by, says }) => ({ type: 'inspected', by, seat: seatOf(says[0]!), role: s.roles[seatOf(says[0]!)] as Role })),
    },

    see(e, eye) {
      switch (e.type) {
        case 'dealt':
          return { ...e, roles: rolesSeen(e.roles, eye, 'wolf') };
        case 'told':
          return typeof eye === 'number' && e.to.includes(eye) ? { ...e, to: [eye] } : undefined;
        case 'inspected':
          return e.by === eye ? e : undefined;
        case 'dawned':
        case 'dusked':
        case 'executed':
        case 'spared':
        case 'murdered':
        case 'ended':
          return e;
      }
    },

    out: (s) => s.dead,
    secretPhase: ({ day: n }) => ({ phase: `night-${n}`, ms: options.nightMs }),
    outcome,
    tell,
    announce(e) {
      switch (e.type) {
        case 'executed':
        case 'spared':
        case 'murdered':
        case 'dawned':
          return ['Village'];
        case 'ended':
          return ['Village', 'Hideout'];
        case 'told':
          return ['Hideout'];
        case 'dealt':
        case 'dusked':
        case 'inspected':
          return [];
      }
    },
    brief,
  };
}

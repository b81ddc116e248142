/**
 * Cuckoo, as a script:
 *
 *   deal:  one player is the cuckoo, all others are warblers; only the cuckoo knows
 *   night: the cuckoo lays an egg in the nest of another, who is told; `nights` times, and never twice in the same nest
 *   day:   all talk, and all point at somebody, at once
 *   who is pointed at most is caught; the warblers win if that is the cuckoo, else the cuckoo wins
 */
import { choice, duration, type OptionsOf, whole } from '@maw/games/kernel/options.ts';
import { namesOf, tellQuestion } from '@maw/games/kernel/narration.ts';
import { isTableEvent } from '@maw/games/kernel/play.ts';
import { ballot, chat, leaders, type Open, type Seat, seatOf, seats, secret, stepOf } from '@maw/games/kernel/question.ts';
import { ruleSet } from '@maw/games/kernel/rule-set.ts';
import { ask, type Moment, outcomeFor, type Rules, rolesSeen, type TableEvent, withdraw } from '@maw/games/kernel/rules.ts';

type Role = 'cuckoo' | 'warbler';

type CuckooEvent =
  | { readonly type: 'dealt'; readonly roles: readonly (Role | 'hidden')[] }
  | { readonly type: 'laid'; readonly nest: Seat }
  | { readonly type: 'dawned' }
  | { readonly type: 'caught'; readonly seat: Seat | undefined; readonly roles: readonly Role[] };

/** What is known of a game: by the gamemaster all of it, by a seat what it has seen. */
interface Cuckoo {
  readonly roles: readonly (Role | 'hidden')[];
  readonly eggs: readonly Seat[];
  readonly isOver: boolean;
  readonly caught: Seat | undefined;
}

const options = {
  nights: whole('Nights', [1, 2, 'nights'], 1, 'how many nights there are, with an egg in each'),
  tie: choice('A tie', ['none', 'random'], 'none', 'who is caught when several are pointed at most'),
  nightMs: duration('Night', 20_000, 'how long a night lasts'),
  dayMs: duration('Day', 180_000, 'how long the day lasts at most'),
} as const;

type Events = (CuckooEvent | TableEvent)[];

export const cuckoo = ruleSet({
  name: 'cuckoo',
  version: '1',
  says: 'Who has laid the egg? A night, a talk and a show of wings.',
  players: { least: 3, most: 8, usual: 5 },
  options,
  sides: { warblers: ['warbler'], cuckoo: ['cuckoo'] },
  record: {
    deal: { cuckoo: 'the seat of the cuckoo' },
    draws: {
      nest: 'in whose nest the egg of a silent cuckoo lies: seat:N',
      caught: 'who of those in a tie is caught, with `tie: random`: seat:N',
    },
  },
  rules: (_, given) => rulesOf(given),
  text: (players, { nights, tie }) =>
    [
      `${players} players: one is the cuckoo, the others are warblers. Only the cuckoo knows who it is.`,
      `By night the cuckoo lays an egg in the nest of another player, who is told; ${nights === 1 ? 'there is one night' : `there are ${nights} nights, and it lays in another nest each time`}.`,
      'By day all talk in the Meadow and point at one other player, all at once. The day ends when everybody has pointed.',
      `Who is pointed at most is caught; ${tie === 'none' ? 'in a tie nobody is' : 'a tie is broken at random'}.`,
      'The warblers win if the cuckoo is caught, else the cuckoo wins. Each winner gets a point.',
    ].join('\n'),
});

function rulesOf({ nights, tie, nightMs, dayMs }: OptionsOf<typeof options>): Rules<Cuckoo, CuckooEvent> {
  /** Asked of the cuckoo, known to it alone, and as long as ever however fast it is. */
  const night = (s: Cuckoo, { now }: Moment): Events => {
    const nests = s.roles.map((_, seat) => seat);
    const id = `night-${s.eggs.length + 1}/lay`;
    return [ask(secret(id, [cuckooOf(s)], seats(nests), now + nightMs, { self: false, settles: 'by-the-clock' }))];
  };

  /** The room is open before anything is announced in it. */
  const day = (s: Cuckoo, { now }: Moment): Events => {
    const all = s.roles.map((_, seat) => seat);
    return [
      ask(ballot('day/point', all, seats(all), now + dayMs, { self: false })),
      ask(chat('day/talk', all, now + dayMs, { room: 'Meadow' })),
      { type: 'dawned' },
    ];
  };

  /** Nests without an egg; the cuckoo has seen itself lay them all. */
  const free = (s: Cuckoo, q: Open): string[] => q.options.filter((option) => !s.eggs.includes(seatOf(option)));

  return {
    name: 'cuckoo',
    begin: () => newborn,

    deal(players, moment) {
      const all = Array.from({ length: players }, (_, seat) => seat) as [Seat, ...Seat[]];
      const bird = moment.dice.pick('cuckoo', all);
      const dealt: CuckooEvent = { type: 'dealt', roles: all.map((seat) => (seat === bird ? 'cuckoo' : 'warbler')) };
      return [dealt, ...night(evolve(newborn, dealt), moment)];
    },

    narrow: (s, q) => (stepOf(q.id) === 'lay' ? free(s, q) : q.options),

    /** Who types `3` means seat 3. */
    admit: (_, q, answer) =>
      q.verb === 'choose' ? { ...answer, says: answer.says.map((word) => word.replace(/^\d+$/, 'seat:$&')) } : answer,

    /** An egg there will be. Who does not point points at nobody. */
    defaults(s, q, { dice }) {
      if (stepOf(q.id) !== 'lay' || q.answers.length) return [];
      const [by] = q.of as [Seat];
      return [{ by, says: [dice.pick('nest', free(s, q).filter((nest) => nest !== `seat:${by}`) as [string, ...string[]])] }];
    },

    follow: {
      lay(s, q, moment) {
        const laid: CuckooEvent = { type: 'laid', nest: seatOf(q.answers[0]!.says[0]!) };
        const after = evolve(s, laid);
        return [laid, ...(after.eggs.length < nights ? night(after, moment) : day(after, moment))];
      },
      point(s, q, { open, dice }) {
        const most = leaders(q).options.toSorted();
        const isTie = most.length > 1;
        const caught = isTie && tie === 'random' ? dice.pick('caught', most as [string, ...string[]]) : isTie ? undefined : most[0];
        const roles = s.roles as readonly Role[];
        const seat = caught === undefined ? undefined : seatOf(caught);
        return [{ type: 'caught', seat, roles }, ...open.map(({ id }) => withdraw(id))];
      },
      talk: () => [],
    },

    evolve,

    see(e, eye, s) {
      switch (e.type) {
        case 'dealt':
          return { ...e, roles: rolesSeen(e.roles, eye) };
        case 'laid':
          return eye === e.nest || eye === cuckooOf(s) ? e : undefined;
        case 'dawned':
        case 'caught':
          return e;
      }
    },

    out: () => [],
    secretPhase: () => ({ phase: 'night', ms: nights * nightMs }),

    outcome(s) {
      if (!s.isOver) return undefined;
      const isFound = s.caught === cuckooOf(s);
      return outcomeFor(isFound ? 'warblers' : 'cuckoo', s.roles, (seat) => (s.roles[seat] === 'warbler') === isFound);
    },

    tell(e, about) {
      const name = namesOf(about.names);
      if (isTableEvent(e))
        return tellQuestion(
          e,
          about,
          (by, [nest], step) => `${name(by)} ${step === 'lay' ? 'lays an egg at' : 'points at'} ${name(seatOf(nest!))}.`,
        );
      switch (e.type) {
        case 'dealt':
          return 'The birds are dealt.';
        case 'laid':
          return `There is an egg in the nest of ${name(e.nest)}.`;
        case 'dawned':
          return 'It is day. The Meadow is open.';
        case 'caught':
          return `${e.seat === undefined ? 'Nobody' : name(e.seat)} is caught. The cuckoo was ${name(e.roles.indexOf('cuckoo'))}.`;
      }
    },

    announce: (e) => (e.type === 'dawned' || e.type === 'caught' ? ['Meadow'] : []),

    brief: (s, seat) =>
      [
        s.roles[seat] === 'cuckoo' ? 'You are the cuckoo.' : 'You are a warbler.',
        ...(s.roles[seat] !== 'cuckoo' && s.eggs.includes(seat) ? ['There is an egg in your nest, and it is not yours.'] : []),
      ].join(' '),
  };
}

const newborn: Cuckoo = { roles: [], eggs: [], isOver: false, caught: undefined };

function evolve(s: Cuckoo, e: CuckooEvent): Cuckoo {
  switch (e.type) {
    case 'dealt':
      return { ...s, roles: e.roles };
    case 'laid':
      return { ...s, eggs: [...s.eggs, e.nest] };
    case 'caught':
      return { ...s, roles: e.roles, caught: e.seat, isOver: true };
    case 'dawned':
      return s;
  }
}

const cuckooOf = ({ roles }: Pick<Cuckoo, 'roles'>): Seat => roles.indexOf('cuckoo');

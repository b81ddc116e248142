import { aiwolf } from '@maw/games/aiwolf/aiwolf.ts';
import { type Aiwolf, type Role, speciesOf } from '@maw/games/aiwolf/state.ts';
import { type Dice, diceOf, type Draws } from '@maw/games/kernel/dice.ts';
import { match } from '@maw/games/match/match.ts';
import { play } from '@maw/games/kernel/play.ts';
import { type Eye, type Open, type Seat, stepOf } from '@maw/games/kernel/question.ts';
import { Refusal } from '@maw/games/kernel/refusal.ts';
import type { AnyRules, RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { RecordedEvent } from '@maw/store/ports/tapes.ts';
import { newTableState, applyEvents } from '@maw/gamemaster/state/table-state.ts';
import type { PlayedWorld, WorldPair } from './world-pair.ts';

/**
 * Noninterference: two games that differ only in what an eye may not know give it the same stream, with equal events, numbers, room lines,
 * options, refusals and times.
 * In a pair of worlds the roles hidden from the eye are dealt differently, and secret acts and their times differ; public acts and deaths
 * are the same.
 */

export type Options = { readonly [name: string]: unknown };
type Roles = readonly Role[];

export const CASTS: { readonly [players: number]: Roles } = {
  5: ['villager', 'villager', 'seer', 'possessed', 'werewolf'],
  10: ['villager', 'villager', 'villager', 'villager', 'seer', 'medium', 'bodyguard', 'possessed', 'werewolf', 'werewolf'],
};

/** One of the two games, and what one eye has received of it. */
class World {
  readonly #game;
  readonly #ledger;
  readonly #eye: Eye;
  readonly roles: Roles;
  readonly heard: string[] = [];
  now = 0;
  #seen = 0;

  constructor(rules: AnyRules, roles: Roles, eye: Eye, options: Options) {
    const table = match(rules);
    this.#game = play(table);
    this.#eye = eye;
    this.roles = roles;
    this.#ledger = newTableState('t', table, this.#game, roles.length);
    for (const other of this.#ledger.views.keys()) if (other !== eye) this.#ledger.views.delete(other);
    const seats = roles.map(() => ({ kind: 'person' as const }));
    const times = { lobbyMs: 1000, pauseMs: 1000 };
    this.#take(table.open({ rules: 'aiwolf', version: '2021', options, rounds: 1, seats, seed: 's', ...times, spectators: 'audience' }, 0));
    for (const seat of roles.keys()) this.#take(table.join(this.#ledger.standing.game, seat, `P${seat}`, 0));
  }

  get state(): Aiwolf {
    return this.#ledger.standing.game.game as Aiwolf;
  }
  get tape(): PlayedWorld['tape'] {
    return this.#ledger.tape.map(({ event }) => event);
  }
  get open(): readonly Open[] {
    return this.#ledger.standing.open;
  }
  get isOver(): boolean {
    return this.#ledger.standing.game.stage !== 'round';
  }

  #take(events: readonly { readonly type: string }[]): void {
    const { length } = this.#ledger.tape;
    applyEvents(
      this.#ledger,
      events.map(
        (event, i): RecordedEvent =>
          ({ table: 't', sequence: length + i + 1, at: this.now, cause: `c${length + i}`, event }) as RecordedEvent,
      ),
    );
    const { seen } = this.#ledger.views.get(this.#eye)!;
    if (seen.length === this.#seen) return;
    for (const { line, ...rest } of seen.slice(this.#seen))
      this.heard.push(JSON.stringify({ ...rest, room: line?.room, number: line?.line }));
    this.#seen = seen.length;
    if (typeof this.#eye !== 'number') return;
    const asked = this.#game.asked(this.#ledger.standing, this.#eye).map(({ id, options, until }) => ({ id, options, until }));
    this.heard.push(
      JSON.stringify({ asked, brief: this.#ledger.rules.brief(this.#ledger.views.get(this.#eye)!.standing.game, this.#eye, []) }),
    );
  }

  act(q: Open, by: Seat, ...says: string[]): void {
    this.#take(this.#game.act(this.#ledger.standing, q.id, { by, says }, this.now, 's'));
  }
  /** Advances to the next alarm. */
  wait(): void {
    this.now = this.#game.wake(this.#ledger.standing)!;
    this.#take(this.#game.tick(this.#ledger.standing, this.now, 's'));
  }
  /** The eye tries an illegal act; the refusal is part of its stream. */
  probe(id: string, ...says: string[]): void {
    if (typeof this.#eye !== 'number') return;
    try {
      this.#game.act(this.#ledger.standing, id, { by: this.#eye, says }, this.now, 's');
      this.heard.push(`${id} ${says.join()}: fine`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.heard.push(`${id} ${says.join()}: ${error.message}`);
    }
  }
}

/** Draws that differ between worlds: whom chance attacks for the wolves. */
interface Fate {
  victim: Seat | undefined;
}

/** Rules with controlled dice: public draws are the same in both worlds, and the same when rolled again. */
function steered(rules: AnyRules, roles: Roles, fate: Fate, n: number): AnyRules {
  const attacked = new Map<string, unknown>();
  const dice = (step: string, real: Draws): Draws => ({
    pick(name, items) {
      if (name === 'attacked') {
        const victim = items.find((item) => item === `seat:${fate.victim}`);
        if (!attacked.has(step)) attacked.set(step, victim ?? real.pick(name, items));
        return attacked.get(step) as (typeof items)[number];
      }
      return items[diceOf(`${n} ${name}`, step).below(items.length)]!;
    },
    shuffle(name, items) {
      if (name === 'roles') return [...roles] as never;
      return name === 'order' ? diceOf(`${n} ${name}`, step).shuffle(items) : real.shuffle(`${name} ${roles.join()}`, items);
    },
  });
  const follow = Object.entries(rules.follow as { [step: string]: (s: unknown, q: Open, m: { dice: Draws }) => unknown }).map(
    ([step, f]) => [step, (s: unknown, q: Open, m: { dice: Draws }) => f(s, q, { ...m, dice: dice(q.id, m.dice) })],
  );
  return {
    ...rules,
    deal: (players, m) => rules.deal(players, { ...m, dice: dice('deal', m.dice) }),
    defaults: (s, q, m) => rules.defaults!(s, q, { ...m, dice: dice(q.id, m.dice) }),
    follow: Object.fromEntries(follow),
  };
}

/** Another deal of the same cast that the eye cannot tell from `roles`. */
export function otherDeal(roles: Roles, eye: Eye, dice: Dice): Roles {
  const isKnown = (seat: Seat) => seat === eye || (typeof eye === 'number' && roles[eye] === 'werewolf' && roles[seat] === 'werewolf');
  for (;;) {
    const rest = dice.shuffle(roles.filter((_, seat) => !isKnown(seat)));
    const other = roles.map((role, seat) => (isKnown(seat) ? role : rest.shift()!));
    if (other.join() !== roles.join()) return other;
  }
}

export interface Compared {
  /** Whether the eye's streams are equal up to the last point both worlds have reached. */
  readonly isSame: boolean;
  readonly heard: readonly [readonly string[], readonly string[]];
  /** The number of mornings both worlds have reached. */
  readonly mornings: number;
  /** The worlds up to that point. */
  readonly pair: WorldPair;
}

/** Plays a pair of worlds. `leak` derives faulty rules from those under test. */
export function compare(
  n: number,
  players: number,
  eyeIs: Role | 'audience',
  options: Options,
  leak: (rules: AnyRules) => AnyRules = (rules) => rules,
): Compared {
  const shared = diceOf(`public ${n} ${eyeIs}`, '');
  const roles = shared.shuffle(CASTS[players]!);
  const eye: Eye = eyeIs === 'audience' ? eyeIs : roles.indexOf(eyeIs);
  const full = { turns: 3, turnMs: 50, voteMs: 90, nightMs: 70, whisperMs: 400, language: 'free', ...options };
  const worlds = [roles, otherDeal(roles, eye, shared)].map((deal, i) => {
    const fate: Fate = { victim: undefined };
    const rules = steered(leak(aiwolf.rules(players, full)), deal, fate, n);
    return { rules, world: new World(rules, deal, eye, full), fate, secret: diceOf(`secret ${n} ${eyeIs}`, String(i)) };
  }) as [Side, Side];
  const [a, b] = worlds.map(({ world }) => world) as [World, World];
  let mornings = 0;
  let isSame = true;
  let common = [0, 0];
  const look = () => {
    isSame &&= a.heard.length === b.heard.length && a.heard.every((line, i) => line === b.heard[i]);
    common = [a.tape.length, b.tape.length];
  };
  const lived = worlds.map(({ rules }): RuleSet => ({ ...aiwolf, rules: () => rules }));

  night();
  look();
  while (isSame && !a.isOver && !b.isOver) {
    mornings++;
    day();
    look();
    if (!isSame || a.isOver || b.isOver || isToldApart() || !night()) break;
    // An ending reveals everything: only what comes before is the same in both.
    if (!a.isOver && !b.isOver) look();
  }
  const [one, second] = [a, b].map(({ tape }, i): PlayedWorld => ({ set: lived[i]!, tape: tape.slice(0, common[i]) })) as [
    PlayedWorld,
    PlayedWorld,
  ];
  return { isSame, heard: [a.heard, b.heard], mornings, pair: { eye, worlds: [one, second] } };

  /** Speech and votes are the same in both, at the same times. */
  function day(): void {
    while (!a.isOver && !b.isOver && a.open[0]?.among === 'table') {
      const [q] = a.open as readonly [Open];
      const seat = q.inTurn ? q.of[q.answers.length + q.passed.length]! : q.of.find((each) => !q.answers.some(({ by }) => by === each))!;
      const ms = shared.below(20);
      const isSilent = shared.below(6) === 0;
      const text = q.verb === 'say' ? ['Skip', 'Over', 'I say so', 'Agent[01] is a wolf'][shared.below(4)]! : `seat:${target(q, seat)}`;
      const probe =
        shared.below(8) === 0
          ? [`round-1/night-1/${['attack', 'divine', 'guard', 'rest'][shared.below(4)]!}`, `seat:${shared.below(players)}`]
          : undefined;
      for (const world of [a, b]) {
        if (probe) world.probe(probe[0]!, probe[1]!);
        if (isSilent || world.now + ms >= q.until) world.wait();
        else {
          world.now += ms;
          world.act(world.open[0]!, seat, text);
        }
      }
    }
  }

  function target(q: Open, voter: Seat): Seat {
    const others = q.of.filter((each) => each !== voter);
    return others[shared.below(others.length)]!;
  }

  /** The medium learns the side of the executed: it can see the same only while that is the same. */
  function isToldApart(): boolean {
    const executed = a.state.executed.at(-1);
    return eyeIs === 'medium' && executed?.day === a.state.day && speciesOf(a.roles[executed.seat]!) !== speciesOf(b.roles[executed.seat]!);
  }

  /** Plans the night, then each world plays its own. False: no plan looks the same in both. */
  function night(): boolean {
    const { day: today, living } = a.state;
    if (living.join() !== b.state.living.join()) throw new Error('the worlds have come apart in public');
    const isHuman = (world: World, seat: Seat) => world.roles[seat] !== 'werewolf';
    const at = (world: World, role: Role) => living.find((seat) => world.roles[seat] === role);
    const isAttack = (world: World) => today > 0 && living.some((seat) => !isHuman(world, seat));
    // If the eye is the seer, it inspects somebody whose side is the same in both worlds.
    const alike = living.filter((seat) => speciesOf(a.roles[seat]!) === speciesOf(b.roles[seat]!));
    const looked = alike.length && shared.below(4) ? alike[shared.below(alike.length)] : undefined;
    const prey = living.filter((seat) => isHuman(a, seat) && isHuman(b, seat));
    const guarded = living.filter((seat) => seat !== eye)[shared.below(living.length - 1)]!;
    const others = prey.filter((seat) => eyeIs !== 'bodyguard' || seat !== guarded);
    const kill = isAttack(a) && isAttack(b) && others.length && shared.below(3) ? others[shared.below(others.length)] : undefined;
    const foiled = prey.length ? prey[shared.below(prey.length)] : undefined;
    const votes = shared.below(3);
    const whispers = [0, 1, 2, 3, 4, 5].map(() => shared.below(4));

    /** The guarded player in a night without a death: the same in both where the eye sees the attack, or guards. */
    function savedIn(world: World, secret: Dice): Seat | undefined {
      const canBe = (where: World, seat: Seat) =>
        seat !== at(where, 'bodyguard') && isHuman(where, seat) && at(where, 'bodyguard') !== undefined;
      if (eyeIs === 'werewolf') return foiled !== undefined && canBe(a, foiled) && canBe(b, foiled) ? foiled : undefined;
      const candidates = eyeIs === 'bodyguard' ? [guarded] : living;
      const saved = candidates.filter((seat) => canBe(world, seat));
      return saved.length ? saved[secret.below(saved.length)] : undefined;
    }

    for (const { world, fate, secret } of worlds) {
      const guard = at(world, 'bodyguard');
      const saved = kill === undefined && isAttack(world) ? savedIn(world, secret) : undefined;
      if (kill === undefined && isAttack(world) && saved === undefined && options['noAttack'] !== true) return false;
      const attack = kill ?? saved;
      let ward = saved ?? (eyeIs === 'bodyguard' ? guarded : [undefined, ...living][secret.below(living.length + 1)]);
      if (kill !== undefined && ward === kill) ward = undefined;
      if (ward === guard) ward = undefined;
      fate.victim = attack;
      const most = kill !== undefined && options['noAttack'] === true ? 2 : 3; // the victim then needs a vote
      const doing: Doing = {
        looked: eyeIs === 'seer' ? looked : living[secret.below(living.length)],
        ward,
        attack,
        votes: eyeIs === 'werewolf' ? votes % most : secret.below(most),
        whispers,
      };
      live(world, secret, doing);
    }
    return true;
  }

  /** One world's night: choices and times are its own, except those the eye makes or sees. */
  function live(world: World, secret: Dice, doing: Doing): void {
    let whisper = 0;
    const isShared = (role: Role) => eyeIs === role;
    for (let i = 0; i < 400 && !world.isOver && world.open.every(({ among }) => among !== 'table'); i++) {
      const [q] = world.open as readonly [Open];
      const step = stepOf(q.id);
      const isWolfish = step === 'attack' || step === 'whisper';
      const role = step === 'divine' ? 'seer' : step === 'guard' ? 'bodyguard' : 'werewolf';
      const ms = isShared(role) ? 5 : secret.below(12);
      const seat = q.inTurn ? q.of[q.answers.length + q.passed.length] : q.of.find((each) => !q.answers.some(({ by }) => by === each));
      const says =
        seat === undefined
          ? undefined
          : saidBy(q, seat, doing, isWolfish && isShared(role) ? doing.whispers[whisper++ % 6]! : secret.below(4));
      if (seat === undefined || says === undefined || world.now + ms >= q.until) world.wait();
      else {
        world.now += ms;
        world.act(q, seat, says);
      }
    }
  }

  function saidBy(q: Open, seat: Seat, doing: Doing, roll: number): string | undefined {
    const living = (whom: Seat | undefined) => (whom !== undefined && q.options.includes(`seat:${whom}`) ? `seat:${whom}` : undefined);
    switch (stepOf(q.id)) {
      case 'whisper':
        return ['Skip', 'Over', 'hush', undefined][roll];
      case 'divine':
        return living(doing.looked);
      case 'guard':
        return living(doing.ward);
      case 'attack': {
        // All wolves vote for one victim, or only one votes, or nobody, with chance deciding as controlled.
        const isFirst = seat === q.of[0];
        return doing.votes === 0 || (doing.votes === 1 && isFirst) ? living(doing.attack) : undefined;
      }
      default:
        return undefined;
    }
  }
}

interface Side {
  readonly rules: AnyRules;
  readonly world: World;
  readonly fate: Fate;
  readonly secret: Dice;
}

/** The acts of one world in one night. */
interface Doing {
  readonly looked: Seat | undefined;
  readonly ward: Seat | undefined;
  readonly attack: Seat | undefined;
  readonly votes: number;
  readonly whispers: readonly number[];
}

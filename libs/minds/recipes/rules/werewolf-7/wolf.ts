import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { alive, wolves } from '@maw/games/werewolf-7/state.ts';
import type { Moment } from '../../../mind.ts';
import type { Belief } from './belief.ts';
import type { Doing } from './decision.ts';
import { foremost, tally } from './evidence.ts';
import { type Known, newDay } from './record.ts';
import { revelation, sentence } from './speech.ts';

/** How sure everybody must be of a wolf before its own pack votes against it. */
const LOST = 0.75;
/** How likely a wolf is to say that it is the seer when one has called it or its partner a wolf: so many times in ten. */
const COUNTERS = 8;
/** What a victim is worth by its role: the seer ends the hiding, and the last plain villager ends the game. */
const PREY = {
  'seer': 2,
  'villagers-dead': { villager: 1, witch: 0.5, guard: 0.4 },
  'otherwise': { villager: 0.5, witch: 0.8, guard: 0.7 },
};

/**
 * By night names the likely seer or villager, the second wolf whom the first has named. By day goes with whoever votes against the village,
 * and against its own only when they are lost anyway; when a seer calls it or its partner a wolf, one of them may say to be the seer.
 * @param belief what the pack must think of the others
 * @param seen what the village must think, from what everybody knows
 */
export function wolf(known: Known, belief: Belief, seen: Belief, moment: Moment, dice: Dice): Doing {
  const { game } = known;
  const me = moment.seat;
  const pack = wolves(game);
  const partner = pack.find((seat) => seat !== me)!;
  const here = alive(game);
  const prey = here.filter((seat) => !pack.includes(seat));
  const name = (seat: Seat) => moment.players[seat]!.name;
  const suspicion = (seat: Seat) => seen.werewolf[seat] ?? 0;
  const today = known.days[game.day] ?? newDay;
  /** Those who say to be the seer and have called one of the pack a wolf. */
  const accusers = known.claims.filter(
    ({ by, is, results }) => is === 'seer' && prey.includes(by) && results.some(({ about, isWolf }) => isWolf && pack.includes(about)),
  );
  const isImpostor = (seat: Seat) => known.claims.some(({ by, is }) => by === seat && is === 'seer');

  return { vote: vote(), night: { hunt: hunt() }, says: talk() };

  function hunt(): Seat | undefined {
    const heard = known.hunts[game.day]?.[partner];
    if (typeof heard === 'number' && prey.includes(heard)) return heard;
    const worth = known.options.wolfWin === 'villagers-dead' ? PREY['villagers-dead'] : PREY.otherwise;
    const weight = (seat: Seat) =>
      PREY.seer * belief.seer[seat]! +
      worth.villager * belief.villager[seat]! +
      worth.witch * belief.witch[seat]! +
      worth.guard * belief.guard[seat]!;
    return foremost(prey, weight, dice.shuffle(prey));
  }

  function vote(): Seat | undefined {
    const counts = tally(today, me);
    const votes = (seat: Seat) => counts.get(seat) ?? 0;
    if (here.includes(partner) && suspicion(partner) >= LOST && votes(partner) * 2 >= here.length - 1) return partner;
    const order = game.order;
    const rival = accusers[0]?.by;
    const crowd = foremost(
      prey.filter((seat) => votes(seat) > 0),
      (seat) => votes(seat) + suspicion(seat) / 2,
      order,
    );
    return crowd ?? rival ?? foremost(prey, suspicion, order);
  }

  function talk(): readonly string[] {
    const scapegoat = accusers[0]?.by ?? foremost(prey, suspicion, game.order);
    const accused = scapegoat === undefined ? [] : [sentence('suspicion', dice, name(scapegoat))];
    if (isImpostor(me)) return [impostor(), ...accused, sentence('idle', dice)];
    if (game.condemned === me)
      return [...(scapegoat === undefined ? [] : [sentence('defence', dice, name(scapegoat))]), 'I am a Villager.'];
    if (accusers.length && !isImpostor(partner) && dice.below(10) < COUNTERS) return [impostor(), ...accused, sentence('idle', dice)];
    if (accusers.length || dice.below(3) === 0) return [...accused, sentence('idle', dice)];
    return [sentence('idle', dice)];
  }

  /** What it says as the seer: that its accuser is a wolf. */
  function impostor(): string {
    const told = known.claims.find(({ by }) => by === me)?.results ?? [];
    const rival = accusers[0]?.by;
    const results = [
      ...told,
      ...(rival === undefined || told.some(({ about }) => about === rival) ? [] : [{ about: rival, isWolf: true }]),
    ];
    return revelation(results.map(({ about, isWolf }) => ({ name: name(about), isWolf })));
  }
}

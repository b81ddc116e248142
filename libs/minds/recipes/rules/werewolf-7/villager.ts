import type { Dice } from '@maw/games/kernel/dice.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import { alive } from '@maw/games/werewolf-7/state.ts';
import type { Moment } from '../../../mind.ts';
import type { Belief } from './belief.ts';
import type { Doing } from './decision.ts';
import { foremost, tally } from './evidence.ts';
import { type Known, newDay } from './record.ts';
import { revelation, sentence, witness } from './speech.ts';

/** How sure to be of a wolf: to vote for it, to join others who do, to poison it, to poison it when it is the last chance. */
const SURE = { vote: 0.6, join: 0.5, poison: 0.62, poisonLast: 0.4 };
/** Above this a victim of the wolves is not worth the antidote. */
const SUSPECT = 0.5;
/** With so few alive nothing is kept for later. */
const FEW = 4;
/** How much it is worth to keep each role alive, for the guard. */
const WORTH = { seer: 3, witch: 1.6, villager: 2, guard: 1.7, werewolf: -2 };

/**
 * Votes for the most suspected when sure enough, with the others when nearly. The seer inspects whom it is least sure of and reveals itself
 * when that helps; the guard keeps the likely seer, the witch saves whom she trusts and poisons whom she does not.
 */
export function village(known: Known, belief: Belief, moment: Moment, dice: Dice): Doing {
  const { game } = known;
  const me = moment.seat;
  const role = game.roles[me];
  const here = alive(game);
  const others = here.filter((seat) => seat !== me);
  const wolf = (seat: Seat) => belief.werewolf[seat] ?? 0;
  const name = (seat: Seat) => moment.players[seat]!.name;
  const order = dice.shuffle(here);
  const suspect = foremost(others, wolf, order);
  const today = known.days[game.day] ?? newDay;
  const isCondemned = game.condemned === me;
  const isAccused = known.claims.some(({ by, results }) => by !== me && results.some(({ about, isWolf }) => about === me && isWolf));

  return {
    vote: vote(),
    night: { protect: protect(), save: save(), poison: poison(), inspect: inspect() },
    says: [...reveals(), ...talk()],
  };

  /** One's own choice, or that of the others when it has more votes and is suspected about enough. */
  function vote(): Seat | undefined {
    const counts = tally(today, me);
    const joined = foremost(
      others.filter((seat) => counts.has(seat) && wolf(seat) >= SURE.join),
      (seat) => counts.get(seat)! + wolf(seat),
      order,
    );
    if (suspect !== undefined && wolf(suspect) >= SURE.vote && (joined === undefined || wolf(suspect) - wolf(joined) > 0.2)) return suspect;
    return joined;
  }

  function protect(): Seat | undefined {
    const worth = (seat: Seat) => Object.entries(WORTH).reduce((sum, [is, value]) => sum + value * belief[is as keyof Belief][seat]!, 0);
    const list = moment.questions.flatMap(({ options }) => options.map(({ is }) => is));
    return foremost(
      here.filter((seat) => list.includes(`seat:${seat}`)),
      worth,
      order,
    );
  }

  function save(): Seat | undefined {
    const { warned } = game.tonight;
    return warned !== undefined && (warned === me || wolf(warned) < SUSPECT) ? warned : undefined;
  }

  function poison(): Seat | undefined {
    const isLast = here.length <= FEW || (game.tonight.warned === me && game.tonight.saved === undefined);
    return suspect !== undefined && wolf(suspect) >= (isLast ? SURE.poisonLast : SURE.poison) ? suspect : undefined;
  }

  /** The most suspected of whom nothing is known yet. */
  function inspect(): Seat | undefined {
    return foremost(
      others.filter((seat) => !game.inspected.some(([about]) => about === seat)),
      (seat) => wolf(seat),
      order,
    );
  }

  /** What a special role tells of itself, when it is time to. */
  function reveals(): readonly string[] {
    if (role === 'seer') {
      const results = game.inspected.map(([seat, isWolf]) => ({ seat, name: name(seat), isWolf }));
      const hasFound = results.some(({ seat, isWolf }) => isWolf && here.includes(seat));
      const isContested = known.claims.some(({ by, is }) => by !== me && is === 'seer');
      const isKnown = known.claims.some(({ by, is }) => by === me && is === 'seer');
      if (!isCondemned && !isAccused && !isKnown && !hasFound && !isContested && here.length > FEW) return [];
      const living = results.filter(({ seat }) => here.includes(seat));
      return [revelation(results), revelation(living), revelation(living.filter(({ isWolf }) => isWolf))];
    }
    if (role === 'witch') {
      const { saved, poisoned } = known.own;
      const isNeeded = known.claims.some(({ results }) => results.some(({ about, isWolf }) => isWolf && about === saved));
      if (!isCondemned && !isAccused && !isNeeded) return [];
      return [
        witness(saved === undefined ? undefined : name(saved), poisoned === undefined ? undefined : name(poisoned)),
        'I am the Witch.',
      ];
    }
    return role === 'guard' && (isCondemned || isAccused) ? ['I am the Guard.'] : [];
  }

  function talk(): readonly string[] {
    if (isCondemned) return [sentence('farewell', dice), 'I am a Villager.'];
    if (suspect !== undefined && isAccused) return [sentence('defence', dice, name(suspect)), sentence('idle', dice)];
    if (suspect !== undefined && wolf(suspect) >= SURE.vote) return [sentence('suspicion', dice, name(suspect)), sentence('idle', dice)];
    return [sentence('idle', dice)];
  }
}

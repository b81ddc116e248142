import { type Answer, type Instant, type Question, type Seat, seatOf, seats, secret } from '../kernel/question.ts';
import type { Moment } from '../kernel/rules.ts';
import type { OnuwOptions } from './options.ts';
import { type Card, evolve, holders, type NightCard, type Onuw, type OnuwEvent, type Place, placeOf } from './state.ts';

export const PASS = 'pass';
const PAIRS = ['centre:0+1', 'centre:0+2', 'centre:1+2'] as const;

/** What everybody hears and the holders learn when a card is called. */
export function calls(s: Onuw, card: NightCard): readonly OnuwEvent[] {
  const who = holders(s, card);
  return [
    { type: 'called', card },
    ...(who.length > 1 || (card === 'werewolf' && who.length) ? [{ type: 'met', card, seats: who } as const] : []),
    ...(card === 'insomniac' ? who.map((by) => look(s, by, `seat:${by}`)) : []),
  ];
}

/**
 * The question for a card's holders; for nobody when it lies in the centre or has no choice.
 * @param isPlayed the night was played beforehand: nobody is asked
 */
export function nightQuestion(s: Onuw, card: NightCard, now: Instant, options: OnuwOptions, isPlayed: boolean): Question {
  const who = isPlayed ? [] : askedOf(s, card, options);
  const others = seats(s.roles.map((_, seat) => seat));
  const choices: { readonly [of in NightCard]: readonly string[] } = {
    werewolf: [PASS, 'centre:0', 'centre:1', 'centre:2'],
    seer: [PASS, ...others, ...(options.seerCentre === 'random' ? ['centre'] : PAIRS)],
    robber: [PASS, ...others],
    troublemaker: [PASS, ...others],
    insomniac: [],
  };
  return secret(`night/${card}`, who, choices[card], now + options.stepMs, {
    self: false,
    pick: card === 'troublemaker' ? 2 : 1,
    settles: options.hurry ? 'when-all-answer' : 'by-the-clock',
  });
}

/** The holders with a choice: no Insomniac, and no Werewolf but one that is alone and may peek. */
function askedOf(s: Onuw, card: NightCard, { loneWolf }: OnuwOptions): readonly Seat[] {
  const who = holders(s, card);
  const isIdle = card === 'insomniac' || (card === 'werewolf' && (loneWolf === 'none' || who.length > 1));
  return isIdle ? [] : who;
}

/** A single `pass` is enough although two options are asked for. */
export function completed(card: string, options: readonly string[], { by, says }: Answer): Answer {
  const isBare = card === 'troublemaker' && says.length === 1 && says[0] === PASS;
  return isBare
    ? { by, says: [PASS, ...options.filter((option) => option !== PASS && option !== `seat:${by}`).slice(0, 1)] }
    : { by, says };
}

/** The effects of a step's answers: holders act in seat order, each on the cards as they lie by then. */
export function deeds(s: Onuw, card: NightCard, answers: readonly Answer[], moment: Moment): readonly OnuwEvent[] {
  const out: OnuwEvent[] = [];
  let at = s;
  for (const answer of answers.toSorted((a, b) => a.by - b.by)) {
    const done = deedOf(at, card, answer, moment);
    out.push(...done);
    at = done.reduce(evolve, at);
  }
  return out;
}

function deedOf(s: Onuw, card: NightCard, { by, says }: Answer, { dice }: Moment): readonly OnuwEvent[] {
  const [first = PASS, second = PASS] = says;
  if (says.includes(PASS)) return [];
  switch (card) {
    case 'werewolf':
      return [look(s, by, first as Place)];
    case 'seer':
      if (first.startsWith('seat:')) return [look(s, by, first as Place)];
      return centrePlaces(first === 'centre' ? dice.pick(`centre of seat:${by}`, PAIRS) : first).map((at) => look(s, by, at));
    case 'robber': {
      const swapped: OnuwEvent = { type: 'swapped', by, seats: [by, seatOf(first)] };
      return [swapped, look(evolve(s, swapped), by, `seat:${by}`)];
    }
    case 'troublemaker':
      return [{ type: 'swapped', by, seats: [seatOf(first), seatOf(second)] }];
    case 'insomniac':
      return [];
  }
}

/** `centre:0+2` is the first and the last of the centre. */
const centrePlaces = (pair: string): Place[] =>
  pair
    .slice('centre:'.length)
    .split('+')
    .map((index): Place => `centre:${Number(index)}`);

function look(s: Onuw, by: Seat, at: Place): OnuwEvent {
  const { zone, index } = placeOf(at);
  return { type: 'looked', by, at, card: (zone === 'seat' ? s.held : s.centre)[index] as Card };
}

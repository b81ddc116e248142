import {
  type Answer,
  type Instant,
  type Open,
  type Question,
  type Seat,
  seatOf,
  seats,
  secret,
  silentIn,
  stepOf,
} from '../kernel/question.ts';
import type { Moment } from '../kernel/rules.ts';
import type { OnuwOptions } from './options.ts';
import { type Call, type Card, evolve, holders, type Onuw, type OnuwEvent, type Place, placeOf, wakers } from './state.ts';

export const PASS = 'pass';
const PAIRS = ['centre:0+1', 'centre:0+2', 'centre:1+2'] as const;
const CENTRE = ['centre:0', 'centre:1', 'centre:2'] as const;

/** The cards on which the Doppelgänger that has copied them acts at once. */
const ACTS_AT_ONCE = ['seer', 'robber', 'troublemaker', 'drunk'] as const satisfies readonly Card[];

/** What everybody hears and the holders learn when a card is called. */
export function calls(s: Onuw, call: Call): readonly OnuwEvent[] {
  const called: OnuwEvent = { type: 'called', card: call };
  if (call === 'copied') return [called];
  const who = wakers(s, call);
  const isTold = call === 'werewolf' || call === 'mason';
  const pack = isTold ? who : holders(s, call);
  return [
    called,
    ...(pack.length > 1 || (isTold && pack.length) ? [{ type: 'met', card: call, seats: pack } as const] : []),
    ...(call === 'minion' ? who.map((seat) => ({ type: 'saw', seat, of: wakers(s, 'werewolf'), as: 'werewolf' }) as const) : []),
    ...(call === 'insomniac' ? who.map((by) => look(s, by, `seat:${by}`)) : []),
  ];
}

/**
 * The question for a card's holders; for nobody when it lies in the centre or has no choice. The Doppelgänger is asked as the card that it has
 * copied, in a phase of its own: `night/copied/seer`.
 * @param isPlayed the night was played beforehand: nobody is asked
 */
export function nightQuestion(s: Onuw, call: Call, now: Instant, options: OnuwOptions, isPlayed: boolean): Question {
  const copied = ACTS_AT_ONCE.find((card) => call === 'copied' && card === s.copied?.card);
  const who = copied ? [s.copied!.by] : isPlayed ? [] : askedOf(s, call, options);
  const card = copied ?? call;
  const others = seats(s.roles.map((_, seat) => seat));
  const choices: { readonly [of in Call]?: readonly string[] } = {
    doppelganger: others,
    werewolf: [PASS, ...CENTRE],
    seer: [PASS, ...others, ...(options.seerCentre === 'random' ? ['centre'] : PAIRS)],
    robber: [PASS, ...others],
    troublemaker: [PASS, ...others],
    drunk: CENTRE,
  };
  return secret(copied ? `night/copied/${copied}` : `night/${call}`, who, choices[card] ?? [], now + options.stepMs, {
    self: false,
    pick: card === 'troublemaker' ? 2 : 1,
    settles: options.hurry ? 'when-all-answer' : 'by-the-clock',
  });
}

/** Those with a choice: of the Werewolves only one that is alone and may peek. */
function askedOf(s: Onuw, call: Call, { loneWolf }: OnuwOptions): readonly Seat[] {
  const who = call === 'copied' ? [] : holders(s, call);
  if (call === 'werewolf') return loneWolf === 'peek' && wakers(s, call).length === 1 ? who : [];
  return call === 'doppelganger' || ACTS_AT_ONCE.some((card) => card === call) ? who : [];
}

/** What silence leads to where a card must be acted on: the dice name a player to copy, or a card of the centre. */
export function rolled(q: Open, { dice }: Moment): readonly Answer[] {
  const step = stepOf(q.id);
  const [draw, options] = step === 'doppelganger' ? ['copied', q.options] : step === 'drunk' ? ['exchanged', CENTRE] : ['', []];
  return silentIn(q).flatMap((by) => {
    const free = options.filter((option) => option !== `seat:${by}`);
    return free.length ? [{ by, says: [dice.pick(`${draw} by seat:${by}`, free as [string, ...string[]])] }] : [];
  });
}

/** A single `pass` is enough although two options are asked for. */
export function completed(card: string, options: readonly string[], { by, says }: Answer): Answer {
  const isBare = card === 'troublemaker' && says.length === 1 && says[0] === PASS;
  return isBare
    ? { by, says: [PASS, ...options.filter((option) => option !== PASS && option !== `seat:${by}`).slice(0, 1)] }
    : { by, says };
}

/** The effects of a step's answers: holders act in seat order, each on the cards as they lie by then. */
export function deeds(s: Onuw, card: string, answers: readonly Answer[], moment: Moment): readonly OnuwEvent[] {
  const out: OnuwEvent[] = [];
  let at = s;
  for (const answer of answers.toSorted((a, b) => a.by - b.by)) {
    const done = deedOf(at, card, answer, moment);
    out.push(...done);
    at = done.reduce(evolve, at);
  }
  return out;
}

function deedOf(s: Onuw, card: string, { by, says }: Answer, { dice }: Moment): readonly OnuwEvent[] {
  const [first = PASS, second = PASS] = says;
  if (says.includes(PASS)) return [];
  switch (card) {
    case 'doppelganger':
      return [{ type: 'copied', by, of: seatOf(first), card: s.roles[seatOf(first)] as Card }];
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
    case 'drunk':
      return [{ type: 'exchanged', by, at: first as Place }];
    default:
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

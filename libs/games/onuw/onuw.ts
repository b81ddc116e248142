/**
 * One Night Ultimate Werewolf, the game of document 004, as a script:
 *
 *   deal a card to each, three to the centre
 *   night: call the cards of the deck in the order of `NIGHT`, by the dealt card, for equal times, whoever has it
 *   day:   rounds of one speech each, or free talk
 *   vote:  simultaneous; the most voted die, nobody when nobody has two votes; a Hunter who dies takes another along
 *   the final cards decide the winner
 */
import { ballot, chat, type Open, phaseOf, round, seats, stepOf } from '../kernel/question.ts';
import { Refusal } from '../kernel/refusal.ts';
import { type RuleSet, ruleSet } from '../kernel/rule-set.ts';
import { ask, type Moment, type Rules, rolesSeen, type TableEvent } from '../kernel/rules.ts';
import { countsOf, deckOf, fixedDeal } from './deck.ts';
import { calls, completed, deeds, nightQuestion, rolled } from './night.ts';
import { type OnuwOptions, onuwOptions } from './options.ts';
import { type Call, type Card, CARDS, evolve, initialState, NIGHT, type Onuw, type OnuwEvent, SIX } from './state.ts';
import { outcomeOf, verdict } from './verdict.ts';
import { rulesText } from './rules-text.ts';
import { brief, tell } from './narration.ts';

type Events = (OnuwEvent | TableEvent)[];

export const onuw = ruleSet({
  name: 'onuw',
  version: '1',
  says: 'One night in which cards are looked at and swapped, one day of talk, one vote; the last card decides the side.',
  players: { least: 3, most: 10, usual: 5 },
  options: onuwOptions,
  sides: {
    village: ['villager', 'seer', 'robber', 'troublemaker', 'insomniac', 'mason', 'drunk', 'hunter', 'doppelganger'],
    werewolves: ['werewolf', 'minion'],
    tanner: ['tanner'],
  },
  optionalRoles: CARDS.slice(SIX.length),
  periods: { word: 'round' },
  record: {
    deal: {
      cards: `the cards of the players by seat, as dealt: ${CARDS.join(', ')}; only with \`setup: standard\``,
      centre: 'the three cards of the centre',
    },
    draws: {
      'centre of seat:N': 'which two centre cards the Seer at seat N sees, with `seerCentre: random`: centre:0+1, centre:0+2 or centre:1+2',
      'copied by seat:N': 'whom a silent Doppelgänger at seat N copies: seat:N',
      'exchanged by seat:N': 'which centre card a silent Drunk at seat N, or one that has copied it, gets: centre:0, centre:1 or centre:2',
    },
    optional: ['werewolf', 'seer', 'robber', 'troublemaker'],
  },
  readDeal,
  rules: (players, options) => rulesOf(deckOf(players, options), options),
  text: rulesText,
});

/** All cards are shuffled together: first the players', then the centre's. @throws Refusal bad-option */
function readDeal(given: Parameters<NonNullable<RuleSet['readDeal']>>[0]): { readonly [name: string]: unknown } {
  const { cards, centre, ...rest } = given;
  if (cards === undefined && centre === undefined) return rest;
  if (!Array.isArray(cards) || !Array.isArray(centre))
    throw new Refusal('bad-option', 'a deal of onuw has the lists cards and centre, both of them');
  return { ...rest, cards: [...(cards as unknown[]), ...(centre as unknown[])] };
}

function rulesOf(deck: readonly Card[], options: OnuwOptions): Rules<Onuw, OnuwEvent> {
  const fixed = fixedDeal(options.setup);
  const inDeck = countsOf(deck);
  const night = NIGHT.filter((call) => inDeck[call === 'copied' ? 'doppelganger' : call]);
  const mayCopy = inDeck.doppelganger !== undefined;
  const hasTalk = options.setup !== 'analysis' || options.analysisTalk;

  /** The cards still to be called, starting at one. Steps without a question are skipped only with `hurry`. */
  function called(s: Onuw, from: number, moment: Moment): Events {
    const card = night[from];
    if (!card) return day(s, moment);
    const heard = calls(s, card);
    const after = heard.reduce(evolve, s);
    const q = nightQuestion(after, card, moment.now, options, fixed?.acts !== undefined);
    return q.of.length || !options.hurry ? [...heard, ask(q)] : [...heard, ...acted(after, { ...q, answers: [], passed: [] }, moment)];
  }

  /** After a step of the night: its effects, then the next card. The step is that of the copied card in the phase `night/copied`. */
  function acted(s: Onuw, q: Open, moment: Moment): Events {
    const card = stepOf(q.id) as Call;
    const done = deeds(s, card, fixed?.acts ? (fixed.acts[card] ?? []) : q.answers, moment);
    const call = phaseOf(q.id).endsWith('/copied') ? 'copied' : card;
    return [...done, ...called(done.reduce(evolve, s), night.indexOf(call) + 1, moment)];
  }

  function day(s: Onuw, moment: Moment): Events {
    const dawned: OnuwEvent = { type: 'dawned' };
    if (!hasTalk || (options.talk === 'rounds' && options.talkRounds === 0)) return [dawned, ...poll(s, moment)];
    if (options.talk === 'rounds') return [speeches(s, 1, moment), dawned];
    return [ask(chat('day/talk', everybody(s), moment.now + options.talkMs, { room: 'Village', maxChars: options.maxChars })), dawned];
  }

  const speeches = (s: Onuw, number: number, { now }: Moment): TableEvent =>
    ask(round(`day/round-${number}/talk`, everybody(s), now, options.turnMs, { room: 'Village', maxChars: options.maxChars }));

  /** After the talk: the next round, or the vote. */
  function talked(s: Onuw, q: Open, moment: Moment): Events {
    const number = Number(/^day\/round-(\d+)\//.exec(q.id)?.[1] ?? options.talkRounds);
    return number < options.talkRounds ? [speeches(s, number + 1, moment)] : poll(s, moment);
  }

  const poll = (s: Onuw, { now }: Moment): Events => [
    ask(ballot('day/vote', everybody(s), seats(everybody(s)), now + options.voteMs, { self: options.selfVote })),
  ];

  return {
    name: 'onuw',
    begin: () => initialState,

    deal(players, moment) {
      const cards = fixed ? [...fixed.cards, ...fixed.centre] : moment.dice.shuffle<Card>('cards', deck);
      const dealt: OnuwEvent = { type: 'dealt', cards: cards.slice(0, players), centre: cards.slice(players) };
      return [dealt, ...called(evolve(initialState, dealt), 0, moment)];
    },

    evolve,
    defaults: (_, q, moment) => rolled(q, moment),
    admit: (_, q, answer) => completed(stepOf(q.id), q.options, answer),
    follow: {
      ...Object.fromEntries(NIGHT.map((card) => [card, acted])),
      talk: talked,
      vote: (s, q) => verdict(s, q.answers, options),
    },

    see(e, eye) {
      switch (e.type) {
        case 'dealt':
          return { ...e, cards: rolesSeen(e.cards, eye), centre: e.centre.map(() => 'hidden' as const) };
        case 'met':
          return typeof eye === 'number' && e.seats.includes(eye) ? e : undefined;
        case 'looked':
        case 'swapped':
        case 'exchanged':
        case 'copied':
          return e.by === eye ? e : undefined;
        case 'saw':
          return e.seat === eye ? e : undefined;
        case 'called':
        case 'dawned':
        case 'counted':
        case 'died':
        case 'felled':
        case 'revealed':
        case 'ended':
          return e;
      }
    },

    out: (s) => s.dead,
    secretPhase: ({ called: card }) => ({
      phase: 'night',
      ms: options.stepMs * night.slice(night.findIndex((each) => each === card)).length,
    }),
    outcome: (s) => outcomeOf(s, options.utility),
    tell: (e, about) => tell(e, about, mayCopy),
    announce: (e) => (e.type === 'dawned' ? ['Village'] : []),
    brief: (s, seat, names) => brief(s, seat, names, mayCopy),
  };
}

const everybody = (s: Onuw): number[] => s.roles.map((_, seat) => seat);

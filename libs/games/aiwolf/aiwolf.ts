/**
 * The AIWolf contest of document 002, as the published server (0.6.2) plays it, as a script:
 *
 *   deal the roles; wolves learn each other
 *   day 0: wolves whisper; seer divines
 *   day d: morning (results for seer and medium), check for a winner
 *          talk in turns, each in a new order; vote, once more on a tie; execution; immoralists die with the last fox
 *          seer divines; wolves whisper, unless exactly one lives; bodyguard guards; wolves vote for a victim, once more on a tie
 *
 * By night a step lasts its full time whoever of its role is alive, so that the length of the night reveals nothing.
 */
import { silentIn, stepOf, type Viewer } from '../kernel/question.ts';
import { ruleSet } from '../kernel/rule-set.ts';
import { outcomeFor, type Rules, type SecretPhase } from '../kernel/rules.ts';
import { cardsOf, type RoleCounts, roleCountsFor, MIN_PLAYERS, MAX_PLAYERS, hasWhispers } from './role-counts.ts';
import { plainEnglish } from './language/plain-english.ts';
import { phaseRules } from './phases.ts';
import { type AiwolfOptions, aiwolfOptions } from './options.ts';
import { type Aiwolf, type AiwolfEvent, delay, evolve, initialState, type Role, SIDES, sideOf } from './state.ts';
import { rulesText } from './rules-text.ts';
import { stepMs } from './steps.ts';
import { admitted, unsaid, wordsFor } from './turns.ts';
import { brief, tell } from './narration.ts';

export const aiwolf = ruleSet({
  name: 'aiwolf',
  version: '2021',
  says: 'The AIWolf contest of 2021: talk in turns in a language of its own, a vote a day, seer, medium, bodyguard and possessed.',
  players: { least: MIN_PLAYERS, most: MAX_PLAYERS, usual: 5 },
  options: aiwolfOptions,
  sides: SIDES,
  optionalRoles: SIDES.fox,
  nightfall: ['executed', 'died', 'spared'],
  language: plainEnglish,
  record: {
    deal: {
      'roles': 'the roles by seat: villager, seer, medium, bodyguard, possessed, fox, immoralist, werewolf',
      'whisper order': 'the seats of the wolves in the order of the first turn of whispering',
      'order': 'the same as the draw `order` below, for a game in which nothing is asked before the first turn of talk',
    },
    draws: {
      'order':
        'all living seats in the order of the next turn of talk, with those who have nothing left to say; with `order: phase` of all turns of the next talk',
      'whisper order': 'the seats of all living wolves in the order of the next turn of whispering, likewise',
      'vote of seat:N': 'for whom a seat counts that gave no vote: `seat:M`',
      'executed': 'who of those in a tie is executed: `seat:N`',
      'attacked': 'who of those in a tie is attacked: `seat:N`',
    },
    optional: ['divine', 'guard'],
  },
  rules: (players, options) => rulesOf(roleCountsFor(players, options.roles, options.preset), options),
  text: (players, options) => rulesText(roleCountsFor(players, options.roles, options.preset), options),
});

function rulesOf(cast: RoleCounts, options: AiwolfOptions): Rules<Aiwolf, AiwolfEvent> {
  const { follow, open } = phaseRules(cast, options);
  const cards = cardsOf(cast);
  return {
    name: 'aiwolf',
    begin: () => initialState,

    deal(_, moment) {
      const dealt: AiwolfEvent = { type: 'dealt', roles: moment.dice.shuffle('roles', cards) };
      return [dealt, ...open(evolve(initialState, dealt), moment)];
    },

    narrow: (_, q, seat) => (q.verb === 'say' ? wordsFor(q, seat) : q.options),
    admit: (s, q, answer, names = []) => (q.verb === 'say' ? admitted(s, q, answer, { options, names }) : answer),

    /** An expired turn counts as Skip, a missing ballot is filled at random with `missingVote: random`, other choices may be omitted. */
    defaults(s, q, moment) {
      if (q.verb === 'say') return unsaid(s, q, options);
      if (stepOf(q.id) !== 'vote' || options.missingVote === 'none') return [];
      return silentIn(q).map((by) => {
        const others = q.options.filter((option) => option !== `seat:${by}`) as [string, ...string[]];
        return { by, says: [moment.dice.pick(`vote of seat:${by}`, others)] };
      });
    },

    follow,
    evolve,
    delay,
    see: (e, eye, s) => (options.nightTold || (e.type !== 'guarded' && e.type !== 'attacked') ? see(e, eye, s) : undefined),
    out: (s) => s.dead,
    secretPhase: (s) => longestNight(s, cast, options),
    /** One point per winner, dead ones too: totals over a set of games then rank by win rate (regulation, 2.4). */
    outcome: ({ ended, roles }) => ended && outcomeFor(ended.winner, roles, (seat) => sideOf(roles[seat] as Role) === ended.winner),
    tell,
    announce,
    brief,
  };
}

function see(e: AiwolfEvent, eye: Viewer, s: Aiwolf): AiwolfEvent | undefined {
  switch (e.type) {
    case 'dealt':
      return { ...e, roles: e.roles.map((role, seat) => (seat === eye || role === knownTo(e.roles, eye) ? role : 'hidden')) };
    case 'gazed':
    case 'guarded':
    case 'divined':
    case 'identified':
      return e.by === eye ? e : undefined;
    case 'attacked':
      return isWolf(s, eye) ? e : undefined;
    case 'ordered':
      return e.place === 'talk' || isWolf(s, eye) ? e : undefined;
    case 'tied':
      return e.vote === 'vote' || isWolf(s, eye) ? e : undefined;
    case 'dawned':
    case 'killed':
    case 'unharmed':
    case 'executed':
    case 'died':
    case 'spared':
    case 'ended':
      return e;
  }
}

/** Whose seats a seat learns at the deal: werewolves and foxes know each other, and immoralists know the foxes. */
function knownTo(roles: Aiwolf['roles'], eye: Viewer): Role | undefined {
  const own = typeof eye === 'number' ? roles[eye] : undefined;
  return own === 'immoralist' ? 'fox' : own === 'werewolf' || own === 'fox' ? own : undefined;
}

const isWolf = (s: Aiwolf, eye: Viewer): boolean => typeof eye === 'number' && s.roles[eye] === 'werewolf';

/** What is announced in the Village while it is open. */
function announce(e: AiwolfEvent): readonly string[] {
  switch (e.type) {
    case 'dawned':
    case 'killed':
    case 'unharmed':
      return ['Village'];
    case 'dealt':
    case 'ordered':
    case 'tied':
    case 'executed':
    case 'died':
    case 'spared':
    case 'gazed':
    case 'guarded':
    case 'attacked':
    case 'divined':
    case 'identified':
    case 'ended':
      return []; // no room is open, or the event is private
  }
}

/** A night by its longest course: all its steps and revotes in full. @param s what everybody knows */
function longestNight({ day, speech }: Aiwolf, cast: RoleCounts, options: AiwolfOptions): SecretPhase {
  const { attackRevotes, firstWhispers } = options;
  const nightMs = stepMs(day, cast, options);
  const whisperMs = !hasWhispers(cast) ? 0 : options.hurry ? options.whisperTurns * cast.werewolf * options.turnMs : options.whisperMs;
  const divineMs = cast.seer ? nightMs : 0;
  const phase = `night-${day}`;
  if (day === 0) {
    const hasTalked = speech !== undefined;
    const afterTalk = (firstWhispers - 1) * whisperMs + divineMs;
    return { phase, ms: hasTalked ? afterTalk : whisperMs + (options.talkOnFirstDay ? 0 : afterTalk) };
  }
  const guardMs = cast.bodyguard ? nightMs : 0;
  const revoteMs = nightMs + (options.whisperBeforeRevote ? whisperMs : 0);
  return { phase, ms: divineMs + whisperMs + guardMs + nightMs + attackRevotes * revoteMs };
}

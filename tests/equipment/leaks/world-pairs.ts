import type { Eye } from '@maw/games/kernel/question.ts';
import { compare } from '../noninterference/aiwolf-worlds.ts';
import { CASTS, pair } from '../noninterference/avalon-worlds.ts';
import type { WorldPair } from '../noninterference/world-pair.ts';
import { pairOf, setting } from '../noninterference/onuw-worlds.ts';
import { werewolf7Pair } from '../noninterference/werewolf-7-worlds.ts';
import { mawPair } from '../noninterference/maw-worlds.ts';

type Options = { readonly [name: string]: string | number | boolean };

const MAW: readonly Options[] = [{}, { whisper: true }, { seer: true, fullNights: true }, { seer: true, whisper: true, votes: 'silent' }];
const AIWOLF: readonly Options[] = [
  {},
  { noAttack: true, talkOnFirstDay: true },
  { voteVisible: false, noExecution: true },
  { whisperBeforeRevote: true, attackRevotes: 2, revotes: 0, wholeNightMs: 45_000 },
];
const AVALON: readonly Options[] = [
  {},
  { assassination: 'any-quest' },
  { fifth: 'forced', talk: false, approval: 'half' },
  { goodMayFail: true, assassination: 'any-quest' },
];
const ONUW: readonly Options[] = [
  {},
  { loneWolf: 'peek' },
  { seerCentre: 'random' },
  { talk: 'free', verdict: 'program' },
  { cards: 'all' },
  { deck: 'doppelganger=1,werewolf=2,mason=2,minion=1,drunk=1,insomniac=1' },
];
const WEREWOLF_7: readonly Options[] = [
  {},
  { wolfWin: 'all-good-dead', guardRepeat: true, witchBoth: false },
  { wolfWin: 'parity', revealNightRoles: true, revealExecuted: true, lastWords: false },
  { revealFirstNight: true, endFirst: 'werewolves' },
];

const LARGE = ['villager', 'werewolf', 'seer', 'medium', 'bodyguard', 'possessed', 'audience'] as const;
const SMALL = ['villager', 'werewolf', 'seer', 'possessed', 'audience'] as const;
const SEVEN = ['villager', 'werewolf', 'seer', 'guard', 'witch', 'audience'] as const;
const seats = (players: number): Eye[] => [...Array.from({ length: players }, (_, seat) => seat), 'audience'];

/** The eye and options of a number: in turn, and finally each eye with all options. */
function turnOf<E>(n: number, eyes: readonly E[], options: readonly Options[]): { readonly eye: E; readonly options: Options } {
  const at = n % eyes.length;
  return { eye: eyes[at]!, options: options[(Math.floor(n / eyes.length) + at) % options.length]! };
}

/** Pairs of worlds of each rule set: the same for the same number, from 0. */
export const PAIRS: { readonly [rules: string]: (n: number) => WorldPair } = {
  'maw'(n) {
    const { eye, options } = turnOf(n, seats(7).toReversed(), MAW);
    return mawPair(n, eye, options);
  },
  'aiwolf'(n) {
    const isLarge = n % 3 < 2;
    const { eye, options } = turnOf(Math.floor(n / 3) * 2 + (n % 3), isLarge ? LARGE : SMALL, AIWOLF);
    return compare(n, isLarge ? 10 : 5, eye, { turns: 2, ...options }).pair;
  },
  'avalon'(n) {
    const casts = Object.values(CASTS);
    const cast = casts[n % casts.length]!;
    // Another seat with each of the casts, with the audience early.
    const { eye, options } = turnOf(Math.floor(n / casts.length) + 3 * (n % casts.length), seats(cast.length).toReversed(), AVALON);
    return { eye, worlds: pair(n, cast, eye, options) };
  },
  'onuw': (n) => pairOf(setting(ONUW[(Math.floor(n / 6) + n) % ONUW.length]), n), // seat n of five, and then the audience
  'werewolf-7'(n) {
    const { eye, options } = turnOf(n, SEVEN, WEREWOLF_7);
    return werewolf7Pair(options, eye, `world ${n}`);
  },
};

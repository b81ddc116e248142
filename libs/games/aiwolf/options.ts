import type { OptionsOf } from '../kernel/options.ts';
import { ROLES } from './state.ts';

/** The options of a game, with the defaults of the contest. Brackets hold the server's own name of a setting. */
export const aiwolfOptions = {
  roles: {
    kind: 'counts',
    of: ROLES,
    most: 18,
    usual: {},
    says: 'how many of each role, if not as the server has it for that many players (roleNumMap)',
  },
  utterances: {
    kind: 'whole',
    least: 0,
    most: 100,
    usual: 10,
    says: 'how often a player may speak in one day; Skip and Over do not count (maxTalk)',
  },
  turns: { kind: 'whole', least: 1, most: 100, usual: 20, says: 'after this many turns the talk of the day is over (maxTalkTurn)' },
  whispers: { kind: 'whole', least: 0, most: 100, usual: 10, says: 'how often a werewolf may whisper in one night (maxWhisper)' },
  whisperTurns: {
    kind: 'whole',
    least: 1,
    most: 100,
    usual: 20,
    says: 'after this many turns the whispering of the night is over (maxWhisperTurn)',
  },
  skips: {
    kind: 'whole',
    least: 0,
    most: 100,
    usual: 2,
    says: 'how many times running a player may say Skip; the next one counts as Over (maxSkip)',
  },
  revotes: { kind: 'whole', least: 0, most: 10, usual: 1, says: 'how often a tied vote is held again (maxRevote)' },
  attackRevotes: {
    kind: 'whole',
    least: 0,
    most: 10,
    usual: 1,
    says: 'how often the werewolves vote again when their vote is tied (maxAttackRevote)',
  },
  noExecution: {
    kind: 'switch',
    usual: false,
    says: 'a vote that stays tied executes nobody, not one of the tied at random (enableNoExecution)',
  },
  noAttack: {
    kind: 'switch',
    usual: false,
    says: 'when no werewolf votes, or their vote stays tied, nobody is attacked, not a human at random (enableNoAttack)',
  },
  voteVisible: { kind: 'switch', usual: true, says: 'everybody learns who voted for whom (voteVisible)' },
  talkOnFirstDay: { kind: 'switch', usual: false, says: 'there is talk on day 0, after the whispering (talkOnFirstDay)' },
  whisperBeforeRevote: { kind: 'switch', usual: false, says: 'the werewolves whisper again before they vote again (whisperBeforeRevote)' },
  language: {
    kind: 'choice',
    of: ['protocol', 'free'] as const,
    usual: 'protocol',
    says: 'what may be said: sentences of the AIWolf protocol, or anything (validateUtterance)',
  },
  endCheck: {
    kind: 'choice',
    of: ['morning', 'at-once'] as const,
    usual: 'morning',
    says: 'whether the winner is looked at before each day, so that the night after a decisive execution is played, or after every death',
  },
  hurry: {
    kind: 'switch',
    usual: false,
    says: 'secret steps end as soon as they are answered, and those of nobody are left out; then timing tells who is dead',
  },
  maxDays: { kind: 'whole', least: 1, most: 1000, usual: 30, says: 'after this many days and nights the game is a draw' },
  maxChars: { kind: 'whole', least: 20, most: 2000, usual: 500, says: 'the longest utterance, in characters' },
  turnMs: {
    kind: 'whole',
    least: 10,
    most: 86_400_000,
    usual: 60_000,
    says: 'how long one utterance may take, in milliseconds; then it is a Skip (timeLimit)',
  },
  voteMs: { kind: 'whole', least: 10, most: 86_400_000, usual: 60_000, says: 'how long a vote lasts at most, in milliseconds' },
  nightMs: {
    kind: 'whole',
    least: 10,
    most: 86_400_000,
    usual: 60_000,
    says: 'how long each of divination, guard and attack vote lasts, in milliseconds',
  },
  whisperMs: {
    kind: 'whole',
    least: 10,
    most: 86_400_000,
    usual: 300_000,
    says: 'how long all whispering of a night lasts, in milliseconds',
  },
} as const;

export type AiwolfOptions = OptionsOf<typeof aiwolfOptions>;

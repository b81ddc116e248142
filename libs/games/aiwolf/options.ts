import { choice, counts, duration, maxChars, maxDays, type OptionsOf, toggle, whole } from '../kernel/options.ts';
import { ROLES } from './state.ts';

/** The options of a game, with the defaults of the contest. Brackets hold the server's own name of a setting. */
export const aiwolfOptions = {
  roles: counts(ROLES, 18, 'how many of each role, if not as the server has it for that many players (roleNumMap)'),
  utterances: whole(0, 100, 10, 'how often a player may speak in one day; Skip and Over do not count (maxTalk)'),
  turns: whole(1, 100, 20, 'after this many turns the talk of the day is over (maxTalkTurn)'),
  whispers: whole(0, 100, 10, 'how often a werewolf may whisper in one night (maxWhisper)'),
  whisperTurns: whole(1, 100, 20, 'after this many turns the whispering of the night is over (maxWhisperTurn)'),
  skips: whole(0, 100, 2, 'how many times running a player may say Skip; the next one counts as Over (maxSkip)'),
  revotes: whole(0, 10, 1, 'how often a tied vote is held again (maxRevote)'),
  attackRevotes: whole(0, 10, 1, 'how often the werewolves vote again when their vote is tied (maxAttackRevote)'),
  noExecution: toggle(false, 'a vote that stays tied executes nobody, not one of the tied at random (enableNoExecution)'),
  noAttack: toggle(false, 'when no werewolf votes, or their vote stays tied, nobody is attacked, not a human at random (enableNoAttack)'),
  voteVisible: toggle(true, 'everybody learns who voted for whom (voteVisible)'),
  talkOnFirstDay: toggle(false, 'there is talk on day 0, after the whispering (talkOnFirstDay)'),
  whisperBeforeRevote: toggle(false, 'the werewolves whisper again before they vote again (whisperBeforeRevote)'),
  language: choice(['protocol', 'free'], 'protocol', 'what may be said: sentences of the AIWolf protocol, or anything (validateUtterance)'),
  endCheck: choice(
    ['morning', 'at-once'],
    'morning',
    'whether the winner is looked at before each day, so that the night after a decisive execution is played, or after every death',
  ),
  hurry: toggle(false, 'secret steps end as soon as they are answered, and those of nobody are left out; then timing tells who is dead'),
  maxDays: maxDays('after this many days and nights the game is a draw'),
  maxChars: maxChars('the longest utterance'),
  turnMs: whole(10, 86_400_000, 60_000, 'how long one utterance may take, in milliseconds; then it is a Skip (timeLimit)', 90_000),
  voteMs: duration(60_000, 'how long a vote lasts at most', { least: 10, people: 90_000 }),
  nightMs: duration(60_000, 'how long each of divination, guard and attack vote lasts', { least: 10 }),
  whisperMs: duration(300_000, 'how long all whispering of a night lasts', { least: 10 }),
} as const;

export type AiwolfOptions = OptionsOf<typeof aiwolfOptions>;

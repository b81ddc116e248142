import { choice, counts, duration, maxChars, maxDays, type OptionsOf, toggle, whole } from '../kernel/options.ts';
import { PRESETS, presets } from './presets.ts';
import { ROLES } from './state.ts';

/** The longest speech that a limit can allow. */
const MAX_LENGTH = 2000;

/** The options of a game, with the defaults of the contest. Brackets hold the server's own name of a setting. */
export const aiwolfOptions = {
  preset: choice(
    PRESETS,
    'protocol-2021',
    'the contest that options without a value follow: the protocol division, or the natural-language division (nlp); times stay as they are',
    presets,
  ),
  roles: counts(ROLES, 18, 'how many of each role, if not as the server has it for that many players (roleNumMap)'),
  utterances: whole(0, 100, 10, 'how often a player may speak in one day; Over does not count, and Skip only with skipsCount (maxTalk)'),
  turns: whole(1, 100, 20, 'after this many turns the talk of the day is over (maxTalkTurn)'),
  whispers: whole(0, 100, 10, 'how often a werewolf may whisper in one night (maxWhisper)'),
  whisperTurns: whole(1, 100, 20, 'after this many turns the whispering of the night is over (maxWhisperTurn)'),
  order: choice(
    ['turn', 'phase'],
    'turn',
    'whether the order of the speakers is drawn for each turn, or once for each talk and whispering',
  ),
  over: choice(
    ['revocable', 'final'],
    'revocable',
    'whether a player who has said Over is asked again while others go on, or has said the last word of the day; if final, silence is a Skip however often',
  ),
  skips: whole(0, 100, 2, 'how many times running a player may say Skip; the next one counts as Over (maxSkip)'),
  skipsCount: toggle(false, 'a Skip uses up one of the utterances too'),
  talk: choice(['turns', 'anytime'], 'turns', 'whether the living talk in turns, or whenever they like for as long as talkMs'),
  revotes: whole(0, 10, 1, 'how often a tied vote is held again (maxRevote)'),
  attackRevotes: whole(0, 10, 1, 'how often the werewolves vote again when their vote is tied (maxAttackRevote)'),
  missingVote: choice(['random', 'none'], 'random', 'whether a missing vote counts for somebody at random, or for nobody'),
  selfVotes: toggle(false, 'players may vote for themselves, and werewolves too where they may name each other (allow_self_vote)'),
  noExecution: toggle(false, 'a vote that stays tied executes nobody, not one of the tied at random (enableNoExecution)'),
  wolfTargets: choice(
    ['refused', 'void'],
    'refused',
    'whether an attack on a werewolf cannot be voted for, or can, and is shown and does not count',
  ),
  missingAttack: choice(
    ['random', 'nobody'],
    'random',
    'who is attacked when no vote of the werewolves counts: a human at random, or nobody',
  ),
  noAttack: toggle(false, 'when no werewolf votes, or their vote stays tied, nobody is attacked, not a human at random (enableNoAttack)'),
  voteVisible: toggle(true, 'everybody learns who voted for whom (voteVisible)'),
  nightTold: toggle(true, 'the bodyguard is told whom it guards, and the werewolves whom they attack, also when nobody dies of it'),
  selfDivine: toggle(true, 'the seer may divine itself'),
  guardDead: toggle(true, 'the bodyguard may guard a dead player, to no use'),
  talkOnFirstDay: toggle(false, 'there is talk on day 0, after the whispering (talkOnFirstDay)'),
  firstWhispers: whole(1, 2, 1, 'how often the werewolves whisper on day 0: before the talk, or before and after it'),
  whisperBeforeRevote: toggle(false, 'the werewolves whisper again before they vote again (whisperBeforeRevote)'),
  language: choice(['protocol', 'free'], 'protocol', 'what may be said: sentences of the AIWolf protocol, or anything (validateUtterance)'),
  baseLength: whole(
    0,
    MAX_LENGTH,
    0,
    'how long one utterance of a free language may be, in lengthIn; what is longer is cut; 0: no such limit (base_length)',
  ),
  mentionLength: whole(
    0,
    MAX_LENGTH,
    0,
    'how long the text after a mention of another player, @Name, may be, besides the text before it, in lengthIn; 0: a mention changes nothing (mention_length)',
  ),
  mention: choice(['first', 'lowest'], 'first', 'which of several mentions counts: the first of the text, or that of the lowest seat'),
  lengthPerDay: whole(0, MAX_LENGTH, 0, 'how much a player may say in one talk beyond baseLength, in lengthIn; 0: nothing (per_agent)'),
  lengthPerTalk: whole(
    0,
    MAX_LENGTH,
    0,
    'how long one utterance may be, the text before and after a mention together, in lengthIn; 0: no such limit (per_talk)',
  ),
  lengthIn: choice(
    ['visible', 'characters', 'words'],
    'visible',
    'the unit of lengths: characters that are not blank, all characters, or words (count_spaces, count_in_word)',
  ),
  endCheck: choice(
    ['morning', 'at-once'],
    'morning',
    'when it is checked who has won: before each day, so that the night after a decisive execution is still played, or after every death',
  ),
  hurry: toggle(
    false,
    'secret steps end as soon as they are answered, and steps that nobody can answer are left out: the timing reveals who is dead',
  ),
  maxDays: maxDays('after this many days and nights the game is a draw'),
  maxChars: maxChars('the longest utterance'),
  turnMs: whole(10, 86_400_000, 60_000, 'how long one utterance may take, in milliseconds; then it is a Skip (timeLimit)', 90_000),
  talkMs: duration(600_000, 'how long the talk of a day lasts at most, with `talk: anytime` (duration)', { least: 10 }),
  voteMs: duration(60_000, 'how long a vote lasts at most', { least: 10, people: 90_000 }),
  nightMs: duration(60_000, 'how long each of divination, guard and attack vote lasts', { least: 10 }),
  wholeNightMs: duration(0, 'how long a night lasts besides its whispering, shared alike by its steps; or 0: each step lasts nightMs', {
    least: 0,
    opens: { least: 30_000, most: 45_000, unless: 'nightMs' },
    decisions: 3,
  }),
  whisperMs: duration(300_000, 'how long all whispering of a night lasts', {
    least: 10,
    opens: { least: 30_000, most: 45_000 },
    decisions: 4,
  }),
} as const;

export type AiwolfOptions = OptionsOf<typeof aiwolfOptions>;

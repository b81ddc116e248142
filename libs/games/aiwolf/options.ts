import { choice, counts, duration, maxChars, maxDays, type OptionsOf, toggle, whole } from '../kernel/options.ts';
import { PRESETS, presets } from './presets.ts';
import { ROLES } from './state.ts';

/** What a limit of lengths can be. */
const LENGTH = [0, 2000, 'characters or words'] as const;

/** The options of a game, with the defaults of the contest. Brackets hold the server's own name of a setting. */
export const aiwolfOptions = {
  preset: choice(
    'Contest',
    PRESETS,
    'protocol-2021',
    'the contest that options without a value follow: the protocol division, or the natural-language division (nlp); times stay as they are',
    presets,
  ),
  roles: counts('Roles', ROLES, 18, 'how many of each role, if not as the server has it for that many players (roleNumMap)'),
  utterances: whole(
    'Talks a day',
    [0, 100, 'talks'],
    10,
    'how often a player may speak in a day, without Over and, but for skipsCount, Skip (maxTalk)',
  ),
  turns: whole('Turns a day', [1, 100, 'turns'], 20, 'after this many turns the talk of the day is over (maxTalkTurn)'),
  whispers: whole('Whispers a night', [0, 100, 'whispers'], 10, 'how often a werewolf may whisper in one night (maxWhisper)'),
  whisperTurns: whole('Turns a night', [1, 100, 'turns'], 20, 'after this many turns the whispering of the night is over (maxWhisperTurn)'),
  order: choice('Speakers', ['turn', 'phase'], 'turn', 'whether their order is drawn for each turn, or once for each talk and whispering'),
  over: choice(
    'Over',
    ['revocable', 'final'],
    'revocable',
    'whether a player who has said Over is asked again while others go on, or has said the last word of the day; if final, silence is a Skip however often',
  ),
  skips: whole('Skips', [0, 100, 'times'], 2, 'how many times running a player may say Skip; the next one counts as Over (maxSkip)'),
  skipsCount: toggle('Skips count', false, 'a Skip uses up one of the utterances too'),
  talk: choice('Talk', ['turns', 'anytime'], 'turns', 'whether the living talk in turns, or whenever they like for as long as talkMs'),
  revotes: whole('Revotes', [0, 10, 'times'], 1, 'how often a tied vote is held again (maxRevote)'),
  attackRevotes: whole('Attack revotes', [0, 10, 'times'], 1, 'how often the werewolves vote again after a tie (maxAttackRevote)'),
  missingVote: choice('A missing vote', ['random', 'none'], 'random', 'whether it counts for somebody at random, or for nobody'),
  selfVotes: toggle('Votes for oneself', false, 'allowed, also to werewolves where they may name each other (allow_self_vote)'),
  noExecution: toggle('A tie spares all', false, 'a vote that stays tied executes nobody, not one at random (enableNoExecution)'),
  wolfTargets: choice('Attacks on wolves', ['refused', 'void'], 'refused', 'cannot be voted for, or can, and are shown and do not count'),
  missingAttack: choice(
    'A missing attack',
    ['random', 'nobody'],
    'random',
    'who is attacked without a valid vote: a human at random, or nobody',
  ),
  noAttack: toggle(
    'Quiet nights',
    false,
    'without votes, or in a tie that stays, wolves attack nobody, not one at random (enableNoAttack)',
  ),
  voteVisible: toggle('Votes are shown', true, 'everybody learns who voted for whom (voteVisible)'),
  nightTold: toggle(
    'Night acts are told',
    true,
    'bodyguard and werewolves are told whom they guard and attack, also when nobody dies of it',
  ),
  selfDivine: toggle('Self-divination', true, 'the seer may divine itself'),
  guardDead: toggle('Guarding the dead', true, 'the bodyguard may guard a dead player, to no use'),
  talkOnFirstDay: toggle('Talk on day 0', false, 'there is talk on day 0, after the whispering (talkOnFirstDay)'),
  firstWhispers: whole('Whispering on day 0', [1, 2, 'times'], 1, 'once before the talk, or before and after it'),
  whisperBeforeRevote: toggle('Whispered revotes', false, 'the werewolves whisper again before they vote again (whisperBeforeRevote)'),
  language: choice('Language', ['protocol', 'free'], 'protocol', 'sentences of the AIWolf protocol, or anything (validateUtterance)'),
  baseLength: whole(
    'Length of an utterance',
    LENGTH,
    0,
    'how long one utterance of a free language may be, in lengthIn; what is longer is cut; 0: no such limit (base_length)',
  ),
  mentionLength: whole(
    'Length after a mention',
    LENGTH,
    0,
    'how long the text after a mention of another player, @Name, may be, besides the text before it, in lengthIn; 0: a mention changes nothing (mention_length)',
  ),
  mention: choice('Mention', ['first', 'lowest'], 'first', 'which of several counts: the first of the text, or that of the lowest seat'),
  lengthPerDay: whole('Length a day', LENGTH, 0, 'what a player may say in a talk beyond baseLength, in lengthIn; 0: nothing (per_agent)'),
  lengthPerTalk: whole(
    'Length with mentions',
    LENGTH,
    0,
    'how long one utterance may be, the text before and after a mention together, in lengthIn; 0: no such limit (per_talk)',
  ),
  lengthIn: choice(
    'Lengths are counted in',
    ['visible', 'characters', 'words'],
    'visible',
    'the unit of lengths: characters that are not blank, all characters, or words (count_spaces, count_in_word)',
  ),
  foxCounts: choice(
    'A living fox counts',
    ['human', 'nobody'],
    'human',
    'among the others whom the werewolves must equal to win, as one of them or not at all',
  ),
  endCheck: choice(
    'When the winner is looked for',
    ['morning', 'at-once'],
    'morning',
    'when it is checked who has won: before each day, so that the night after a decisive execution is still played, or after every death',
  ),
  hurry: toggle(
    'End secret steps early',
    false,
    'secret steps end as soon as they are answered, and steps that nobody can answer are left out: the timing reveals who is dead',
  ),
  maxDays: maxDays('after this many days and nights the game is a draw'),
  maxChars: maxChars('the longest utterance'),
  turnMs: duration('Time to speak', 60_000, 'how long an utterance may take; then it is a Skip (timeLimit)', { least: 10, people: 90_000 }),
  talkMs: duration('Longest talk', 600_000, 'how long the talk of a day lasts at most, with `talk: anytime` (duration)', { least: 10 }),
  voteMs: duration('Longest vote', 60_000, 'how long a vote lasts at most', { least: 10, people: 90_000 }),
  nightMs: duration('Each secret step', 60_000, 'how long each of divination, guard and attack vote lasts', { least: 10 }),
  wholeNightMs: duration(
    'Secret steps in all',
    0,
    'how long a night lasts besides its whispering, shared alike by its steps; or 0: each step lasts nightMs',
    { least: 0, opens: { least: 30_000, most: 45_000, unless: 'nightMs' }, decisions: 3 },
  ),
  whisperMs: duration('Whispering', 300_000, 'how long all whispering of a night lasts', {
    least: 10,
    opens: { least: 30_000, most: 45_000 },
    decisions: 4,
  }),
} as const;

export type AiwolfOptions = OptionsOf<typeof aiwolfOptions>;

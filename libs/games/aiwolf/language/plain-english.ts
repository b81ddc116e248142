/**
 * Plain English for people: what somebody types, in the language of AIWolf. plain-words.ts brings the text to a few words (`@3` is a player,
 * `@all` everybody, `#SEER` a role, `%1` a day), plain-clauses.ts reads a clause of them, and here clauses are joined and checked. What has two
 * meanings is not guessed.
 */
import type { Language, Speaker, Translation } from '../../kernel/language.ts';
import { read } from '../../english/reader.ts';
import { ROLES } from '../state.ts';
import { numberedName, withAgents, withNames, withNumbers } from './agent-names.ts';
import { type Agent, agentOf, ANY, type Content, isUtterance } from './content-reader.ts';
import { sentences as formalSentences, writeContent } from './content-writer.ts';
import { readClause } from './plain-clauses.ts';
import { isKnownWord, isPlainName, looseWords, normalize, playersOf, shown, type Talker, Unclear } from './plain-words.ts';

/** How people take part: players with their numbers, and plain English. */
export const plainEnglish: Language = {
  displayName: numberedName,
  displayText: withNumbers,
  displaySpeech: withNames,
  silence: (text) => ({ Skip: 'says nothing for now', Over: 'has nothing more to say' })[text],
  sentences: formalSentences,
  plainExample(speech, names) {
    const whom = withNames(/Agent\[\d+\]/.exec(speech)?.[0] ?? '1', names);
    return speech.startsWith('ATTACK') ? `attack ${whom}` : `I think ${whom} is a werewolf`;
  },
  translate,
};

/** Translates a sentence. What is of the language stays as it is, also with names for agents: `VOTE Ann[02]`. */
function translate(sentence: string, given: Speaker): Translation {
  const typed = withAgents(sentence.trim(), given.names);
  if (isUtterance(typed)) return { text: typed };
  const speaker = talkerOf(given);
  try {
    const words = normalize(typed, speaker);
    const content = readText(words, speaker) ?? heard(typed, speaker) ?? notUnderstood(words, speaker);
    checkPlayers(content, agentOf(speaker.seat), speaker);
    return { text: writeContent(content) };
  } catch (error) {
    if (error instanceof Unclear) return { why: error.message };
    throw error;
  }
}

/** With the day of the question, such as `round-1/day-2/turn-3/talk`, and what was said on it. */
function talkerOf(speaker: Speaker): Talker {
  const [, phase = '', day = '0', step = 'talk'] = /^(.*(?:day|night)-(\d+))\/.*?(talk|whisper)$/.exec(speaker.question) ?? [];
  const said = speaker.said.filter(({ question }) => question.startsWith(`${phase}/`) && question.endsWith(`/${step}`));
  return { ...speaker, said, day: Number(day), channel: step === 'talk' ? 'TALK' : 'WHISPER' };
}

const SILENCE = /^(?:i )?(?:(skip|pass|(?:say )?nothing(?: to say)?)|(?:is )?(?:over|done|finished)|nothing more)(?: \.)?$/;

function readText(words: string, speaker: Talker): Content | undefined {
  const silence = SILENCE.exec(words);
  if (silence) return { kind: silence[1] ? 'SKIP' : 'OVER' };
  const sentences = words.match(/[^.?]+\??/g)?.map((sentence) => sentence.trim()) ?? [];
  return joined(
    'AND',
    sentences.filter((sentence) => /[^, ]/.test(sentence)),
    speaker,
  );
}

/**
 * What is not put as the language puts it, as the reader of all games understands it: `lynch Bob!`, `my check on Bob says wolf`. Undefined when a
 * part of it has no words in the language.
 */
function heard(typed: string, { seat, names, alive }: Talker): Content | undefined {
  if (/\d/.test(typed)) return undefined; // numbers are the language's own, and have been read
  const acts = read(typed, seat, { names, roles: ROLES });
  const isMedium = acts.some((one) => one.act === 'claims-role' && one.role === 'medium');
  const [first, ...others] = acts.map((one): Content | undefined => {
    if (one.act === 'claims-role') {
      const role = /^(not-)?(.*)$/.exec(one.role)!;
      const claim = { kind: 'COMINGOUT', target: agentOf(seat), role: role[2]!.toUpperCase() as 'SEER' } as const;
      return role[1] ? { kind: 'NOT', parts: [claim] } : claim;
    }
    if (!('about' in one) || typeof one.about !== 'number') return undefined;
    const target = agentOf(one.about);
    const isWolf = { kind: 'ESTIMATE', target, role: 'WEREWOLF' } as const;
    if (one.act === 'accuses') return isWolf;
    if (one.act === 'defends') return { kind: 'NOT', parts: [isWolf] };
    if (one.act === 'own-vote') return { kind: 'VOTE', target };
    if (one.act === 'calls-vote') return { kind: 'REQUEST', target: ANY, parts: [{ kind: 'VOTE', subject: ANY, target }] };
    if (one.act !== 'claims-result' || !/werewolf$/.test(one.result)) return undefined;
    const kind = isMedium || alive[one.about] === false ? 'IDENTIFIED' : 'DIVINED';
    return { kind, target, result: one.result === 'werewolf' ? 'WEREWOLF' : 'HUMAN' };
  });
  const rest = others.filter((one) => one !== undefined);
  if (!first || rest.length < others.length) return undefined;
  return rest.length ? { kind: 'AND', parts: [first, ...rest] } : first;
}

/** Several sentences as one. Undefined when one of them is not understood. */
function joined(kind: 'AND' | 'OR' | 'XOR', sentences: readonly string[], speaker: Talker): Content | undefined {
  const parts: Content[] = [];
  for (const sentence of sentences) {
    const part = readSentence(sentence, speaker);
    if (!part) return undefined;
    parts.push(...(part.kind === kind && kind !== 'XOR' ? part.parts : [part]));
  }
  const [first, second] = parts;
  if (!first || !second) return first;
  if (kind !== 'XOR') return { kind, parts: [first, ...parts.slice(1)] };
  return { kind, parts: [first, second] };
}

const REASONS = [
  /^(?<consequence>.*?)(?: ,)? because (?<reason>.*)$/,
  /^because (?<reason>.*?) , (?:so )?(?<consequence>.*)$/,
  /^(?<reason>.*?)(?: ,)? so (?<consequence>.*)$/,
];
const DAYS = [/^(?:on )?%(?<day>\d+)(?: ,)? (?<rest>.*)$/, /^(?<rest>.*?)(?: on)? %(?<day>\d+)$/];
const PLAYERS = /@\d+(?: , @\d+)*(?: ,)? (?:and|or) @\d+/;
/** Denies what follows in the same clause. */
const DENIAL = /\bnot\b(?!.* (?:and|or|,|because|so) )/;
/** What a list of results, or what somebody does not think, may go on with. */
const MAYBE_GOES_ON = /\b(?:divined|identified|divination|result|identification|not (?:think|believe))\b/;

function readSentence(given: string, speaker: Talker): Content | undefined {
  const words = given.replaceAll(/^[, ]+|[, ]+$/g, '');
  for (const pattern of REASONS) {
    const { reason, consequence } = pattern.exec(words)?.groups ?? {};
    const [first, second] = [reason, consequence].map((part) => (part ? readSentence(part, speaker) : undefined));
    if (first && second) return { kind: 'BECAUSE', parts: [first, second] };
  }
  for (const pattern of DAYS) {
    const { day, rest } = pattern.exec(words)?.groups ?? {};
    const part = rest ? readSentence(rest, speaker) : undefined;
    if (part) return { kind: 'DAY', day: Number(day), parts: [part] };
  }
  return readClause(words, speaker) ?? readList(words, speaker);
}

const SAY_EACH = 'Say each thing in a sentence of its own: “I divined A: human. I divined B: human.”, or “I think A is a werewolf.”';

/** `@1 and @2 is #SEER`, or clauses with `and` or `or` between them. @throws Unclear for both words at once */
function readList(words: string, speaker: Talker): Content | undefined {
  const rest = words.replace(/^either /, '');
  const either = rest === words ? 'OR' : 'XOR';
  const list = PLAYERS.exec(rest);
  const before = list ? rest.slice(0, list.index) : '';
  const isDenied = DENIAL.test(before);
  const kind = / or /.test(list?.[0] ?? '') && !isDenied ? either : 'AND';
  const players = [...new Set(list?.[0].match(/@\d+/g))];
  if (either === 'XOR' && (isDenied || players.length > 2 || rest.split(' or ').length > 2))
    throw new Unclear('After “either” exactly two things can stand: “either A or B is a werewolf”.');
  if (players.length > 1 && /\b(?:divined|identified) $/.test(before) && / is\b/.test(rest.slice(list!.index))) throw new Unclear(SAY_EACH);
  if (players.length > 1) {
    const sentences = players.map((player) => rest.replace(list![0], player));
    const content = joined(kind, sentences, speaker);
    if (content) return content;
  }
  if (/ or /.test(rest) && (/ and | , (?!or )/.test(rest) || /\bnot\b/.test(rest)))
    throw new Unclear('“or” together with “and”, “not” or a comma has two meanings: say less at once.');
  let unclear: Unclear | undefined;
  for (const { index, 0: word } of [...rest.matchAll(/ (?:, )?(?:and|or) | , /g)].toReversed()) {
    const [left, right] = [rest.slice(0, index), rest.slice(index + word.length)];
    try {
      if (MAYBE_GOES_ON.test(left) && /^@\d+ (?:is|was|,) /.test(right)) throw new Unclear(SAY_EACH);
      const content = joined(/or/.test(word) ? either : 'AND', [left, right], speaker);
      if (content) return content;
    } catch (error) {
      if (!(error instanceof Unclear)) throw error;
      unclear ??= error; // maybe it is clear when it is divided elsewhere
    }
  }
  if (unclear) throw unclear;
  return undefined;
}

/** @throws Unclear always, with what could be said */
function notUnderstood(words: string, speaker: Talker): never {
  const { names } = speaker;
  const other = `@${agentOf(names.findIndex((_, seat) => seat !== speaker.seat))}`;
  for (const word of new Set(looseWords(words))) {
    if (
      isKnownWord(word) ||
      !isUnderstood(
        words
          .split(' ')
          .map((each) => (each === word ? other : each))
          .join(' '),
        speaker,
      )
    )
      continue;
    const begun = names.flatMap((name, seat) => (name.toLowerCase().startsWith(word) ? [shown(agentOf(seat), speaker)] : []));
    throw new Unclear(
      begun.length
        ? `“${word}” may be ${begun.join(' or ')}: say the whole name.`
        : `Nobody here is called “${word}”. The players: ${playersOf(speaker)}.`,
    );
  }
  throw new Unclear(`Not understood, and nothing was said. You can say, for example: ${examplesFor(words, speaker).join('; ')}.`);
}

/** Whether a text is understood, maybe with two meanings. */
function isUnderstood(words: string, speaker: Talker): boolean {
  try {
    return readText(words, speaker) !== undefined;
  } catch (error) {
    if (error instanceof Unclear) return true;
    throw error;
  }
}

/** What can be said, with the words by which somebody may have tried it. `A` and `B` stand for players. */
const EXAMPLES: readonly (readonly [RegExp, string])[] = [
  [/think|suspect|trust|#/, 'I think A is a werewolf'],
  [/^i is|claim|#/, 'I am the seer'],
  [/divin|identif|result|#HUMAN/, 'I divined A: human'],
  [/vot|attack|guard/, 'vote A'],
  [/ask|tell|want|should|let us|, vot/, 'ask A to vote B'],
  [/\?|wh[oay]|whether/, 'A, are you the seer?'],
  [/agree/, 'I agree with A'],
  [/because|so/, 'vote A because I think A is a werewolf'],
];

/** Sentences that are understood, with players who live: those that have to do with the words, else of each kind one. */
function examplesFor(words: string, { seat, names, alive }: Talker): readonly string[] {
  const [a = '1', b = '2'] = names.flatMap((name, at) =>
    at === seat || alive[at] === false ? [] : [isPlainName(name) ? name : `${agentOf(at)}`],
  );
  const near = EXAMPLES.filter(([hint]) => hint.test(words));
  const examples = near.length && near.length <= 3 ? near : EXAMPLES;
  return examples.map(([, example]) => `“${example.replaceAll(/\bA\b/g, a).replaceAll(/\bB\b/g, b)}”`);
}

const CHOICES: { readonly [kind: string]: string } = { VOTE: 'vote for', ATTACK: 'attack', DIVINATION: 'divine', GUARD: 'guard' };

/** @throws Unclear when somebody is to be voted for or asked who cannot be */
function checkPlayers(content: Content, by: Agent, speaker: Talker): void {
  const actor = ('subject' in content ? content.subject : undefined) ?? by;
  const isDead = (player: Agent): boolean => player !== ANY && speaker.alive[player - 1] === false;
  const choice = CHOICES[content.kind];
  if ('target' in content && choice !== undefined) {
    if (isDead(content.target)) throw new Unclear(`${shown(content.target, speaker)} is dead: nobody can ${choice} the dead.`);
    if (content.target === actor && content.kind !== 'DIVINATION' && actor !== ANY)
      throw new Unclear(
        actor === agentOf(speaker.seat)
          ? `You cannot ${choice} yourself.`
          : `${shown(actor, speaker)} cannot be asked to ${choice} ${shown(actor, speaker)}.`,
      );
  }
  if (content.kind === 'REQUEST' || content.kind === 'INQUIRE') {
    if (isDead(content.target)) throw new Unclear(`${shown(content.target, speaker)} is dead and does not answer.`);
    if (content.target === agentOf(speaker.seat)) throw new Unclear('You cannot ask yourself.');
  }
  if ('parts' in content && content.kind !== 'DAY' && content.kind !== 'NOT')
    for (const part of content.parts) checkPlayers(part, actor, speaker);
}

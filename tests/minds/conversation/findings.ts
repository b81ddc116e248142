import { namePattern } from '@maw/games/kernel/name-pattern.ts';
import type { Seat } from '@maw/games/kernel/question.ts';
import type { Speech, Transcript } from './transcript.ts';
import { foreignWords } from './vocabulary.ts';

/** Something in a transcript that no player should say. */
export interface Finding {
  readonly what: 'the dead spoken to' | 'a foreign word' | 'a sentence twice in a row';
  readonly speech: string;
}

/** Everything wrong in what the seats of minds said. */
export const findingsIn = (
  rules: string,
  { names, speeches }: Transcript,
  isMind: (seat: Seat) => boolean = () => true,
): readonly Finding[] =>
  speeches.flatMap((speech, i) => {
    if (!isMind(speech.by)) return [];
    const before = speeches.slice(0, i);
    const isRepeated = repeats(speech, before);
    const dead = speech.dead.filter((seat) => isTreatedAsAlive(speech.text, names[seat]!));
    const quote = `${names[speech.by]!}: ${speech.text}`;
    return [
      ...(dead.length ? [{ what: 'the dead spoken to', speech: quote } as const] : []),
      ...(foreignWords(rules, withoutNames(speech.text, names)).length ? [{ what: 'a foreign word', speech: quote } as const] : []),
      ...(isRepeated ? [{ what: 'a sentence twice in a row', speech: quote } as const] : []),
    ];
  });

const withoutNames = (text: string, names: readonly string[]): string => names.reduce((rest, name) => rest.replaceAll(name, ''), text);

const SENTENCE = /(?<=[.!?])\s+/u;
/** Words of a language of its own, which say nothing. */
const WORDLESS = /^(?:Over|Skip)$/;

/** Whether a sentence was said by the speech before this one, or by the speaker's last one. */
function repeats({ by, text }: Speech, before: readonly Speech[]): boolean {
  const talk = before.filter((one) => !WORDLESS.test(one.text));
  const heard = [talk.at(-1), talk.findLast((one) => one.by === by)].flatMap((one) => (one ? one.text.split(SENTENCE) : []));
  return !WORDLESS.test(text) && text.split(SENTENCE).some((sentence) => heard.includes(sentence));
}

const PAST =
  /\b(?:was|were|had|did|died|dies|dead|death|killed|murdered|executed|hanged|lost|lose|los(?:es|ing)|gone|miss|poor|voted|said|named|went|saved|poisoned|verdict|robbed|without)\b/i;

/** Whether a name is spoken to, or spoken about as of somebody who plays: in a sentence that says nothing of death or of the past. */
const isTreatedAsAlive = (text: string, name: string): boolean => {
  const who = namePattern(name);
  const named = new RegExp(who, 'iu');
  const spokenTo = new RegExp(`(?:^|[,;:] )${who}(?:[,:?!]| *$)|, ${who}[.?!;]`, 'iu');
  return text
    .split(SENTENCE)
    .some(
      (sentence) =>
        named.test(sentence) && (!PAST.test(sentence) || (spokenTo.test(sentence) && !/\b(?:dead|death|poor|lost|miss)\b/i.test(sentence))),
    );
};

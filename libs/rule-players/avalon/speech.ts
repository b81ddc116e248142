import type { Seat } from '@maw/games/kernel/question.ts';
import { namePattern } from '@maw/games/kernel/name-pattern.ts';

/** The opinions in a speech. */
export interface Meaning {
  /** Who is called evil, or wished away from the team. */
  readonly against: readonly Seat[];
  /** Who is called good, or wished on the team. */
  readonly favour: readonly Seat[];
}

const AGAINST =
  /\b(?:suspect|accuse|distrust|doubt|leave out|keep out|without|against|liar|lies|lying|evil|traitor|(?:do not|don't|cannot|can't|never) (?:trust|believe|send|take)|not (?:trust|good|clean|loyal)|should not go|stays? (?:at )?home|(?:is|must be|may be) (?:morgana|the assassin|mordred|oberon|a minion))\b/i;
const FAVOUR =
  /\b(?:trust|believe|good|clean|loyal|innocent|send|take|would go|should go|my team|our team|go with|support|not (?:evil|suspect))\b/i;
const DENIED = /\b(?:not|never|isn't|no) (?:evil|suspect|accuse|doubt|distrust|a traitor|a liar|lying|lies|without|against)\b/i;

/** Finds who is suspected and who is trusted, sentence by sentence; ignores everything else. */
export function readSpeech(speech: string, names: readonly string[]): Meaning {
  const against = new Set<Seat>();
  const favour = new Set<Seat>();
  // A dot within a name does not end a sentence.
  for (const part of speech.split(/(?<=[.!?;])\s+|\bbut\b/u)) {
    const isAgainst = AGAINST.test(part) && !DENIED.test(part);
    const isFor = !isAgainst && FAVOUR.test(part);
    if (!isAgainst && !isFor) continue;
    for (const seat of named(part, names)) (isAgainst ? against : favour).add(seat);
  }
  const isBoth = (seat: Seat) => against.has(seat) && favour.has(seat);
  return { against: [...against].filter((seat) => !isBoth(seat)), favour: [...favour].filter((seat) => !isBoth(seat)) };
}

/** The seats whose names occur; `Ann Lee` is not `Ann`. */
function named(text: string, names: readonly string[]): Seat[] {
  let rest = text;
  const found: Seat[] = [];
  const longest = names.map((name, seat) => ({ name, seat })).toSorted((a, b) => b.name.length - a.name.length);
  for (const { name, seat } of longest) {
    if (!name) continue;
    const pattern = new RegExp(namePattern(name), 'giu');
    if (!pattern.test(rest)) continue;
    found.push(seat);
    rest = rest.replace(pattern, ' ');
  }
  return found;
}

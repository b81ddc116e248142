import { isOwnResult, type News } from '../../news.ts';
import { rolesOf } from '@maw/games/roles.ts';

/** Messages of this score and above are informative. */
export const INFORMATIVE = 3;
/** Table 1 of document 001 by event instead of by pattern. Events that are not named have the score of their words. */
const EVENT_SCORES: { readonly [type: string]: number } = {
  // somebody is out of the game, or a quest tells about its team
  executed: 4, murdered: 4, killed: 4, died: 4, felled: 4, dawned: 4, quested: 4, shot: 4,
  // a power that works once
  saved: 2, poisoned: 2,
}; // prettier-ignore
const OWN_RESULT = 5;
const CLAIM = 3;
const OTHER = 1;

/** How much a message tells about roles: 5 an own result, 4 a death or a quest, 3 a role claimed or ascribed, 2 a power used up, 1 anything else. */
export function scoreOf({ event, speech }: News, rules: string): number {
  const score = event && !isQuiet(event) ? (isOwnResult(event) ? OWN_RESULT : EVENT_SCORES[event.type]) : undefined;
  return score ?? (speech !== undefined && claims(rules).test(speech) ? CLAIM : OTHER);
}

/** A night or a vote without a victim. */
const isQuiet = ({ dead, seats }: { readonly [field: string]: unknown }): boolean =>
  [dead, seats].some((victims) => Array.isArray(victims) && !victims.length);

const patterns = new Map<string, RegExp>();

/** Matches a speech that says of somebody what they are: `I am the Seer`, `as a villager`, `Bob must be evil`, `COMINGOUT Agent[01] SEER`. */
function claims(rules: string): RegExp {
  const known = patterns.get(rules);
  if (known) return known;
  const roles = [...new Set([...rolesOf(rules), 'werewolf', 'human', 'evil'])];
  const pattern = new RegExp(
    `\\b(?:am|i['’]m|as|is|are|was|were|be|been|being|comingout|estimate|divined|identified)\\b[^.!?;]{0,40}\\b(?:${roles.join('|')})(?:s|es)?\\b`,
    'iu',
  );
  patterns.set(rules, pattern);
  return pattern;
}

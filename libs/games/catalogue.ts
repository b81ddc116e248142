import { aiwolf } from './aiwolf/aiwolf.ts';
import { avalon } from './avalon/avalon.ts';
import { maw } from './maw/maw.ts';
import { onuw } from './onuw/onuw.ts';
import { Refusal } from './kernel/refusal.ts';
import type { RuleSet } from './kernel/rule-set.ts';
import { werewolf7 } from './werewolf-7/werewolf-7.ts';

/** All games. Adding one takes one file and one line here. */
export const catalogue: readonly RuleSet[] = [maw, aiwolf, avalon, onuw, werewolf7];

/** @throws Refusal unknown-rules */
export function ruleSetNamed(name: string, from: readonly RuleSet[] = catalogue): RuleSet {
  const found = from.find((set) => set.name === name);
  if (!found)
    throw new Refusal('unknown-rules', `there are no rules ${name.slice(0, 60)}; there are ${from.map((set) => set.name).join(', ')}`);
  return found;
}

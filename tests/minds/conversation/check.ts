import type { RuleSet } from '@maw/games/kernel/rule-set.ts';
import type { Recipe } from '@maw/minds/mind.ts';
import { answersIn, scriptedPerson } from './asker.ts';
import { type Finding, findingsIn } from './findings.ts';
import { playTranscript } from './transcript.ts';

export interface Checked {
  readonly speeches: number;
  readonly findings: readonly Finding[];
  readonly asked: number;
  readonly answered: number;
  readonly missed: readonly string[];
}

/** Under which options people play: in plain language. */
const OPTIONS: { readonly [rules: string]: { readonly [option: string]: string | number | boolean } } = { aiwolf: { language: 'free' } };

/** Plays games of minds in which a scripted person asks everybody something every day, and checks what the minds say. */
export async function checkConversation(rules: RuleSet, games: number, seed: string, recipe: Recipe): Promise<Checked> {
  let speeches = 0;
  const findings: Finding[] = [];
  const missed: string[] = [];
  let asked = 0;
  for (let i = 0; i < games; i++) {
    const players = rules.players.usual;
    const person = i % players;
    const scripted = scriptedPerson();
    const options = OPTIONS[rules.name] ?? {};
    const transcript = await playTranscript({
      rules,
      players,
      options,
      seed: `${seed}/${i}`,
      recipeFor: (seat) => (seat === person ? scripted : recipe),
    });
    const answers = answersIn(rules.name, person, transcript);
    speeches += transcript.speeches.length;
    findings.push(...findingsIn(rules.name, transcript, (seat) => seat !== person));
    missed.push(...answers.missed);
    asked += answers.asked;
  }
  return { speeches, findings, asked, answered: asked - missed.length, missed };
}

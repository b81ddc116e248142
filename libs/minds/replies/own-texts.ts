import type { Mind, Moment } from '../mind.ts';

/** Notes that hold what has happened, or what the recipe advises, rather than what the mind thinks of it. */
const TOLD: ReadonlySet<string> = new Set(['public', 'history', 'lines', 'observations', 'debate', 'finished', 'heard', 'lan', 'strategy', 'suggestions']); // prettier-ignore

/** What a mind itself has written into its prompts: plans, drafts, reflections. It may say that aloud. */
export function ownTexts(mind: Mind, { news }: Moment): readonly string[] {
  const told = new Set([...mind.context.lines, ...mind.unread, ...news.flatMap(({ text }) => (text === undefined ? [] : [text]))]);
  const notes = Object.entries(mind.notes).flatMap(([name, note]) => (TOLD.has(name) ? [] : [note]));
  return textsIn([mind.plan, mind.reflections, mind.beliefs, mind.answers, notes]).filter((text) => !told.has(text));
}

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value, ...value.split('\n')];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

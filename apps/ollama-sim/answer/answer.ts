import type { FaultName } from '../faults.ts';
import { seededRandom } from '../seeded-random.ts';
import { generateValue, meetsSchema, type Schema } from './generate.ts';
import { sentence } from './sentence.ts';

/** A message of the prompt; `role` in lower case. */
export interface ChatMessage {
  readonly role: string;
  readonly content: string;
}

export type ThinkLevel = 'low' | 'medium' | 'high' | 'max';

export interface AnswerRequest {
  readonly messages: readonly ChatMessage[];
  /** `json` for any object; undefined for free text. */
  readonly format: 'json' | Schema | undefined;
  readonly think: ThinkLevel | undefined;
}

export interface SimulatedAnswer {
  readonly thinking: string;
  readonly content: string;
}

const ANY_OBJECT: Schema = { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] };
/** The higher the level, the more sentences. */
const THOUGHTS = { low: 1, medium: 2, high: 4, max: 6 } as const;

/** The simulated model's answer, determined by request and seed: a value for the schema, else a sentence. @throws Unmeetable */
export const answerTo = (asked: AnswerRequest, seed: string): SimulatedAnswer => {
  const random = seededRandom(`${seed} ${JSON.stringify(asked)}`);
  const schema = asked.format === 'json' ? ANY_OBJECT : asked.format;
  const thoughts = asked.think === undefined ? 0 : THOUGHTS[asked.think];
  const thinking = Array.from({ length: thoughts }, () => sentence(random)).join(' ');
  return { thinking, content: schema === undefined ? sentence(random) : JSON.stringify(generateValue(schema, random)) };
};

const REPEATS_ALLOWED = 30;

/** Applies a fault of the model to an answer. */
export const applyFault = (answer: SimulatedAnswer, fault: FaultName | undefined, format: AnswerRequest['format']): SimulatedAnswer => {
  if (fault === 'empty-content') return { thinking: answer.thinking, content: '' };
  if (fault === 'think-leak') return { ...answer, content: `<think>\nI should not say this aloud.\n</think>\n\n${answer.content}` };
  if (fault === 'whitespace-run') return { ...answer, content: `{${'\n'.repeat(REPEATS_ALLOWED)}` };
  if (fault === 'schema-violation') return { ...answer, content: violation(format === 'json' ? ANY_OBJECT : (format ?? true)) };
  return answer;
};

/** JSON that the schema does not allow; no JSON where it allows everything. */
const violation = (schema: Schema): string => {
  const samples = ['["not what was asked for"]', '{"not":"what was asked for"}', '"not what was asked for"', 'false'];
  return samples.find((sample) => !meetsSchema(schema, JSON.parse(sample))) ?? '{"not what was asked for';
};
